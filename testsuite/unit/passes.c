/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs every pass on automata that are made by hand and at random. Afterwards the automaton must be
 * as the pass's header promises. It must give every short word the labels and log marks that it had
 * before. This is one file because all tests use the same walk over words. What -O2 adds is in
 * optimise.c.
 */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "testsuite/unit/unit.h"

/* ---- the meaning of an automaton, computed from the definition in nfa.h ---- */

enum { LETTERS = 4, LENGTH = 4, MOST_STATES = 64 }; /* the letters are the bytes 0 … 3 */

/* The labels and log marks that an automaton gives to each word of 1 … LENGTH letters, in the order
 * of the walk. */
struct meaning {
	size_t n;
	uint32_t at[400];
};

static uint64_t closure(const struct nfa *a, uint64_t active)
{
	uint64_t before;

	do {
		before = active;
		for (size_t i = 0; i < a->edges.n; i++)
			if (a->edges.at[i].pred == PRED_EPS &&
			    (active >> a->edges.at[i].from & 1) != 0)
				active |= (uint64_t)1 << a->edges.at[i].to;
	} while (active != before);
	return active;
}

static uint64_t passes_step(const struct nfa *a, uint64_t active, uint32_t letter)
{
	uint64_t next = 0;

	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		if (e->pred != PRED_EPS && (active >> e->from & 1) != 0 &&
		    pred_holds(a->preds, e->pred, &letter, 1))
			next |= (uint64_t)1 << e->to;
	}
	for (size_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].always &&
		    pred_holds(a->preds, a->states.at[s].pred, &letter, 1))
			next |= (uint64_t)1 << s;
	return closure(a, next);
}

static uint32_t passes_says(const struct nfa *a, uint64_t active)
{
	uint32_t out = 0;

	for (size_t s = 0; s < a->states.n; s++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[s].labels];
		if ((active >> s & 1) == 0)
			continue;
		out |= a->states.at[s].log;
		for (uint32_t i = 0; i < l->n; i++)
			out |= 2u << l->labels[i];
	}
	return out;
}

static void passes_walk(const struct nfa *a, uint64_t active, int depth, struct meaning *m)
{
	for (uint32_t letter = 0; letter < LETTERS && depth < LENGTH; letter++) {
		uint64_t next = passes_step(a, active, letter);
		m->at[m->n++] = passes_says(a, next);
		passes_walk(a, next, depth + 1, m);
	}
}

static void find_meaning(const struct nfa *a, struct meaning *m)
{
	uint64_t start = 0;

	ck_assert_uint_le(a->states.n, MOST_STATES);
	for (size_t s = 0; s < a->states.n; s++)
		start |= (uint64_t)a->states.at[s].start << s;
	m->n = 0;
	passes_walk(a, closure(a, start), 0, m);
}

/* ---- making small automata ---- */

struct world {
	struct nfart_proto *proto;
	struct spec spec;
	struct nfa a;
	pred_id_t pred[6]; /* [P_A … P_NEVER]: predicates to build automata of */
};

enum { P_A, P_B, P_NOT_A, P_EITHER, P_TRUE, P_NEVER, PREDS };

static void open_world(struct world *w, struct nfart_proto *proto)
{
	static const uint64_t sets[PREDS] = { 1, 2, 1, 3, 0, 0 };
	static const bool none[PREDS] = { false, false, true, false, true, false };

	memset(w, 0, sizeof *w);
	w->proto = proto;
	w->spec.proto = proto;
	w->spec.log.rx = w->spec.log.counted = RX_NONE;
	unit_check(vec_push(&w->spec.labels, "x") && vec_push(&w->spec.labels, "y"));
	unit_check(pred_table_init_codes(&w->spec.preds, proto,
					 (struct pred_view){ false, NULL, NULL }));
	for (int i = 0; i < PREDS; i++) {
		uint64_t ops[256 / 64] = { sets[i] };
		w->pred[i] = pred_intern(&w->spec.preds, none[i], ops);
		ck_assert_uint_ne(w->pred[i], PRED_NONE);
	}
	unit_check(nfa_init(&w->a, &w->spec));
}

