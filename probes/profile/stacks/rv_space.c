/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_space.h"

#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/rv_resolve.h"
#include "support/hash.h"

enum {
	PAGE = 4096,
	FIRST_PLACES = 64,
	FIRST_WAIT = 1 << 10,   /* tokens until an unknown page is looked at again */
	MOST_DOUBLINGS = 22,
	NEIGHBOURS = 32         /* tokens to look at around an instruction that has changed */
};

/* The part of satp with the address of the page table. */
static const uint64_t TABLE = (UINT64_C(1) << 44) - 1;

/* ---- finding an address space ---- */

/* The hash of an address space. The table has entries of type struct rv_space *. */
static uint64_t space_hash(enum rv_space_kind kind, uint64_t satp)
{
	return (satp * 4 + kind) * 0x9e3779b97f4a7c15u >> 32;
}

static bool space_hash_of(const void *entry, uint64_t *h)
{
	const struct rv_space *x = *(struct rv_space *const *)entry;

	if (x == NULL)
		return false;
	*h = space_hash(x->kind, x->satp);
	return true;
}

HASH_INLINE bool space_ends(const void *ctx, size_t place, const void *key)
{
	const struct rv_space *x = ((const struct rv_spaces *)ctx)->places[place], *k = key;

	return x == NULL || (x->kind == k->kind && x->satp == k->satp);
}

/* Returns the entry of an address space; NULL stands there if there is no such address space. */
static struct rv_space **space_entry(const struct rv_spaces *s, enum rv_space_kind kind,
				     uint64_t satp)
{
	const struct rv_space key = { .kind = kind, .satp = satp };

	return &s->places[hash_probe(s->nplaces, space_hash(kind, satp), space_ends, s, &key)];
}

static bool widen_spaces(struct rv_spaces *s)
{
	return hash_widen((void **)&s->places, &s->nplaces, sizeof *s->places, FIRST_PLACES,
			  space_hash_of);
}

bool rv_spaces_init(struct rv_spaces *s, struct rv_code *code)
{
	*s = (struct rv_spaces){ .code = code };
	for (size_t i = 0; i < code->modules.n; i++) {
		uint64_t at = (code->modules.at[i].entry & (PAGE - 1)) / 2;

		if (rv_code_begins(code, &code->modules.at[i]))
			s->entries[at / 64] |= (uint64_t)1 << at % 64;
	}
	return widen_spaces(s);
}

static void space_free(struct rv_space *x)
{
	vec_free(&x->mappings);
	vec_free(&x->refuted);
	free(x->unknown);
	free(x);
}

void rv_spaces_free(struct rv_spaces *s)
{
	for (size_t i = 0; i < s->all.n; i++)
		space_free(s->all.at[i]);
	vec_free(&s->all);
	vec_free(&s->processes);
	vec_free(&s->inferred);
	free(s->places);
	code_index_free(&s->index);
}

static enum rv_space_kind kind_of(const struct nfaperf_token *t)
{
	if (t->privilege == NFAPERF_MACHINE)
		return RV_SPACE_MACHINE;
	if (t->privilege == NFAPERF_USER)
		return RV_SPACE_USER;
	return t->satp >> 60 == 0 ? RV_SPACE_BARE : RV_SPACE_KERNEL;
}

uint32_t rv_spaces_process(struct rv_spaces *s, const struct rv_process *as)
{
	while (s->next_free < s->processes.n && !s->processes.at[s->next_free].free)
		s->next_free++;
	if (s->next_free == s->processes.n && !vec_push(&s->processes, *as))
		return UINT32_MAX;
	s->processes.at[s->next_free] = *as;
	return (uint32_t)s->next_free;
}

static bool new_process(struct rv_spaces *s, struct rv_space *x)
{
	struct rv_process new = { .satp = x->satp, .program = UINT32_MAX };

	x->process = rv_spaces_process(s, &new);
	return x->process != UINT32_MAX;
}

static bool has_ended(const struct rv_spaces *s, const struct rv_space *x)
{
	return s->processes.at[x->process].ended;
}

/* The process of x has ended, because another process has its page table. */
static void end_process(struct rv_spaces *s, const struct rv_space *x)
{
	s->nended += !has_ended(s, x);
	s->processes.at[x->process].ended = true;
}

