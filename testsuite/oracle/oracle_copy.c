/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/oracle/oracle_copy.h"

#include <string.h>

#include "grammar/ast_match.h"
#include "testsuite/oracle/oracle_machine.h"

/*
 * A copy of the filters while it runs over n batches. A set of prefixes 0 … n takes `words` words;
 * prefix i + 1 ends with seen[i].
 *
 * `from` and `to` hold a set for each node: the start set of its last evaluation, and the ends that
 * it gave. If a node is evaluated again with the same start set, its ends are taken from there;
 * otherwise both sets are replaced. The two sets are zero at first, which is right: where no match
 * begins, none ends.
 */
struct copy {
	const struct oracle_source *source;
	const struct ast *ast;
	const struct oracle_sight *seen; /* [n]: the batches */
	size_t n, words;
	struct arena arena;
	uint64_t *origin;                /* the set {0} */
	uint64_t *from, *to;             /* [nodes * words]: start set and ends of each node */
	/* [statements * words]: the prefixes after which the counter of a statement is active */
	uint64_t *active;
	uint64_t *labels;                /* [n * label_words]: a result, the labels of each batch */
	size_t label_words;
	bool *logged;                    /* [n]: a result, whether the batch is logged */
};

/* ---- predicates (nfacc-filter(5)) ----------------------------------------------------------- */

/* Returns the expression for which the name in the node stands. AST_NIL: the node is no name. */
static ast_id_t copy_named(const struct ast *a, const struct ast_node *node)
{
	uint32_t let = node->kind == AST_BASIC ? a->basics.at[node->data].let : AST_NIL;

	return let == AST_NIL ? AST_NIL : a->stmts.at[let].expr.id;
}

static bool is_predicate(const struct oracle_source *s, const struct ast_node *node)
{
	switch (node->kind) {
	case AST_TRUE:
	case AST_ANY_OF:
	case AST_NONE_OF:
	case AST_NOT:
		return true;
	case AST_BASIC:
		return copy_named(s->ast, node) == AST_NIL ||
		       s->is_predicate[copy_named(s->ast, node)];
	default:
		return false;
	}
}

/* Does a message with this slot and opcode match the basic predicate of node e? Names have to be
 * compared for the answer, so each answer is kept. */
static bool source_matches(const struct oracle_source *s, ast_id_t e, uint32_t slot,
			   uint32_t opcode)
{
	uint32_t bits = s->ast->proto->header.op_bits;
	size_t at = 2 * ((((size_t)e * s->ast->proto->nslots + slot) << bits) + opcode);

	if (!bits_get(s->matches, at)) {
		bits_set(s->matches, at);
		if (ast_basic_matches(s->ast, &s->ast->basics.at[s->ast->nodes.at[e].data], slot,
				      opcode))
			bits_set(s->matches, at + 1);
	}
	return bits_get(s->matches, at + 1);
}

/* The names that led to a predicate, from the innermost one on. The guards of names add their tests
 * to those of what the names stand for. */
struct names {
	const struct ast_basic *name;
	const struct names *outer;
};

/* Does the message pass the guard of the basic predicate, and those of the names that led to it? */
static bool basic_passes(const struct ast *a, const struct ast_basic *basic,
			 const struct names *names, uint32_t slot,
			 const struct record_message *m)
{
	bool ok = ast_guard_passes(a, basic, slot, m);

	for (; ok && names != NULL; names = names->outer)
		ok = ast_guard_passes(a, names->name, slot, m);
	return ok;
}

static bool is_guarded(const struct names *names)
{
	for (; names != NULL; names = names->outer)
		if (names->name->ntests != 0)
			return true;
	return false;
}

/* The message in a slot, which has one. Its payload comes after that of the messages below it. */
static struct record_message message_in(const struct nfart_batch *b, uint32_t slot)
{
	struct record_message m = { { b->header[slot] } };
	uint32_t before = 0;

	for (uint32_t s = 0; s < slot; s++)
		before += b->mask >> s & 1;
	for (uint32_t w = 0; w < b->payload_words; w++)
		m.word[1 + w] = b->payload[before * b->payload_words + w];
	return m;
}

