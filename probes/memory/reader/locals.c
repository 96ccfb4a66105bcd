/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/locals.h"

#include <stdlib.h>

#include "probes/memory/reader/report.h"
#include "support/hash.h"
#include "support/vec.h"

enum { RED_ZONE = 128, ADDRESS_BYTES = 8 };

/* A function as the library in the program has found it. */
struct body {
	uint64_t low, high;
	uint32_t flags;       /* enum mem_function */
	size_t taken, ntaken; /* in locals.taken */
};

/* What was written. */
struct said {
	uint64_t pc;
	const void *variable;
	enum finding_stack what;
};

struct locals {
	struct memory *memory;
	struct findings *findings;
	struct variables *variables;
	VEC(struct body) bodies;
	size_t ordered;          /* bodies below are ordered by their addresses */
	VEC(int64_t) taken;
	VEC(struct said) said;
	struct hash_ids ids; /* indices in `said` */
	struct report_ignored ignored;
	uint64_t count;
};

/* An access to a stack: the words of MEM_LOCAL. */
struct access {
	uint64_t pc, at, bytes, kind, how, from, sp, frame, cfa;
};

struct locals *locals_new(struct memory *m, struct findings *w)
{
	struct locals *l = calloc(1, sizeof *l);

	if (l == NULL)
		return NULL;
	*l = (struct locals){ .memory = m, .findings = w, .variables = variables_new(m->names) };
	if (l->variables == NULL) {
		free(l);
		return NULL;
	}
	return l;
}

void locals_free(struct locals *l)
{
	if (l == NULL)
		return;
	variables_free(l->variables);
	vec_free(&l->bodies);
	vec_free(&l->taken);
	vec_free(&l->said);
	hash_free(&l->ids);
	free(l);
}

uint64_t locals_count(const struct locals *l)
{
	return l->count;
}

void locals_ignore(struct locals *l, const char *pattern)
{
	report_ignore(&l->ignored, pattern);
}

void locals_choose(const struct memory *m, struct mem_code *c)
{
	const struct names_module *module;

	c->modules = 0;
	for (size_t i = 0; (module = names_module_at(m->names, i)) != NULL; i++)
		if (c->modules < MEM_CODE_MODULES &&
		    memory_code_of(m, module->low) == MEMORY_CODE_OTHER &&
		    variables_known(m->names, module))
			c->module[c->modules++] = module->low;
}

/* ---- functions ---- */