static void close_world(struct world *w)
{
	nfa_free(&w->a);
	spec_free(&w->spec);
}

enum { START = 1, LOG = 2, X = 4, Y = 8, ALWAYS = 16 };

static nfa_state_t passes_state(struct world *w, int marks, pred_id_t pred)
{
	uint32_t labels[2], n = 0;
	struct nfa_state q = { .start = (marks & START) != 0, .log = (marks & LOG) != 0,
			       .always = (marks & ALWAYS) != 0, .pred = pred,
			       .range = { DIAG_NO_SOURCE, 0, 0 } };
	nfa_state_t s;

	if ((marks & Y) != 0)
		labels[n++] = 1;
	if ((marks & X) != 0)
		labels[n++] = 0;
	q.labels = nfa_labelset(&w->a, labels, n);
	ck_assert_uint_ne(q.labels, UINT32_MAX);
	s = nfa_add_state(&w->a, q);
	ck_assert_uint_ne(s, UINT32_MAX);
	return s;
}

static void passes_edge(struct world *w, nfa_state_t from, nfa_state_t to, pred_id_t pred)
{
	unit_check(nfa_add_edge(&w->a, from, to, pred));
}

static void verify(const struct nfa *a, const char *pass)
{
	const char *wrong = nfa_verify(a);

	if (wrong != NULL)
		unit_fail("%s: %s", pass, wrong);
}

static void complain(const struct nfa *a, const struct buf *before, const char *pass)
{
	struct buf after = { 0 };

	nfa_print(a, &after);
	unit_fail("%s changes the meaning of\n%s\nto\n%s", pass, before->at, after.at);
}

/* Runs a pass and compares the automaton's meaning with the meaning before. */
static void check_pass(struct nfa *a, const char *name, enum nfart_status (*pass)(struct nfa *a))
{
	static struct meaning before, after;
	struct buf text = { 0 };

	unit_check(nfa_sort_edges(a));
	verify(a, "before");
	nfa_print(a, &text);
	find_meaning(a, &before);
	unit_eq(pass(a), NFART_OK);
	verify(a, name);
	find_meaning(a, &after);
	unit_eq(before.n, after.n);
	if (memcmp(before.at, after.at, before.n * sizeof before.at[0]) != 0)
		complain(a, &text, name);
	buf_free(&text);
}

static enum nfart_status epsilon(struct nfa *a)
{
	return pass_epsilon(a, false);
}

static enum nfart_status epsilon_pruned(struct nfa *a)
{
	return pass_epsilon(a, true);
}

/* ---- random automata ---- */

/* Runs a pass that may not add states or transitions. */
static void check_smaller(struct nfa *a, const char *name, enum nfart_status (*pass)(struct nfa *a))
{
	size_t states = a->states.n, edges = a->edges.n;

	check_pass(a, name, pass);
	ck_assert_uint_le(a->states.n, states);
	ck_assert_uint_le(a->edges.n, edges);
	unit_check(a->homogeneous);
}

/* Runs a pass that may add transitions, but no states. */
static void check_fewer(struct nfa *a, const char *name, enum nfart_status (*pass)(struct nfa *a))
{
	size_t states = a->states.n;

	check_pass(a, name, pass);
	ck_assert_uint_le(a->states.n, states);
	unit_check(a->homogeneous);
}

static void reduce(struct nfa *a)
{
	check_smaller(a, "trim", pass_trim);
	check_smaller(a, "merge", pass_merge);
	check_smaller(a, "always", pass_always);
	check_smaller(a, "trim", pass_trim);
	check_smaller(a, "merge", pass_merge);
	check_fewer(a, "simulate", pass_simulate);
	check_fewer(a, "search", pass_search);
}