/* Does one of the messages, or the time of the batch, match the basic predicate of node e? */
static bool is_hit(const struct copy *c, ast_id_t e, const struct names *names,
		   const struct oracle_sight *x)
{
	const struct nfart_proto *p = c->ast->proto;
	const struct ast_basic *basic = &c->ast->basics.at[c->ast->nodes.at[e].data];

	if (!is_guarded(names) && ast_basic_matches_time(basic, x->batch->when))
		return true;
	for (uint32_t slot = 0; slot < p->nslots; slot++) {
		struct record_message m;
		if ((x->slots >> slot & 1) == 0 ||
		    !source_matches(c->source, e, slot, proto_opcode(p, x->batch->header[slot])))
			continue;
		m = message_in(x->batch, slot);
		if (basic_passes(c->ast, basic, names, slot, &m))
			return true;
	}
	return false;
}

static bool copy_holds(const struct copy *c, ast_id_t e, const struct names *outer,
		       const struct oracle_sight *x)
{
	const struct ast *a = c->ast;
	const struct ast_node *node = &a->nodes.at[e];
	struct names names = { NULL, outer };
	bool any = false;

	switch (node->kind) {
	case AST_TRUE:
		return true;
	case AST_BASIC:
		names.name = &a->basics.at[node->data];
		return copy_named(a, node) != AST_NIL
			       ? copy_holds(c, copy_named(a, node), &names, x)
			       : is_hit(c, e, outer, x);
	case AST_NOT:
		return copy_holds(c, node->first, outer, x) != (node->lo % 2 == 1);
	default: /* Any or None */
		for (ast_id_t i = node->first; i != AST_NIL; i = a->nodes.at[i].next)
			any = any || copy_holds(c, i, outer, x);
		return any == (node->kind == AST_ANY_OF);
	}
}

/* ---- expressions ---------------------------------------------------------------------------- */

static const uint64_t *copy_ends(struct copy *c, ast_id_t e, const uint64_t *start);

static void copy_set(const struct copy *c, uint64_t *set, const uint64_t *from)
{
	memcpy(set, from, c->words * sizeof *set);
}

static void unite(const struct copy *c, uint64_t *set, const uint64_t *with)
{
	for (size_t i = 0; i < c->words; i++)
		set[i] |= with[i];
}

static bool copy_same(const struct copy *c, const uint64_t *x, const uint64_t *y)
{
	return memcmp(x, y, c->words * sizeof *x) == 0;
}

/* Replaces *set by the ends of one more match of the body, begun at a prefix in *set. Returns
 * whether this changes the set. */
static bool once_more(struct copy *c, ast_id_t body, const uint64_t **set)
{
	*set = copy_ends(c, body, *set);
	return !copy_same(c, c->from + body * c->words, *set);
}

/* Computes into `to` the ends of lo … hi matches of the operand of x. Once a match leaves the set
 * as it is, all further matches do so, too. This happens after at most n + 2 matches: if the
 * operand can be empty, the sets only grow; else their smallest prefix rises until none is left. */
static void repeat(struct copy *c, const struct ast_node *x, const uint64_t *start,
		   uint64_t *to)
{
	const uint64_t *set = start;
	uint32_t i = 0;

	while (i < x->lo && once_more(c, x->first, &set))
		i++;
	copy_set(c, to, set);
	for (i = x->lo; i < x->hi && once_more(c, x->first, &set); i++)
		unite(c, to, set);
}

/* Returns the prefixes that end a match of e begun at a prefix in `start`. The result lives until e
 * is evaluated again, alone or as a part of another expression. */