/* A new address space has this page table, so all other processes with it have ended. */
static void end_others(struct rv_spaces *s, const struct rv_space *new)
{
	for (size_t i = 0; i < s->all.n; i++) {
		const struct rv_space *x = s->all.at[i];

		if (x != new && x->kind == RV_SPACE_USER && (x->satp & TABLE) == (new->satp & TABLE))
			end_process(s, x);
	}
}

static struct rv_space *new_space(struct rv_spaces *s, enum rv_space_kind kind, uint64_t satp)
{
	struct rv_space *x;

	if (s->all.n * 2 >= s->nplaces && !widen_spaces(s))
		return NULL;
	x = calloc(1, sizeof *x);
	if (x == NULL)
		return NULL;
	x->kind = kind;
	x->satp = satp;
	x->losses = s->losses;
	if (!new_process(s, x) || !vec_push(&s->all, x)) {
		free(x);
		return NULL;
	}
	*space_entry(s, kind, satp) = x;
	if (kind == RV_SPACE_USER && satp >> 60 != 0)
		end_others(s, x);
	return x;
}

void rv_spaces_drop(struct rv_spaces *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->all.n; i++) {
		struct rv_space *x = s->all.at[i];

		if (x->kind == RV_SPACE_USER && has_ended(s, x) && !x->held)
			space_free(x);
		else
			s->all.at[n++] = x;
	}
	s->all.n = n;
	memset(s->places, 0, s->nplaces * sizeof *s->places);
	for (size_t i = 0; i < n; i++)
		*space_entry(s, s->all.at[i]->kind, s->all.at[i]->satp) = s->all.at[i];
}

/* Returns the address space of a program that has not ended, or NULL. */
static struct rv_space *program_at(const struct rv_spaces *s, uint64_t satp)
{
	struct rv_space *x = *space_entry(s, RV_SPACE_USER, satp);

	return x == NULL || has_ended(s, x) ? NULL : x;
}

struct rv_space *rv_spaces_of(struct rv_spaces *s, const struct nfaperf_token *t)
{
	enum rv_space_kind kind = kind_of(t);
	uint64_t satp = kind == RV_SPACE_USER ? t->satp : 0;
	struct rv_space *x = *space_entry(s, kind, satp);

	if (x != NULL)
		return x;
	x = new_space(s, kind, satp);
	s->failed |= x == NULL;
	return x;
}

/* ---- unknown pages ---- */

static uint64_t unknown_hash(uint64_t page)
{
	return page * 0x9e3779b97f4a7c15u >> 32;
}

static bool unknown_hash_of(const void *entry, uint64_t *h)
{
	const struct rv_unknown *u = entry;

	*h = unknown_hash(u->page);
	return u->page != 0;
}

HASH_INLINE bool unknown_ends(const void *ctx, size_t place, const void *key)
{
	const struct rv_unknown *u = &((const struct rv_space *)ctx)->unknown[place];

	return u->page == 0 || u->page == *(const uint64_t *)key;
}

/*
 * Returns the record of an unknown page. Makes it if it does not exist. Returns NULL if there is no
 * memory.
 */
static struct rv_unknown *unknown_of(struct rv_space *x, uint64_t page)
{
	struct rv_unknown *u;

	if (x->nunknown * 2 >= x->capunknown &&
	    !hash_widen((void **)&x->unknown, &x->capunknown, sizeof *x->unknown, FIRST_PLACES,
			unknown_hash_of))
		return NULL;
	u = &x->unknown[hash_probe(x->capunknown, unknown_hash(page), unknown_ends, x, &page)];
	x->nunknown += u->page == 0;
	u->page = page;
	return u;
}

/* ---- mappings ---- */

/* Whether most of the next tokens agree with a mapping that the first token contradicts. */
static bool neighbours_agree(const struct rv_space *x, const struct rv_mapping *m,
			     struct rv_ahead ahead)
{
	unsigned same = 0, other = 0;

