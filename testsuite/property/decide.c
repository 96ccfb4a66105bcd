/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decide: the decision procedure (ir/decide/decide.h) on random pairs of small filters. The
 * protocol has only 15 different batches. Two slow, obvious methods answer the same questions: the
 * reference matcher on all streams of up to two or three batches, and a walk through all pairs of
 * configurations, batch by batch. The answers must agree, and a witness must be real and one of the
 * shortest. Each question is asked again with so few steps that some answers are missing, and once
 * more for each way of walking sets of states. These answers must be right, too.
 *
 *   decide [-n PAIRS] [-s SEED] [-v]
 *
 * NFACC_PAIRS and NFACC_SEED set the same. Half of the pairs are two filters. A quarter of them are
 * a filter and its automaton after all passes. In the last quarter, one transition of that
 * automaton is dropped. The filters of every sixth pair are unions of cycles. If such a pair is two
 * filters, they differ in one cycle, which is longer by one batch in the second filter.
 *
 * The file is long because both slow methods answer for the same pairs and the same questions.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "compiler/proof/reference.h"
#include "grammar/describe/proto_text.h"
#include "ir/decide/decide.h"
#include "testsuite/oracle/oracle_copy.h"
#include "testsuite/property/gen.h"
#include "testsuite/setting.h"

enum { MOST_SYMBOLS = 15, MOST_NODES = 3000, LONGEST = 3, WORK = 1 << 22 };

static const char proto_text[] = "protocol two; header 6; opcode 0..1; address 2..5 line 1; idle 3;"
				 "groups a; channels 0..1;"
				 "types T on 0, 1 { A 0 address; B 1; C 2 address; }";

/* What a copy can see of one batch. */
struct symbol {
	uint32_t code[2];
	uint32_t n;
	struct nfart_batch batch;
};

struct side {
	struct pipeline p;
	struct oracle_source source;
	struct reference written;
	const struct nfa *a; /* the automaton that is compared */
};

struct totals {
	uint64_t pairs, questions, yes, no, counters, bounded, walked, skipped;
	uint64_t few_yes, few_no; /* with few steps: how often the answer was yes, and was no */
};

struct test {
	struct nfart_proto *proto;
	struct symbol symbol[MOST_SYMBOLS];
	uint32_t nsymbols;
	struct side side[2];
	struct totals *t;
	char why[200];
};

/* ---- the walk through all configurations ---- */

/* Returns the number of words of a configuration of this automaton. There is a uint32_t for each
 * state, which says whether the state is active, and one for the count of each counter. */
static size_t width(const struct nfa *a)
{
	return a->states.n + a->counters.n;
}

static void close_states(const struct nfa *a, uint32_t *x)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < a->edges.n; i++) {
			const struct nfa_edge *e = &a->edges.at[i];
			if (e->pred == PRED_EPS && x[e->from] != 0 && x[e->to] == 0)
				x[e->to] = more = true;
		}
	}
}

static bool decide_has(const struct nfa *a, const uint32_t *x, uint32_t label)
{
	for (size_t q = 0; q < a->states.n; q++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[q].labels];
		for (uint32_t i = 0; x[q] != 0 && i < l->n; i++)
			if (l->labels[i] == label)
				return true;
	}
	return false;
}

static void decide_count(const struct nfa *a, uint32_t *x)
{
	for (uint32_t c = 0; c < a->counters.n; c++) {
		uint32_t *n = &x[a->states.n + c], k = a->counters.at[c].k, before = *n;
		enum counter_mode mode = a->counters.at[c].mode;
		bool on = false;
		if (decide_has(a, x, nfa_port(a, c, true)))
			*n = 0;
		else if (decide_has(a, x, nfa_port(a, c, false)) && *n < k)
			++*n;
		on = *n == k && (mode == COUNTER_LATCH || before != k);
		if (mode == COUNTER_ROLL && *n == k)
			*n = 0;
		for (size_t q = 0; q < a->states.n; q++)
			if (on && a->states.at[q].kind == NFA_COUNTER &&
			    a->states.at[q].counter == c)
				x[q] = true;
		close_states(a, x);
	}
}