START_TEST(random_general)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	uint64_t seed = 21;

	for (int round = 0; round < 4000; round++) {
		struct world w;
		open_world(&w, proto);
		uint32_t n = 1 + unit_below(&seed, 5), m = unit_below(&seed, 3 * n + 1);
		for (uint32_t s = 0; s < n; s++)
			passes_state(
				&w, (int)(unit_below(&seed, 16) & unit_below(&seed, 16)) | (s == 0),
				PRED_NONE);
		for (uint32_t i = 0; i < m; i++) {
			uint32_t p = unit_below(&seed, PREDS + 3);
			passes_edge(&w, unit_below(&seed, n), unit_below(&seed, n),
				    p < PREDS ? w.pred[p] : PRED_EPS);
		}
		check_pass(&w.a, "epsilon", round % 2 == 0 ? epsilon : epsilon_pruned);
		for (size_t i = 0; i < w.a.edges.n; i++)
			ck_assert_uint_ne(w.a.edges.at[i].pred, PRED_EPS);
		check_pass(&w.a, "homogenise", pass_homogenise);
		unit_check(w.a.homogeneous);
		reduce(&w.a);
		close_world(&w);
	}
	proto_free(proto);
}
END_TEST

/* Runs the passes on automata that are homogeneous from the beginning. Any state may have an always
 * bit. */
START_TEST(random_homogeneous)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	uint64_t seed = 22;

	for (int round = 0; round < 4000; round++) {
		struct world w;
		open_world(&w, proto);
		uint32_t n = 1 + unit_below(&seed, 6), m = unit_below(&seed, 3 * n + 1);
		for (uint32_t s = 0; s < n; s++) {
			int marks = (int)(unit_below(&seed, 32) & unit_below(&seed, 32));
			bool bare = unit_below(&seed, 6) == 0;
			passes_state(&w, bare ? (marks & ~ALWAYS) | START : marks,
				     bare ? PRED_NONE : w.pred[unit_below(&seed, PREDS)]);
		}
		for (uint32_t i = 0; i < m; i++) {
			nfa_state_t to = unit_below(&seed, n);
			if (w.a.states.at[to].pred != PRED_NONE)
				passes_edge(&w, unit_below(&seed, n), to, w.a.states.at[to].pred);
		}
		w.a.homogeneous = true;
		switch (round % 6) {
		case 0:
			check_smaller(&w.a, "trim", pass_trim);
			break;
		case 1:
			check_smaller(&w.a, "merge", pass_merge);
			break;
		case 2:
			check_smaller(&w.a, "always", pass_always);
			break;
		/* dense_store(), which stores the result of the next two passes, may have to add a
		 * start state without a predicate. The passes include such a state when they count
		 * states, so the number of states must not rise. */
		case 3:
			pass_trim(&w.a);
			check_fewer(&w.a, "simulate", pass_simulate);
			break;
		case 4:
			pass_trim(&w.a);
			check_fewer(&w.a, "search", pass_search);
			break;
		default:
			reduce(&w.a);
		}
		close_world(&w);
	}
	proto_free(proto);
}
END_TEST

/* ---- automata made by hand ---- */

/* Checks the numbers of states and of (state, state) pairs, loops included. */
static void check_size(const struct nfa *a, size_t states, size_t edges)
{
	if (a->states.n != states || nfa_count_edges(a, true) != edges) {
		struct buf b = { 0 };
		nfa_print(a, &b);
		unit_fail("%zu states, %zu edges, not %zu and %zu:\n%s", a->states.n,
			  nfa_count_edges(a, true), states, edges, b.at);
	}
}

static size_t passes_count(const struct nfa *a, bool (*is)(const struct nfa_state *q))
{
	size_t n = 0;

	for (size_t s = 0; s < a->states.n; s++)
		n += is(&a->states.at[s]);
	return n;
}

static bool is_start(const struct nfa_state *q)
{
	return q->start;
}

static bool is_always(const struct nfa_state *q)
{
	return q->always;
}

static bool is_bare(const struct nfa_state *q)
{
	return q->pred == PRED_NONE;
}

