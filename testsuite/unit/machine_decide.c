/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the comparison of two machines (ir/decide/machine_decide.h), above all of machines that are
 * not written alike. A witness is replayed: only after its last batch the machines differ.
 */
#include "include/nfart.h"
#include "ir/decide/machine_decide.h"
#include "testsuite/unit/unit.h"

enum { MOST = 100000 };

/* Counts requests, and goes to and fro with every k-th. */
#define BY_COUNTER(k)                                                                     \
	"machine m { counter c at " k " roll; state s start; state t accept(hit);"         \
	"count c : Any(R12); s -> t : @c; t -> s : @c; }"
/* Does the same by states, with every second request. */
#define BY_STATES                                                                         \
	"machine m { state s start; state s1; state t accept(hit); state t1 accept(hit);"  \
	"s -> s1 : Any(R12); s1 -> t : Any(R12); t -> t1 : Any(R12); t1 -> s : Any(R12); }"
/* Accepts for ever once the condition held. */
#define ONCE(condition)                                                                   \
	"tick 5; machine m { state s start; state t accept(hit); s -> t : " condition "; }"

static const struct decided {
	const char *x, *y;
	enum decide_verdict verdict;
	size_t batches;  /* of the witness */
	size_t letters;  /* of its last batch, the letter of the time included */
	uint32_t time;   /* what time its last batch has */
} cases[] = {
	{ BY_COUNTER("2"), BY_STATES, DECIDE_YES, 0, 0, 0 },
	{ BY_COUNTER("3"), BY_STATES, DECIDE_NO, 2, 1, 0 },
	{ BY_COUNTER("2"), BY_COUNTER("4"), DECIDE_NO, 2, 1, 0 },
	{ "tick 5;" BY_COUNTER("2"), "tick 5;" BY_STATES, DECIDE_YES, 0, 0, 0 },
	{ "tick 5;" BY_COUNTER("3"), "tick 5;" BY_STATES, DECIDE_NO, 2, 2, 0 },
	{ ONCE("tick & Any(R12)"), ONCE("Any(R12) & tick"), DECIDE_YES, 0, 0, 0 },
	{ ONCE("Any(R12)"), ONCE("Any(R12) & tick"), DECIDE_NO, 1, 2, 0 },
	{ ONCE("Any(R12)"), ONCE("Any(R12) & notick"), DECIDE_NO, 1, 2, NFART_TICK },
	{ ONCE("tick"), ONCE("tick & Any(R12)"), DECIDE_NO, 1, 1, NFART_TICK },
	{ ONCE("tick"), ONCE("tick & tick"), DECIDE_YES, 0, 0, 0 },
	/* No batch has neither a message nor a tick. */
	{ ONCE("notick & None(any)"), ONCE("tick & notick"), DECIDE_YES, 0, 0, 0 },
	{ ONCE("tick & None(any)"), ONCE("tick & notick"), DECIDE_NO, 1, 1, NFART_TICK },
	{ BY_COUNTER("200000"), BY_COUNTER("200001"), DECIDE_BOUNDED, 0, 0, 0 },
};

/* Does the spec's machine accept after n batches of the stream? */
static bool machine_accepts(const struct spec *spec, const struct decide_stream *stream, size_t n)
{
	const struct pred_table *t = &spec->preds;
	const struct machine *m = &spec->machines.at[0];
	uint64_t *truth = calloc(bits_words(t->preds.n) + 1, sizeof *truth);
	uint32_t *counts = calloc(m->counters.n + 1, sizeof *counts), state = m->start;

	for (size_t i = 0; i < n; i++) {
		const uint32_t *letters = stream->letter + stream->first[i];
		size_t nletters = stream->first[i + 1] - stream->first[i];

		memset(truth, 0, bits_words(t->preds.n) * sizeof *truth);
		for (pred_id_t p = 0; p < t->preds.n; p++)
			if (pred_holds(t, p, letters, nletters))
				bits_set(truth, p);
		state = machine_next(m, truth, state, counts);
	}
	free(truth);
	free(counts);
	return m->states.at[state].nlabels != 0;
}

static void check_witness(const struct spec *x, const struct spec *y,
			  const struct machine_answer *a, const struct decided *c)
{
	const struct decide_stream *w = &a->witness;
	uint32_t time = x->preds.alphabet.time;

	ck_assert_str_eq(a->what, "labels");
	ck_assert_uint_eq(w->n, c->batches);
	for (size_t n = 0; n < w->n; n++)
		ck_assert(machine_accepts(x, w, n) == machine_accepts(y, w, n));
	ck_assert(machine_accepts(x, w, w->n) != machine_accepts(y, w, w->n));
	ck_assert_uint_eq(w->first[w->n] - w->first[w->n - 1], c->letters);
	if (time != IMAGE_NO_TIME)
		ck_assert_uint_eq(w->letter[w->first[w->n] - 1], time + c->time);
}

static void check_decision(const struct spec *x, const struct spec *y, const struct decided *c)
{
	struct machine_answer a;

	machine_decide(&x->preds, &x->machines.at[0], &y->preds, &y->machines.at[0], MOST, &a);
	ck_assert_msg(a.verdict == c->verdict, "%s and %s: %d", c->x, c->y, (int)a.verdict);
	if (c->verdict == DECIDE_NO)
		check_witness(x, y, &a, c);
	if (c->verdict == DECIDE_BOUNDED)
		ck_assert_uint_gt(a.depth, 100);
	machine_answer_free(&a);
}

static void machine_compile(struct pipeline *p, const char *text)
{
	struct pipeline_file f = { "machine.re", text, strlen(text), false };
	struct pipeline_options o;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	ck_assert_msg(pipeline_run(p, &o, &f, 1) == NFART_OK, "%s", text);
	ck_assert_uint_eq(p->spec.machines.n, 1);
}

static void check_case(const struct decided *c)
{
	struct pipeline x, y;

	machine_compile(&x, c->x);
	machine_compile(&y, c->y);
	check_decision(&x.spec, &y.spec, c);
	check_decision(&y.spec, &x.spec, c);
	pipeline_free(&x);
	pipeline_free(&y);
}

START_TEST(decided)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check_case(&cases[i]);
}
END_TEST

Suite *suite_machine_decide(void)
{
	return unit_suite("machine_decide", (const TTest *const[]){ decided, NULL });
}