static void decide_advance(const struct nfa *a, const uint32_t *from, const struct symbol *s,
			   uint32_t *to)
{
	memset(to, 0, width(a) * sizeof *to);
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		if (e->pred != PRED_EPS && from[e->from] != 0 &&
		    pred_holds(a->preds, e->pred, s->code, s->n))
			to[e->to] = true;
	}
	for (size_t q = 0; q < a->states.n; q++)
		if (a->states.at[q].always &&
		    pred_holds(a->preds, a->states.at[q].pred, s->code, s->n))
			to[q] = true;
	close_states(a, to);
	memcpy(to + a->states.n, from + a->states.n, a->counters.n * sizeof *to);
	decide_count(a, to);
}

static bool decide_accepts(const struct nfa *a, const uint32_t *x, const struct decide_target *t)
{
	for (size_t q = 0; t->kind == DECIDE_LOG && q < a->states.n; q++)
		if (x[q] != 0 && a->states.at[q].log)
			return true;
	for (uint32_t l = 0; t->kind == DECIDE_ANY_LABEL && l < a->spec->labels.n; l++)
		if (decide_has(a, x, l))
			return true;
	return t->kind == DECIDE_EVERYTHING ||
	       (t->kind == DECIDE_LABEL && decide_has(a, x, t->label));
}

/* Walks through all pairs of configurations that streams can lead to. Returns the number of batches
 * of the shortest stream that refutes the question. Returns 0 if there is no such stream, and -1 if
 * there are too many configurations. */
static int decide_walk(const struct test *t, const struct decide_target x[2], bool contains)
{
	const struct nfa *a = t->side[0].a, *b = t->side[1].a;
	size_t wa = width(a), w = wa + width(b), n = 1;
	uint32_t *node = calloc(((size_t)MOST_NODES + 1) * (w + 1), sizeof *node);
	int *depth = calloc(MOST_NODES + 1, sizeof *depth), answer = 0;

	if (node == NULL || depth == NULL)
		exit(99);
	for (size_t q = 0; q < a->states.n; q++)
		node[q] = a->states.at[q].start;
	for (size_t q = 0; q < b->states.n; q++)
		node[wa + q] = b->states.at[q].start;
	close_states(a, node);
	close_states(b, node + wa);
	for (size_t i = 0; i < n && answer == 0; i++)
		for (uint32_t s = 0; s < t->nsymbols && answer == 0; s++) {
			uint32_t *to = node + n * w;
			size_t k;
			bool l, r;
			decide_advance(a, node + i * w, &t->symbol[s], to);
			decide_advance(b, node + i * w + wa, &t->symbol[s], to + wa);
			l = decide_accepts(a, to, &x[0]);
			r = decide_accepts(b, to + wa, &x[1]);
			if (contains ? l && !r : l != r)
				answer = depth[i] + 1;
			for (k = 0; k < n && memcmp(node + k * w, to, w * sizeof *to) != 0; k++)
				;
			if (k < n)
				continue;
			depth[n++] = depth[i] + 1;
			if (n == MOST_NODES && answer == 0)
				answer = -1;
		}
	free(node);
	free(depth);
	return answer;
}

/* ---- the reference matcher, on all short streams ---- */

static bool said(const struct oracle_source *s, const struct decide_target *t,
		 const uint64_t *labels, bool logged)
{
	return t->kind == DECIDE_LOG	       ? logged
	       : t->kind == DECIDE_ANY_LABEL ? bits_any(labels, bits_words(s->nlabels))
	       : t->kind == DECIDE_LABEL     ? bits_get(labels, t->label)
					     : t->kind == DECIDE_EVERYTHING;
}

/* Asks the reference matcher what each of the two filters says after each of the n batches.
 * out[k][i] is the answer of filter k after batch i. Returns false if memory is short. */