static int compare_bodies(const void *a, const void *b)
{
	const struct body *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

/* Orders the bodies by their addresses. They come module by module, before the first access. */
static void order_bodies(struct locals *l)
{
	if (l->ordered < l->bodies.n)
		qsort(l->bodies.at, l->bodies.n, sizeof *l->bodies.at, compare_bodies);
	l->ordered = l->bodies.n;
}

/* The number of bodies that begin at or below an address. */
static size_t bodies_up_to(const struct locals *l, uint64_t at)
{
	size_t low = 0, high = l->bodies.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (l->bodies.at[middle].low <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The body that an instruction is in; NULL: none is known. */
static const struct body *body_at(const struct locals *l, uint64_t pc)
{
	const size_t n = bodies_up_to(l, pc);

	return n > 0 && pc < l->bodies.at[n - 1].high ? &l->bodies.at[n - 1] : NULL;
}

static bool take_function(struct locals *l, const uint64_t *words, size_t n)
{
	const struct body b = { words[0], words[1], (uint32_t)words[2], l->taken.n, n - 3 };

	for (size_t i = 3; i < n; i++)
		if (!vec_push(&l->taken, (int64_t)words[i]))
			return false;
	return vec_push(&l->bodies, b);
}

/* ---- what is wrong ---- */

/* A frame that an access is in, or begins in. Offsets count from the CFA. */
struct view {
	const struct function *f;
	const struct body *body;
	uint64_t pc; /* in the function, relative to the load bias */
	int64_t low, high, from;
};

static bool has(const struct variable *x, int64_t at)
{
	return at >= x->low && at < x->high;
}

/* The only variable in scope that has an offset; NULL: there is none, or there are several. */
static const struct variable *variable_at(const struct view *v, int64_t at)
{
	const struct variable *found = NULL;

	for (size_t i = 0; i < v->f->list.n; i++) {
		const struct variable *x = &v->f->list.at[i];

		if (!has(x, at) || !variables_in_scope(v->f, x, v->pc))
			continue;
		if (found != NULL)
			return NULL;
		found = x;
	}
	return found;
}

/* Where what counts as a variable ends. */
static int64_t end_of(const struct function *f, const struct variable *x)
{
	int64_t end = 0;

	if (x->scope == 0)
		return x->high;
	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.at[i].scope == 0 && f->list.at[i].low > x->low &&
		    f->list.at[i].low < end)
			end = f->list.at[i].low;
	return end;
}

/* Whether the function takes the address of a variable, or of a part of it. */
static bool is_taken(const struct locals *l, const struct view *v, const struct variable *x)
{
	for (size_t i = 0; i < v->body->ntaken; i++)
		if (has(x, l->taken.at[v->body->taken + i]))
			return true;
	return false;
}

/* Whether all pointers that the function makes into its frame are to variables. */
static bool knows_pointers(const struct locals *l, const struct view *v)
{
	for (size_t i = 0; i < v->body->ntaken; i++) {
		bool known = false;

		for (size_t k = 0; k < v->f->list.n && !known; k++)
			known = has(&v->f->list.at[k], l->taken.at[v->body->taken + i]);
		if (!known)
			return false;
	}
	return v->body->flags & MEM_FUNCTION_KNOWN;
}

/* Whether the scope of a variable has ended, and nothing else is where it was. */
static bool has_ended(const struct view *v, const struct variable *x)
{
	if (!v->f->scopes || x->scope == 0 || x->high - x->low >= VARIABLES_SMALL ||
	    variables_in_scope(v->f, x, v->pc))
		return false;
	for (size_t i = 0; i < v->f->list.n; i++) {
		const struct variable *y = &v->f->list.at[i];

		if (y->low < v->high && v->low < y->high && variables_in_scope(v->f, y, v->pc))
			return false;
	}
	return true;
}

/*
 * Looks at an access by a pointer, by the rules of Note [stack variables] in locals.h. Returns
 * whether it is wrong, and sets *to.
 */
static bool check_pointer(const struct locals *l, const struct view *v, struct finding_local *to)
{
	const struct variable *before = NULL, *after = NULL;
	int64_t lowest = 0;

	for (size_t i = 0; i < v->f->list.n; i++) {
		const struct variable *x = &v->f->list.at[i];

		lowest = x->low < lowest ? x->low : lowest;
		if (!is_taken(l, v, x))
			continue;
		if (v->low >= x->low && v->high <= x->high && has_ended(v, x)) {
			to->what = FINDING_SCOPE;
			to->variable = x;
			return true;
		}
		if (v->low >= x->low && v->high <= end_of(v->f, x))
			return false;
		if (x->low <= v->low && (before == NULL || x->low > before->low))
			before = x;
		if (x->low > v->low && (after == NULL || x->low < after->low))
			after = x;
	}
	/* Below the variables are arguments of calls. */
	to->what = before != NULL ? FINDING_BEYOND : FINDING_UNDER;
	to->variable = before != NULL ? before : after;
	return v->low >= lowest && to->variable != NULL;
}

/* Looks at an access to a frame of a function whose variables are known. */
static bool check_frame(const struct locals *l, const struct access *a, const struct view *v,
			struct finding_local *to)
{
	const bool index = a->how == MEM_LOCAL_INDEX;
	const struct variable *x = NULL;

	if (index && a->frame != a->pc)
		return false;
	if (a->how != MEM_LOCAL_POINTER)
		x = variable_at(v, v->from);
	if (x == NULL)
		return !index && knows_pointers(l, v) && check_pointer(l, v, to);
	to->what = v->high > x->high ? FINDING_BEYOND : FINDING_UNDER;
	to->variable = x;
	return v->high > x->high || v->low < x->low;
}

static bool stores(const struct access *a)
{
	return a->kind != MEM_LOAD && a->kind != MEM_FETCH;
}

/*
 * Whether an address below the stack pointer is in no frame: the function has calls, or the address
 * is too far below.
 */
static bool is_below(const struct locals *l, const struct access *a)
{
	const struct body *b = body_at(l, a->pc);

	return a->how == MEM_LOCAL_CALL || a->sp - a->from > RED_ZONE ||
	       (b != NULL && b->flags & MEM_FUNCTION_CALLS);
}

static bool check(struct locals *l, const struct access *a, struct finding_local *to)
{
	const struct names_module *m = names_module(l->memory->names, a->frame);
	struct view v = { .f = variables_function(l->variables, a->cfa ? a->frame : a->pc),
			  .body = body_at(l, a->frame),
			  .pc = a->frame - (m != NULL ? m->bias : 0),
			  .low = (int64_t)(a->at - a->cfa),
			  .from = (int64_t)(a->from - a->cfa) };
	/* Code without debug information may belong to the compiler, and unwind stacks. */
	const bool known = a->how == MEM_LOCAL_CALL ||
			   variables_function(l->variables, a->pc) != NULL;

	v.high = v.low + (int64_t)a->bytes;
	to->function = v.f != NULL && v.f->name != NULL ? v.f->name : "?";
	if (a->from < a->sp && is_below(l, a)) {
		to->what = FINDING_BELOW;
		to->offset = (int64_t)(a->at - a->sp);
		return known && a->at + a->bytes <= a->sp;
	}
	if (a->cfa == 0)
		return false;
	if (v.f != NULL && v.f->plain && v.body != NULL && check_frame(l, a, &v, to)) {
		to->offset = v.low - to->variable->low;
		return true;
	}
	to->what = FINDING_RETURN;
	to->variable = NULL;
	return known && stores(a) && v.low < 0 && v.high > -ADDRESS_BYTES;
}

/* ---- reports ---- */

static uint64_t hash_said(const struct said *s)
{
	return hash_add(hash_add(hash_add(0, s->pc), (uintptr_t)s->variable), s->what);
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct locals *l = ctx;

	return hash_said(&l->said.at[id]);
}

HASH_INLINE bool is_said(const void *ctx, uint32_t id, const void *key)
{
	const struct locals *l = ctx;
	const struct said *x = &l->said.at[id], *y = key;

	return x->pc == y->pc && x->variable == y->variable && x->what == y->what;
}

/* Notes what is about to be written. Returns false if it was before, or if there is no memory. */
static bool is_new(struct locals *l, const struct access *a, const struct finding_local *f)
{
	const struct said now = { a->pc, f->variable, f->what };
	size_t place;

	if (!hash_room(&l->ids, hash_of, l))
		return false;
	place = hash_find(&l->ids, hash_said(&now), is_said, l, &now);
	if (hash_id(&l->ids, place) != HASH_NONE || l->said.n >= HASH_NONE - 1 ||
	    !vec_push(&l->said, now))
		return false;
	hash_put(&l->ids, place, (uint32_t)(l->said.n - 1));
	return true;
}

static bool report(struct locals *l, const struct memory_event *e, const struct access *a,
		   const struct finding_local *local, struct nfart_error *error)
{
	static const char *const labels[] = { [FINDING_BEYOND] = "beyond",
					      [FINDING_UNDER] = "before",
					      [FINDING_SCOPE] = "scope",
					      [FINDING_RETURN] = "return address",
					      [FINDING_BELOW] = "returned" };
	const struct message m = { .address = a->at, .bytes = a->bytes, .pc = a->pc,
				   .thread = e->thread, .stack = e->stack,
				   .kind = (uint8_t)a->kind };
	struct finding f = { .check = "stack", .label = labels[local->what], .message = &m,
			     .local = local };

	if (!is_new(l, a, local) || report_is_ignored(l->memory, &l->ignored, &m))
		return true;
	l->count++;
	findings_take_turn(l->findings);
	findings_write(l->findings, l->memory, &f);
	return findings_give_turn(l->findings, error);
}

static bool is_kind(uint64_t kind)
{
	return kind < MEM_KINDS || kind == MEM_STORE || kind == MEM_FETCH || kind == MEM_FILL;
}

static bool take_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	struct locals *l = ctx;
	const uint64_t *w = v->words;
	struct finding_local local = { 0 };

	if (v->kind == MEM_FUNCTION && !take_function(l, w, v->nwords)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	if (v->kind == MEM_LOCAL) {
		const struct access a = { w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8] };

		order_bodies(l);
		if (is_kind(a.kind) && a.how < MEM_LOCAL_KINDS && a.bytes <= INT32_MAX &&
		    check(l, &a, &local))
			return report(l, v, &a, &local, e);
	}
	return true;
}

static bool take_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	(void)ctx;
	(void)a;
	(void)e;
	return true;
}

struct memory_output locals_output(struct locals *l)
{
	return (struct memory_output){ .access = take_access, .event = take_event, .ctx = l };
}
