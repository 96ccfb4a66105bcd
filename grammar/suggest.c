/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * "Did you mean": finds the known name that is most similar to an unknown one.
 */
#include <string.h>

#include "contract/etm/etm_core.h"
#include "contract/etm/pmu.h"
#include "grammar/parse.h"

/* The names that may be suggested, as an iterator over several lists. */
struct candidates {
	const struct front *front;
	bool names; /* candidates are: the types and events of the protocol */
	/* candidates are: the states of this automaton; NULL: no states */
	const struct ast_automaton *states;
	bool stmts; /* candidates are: the statements of `kind` among the first `nstmts` */
	enum ast_stmt_kind kind;
	size_t nstmts;
	const char *const *words; /* candidates are: these words, up to a NULL; NULL: no words */
	size_t i; /* index of the next candidate in all lists together, except `words` */
};

static const char *next_candidate(void *ctx)
{
	struct candidates *c = ctx;
	const struct ast *a = &c->front->ast;
	size_t ntypes = c->names ? a->proto->names.ntypes : 0;
	size_t nevents = c->names ? a->proto->names.nevents : 0;
	size_t nstates = c->states != NULL ? c->states->nstates : 0;

	if (c->i < ntypes)
		return a->proto->names.types[c->i++];
	if (c->i - ntypes < nevents)
		return a->proto->names.events[c->i++ - ntypes].name;
	if (c->i - ntypes - nevents < nstates) {
		size_t i = c->states->first_state + (c->i++ - ntypes - nevents);
		return ast_text(a, a->parts.states.at[i].name.sym);
	}
	for (; c->stmts && c->i - ntypes - nevents - nstates < c->nstmts; c->i++) {
		const struct ast_stmt *s = &a->stmts.at[c->i - ntypes - nevents - nstates];
		if (s->kind == c->kind) {
			c->i++;
			return ast_text(a, s->name.sym);
		}
	}
	return c->words != NULL && *c->words != NULL ? *c->words++ : NULL;
}

static const char *next_protocol(void *ctx)
{
	struct candidates *c = ctx;
	const struct front_options *o = &c->front->options;

	return o->protocol_name != NULL ? o->protocol_name(o->ctx, c->i++) : NULL;
}

static const char *next_group(void *ctx)
{
	struct candidates *c = ctx;
	const struct nfart_proto *p = c->front->ast.proto;

	return c->i < p->names.ngroups ? p->names.groups[c->i++] : NULL;
}

static const char *next_field(void *ctx)
{
	struct candidates *c = ctx;
	const struct nfart_proto *p = c->front->ast.proto;

	if (c->i < p->names.nfields)
		return p->names.fields[c->i++].name;
	return c->words != NULL && *c->words != NULL ? *c->words++ : NULL;
}

static void suggest_for(struct front *f, size_t at, const char *text, size_t n,
			struct diag_range range, const char *(*next)(void *ctx),
			struct candidates *c)
{
	const char *best;

	if (at == SIZE_MAX)
		return;
	best = diag_nearest(text, n, next, c);
	if (best != NULL)
		diag_fixit(f->diags, at, range, best, "did you mean '%s'?", best);
}

static void suggest(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
		    const char *(*next)(void *ctx), struct candidates *c)
{
	const char *text = ast_text(&f->ast, sym);

	suggest_for(f, at, text, strlen(text), range, next, c);
}

/* In the protocol of a core's events: says of an unknown name that it is an event all the same, and
 * which names are near it. */
static void note_events(struct front *f, size_t at, const char *name, struct diag_range range)
{
	const char *core = f->ast.proto->name, *near[PMU_NEAR];
	const struct pmu_event *e = pmu_find(name, strlen(name));
	struct buf list = { 0 };
	size_t n;

	if (at == SIZE_MAX || strncmp(core, ETM_PROTO_PREFIX, strlen(ETM_PROTO_PREFIX)) != 0)
		return;
	core += strlen(ETM_PROTO_PREFIX);
	if (e != NULL)
		diag_note(f->diags, at, range, "%s is event 0x%02x of performance monitors, which "
			  "%s", name, (unsigned)e->number, !pmu_counts(core, e)
			  ? "this core does not count"
			  : "the description of this core's trace unit does not name");
	n = pmu_near(core, name, strlen(name), near);
	for (size_t i = 0; i < n; i++)
		if (proto_find_type(f->ast.proto, near[i], strlen(near[i])) >= 0)
			buf_addf(&list, "%s%s", list.n == 0 ? "" : ", ", near[i]);
	if (list.n != 0 && !list.failed)
		diag_note(f->diags, at, range, "events with such names: %.*s", (int)list.n,
			  list.at);
	buf_free(&list);
}