static bool decide_ask(const struct test *t, const uint32_t *stream, size_t n,
		       const struct decide_target x[2], bool out[2][LONGEST])
{
	for (int k = 0; k < 2; k++) {
		const struct oracle_source *s = &t->side[k].source;
		size_t w = bits_words(s->nlabels);
		struct oracle_sight seen[LONGEST];
		uint64_t labels[LONGEST * 8] = { 0 };
		bool logged[LONGEST] = { false };
		for (size_t i = 0; i < n; i++)
			seen[i] = (struct oracle_sight){ &t->symbol[stream[i]].batch,
							 t->symbol[stream[i]].batch.mask };
		if (w > 8 || !oracle_copy_run(s, seen, n, labels, w, logged))
			return false;
		for (size_t i = 0; i < n; i++)
			out[k][i] = said(s, &x[k], labels + i * w, logged[i]);
	}
	return true;
}

/* Tries all streams of n batches. Returns the number of batches of the shortest stream that refutes
 * the question, at most n, or 0 if no stream does. */
static size_t all_short(const struct test *t, const struct decide_target x[2], bool contains,
			size_t n)
{
	uint32_t stream[LONGEST] = { 0 };
	size_t best = 0, i;
	bool out[2][LONGEST];

	do {
		if (!decide_ask(t, stream, n, x, out))
			exit(99);
		for (i = 0; i < n; i++)
			if ((contains ? out[0][i] && !out[1][i] : out[0][i] != out[1][i]) &&
			    (best == 0 || i + 1 < best))
				best = i + 1;
		for (i = n; i > 0 && ++stream[i - 1] == t->nsymbols; i--)
			stream[i - 1] = 0;
	} while (i > 0);
	return best;
}

/* ---- one question, asked in all ways ---- */

static bool decide_fail(struct test *t, const char *what, uint64_t x, uint64_t y)
{
	snprintf(t->why, sizeof t->why, "%s: %" PRIu64 ", %" PRIu64, what, x, y);
	return false;
}

/* The answer names a witness, and a side that accepts after it. Does that side really accept after
 * the witness, and the other side not? */
static bool is_real(struct test *t, const struct decide_target x[2], const struct decide_answer *a)
{
	bool got[2] = { false, false };

	for (int k = 0; k < 2; k++) {
		const struct nfa *n = t->side[k].a;
		uint32_t *now = calloc(width(n) + 1, sizeof *now),
			 *next = calloc(width(n) + 1, sizeof *now);
		if (now == NULL || next == NULL)
			exit(99);
		for (size_t q = 0; q < n->states.n; q++)
			now[q] = n->states.at[q].start;
		close_states(n, now);
		for (size_t i = 0; i < a->witness.n; i++) {
			struct symbol s = { .n = a->witness.first[i + 1] - a->witness.first[i] };
			for (uint32_t m = 0; m < s.n && m < 2; m++)
				s.code[m] = a->witness.letter[a->witness.first[i] + m];
			if (s.n == 0 || s.n > 2 || (s.n == 2 && s.code[0] >> 2 >= s.code[1] >> 2))
				return false;
			for (uint32_t m = 0; m < s.n; m++)
				if (!bits_get(n->preds->visible, s.code[m]))
					return false;
			decide_advance(n, now, &s, next);
			memcpy(now, next, width(n) * sizeof *now);
		}
		got[k] = decide_accepts(n, now, &x[k]);
		free(now);
		free(next);
	}
	return got[0] != got[1] && got[0] == a->left;
}

/* Returns a number of steps, which differs from question to question. It is enough to answer about
 * every second question. */
static uint64_t few_steps(const struct test *t)
{
	return (uint64_t)400 << (t->t->questions * 0x9e3779b97f4a7c15u >> 61);
}

/* What the two slow methods found. */
struct slow {
	/* The length of the shortest witness that the walk found, in batches. 0: there is no
	 * witness. -1: there are too many configurations to walk. */
	int all;
	size_t deep;  /* the reference matcher tried all streams of up to this many batches */
	/* The length of the shortest witness that the reference matcher found, in batches. 0: it
	 * found none. */
	size_t brief;
};