static const uint64_t *copy_ends(struct copy *c, ast_id_t e, const uint64_t *start)
{
	const struct ast *a = c->ast;
	const struct ast_node *x = &a->nodes.at[e];
	uint64_t *from = c->from + e * c->words, *to = c->to + e * c->words;
	const uint64_t *set = from;

	if (copy_same(c, from, start))
		return to;
	copy_set(c, from, start);
	memset(to, 0, c->words * sizeof *to);
	if (c->source->is_predicate[e]) {
		for (size_t i = 0; i < c->n; i++)
			if (bits_get(from, i) && copy_holds(c, e, NULL, &c->seen[i]))
				bits_set(to, i + 1);
		return to;
	}
	switch (x->kind) {
	case AST_CAT:
		for (ast_id_t i = x->first; i != AST_NIL; i = a->nodes.at[i].next)
			set = copy_ends(c, i, set);
		copy_set(c, to, set);
		break;
	case AST_ALT:
		for (ast_id_t i = x->first; i != AST_NIL; i = a->nodes.at[i].next)
			unite(c, to, copy_ends(c, i, from));
		break;
	case AST_REP:
		repeat(c, x, from, to);
		break;
	case AST_BASIC:
		copy_set(c, to, copy_ends(c, copy_named(a, x), from));
		break;
	case AST_COUNTED: /* @NAME stands only where an expression begins: at prefix 0 */
		if (bits_get(from, 0))
			copy_set(c, to, c->active + c->source->of.counter[x->data] * c->words);
		break;
	default: /* eps */
		copy_set(c, to, from);
		break;
	}
	return to;
}

/* ---- counters, filters, log ----------------------------------------------------------------- */

/* Fills in the counter's set of active prefixes. The sets of earlier counters are filled in
 * already. False: out of memory. */
static bool run_counter(struct copy *c, const struct ast_stmt *t)
{
	uint64_t *active = c->active + c->source->of.counter[t->name.sym] * c->words;
	uint64_t *up = arena_array(&c->arena, c->words, sizeof *up);
	uint64_t *zero = arena_array(&c->arena, c->words, sizeof *zero);
	uint64_t count = 0, k = t->number.value;

	if (up == NULL || zero == NULL)
		return false;
	copy_set(c, up, copy_ends(c, t->expr.id, c->origin));
	if (t->reset.id != AST_NIL)
		copy_set(c, zero, copy_ends(c, t->reset.id, c->origin));
	for (size_t i = 1; i <= c->n; i++) {
		uint64_t before = count;
		bool reached;

		if (bits_get(zero, i))
			count = 0;
		else if (bits_get(up, i) && count < k)
			count++;
		reached = count == k && before != k;
		if (t->mode == COUNTER_LATCH ? count == k : reached)
			bits_set(active, i);
		if (t->mode == COUNTER_ROLL && reached)
			count = 0;
	}
	return true;
}

static void run_filter(struct copy *c, const struct ast_stmt *t)
{
	const uint64_t *set = copy_ends(c, t->expr.id, c->origin);
	uint32_t label = c->source->of.label[t->name.sym];

	for (size_t i = 0; i < c->n; i++)
		if (bits_get(set, i + 1))
			bits_set(c->labels + i * c->label_words, label);
}

static void run_log(struct copy *c, const struct ast_stmt *t)
{
	const uint64_t *set = copy_ends(c, t->expr.id, c->origin);

	for (size_t i = 0; i < c->n; i++)
		c->logged[i] = c->logged[i] || bits_get(set, i + 1);
}

/* ---- automata ------------------------------------------------------------------------------- */

static bool is_epsilon(const struct copy *c, const struct ast_edge *e)
{
	return !c->source->is_predicate[e->trigger.id];
}

/* Adds every state that epsilon transitions lead to from states in the set. */
static void close_states(const struct copy *c, const struct ast_automaton *m, bool *set)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < m->nedges; i++) {
			const struct ast_edge *e = &c->ast->parts.edges.at[m->first_edge + i];

			if (is_epsilon(c, e) && set[e->from_state] && !set[e->to_state])
				set[e->to_state] = more = true;
		}
	}
}

/* Fills `next` with the states that are active after batch x. `now` has the states that were active
 * before it. */