	for (size_t i = 1; i < ahead.n && i < RV_AHEAD && same + other < NEIGHBOURS; i++) {
		const struct nfaperf_token *t = &ahead.at[i];

		if (!rv_space_has(x, t) || t->pc - m->low >= m->span)
			continue;
		if ((uint32_t)*rv_mapping_entry(m, t->pc) == t->instruction)
			same++;
		else
			other++;
	}
	return other * 4 <= same;
}

static void withdraw(struct rv_spaces *s, struct rv_space *x, struct rv_mapping *m)
{
	for (size_t i = s->inferred.n; i-- > 0;)
		if (s->inferred.at[i].process == x->process &&
		    s->inferred.at[i].mapping.module == m->module &&
		    s->inferred.at[i].mapping.base == m->base)
			s->inferred.at[i].withdrawn = true;
	s->nwithdrawn++;
	s->failed |= !vec_push(&x->refuted, *m);
	*m = x->mappings.at[--x->mappings.n];
}

static void add_mapping(struct rv_spaces *s, struct rv_space *x, const struct rv_mapping *m)
{
	struct rv_process *p = &s->processes.at[x->process];

	if (s->code->modules.at[m->module].program)
		p->program = m->module;
	s->failed |= !vec_push(&x->mappings, *m);
	s->failed |= !vec_push(&s->inferred, ((struct rv_inferred){
						 x->process, *m, x->kind == RV_SPACE_USER, false }));
}

static struct rv_mapping unknown_page(uint64_t pc)
{
	return (struct rv_mapping){ .module = UINT32_MAX, .low = pc & ~(uint64_t)(PAGE - 1),
				    .span = PAGE };
}

/* Whether the process of x has another program than mapping m, or the same elsewhere. */
static bool has_other_program(const struct rv_spaces *s, const struct rv_space *x,
			      const struct rv_mapping *m)
{
	if (x->kind != RV_SPACE_USER || !s->code->modules.at[m->module].program)
		return false;
	for (size_t i = 0; i < x->mappings.n; i++)
		if (s->code->modules.at[x->mappings.at[i].module].program)
			return true;
	return false;
}

/* The program of x has ended, and it is not known where. */
static void split_process(struct rv_spaces *s, struct rv_space *x)
{
	struct rv_process *p = &s->processes.at[x->process];

	s->split = (uint64_t)x->process + 1;
	if (!p->proven)
		p->program = UINT32_MAX;
	for (size_t i = s->inferred.n; i-- > 0 && !p->proven;)
		if (s->inferred.at[i].process == x->process &&
		    s->code->modules.at[s->inferred.at[i].mapping.module].program) {
			s->nwithdrawn += !s->inferred.at[i].withdrawn;
			s->inferred.at[i].withdrawn = true;
		}
	rv_space_renew(s, x);
}

/* Whether mapping m explains the pages that were unknown before. */
static bool explains(const struct rv_space *x, const struct rv_mapping *m)
{
	for (size_t i = 0; i < x->capunknown; i++) {
		const struct rv_unknown *u = &x->unknown[i];

		if (u->page != 0 && u->failures != 0 &&
		    (u->first.pc - m->low >= m->span ||
		     (uint32_t)*rv_mapping_entry(m, u->first.pc) != u->first.instruction))
			return false;
	}
	return true;
}

/* Infers a mapping for a token that no mapping has. */
static struct rv_mapping infer(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead)
{
	struct rv_mapping page = unknown_page(ahead.at->pc), m;
	struct rv_unknown *u = unknown_of(x, page.low | 1);

	if (u == NULL) {
		s->failed = true;
		return page;
	}
	page.first = u->again;
	if (ahead.number < u->again)
		return page;
	if (s->index.bits == 0 && !code_index_make(&s->index, s->code)) {
		s->failed = true;
		return page;
	}
	s->attempts++;
	if (rv_resolve(s, x, ahead, &m)) {
		if (has_other_program(s, x, &m))
			split_process(s, x);
		if (x->kind == RV_SPACE_USER && s->code->modules.at[m.module].program) {
			s->found = true;
			s->processes.at[x->process].doubtful |= !s->single && !explains(x, &m);
		}
		add_mapping(s, x, &m);
		return m;
	}
	if (u->failures == 0)
		u->first = (struct rv_place){ ahead.at->pc, ahead.at->instruction };
	u->again = ahead.number + ((uint64_t)FIRST_WAIT << u->failures);
	page.first = u->again;
	if (u->failures < MOST_DOUBLINGS)
		u->failures++;
	return page;
}