/* Does the answer agree with the slow methods? If not, t->why says why. */
static bool decide_judge(struct test *t, const struct decide_target x[2], bool contains,
			 const struct decide_answer *a, struct slow s)
{
	if (a->verdict == DECIDE_BROKEN || a->verdict == DECIDE_NO_MEMORY)
		return decide_fail(t, "verdict", a->verdict, 0);
	if (a->verdict == DECIDE_NO && (!is_real(t, x, a) || (contains && !a->left)))
		return decide_fail(t, "the witness is none", a->witness.n, a->left);
	if (s.all >= 0 && a->verdict == DECIDE_NO && a->witness.n != (size_t)s.all)
		return decide_fail(t, "batches of the witness, and of the shortest", a->witness.n,
				   (uint64_t)s.all);
	if (s.all > 0 && a->verdict == DECIDE_YES)
		return decide_fail(t, "said yes, but there is a witness of so many batches",
				   (uint64_t)s.all, 0);
	if (s.all > 0 && a->verdict == DECIDE_BOUNDED && a->depth >= (uint64_t)s.all)
		return decide_fail(t, "bounded to more than the shortest witness", a->depth,
				   (uint64_t)s.all);
	if (s.brief != 0 &&
	    (a->verdict == DECIDE_YES || (a->verdict == DECIDE_NO && a->witness.n != s.brief)))
		return decide_fail(t, "the reference matcher has a shorter witness", s.brief,
				   a->witness.n);
	if (s.deep != 0 && s.brief == 0 && a->verdict == DECIDE_NO && a->witness.n <= s.deep)
		return decide_fail(t, "the reference matcher doesn't know the witness",
				   a->witness.n, 0);
	return true;
}

static struct decide_answer ask_decider(struct decider *d, const struct decide_target x[2],
					bool contains, uint64_t most)
{
	return contains ? decide_contains(d, x[0], x[1], most) : decide_equal(d, x[0], x[1], most);
}

static bool question(struct test *t, struct decider *d, struct decide_target l,
		     struct decide_target r, bool contains, size_t deep)
{
	struct decide_target x[2] = { l, r };
	struct decide_answer a = ask_decider(d, x, contains, WORK);
	struct slow s = { decide_walk(t, x, contains), deep,
			  deep != 0 ? all_short(t, x, contains, deep) : 0 };

	t->t->questions++;
	t->t->yes += a.verdict == DECIDE_YES;
	t->t->no += a.verdict == DECIDE_NO;
	t->t->bounded += a.verdict == DECIDE_BOUNDED || a.verdict == DECIDE_GAVEUP;
	t->t->walked += s.all >= 0;
	t->t->skipped += s.all < 0;
	if (!decide_judge(t, x, contains, &a, s))
		return false;
	for (int w = DECIDE_BACKWARD; w <= DECIDE_MERGED; w++) {
		decide_walk_only(d, w);
		a = ask_decider(d, x, contains, WORK);
		if (!decide_judge(t, x, contains, &a, s))
			return false;
	}
	decide_walk_only(d, DECIDE_ANY_WALK);
	a = ask_decider(d, x, contains, few_steps(t));
	t->t->few_yes += a.verdict == DECIDE_YES;
	t->t->few_no += a.verdict == DECIDE_NO;
	return decide_judge(t, x, contains, &a, s);
}

/* Asks questions about the first labels and about the log mark. The reference matcher tries streams
 * of up to `deep` batches. `deep` is 0 if an automaton was changed, since it then no longer is that
 * of a filter. */
static bool questions(struct test *t, size_t deep)
{
	const struct nfa *a = t->side[0].a, *b = t->side[1].a;
	struct decide_target nothing = { DECIDE_NOTHING, 0 }, all = { DECIDE_EVERYTHING, 0 },
			     log = { DECIDE_LOG, 0 }, any = { DECIDE_ANY_LABEL, 0 };
	struct decider *d = decide_new(a, b, NULL);
	bool ok = d != NULL;

	for (uint32_t i = 0; ok && i < a->spec->labels.n && i < 3; i++) {
		struct decide_target x = { DECIDE_LABEL, i };
		struct decide_target y = { DECIDE_LABEL, i < b->spec->labels.n ? i : 0 };
		ok = question(t, d, x, y, false, deep) && question(t, d, x, y, true, deep) &&
		     question(t, d, x, nothing, false, deep) && question(t, d, all, y, false, deep);
	}
	ok = ok && question(t, d, log, log, false, deep) && question(t, d, log, any, true, deep);
	decide_free(d);
	return ok;
}