void front_suggest_name(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			size_t nlets, const char *const *words)
{
	struct candidates c = { .front = f, .names = true, .stmts = nlets != 0, .kind = AST_LET,
				.nstmts = nlets, .words = words };

	suggest(f, at, sym, range, next_candidate, &c);
	note_events(f, at, ast_text(&f->ast, sym), range);
}

void front_suggest_word(struct front *f, size_t at, const char *text, size_t n,
			struct diag_range range, const char *const *words)
{
	struct candidates c = { .front = f, .words = words };

	suggest_for(f, at, text, n, range, next_candidate, &c);
}

void front_suggest_stmt(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			enum ast_stmt_kind kind, size_t nstmts)
{
	struct candidates c = { .front = f, .stmts = true, .kind = kind, .nstmts = nstmts };

	suggest(f, at, sym, range, next_candidate, &c);
}

void front_suggest_state(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 const struct ast_automaton *m)
{
	struct candidates c = { .front = f, .states = m };

	suggest(f, at, sym, range, next_candidate, &c);
}

void front_suggest_group(struct front *f, size_t at, ast_sym_t sym, struct diag_range range)
{
	struct candidates c = { .front = f };

	suggest(f, at, sym, range, next_group, &c);
}

void front_suggest_field(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 bool addr)
{
	static const char *const words[] = { "addr", NULL }, *const key[] = { "cl", NULL };
	struct candidates c = { .front = f, .words = addr ? words : key };

	if (addr && f->ast.proto->header.addr_bits == 0)
		c.words = NULL;
	suggest(f, at, sym, range, next_field, &c);
}

const char *front_nearest_protocol(struct front *f, const char *name)
{
	struct candidates c = { .front = f };

	return diag_nearest(name, strlen(name), next_protocol, &c);
}

void front_suggest_protocol(struct front *f, size_t at, ast_sym_t sym, struct diag_range range)
{
	struct candidates c = { .front = f };

	suggest(f, at, sym, range, next_protocol, &c);
}

/* Adds a fix-it to record `at` that replaces `range` by `name*`. If the predicate has a group, the
 * group stands before. The text `quote` is put before and after `name*`; it may be empty. */
static void fixit(struct front *f, size_t at, const struct ast_basic *basic, const char *name,
		  const char *quote, struct diag_range range, const char *message)
{
	struct buf b = { 0 };

	if (basic->group != AST_NIL)
		buf_addf(&b, "%s.", ast_text(&f->ast, basic->group));
	buf_addf(&b, "%s%s*%s", quote, name, quote);
	if (!b.failed)
		diag_fixit(f->diags, at, range, b.at, message, b.at);
	buf_free(&b);
}

bool front_star_notes(struct front *f, size_t at, const struct ast_basic *basic,
		      struct diag_range both, bool in_list)
{
	const struct nfart_proto *p = front_protocol(f);
	const char *name = ast_text(&f->ast, basic->name);
	struct candidates c = { .front = f, .names = true };
	size_t n = strlen(name);
	bool glob = false;

	if (p == NULL || at == SIZE_MAX)
		return false;
	for (uint32_t t = 0; t < p->names.ntypes; t++)
		glob = glob || strncmp(p->names.types[t], name, n) == 0;
	if (!glob && !in_list)
		return false;
	if (glob)
		fixit(f, at, basic, name, "\"", both,
		      "did you mean %s, all types whose names begin like this? A glob is written "
		      "in quotes");
	if (in_list) {
		if (proto_find_type(p, name, n) >= 0 || proto_find_event(p, name, n) >= 0)
			diag_note(f->diags, at, both, "to repeat '%s', put the '*' after the "
				  "closing parenthesis", name);
		return glob;
	}
	name = diag_nearest(name, n, next_candidate, &c);
	if (name != NULL)
		fixit(f, at, basic, name, "", both, "did you mean %s, the type repeated?");
	return true;
}