struct rv_mapping rv_space_find(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead)
{
	const struct nfaperf_token *t = ahead.at;
	struct rv_mapping *m = rv_space_covering(x, t->pc);
	uint64_t *entry;

	if (m == NULL)
		return infer(s, x, ahead);
	entry = rv_mapping_entry(m, t->pc);
	if ((uint32_t)*entry == t->instruction && *entry != 0)
		return *m;
	if (x->kind != RV_SPACE_USER && neighbours_agree(x, m, ahead)) {
		const struct rv_module *module = &s->code->modules.at[m->module];
		if (*entry != 0) {
			*entry = rv_code_entry(s->code, module, (size_t)(t->pc - m->low) / 2,
					       rv_entry_function(*entry), t->instruction);
			s->patches++;
			return *m;
		}
		return unknown_page(t->pc);
	}
	if (x->kind == RV_SPACE_USER && s->code->modules.at[m->module].program) {
		struct rv_mapping refuted = *m;

		split_process(s, x);
		s->failed |= !vec_push(&x->refuted, refuted);
	} else {
		withdraw(s, x, m);
	}
	return infer(s, x, ahead);
}

/* ---- epochs ---- */

/* Forgets everything about an address space. */
static void forget_mappings(struct rv_space *x)
{
	x->mappings.n = x->refuted.n = x->nunknown = 0;
	x->before = (struct rv_mapping){ 0 };
	if (x->capunknown != 0)
		memset(x->unknown, 0, x->capunknown * sizeof *x->unknown);
}

bool rv_space_calls(const struct rv_spaces *s, uint64_t satp, const struct nfaperf_token *t)
{
	const struct rv_space *x = program_at(s, satp);
	const struct rv_mapping *m = x == NULL ? NULL : rv_space_covering(x, t->pc);

	return m != NULL && t->pc - m->low >= 4 &&
	       (uint32_t)*rv_mapping_entry(m, t->pc) == t->instruction &&
	       rv_entry_class(*rv_mapping_entry(m, t->pc - 4)) == RV_TRAP;
}

void rv_space_fork(struct rv_spaces *s, struct rv_space *x, uint64_t parent_satp,
		   struct rv_ahead ahead)
{
	const struct rv_space *parent = program_at(s, parent_satp);

	if (parent == NULL || parent == x || parent->mappings.n == 0)
		return;
	forget_mappings(x);
	for (size_t i = 0; i < parent->mappings.n; i++) {
		struct rv_mapping m = parent->mappings.at[i];

		m.first = ahead.number;
		add_mapping(s, x, &m);
	}
}

bool rv_space_renew(struct rv_spaces *s, struct rv_space *x)
{
	const struct rv_process *p = &s->processes.at[x->process];

	x->losses = s->losses;
	if (x->mappings.n == 0 && x->refuted.n == 0 && x->nunknown == 0)
		return false;
	if (p->doubtful && p->program != UINT32_MAX)
		s->split = (uint64_t)x->process + 1;
	forget_mappings(x);
	end_process(s, x);
	s->failed |= !new_process(s, x);
	return true;
}

bool rv_space_doubt(struct rv_spaces *s, struct rv_space *x, uint64_t number)
{
	struct rv_mapping *libraries = NULL, before = x->before;
	size_t n = 0;
	bool renewed;

	if (x->mappings.n != 0) {
		libraries = malloc(x->mappings.n * sizeof *libraries);
		s->failed |= libraries == NULL;
	}
	for (size_t i = 0; i < x->mappings.n && libraries != NULL; i++) {
		if (s->code->modules.at[x->mappings.at[i].module].program)
			before = x->mappings.at[i];
		else
			libraries[n++] = x->mappings.at[i];
	}
	renewed = rv_space_renew(s, x);
	for (size_t i = 0; i < n; i++) {
		libraries[i].first = number;
		add_mapping(s, x, &libraries[i]);
	}
	x->before = before;
	free(libraries);
	return renewed;
}