/* ---- one pair of filters ---- */

static void make_symbols(struct test *t, bool by_line)
{
	const uint64_t *visible = by_line ? t->proto->codes.has_addr : t->proto->codes.valid;

	t->nsymbols = 0;
	for (uint32_t x = 1; x < 16; x++) {
		struct symbol s = { .n = 0 };
		bool ok = true;
		for (uint32_t slot = 0; slot < 2; slot++) {
			uint32_t op = x >> 2 * slot & 3, code = slot << 2 | op;
			if (op == 0)
				continue;
			code--;
			ok = ok && bits_get(visible, code);
			s.code[s.n++] = code;
			s.batch.mask |= (uint64_t)1 << slot;
			s.batch.header[slot] = code & 3;
		}
		if (ok)
			t->symbol[t->nsymbols++] = s;
	}
}

/* Writes a filter that is a union of cycles. After each cycle stands a batch that may tell which
 * cycle it was. One cycle is longer by `off`. */
static void cycles(uint64_t seed, uint32_t off, struct buf *b)
{
	static const char *const after[] = { "T_A",   "T_B",       "T_C",
					     "T_A@1", "None(T_B)", "Any(T_B, T_C@0)" };
	uint64_t x = seed * 0x9e3779b97f4a7c15u;
	uint32_t n = 2 + (uint32_t)(x >> 60) % 2;

	buf_addf(b, "protocol two; filter f = %s(", x >> 59 & 1 ? "true* T_C " : "");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t y = (uint32_t)(x >> 8 * i) & 255;
		buf_addf(b, "%s(true{%u})+ %s", i == 0 ? "" : " | ", 2 + y % 3 + (i == 1 ? off : 0),
			 after[y / 3 % 6]);
	}
	buf_addf(b, ")%s;", x >> 58 & 1 ? " true*" : "");
}

static bool decide_compile(struct test *t, struct side *s, uint64_t seed, bool other,
			   const char *dir)
{
	struct gen_options g = { .proto = t->proto, .counters = seed % 5 == 0, .positions = 14 };
	struct pipeline_options o;
	struct pipeline_file f = { "filter.re", NULL, 0, false };
	const char *dirs[] = { dir };
	struct buf b = { 0 };
	struct alphabet letters;
	bool ok;

	if (seed % 24 == 4 || seed % 12 == 5 || seed % 24 == 7)
		cycles(seed, other, &b);
	else
		gen_filter(other ? seed * 7 + 3 : seed, &g, &b);
	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	o.dirs = dirs;
	o.ndirs = 1;
	o.overlay.o.none = true;
	f.text = b.at;
	f.n = b.n;
	ok = pipeline_run(&s->p, &o, &f, 1) == NFART_OK;
	alphabet_codes(&letters, t->proto);
	ok = ok && reference_build(&s->written, &s->p.front.ast, &letters) == NFART_OK &&
	     oracle_source_init(&s->source, &s->p.front.ast);
	s->a = &s->written.nfa;
	if (!ok)
		diag_print(&s->p.diags, stderr, false);
	buf_free(&b);
	return ok;
}

static void drop_edge(struct nfa *a, uint64_t which)
{
	if (a->edges.n == 0)
		return;
	a->edges.at[which % a->edges.n] = a->edges.at[a->edges.n - 1];
	a->edges.n--;
}

static bool decide_pair(uint64_t seed, bool verbose, struct nfart_proto *proto, const char *dir,
			struct totals *totals)
{
	struct test *t = calloc(1, sizeof *t);
	uint64_t kind = seed % 4;
	size_t deep = kind == 1 ? 0 : seed % 16 < 4 ? LONGEST : 2;
	bool ok;