START_TEST(epsilon_cycle)
{
	struct nfart_proto *proto = proto_builtin("bytes");

	for (int prune = 0; prune < 2; prune++) {
		struct world w;
		open_world(&w, proto);
		nfa_state_t s = passes_state(&w, START, PRED_NONE),
			    t = passes_state(&w, 0, PRED_NONE);
		nfa_state_t u = passes_state(&w, X, PRED_NONE);
		passes_edge(&w, s, t, w.pred[P_A]);
		passes_edge(&w, t, u, PRED_EPS);
		passes_edge(&w, u, t, PRED_EPS);
		passes_edge(&w, t, t, PRED_EPS);
		passes_edge(&w, u, u, w.pred[P_B]);
		check_pass(&w.a, "epsilon", prune != 0 ? epsilon_pruned : epsilon);
		check_size(&w.a, 3, prune != 0 ? 2 : 4);
		close_world(&w);
	}
	proto_free(proto);
}
END_TEST

START_TEST(epsilon_of_starts)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	struct world w;

	open_world(&w, proto);
	nfa_state_t s = passes_state(&w, START, PRED_NONE), t = passes_state(&w, 0, PRED_NONE);
	nfa_state_t u = passes_state(&w, X | LOG, PRED_NONE);
	passes_edge(&w, s, t, PRED_EPS);
	passes_edge(&w, t, u, PRED_EPS);
	passes_edge(&w, t, t, w.pred[P_A]);
	check_pass(&w.a, "epsilon", epsilon);
	unit_eq(passes_count(&w.a, is_start), 3);
	check_size(&w.a, 3, 2);
	close_world(&w);
	proto_free(proto);
}
END_TEST

START_TEST(homogenise_starts)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	struct world w;

	/* A start state that nothing enters keeps a copy without a predicate. */
	open_world(&w, proto);
	nfa_state_t s = passes_state(&w, START, PRED_NONE), t = passes_state(&w, X, PRED_NONE);
	passes_edge(&w, s, t, w.pred[P_A]);
	passes_edge(&w, s, t, w.pred[P_B]);
	passes_edge(&w, t, t, w.pred[P_A]);
	check_pass(&w.a, "homogenise", pass_homogenise);
	check_size(&w.a, 3, 4);
	unit_eq(passes_count(&w.a, is_bare), 1);
	unit_eq(passes_count(&w.a, is_start), 1);
	close_world(&w);

	/* A start state that is entered needs no copy without a predicate. The start bit goes to
	 * the copy that enters itself. */
	open_world(&w, proto);
	s = passes_state(&w, START, PRED_NONE);
	t = passes_state(&w, X, PRED_NONE);
	passes_edge(&w, s, t, w.pred[P_A]);
	passes_edge(&w, t, s, w.pred[P_B]);
	passes_edge(&w, s, s, w.pred[P_NOT_A]);
	check_pass(&w.a, "homogenise", pass_homogenise);
	check_size(&w.a, 3, 2 + 2 + 1);
	unit_eq(passes_count(&w.a, is_bare), 0);
	unit_eq(passes_count(&w.a, is_start), 1);
	for (size_t i = 0; i < 3; i++)
		if (w.a.states.at[i].start)
			unit_eq(w.a.states.at[i].pred, w.pred[P_NOT_A]);
	close_world(&w);
	proto_free(proto);
}
END_TEST

START_TEST(trim)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	struct world w;

	open_world(&w, proto);
	nfa_state_t s = passes_state(&w, START, PRED_NONE);
	nfa_state_t good = passes_state(&w, X, w.pred[P_A]),
		    dead = passes_state(&w, 0, w.pred[P_B]);
	nfa_state_t lost = passes_state(&w, X, w.pred[P_B]),
		    never = passes_state(&w, X, w.pred[P_NEVER]);
	nfa_state_t behind = passes_state(&w, Y, w.pred[P_A]),
		    logs = passes_state(&w, LOG, w.pred[P_TRUE]);
	passes_edge(&w, s, good, w.pred[P_A]);
	passes_edge(&w, s, dead, w.pred[P_B]);
	passes_edge(&w, dead, dead, w.pred[P_B]);
	passes_edge(&w, lost, good, w.pred[P_A]);
	passes_edge(&w, lost, lost, w.pred[P_B]);
	passes_edge(&w, s, never, w.pred[P_NEVER]);
	passes_edge(&w, never, behind, w.pred[P_A]);
	passes_edge(&w, good, logs, w.pred[P_TRUE]);
	w.a.homogeneous = true;
	check_pass(&w.a, "trim", pass_trim);
	check_size(&w.a, 3, 2);
	close_world(&w);
	proto_free(proto);
}
END_TEST