static void copy_step(const struct copy *c, const struct ast_automaton *m,
		      const struct oracle_sight *x, const bool *now, bool *next)
{
	memset(next, 0, m->nstates * sizeof *next);
	for (uint32_t i = 0; i < m->nedges; i++) {
		const struct ast_edge *e = &c->ast->parts.edges.at[m->first_edge + i];

		if (!is_epsilon(c, e) && now[e->from_state] &&
		    copy_holds(c, e->trigger.id, NULL, x))
			next[e->to_state] = true;
	}
	close_states(c, m, next);
}

/* Gives batch i the labels and the log mark of state q, which is active after it. */
static void take_marks(struct copy *c, const struct ast_state *q, size_t i)
{
	for (uint32_t l = 0; l < q->nlabels; l++)
		bits_set(c->labels + i * c->label_words,
			 c->source->of.label[c->ast->parts.labels.at[q->first_label + l].sym]);
	for (uint32_t l = 0; l < q->noutputs; l++)
		bits_set(c->labels + i * c->label_words,
			 c->source->nlabels +
				 c->source->of.output[c->ast->parts.outputs.at[q->first_output + l]
							      .sym]);
	c->logged[i] = c->logged[i] || q->log;
}

static bool run_automaton(struct copy *c, const struct ast_automaton *m)
{
	const struct ast_state *states = c->ast->parts.states.at + m->first_state;
	bool *now = arena_array(&c->arena, m->nstates, sizeof *now);
	bool *next = arena_array(&c->arena, m->nstates, sizeof *next);

	if (now == NULL || next == NULL)
		return false;
	for (uint32_t q = 0; q < m->nstates; q++)
		now[q] = states[q].start;
	close_states(c, m, now);
	for (size_t i = 0; i < c->n; i++) {
		bool *before = now;

		copy_step(c, m, &c->seen[i], now, next);
		now = next;
		next = before;
		for (uint32_t q = 0; q < m->nstates; q++)
			if (now[q])
				take_marks(c, &states[q], i);
	}
	return true;
}

static bool holds_in(const void *copy, ast_id_t pred, size_t i)
{
	const struct copy *c = copy;

	return copy_holds(c, pred, NULL, &c->seen[i]);
}

static bool run_machine(struct copy *c, const struct ast_machine *m)
{
	uint32_t *after = arena_array(&c->arena, c->n, sizeof *after);

	if (after == NULL || !oracle_machine_run(c->ast, m, holds_in, c, c->n, after))
		return false;
	for (size_t i = 0; i < c->n; i++)
		take_marks(c, &c->ast->parts.states.at[m->first_state + after[i]], i);
	return true;
}

/* ---- the source ----------------------------------------------------------------------------- */

static void number_label(struct oracle_source *s, ast_sym_t sym)
{
	if (s->of.label[sym] == AST_NIL)
		s->of.label[sym] = s->nlabels++;
}

static void number_output(struct oracle_source *s, ast_sym_t sym)
{
	if (s->of.output[sym] == AST_NIL)
		s->of.output[sym] = s->noutputs++;
}

/* Numbers the labels and outputs of n states. */
static void number_marks(struct oracle_source *s, uint32_t first, uint32_t n)
{
	const struct ast *a = s->ast;

	for (uint32_t q = first; q < first + n; q++) {
		const struct ast_state *x = &a->parts.states.at[q];

		for (uint32_t l = 0; l < x->nlabels; l++)
			number_label(s, a->parts.labels.at[x->first_label + l].sym);
		for (uint32_t l = 0; l < x->noutputs; l++)
			number_output(s, a->parts.outputs.at[x->first_output + l].sym);
	}
}

/* Takes from a statement what it says of the whole run. Labels are numbered in the order in which
 * they first appear. */