	if (t == NULL)
		return false;
	t->proto = proto;
	t->t = totals;
	totals->pairs++;
	ok = decide_compile(t, &t->side[0], seed, false, dir) &&
	     decide_compile(t, &t->side[1], seed, kind >= 2, dir);
	if (ok && kind < 2)
		t->side[1].a = &t->side[1].p.nfa;
	if (ok && kind == 1)
		drop_edge(&t->side[1].p.nfa, seed / 4);
	/* The automata can be compared only if both filters have substreams or neither has.
	 * Otherwise the copies of the two automata see different batches. */
	if (ok && t->side[0].p.spec.substreams.by_line == t->side[1].p.spec.substreams.by_line) {
		make_symbols(t, t->side[0].p.spec.substreams.by_line);
		totals->counters += t->side[0].a->counters.n + t->side[1].a->counters.n != 0;
		ok = questions(t, deep);
	}
	if (!ok || verbose) {
		printf("# seed %" PRIu64 ": %s\n", seed, t->why);
		for (int k = 0; k < 2; k++) {
			struct buf b = { 0 };
			ast_print(&t->side[k].p.front.ast, &b);
			fwrite(b.at, 1, b.n, stdout);
			puts("--");
			buf_free(&b);
		}
	}
	for (int k = 0; k < 2; k++) {
		oracle_source_free(&t->side[k].source);
		reference_free(&t->side[k].written);
		pipeline_free(&t->side[k].p);
	}
	free(t);
	return ok;
}

/* Writes the protocol of this test to a new folder, where the compiler will find it. `dir` is a
 * template for mkdtemp(). Returns the protocol, or NULL. */
static struct nfart_proto *make_proto(char *dir)
{
	struct diags d = { .werror = false };
	struct nfart_proto *p = NULL;
	char path[100];
	FILE *f;

	if (mkdtemp(dir) == NULL)
		return NULL;
	snprintf(path, sizeof path, "%s/two.proto", dir);
	f = fopen(path, "w");
	if (f == NULL)
		return NULL;
	fputs(proto_text, f);
	fclose(f);
	proto_find(&d, (const char *const[]){ dir }, 1, "two", 3, &p);
	diag_print(&d, stderr, false);
	diag_free(&d);
	return p;
}

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_PAIRS", 150, 900);
	uint64_t n = seeds.n, seed = seeds.first, bad = 0;
	char dir[] = "/tmp/nfacc-decide-XXXXXX", path[100];
	struct nfart_proto *proto = make_proto(dir);
	struct totals t = { 0 };
	bool verbose = false, enough;

	if (!setting_arguments(argc, argv, &n, &seed, &verbose))
		return NFART_USAGE;
	for (uint64_t i = 0; proto != NULL && i < n && bad < 10; i++)
		bad += !decide_pair(seed + i, verbose, proto, dir, &t);
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ", %" PRIu64 " with counters: %" PRIu64
	       " questions, %" PRIu64 " yes, %" PRIu64 " no, %" PRIu64 " not decided; %" PRIu64
	       " walked to the end, %" PRIu64 " too large for that; with few steps %" PRIu64
	       " yes, %" PRIu64 " no\n",
	       t.pairs, seed, t.counters, t.questions, t.yes, t.no, t.bounded, t.walked, t.skipped,
	       t.few_yes, t.few_no);
	enough = n < 300 || (t.yes > t.questions / 10 && t.no > t.questions / 10 &&
			      t.bounded < t.questions / 50 && t.walked > t.questions / 2 &&
			      t.few_yes > t.yes / 4 && t.few_no > t.no / 4 && t.counters > n / 20);
	printf("%s 1 - answers are those of the slow way, witnesses real and shortest\n",
	       bad == 0 && proto != NULL ? "ok" : "not ok");
	printf("%s 2 - enough of each kind\n1..2\n", enough ? "ok" : "not ok");
	proto_free(proto);
	snprintf(path, sizeof path, "%s/two.proto", dir);
	remove(path);
	remove(dir);
	return bad != 0 || proto == NULL || !enough;
}