static void check_text(const char *text, size_t states, size_t edges, size_t starts, size_t always)
{
	struct pipeline_options o;
	struct pipeline p;

	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	unit_compile(&p, &o, text);
	check_size(&p.nfa, states, edges);
	unit_eq(passes_count(&p.nfa, is_start), starts);
	unit_eq(passes_count(&p.nfa, is_always), always);
	pipeline_free(&p);
}

START_TEST(merge)
{
	/* States that are always active together are merged, and get the union of the labels. */
	check_text("protocol bytes; filter x = 'a'; filter y = 'a';", 2, 1, 1, 0);
	check_text("protocol bytes; filter x = 'a' 'b'; filter y = 'a' 'c';", 4, 3, 1, 0);
	/* States with the same successors are merged only if their labels are equal. */
	check_text("protocol bytes; filter x = 'a' 'c' | 'b' 'c';", 4, 4, 1, 0);
	check_text("protocol bytes; filter x = 'a' 'c'; filter y = 'b' 'c';", 5, 4, 1, 0);
	check_text("protocol bytes; filter x = 'a'{50} | 'a'{50};", 51, 50, 1, 0);
	/* A start state without a predicate is removed if another state can take its start bit. */
	check_text("protocol bytes; filter x = 'a'* 'b';", 2, 2, 1, 0);
	check_text("protocol bytes; log = all; filter x = true+;", 1, 0, 0, 1);
}
END_TEST

START_TEST(always)
{
	check_text("protocol bytes; filter x = true* 'a';", 1, 0, 0, 1);
	check_text("protocol bytes; filter x = true* 'a' 'b';", 2, 1, 0, 1);
	check_text("protocol bytes; filter x = true* 'a' 'b'* 'c'; filter y = true* 'd';", 4, 4, 0,
		   2);
	check_text("protocol bytes; filter x = Any(any)* 'a';", 1, 0, 0, 1);
	/* The state for 'a' can't be active after the first batch, so another state must stay
	 * before it. */
	check_text("protocol bytes; filter x = true+ 'a';", 2, 1, 0, 1);
}
END_TEST

START_TEST(labelsets)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	static const uint32_t xy[] = { 1, 0, 1 }, x[] = { 0 }, y[] = { 1, 1 };
	struct world w;
	labelset_t a, b;

	open_world(&w, proto);
	unit_eq(nfa_labelset(&w.a, NULL, 0), 0);
	a = nfa_labelset(&w.a, xy, 3);
	unit_eq(w.a.labelsets.at[a].n, 2);
	unit_check(w.a.labelsets.at[a].labels[0] == 0 && w.a.labelsets.at[a].labels[1] == 1);
	b = nfa_labelset_union(&w.a, nfa_labelset(&w.a, x, 1), nfa_labelset(&w.a, y, 2));
	unit_eq(a, b);
	unit_eq(nfa_labelset_union(&w.a, a, 0), a);
	unit_eq(nfa_labelset_union(&w.a, 0, 0), 0);
	close_world(&w);
	proto_free(proto);
}
END_TEST

Suite *suite_passes(void)
{
	const TTest *const tests[] = { random_general, random_homogeneous, epsilon_cycle,
				       epsilon_of_starts, homogenise_starts, trim, merge, always,
				       labelsets, NULL };

	return unit_suite("passes", tests);
}