static void source_declare(struct oracle_source *s, uint32_t index)
{
	const struct ast *a = s->ast;
	const struct ast_stmt *t = &a->stmts.at[index];

	switch (t->kind) {
	case AST_FILTER:
		number_label(s, t->name.sym);
		break;
	case AST_AUTOMATON:
		number_marks(s, a->automata.at[t->automaton].first_state,
			     a->automata.at[t->automaton].nstates);
		break;
	case AST_MACHINE:
		number_marks(s, a->machines.at[t->machine].first_state,
			     a->machines.at[t->machine].nstates);
		break;
	case AST_COUNTER:
		s->of.counter[t->name.sym] = index;
		break;
	case AST_WINDOW:
		s->before = t->number.value;
		s->after = t->after.value;
		break;
	case AST_LIMIT:
		s->limit = t->number.value;
		break;
	case AST_SUBSTREAM:
		s->key = t->sub.field;
		s->ranges = a->ranges.at + t->sub.first_range;
		s->nranges = t->sub.nranges;
		break;
	case AST_TICK:
		s->tick = t->number.value;
		break;
	default:
		break;
	}
}

bool oracle_source_init(struct oracle_source *s, const struct ast *a)
{
	*s = (struct oracle_source){ .ast = a };
	s->is_predicate = arena_array(&s->arena, a->nodes.n, sizeof *s->is_predicate);
	s->of.label = arena_array(&s->arena, a->syms.n, sizeof *s->of.label);
	s->of.output = arena_array(&s->arena, a->syms.n, sizeof *s->of.output);
	s->of.counter = arena_array(&s->arena, a->syms.n, sizeof *s->of.counter);
	s->matches = arena_array(&s->arena, bits_words(2 * a->nodes.n * a->proto->codes.n), 8);
	if (s->is_predicate == NULL || s->of.label == NULL || s->of.counter == NULL ||
	    s->matches == NULL || s->of.output == NULL) {
		oracle_source_free(s);
		return false;
	}
	for (size_t i = 0; i < a->syms.n; i++)
		s->of.label[i] = s->of.output[i] = AST_NIL;
	for (uint32_t i = 0; i < a->stmts.n; i++)
		source_declare(s, i);
	for (size_t i = 0; i < a->basics.n; i++)
		s->end = s->end || a->basics.at[i].kind == AST_BASIC_END;
	for (size_t i = 0; i < a->nodes.n; i++)
		s->is_predicate[i] = is_predicate(s, &a->nodes.at[i]);
	return true;
}

void oracle_source_free(struct oracle_source *s)
{
	arena_free(&s->arena);
}

/* ---- the copy ------------------------------------------------------------------------------- */

static bool copy_allocate(struct copy *c)
{
	size_t set = c->words * sizeof(uint64_t);

	c->origin = arena_array(&c->arena, 1, set);
	c->from = arena_array(&c->arena, c->ast->nodes.n, set);
	c->to = arena_array(&c->arena, c->ast->nodes.n, set);
	c->active = arena_array(&c->arena, c->ast->stmts.n, set);
	return c->origin != NULL && c->from != NULL && c->to != NULL && c->active != NULL;
}

static bool run_statement(struct copy *c, const struct ast_stmt *t)
{
	switch (t->kind) {
	case AST_COUNTER:
		return run_counter(c, t);
	case AST_FILTER:
		run_filter(c, t);
		return true;
	case AST_LOG:
		run_log(c, t);
		return true;
	case AST_AUTOMATON:
		return run_automaton(c, &c->ast->automata.at[t->automaton]);
	case AST_MACHINE:
		return run_machine(c, &c->ast->machines.at[t->machine]);
	default:
		return true;
	}
}

bool oracle_copy_run(const struct oracle_source *s, const struct oracle_sight *seen, size_t n,
		     uint64_t *labels, size_t label_words, bool *logged)
{
	struct copy c = { .source = s,
			  .ast = s->ast,
			  .seen = seen,
			  .n = n,
			  .words = bits_words(n + 1),
			  .labels = labels,
			  .label_words = label_words,
			  .logged = logged };
	bool ok = copy_allocate(&c);

	if (ok)
		bits_set(c.origin, 0);
	for (size_t i = 0; ok && i < s->ast->stmts.n; i++)
		ok = run_statement(&c, &s->ast->stmts.at[i]);
	arena_free(&c.arena);
	return ok;
}
