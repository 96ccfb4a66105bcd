/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound.c: the bounds of regulators against an exhaustive search.
 *
 * The search knows nothing of the proof: it executes registers in the model of the trace macrocell,
 * with real counters and every sequence of inputs, and computes for each number of cycles the most
 * lines of a window. The proof abstracts from time, so a short period may keep a core from sending
 * as many lines as the bound allows; the bound must hold all the same, and where the proof says
 * that a witness attains it, the search must find just as many.
 *
 * NFACC_SEED and NFACC_TRIALS: the first of the random regulators, and how many.
 */
#include <string.h>

#include "backends/etm/bound/bound.h"
#include "probes/etm/model/macrocell.h"
#include "support/vec.h"
#include "testsuite/etm/regs.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { PERIODS = 8, NOWHERE = UINT32_MAX, MOST_SPOTS = 400000 };

/* ---- the search ---- */

/* What the macrocell remembers, and how many lines may still come. */
struct spot {
	uint16_t tick, lines, left;
	uint8_t state, pulses, on;
};

struct search {
	const struct etm_regs *regs;
	struct etm_reading reading;
	unsigned overrun, ninputs, outside; /* `outside`: states whose lines are not judged */
	VEC(struct spot) spots;
	VEC(uint32_t) to; /* [spots.n * ninputs] */
	uint32_t *hash;
	size_t nhash;
	uint64_t most[PERIODS + 1]; /* the most lines in n periods */
};

/* Input 0 of the external ones is a line. The others are ranges 0 and 1 of instruction fetches. */
static bool is_line(unsigned input)
{
	return input & 1;
}

static uint32_t spot_find(struct search *s, struct spot x)
{
	uint64_t h = ((uint64_t)x.tick << 32 | (uint64_t)x.lines << 16 | x.left) * 31 +
		     (x.state * 16u + x.pulses) * 2 + x.on;

	h *= 0x9e3779b97f4a7c15u;
	for (h >>= 40; s->hash[h % s->nhash] != 0; h++) {
		uint32_t i = s->hash[h % s->nhash] - 1;
		struct spot y = s->spots.at[i];

		if (x.tick == y.tick && x.lines == y.lines && x.left == y.left &&
		    x.state == y.state && x.pulses == y.pulses && x.on == y.on)
			return i;
	}
	if (s->spots.n == MOST_SPOTS || !vec_push(&s->spots, x))
		abort();
	s->hash[h % s->nhash] = (uint32_t)s->spots.n;
	return (uint32_t)s->spots.n - 1;
}

/* Returns where a cycle with the inputs leads, or NOWHERE if it would have a line too many. */
static uint32_t spot_step(struct search *s, struct spot x, unsigned input)
{
	struct macrocell m;
	struct macrocell_inputs in = { .group[ETM_GROUP_EXTIN] = input & 1,
				       .group[ETM_GROUP_RANGE] = (uint16_t)(input >> 1) };
	struct spot next;

	if (x.on && is_line(input) && x.left == 0)
		return NOWHERE;
	macrocell_init(&m, s->regs, s->reading);
	m.regs.seqst[0] = x.state;
	m.regs.cntv[0] = x.tick;
	m.regs.cntv[1] = x.lines;
	m.pulses = x.pulses;
	macrocell_step(&m, &in);
	next = (struct spot){ .tick = (uint16_t)m.regs.cntv[0], .lines = (uint16_t)m.regs.cntv[1],
			      .state = (uint8_t)m.regs.seqst[0], .pulses = (uint8_t)m.pulses,
			      .on = m.outputs != 0 };
	if (next.on)
		next.left = (uint16_t)(x.on ? (unsigned)x.left - is_line(input) : s->overrun);
	return spot_find(s, next);
}

/* Raises the most lines of windows by one cycle: now[i] are those of windows that end at spot i. */
static void one_cycle(const struct search *s, const int *now, int *next)
{
	for (size_t i = 0; i < s->spots.n; i++)
		next[i] = -1;
	for (size_t i = 0; i < s->spots.n; i++) {
		bool judged = !(s->outside >> s->spots.at[i].state & 1);

		for (unsigned e = 0; now[i] >= 0 && e < s->ninputs; e++) {
			uint32_t to = s->to.at[i * s->ninputs + e];
			int lines = now[i] + (judged && is_line(e));

			if (to != NOWHERE && lines > next[to])
				next[to] = lines;
		}
	}
}

static void bound_search(struct search *s, uint64_t period)
{
	int *now, *next;

	s->nhash = 1 << 20;
	s->hash = calloc(s->nhash, sizeof *s->hash);
	/* The output is off in the first state. */
	spot_find(s, (struct spot){ .tick = (uint16_t)s->regs->cntv[0],
				    .lines = (uint16_t)s->regs->cntv[1],
				    .state = (uint8_t)s->regs->seqst[0] });
	for (size_t i = 0; i < s->spots.n; i++)
		for (unsigned e = 0; e < s->ninputs; e++)
			if (!vec_push(&s->to, spot_step(s, s->spots.at[i], e)))
				abort();
	now = calloc(s->spots.n, sizeof *now);
	next = calloc(s->spots.n, sizeof *next);
	for (uint64_t t = 1; t <= PERIODS * period; t++) {
		int *swap = now;

		one_cycle(s, now, next);
		now = next;
		next = swap;
		for (size_t i = 0; t % period == 0 && i < s->spots.n; i++)
			if (now[i] > 0 && (uint64_t)now[i] > s->most[t / period])
				s->most[t / period] = (uint64_t)now[i];
	}
	free(now);
	free(next);
	free(s->hash);
	vec_free(&s->spots);
	vec_free(&s->to);
}

/* ---- both against each other ---- */

struct tally {
	uint64_t cases, endless, unbounded, attained, mismatches;
};

/* How many ticks does a path have? */
static size_t ticks_of(const struct etm_bound *b, const struct bound_path *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->edges.n; i++)
		n += p->edges.at[i] >= b->form.ninputs;
	return n;
}

/* What is wrong with the bound, given what the search found? NULL: nothing. */
static const char *bound_judge(const struct etm_bound *b, const struct search *s)
{
	const struct bound_most *m = &b->most;
	size_t n;

	if (!m->finite)
		return s->most[1] >= b->endless ? NULL : "endless lines, but few are found";
	if (s->most[1] > m->window)
		return "more lines in one period";
	if (b->attained.window && s->most[1] != m->window)
		return "fewer lines in one period than were attained";
	for (n = 1; n <= PERIODS; n++)
		if ((int64_t)(s->most[n] * m->rate_ticks) > (int64_t)(n * m->rate_lines) + m->over)
			return "more lines in some periods";
	n = ticks_of(b, &m->in_over);
	if (b->attained.over && n <= PERIODS &&
	    (int64_t)(s->most[n] * m->rate_ticks) != (int64_t)(n * m->rate_lines) + m->over)
		return "fewer lines in some periods than were attained";
	if (b->attained.rate && s->most[PERIODS] * m->rate_ticks < PERIODS * m->rate_lines)
		return "fewer lines in the long run than were attained";
	return NULL;
}

/* Judges registers in one reading. */
static void bound_compare(const char *name, const struct etm_regs *r, unsigned reading,
			  unsigned overrun, unsigned outside, bool ranges, struct tally *t)
{
	struct search s = { .regs = r, .reading = etm_reading_of(reading), .overrun = overrun,
			    .ninputs = ranges ? 8 : 2, .outside = outside };
	struct etm_bound b;
	const char *wrong;

	if (etm_bound(&b, r, false, s.reading, overrun) != NFART_OK || b.unjudged != NULL) {
		printf("# %s: %s\n", name, b.unjudged != NULL ? b.unjudged : "gave up");
		t->mismatches++;
		etm_bound_free(&b);
		return;
	}
	bound_search(&s, b.period);
	wrong = bound_judge(&b, &s);
	t->cases++;
	t->endless += !b.most.finite;
	t->unbounded += !etm_bound_holds(&b);
	t->attained += (b.attained.window && b.attained.over) || b.endless != 0;
	if (wrong != NULL) {
		t->mismatches++;
		printf("# %s, reading %u, %u lines, period %u, overrun %u: %s\n", name, reading,
		       r->cntrldv[1] + 1, r->cntrldv[0] + 1, overrun, wrong);
		printf("#   window %llu%s, rate %llu/%llu%s, over %lld%s; found",
		       (unsigned long long)b.most.window, b.attained.window ? "!" : "",
		       (unsigned long long)b.most.rate_lines,
		       (unsigned long long)b.most.rate_ticks, b.attained.rate ? "!" : "",
		       (long long)b.most.over, b.attained.over ? "!" : "");
		for (unsigned n = 1; n <= PERIODS; n++)
			printf(" %llu", (unsigned long long)s.most[n]);
		putchar('\n');
	}
	etm_bound_free(&b);
}

static const struct {
	const char *name;
	unsigned throttled, free; /* states with and without the output; 0: it has no bound */
	unsigned outside;         /* states whose lines are not judged */
	bool ranges;
} regulators[] = {
	{ "pr", 1, 1, 0, false },      { "pr13", 3, 1, 0, false },  { "tb31", 1, 3, 0, false },
	{ "tb22", 2, 2, 0, false },    { "tb13", 3, 1, 0, false },
	{ "tb31-exact", 1, 3, 0, false },
	{ "tb31-compact", 1, 3, 0, false }, { "tb31-order", 1, 3, 0, false },
	{ "pr-stop", 0, 0, 0, false }, { "pr-always", 0, 0, 0, false },
	{ "pr-user", 0, 0, 1, true },
};
enum { REGULATORS = sizeof regulators / sizeof *regulators };

static void test_library(struct tap *tap)
{
	/* `roomy`: the period has room for every witness, so every bound is tight. */
	static const struct {
		unsigned lines, overrun, period;
		bool roomy;
	} sizes[] = { { 0, 0, 14, true }, { 0, 3, 20, true }, { 1, 2, 20, true },
		      { 2, 0, 16, true }, { 2, 4, 20, true }, { 3, 3, 6, false },
		      { 3, 11, 34, false }, { 5, 5, 45, true } };

	for (unsigned i = 0; i < REGULATORS; i++) {
		struct etm_regs r = regs_load(regulators[i].name);
		struct tally t = { 0 };

		for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			uint64_t before = t.attained;

			regs_set(&r, sizes[k].period, sizes[k].lines);
			for (unsigned reading = 0; reading < ETM_READINGS; reading++)
				bound_compare(regulators[i].name, &r, reading, sizes[k].overrun,
					      regulators[i].outside, regulators[i].ranges, &t);
			if (sizes[k].roomy && t.attained - before != ETM_READINGS) {
				printf("# not tight with %u lines, overrun %u\n",
				       sizes[k].lines + 1, sizes[k].overrun);
				t.mismatches++;
			}
		}
		tap_case(tap,
			 t.mismatches == 0 &&
				 t.cases == sizeof sizes / sizeof *sizes * ETM_READINGS,
			 "%s: %llu cases, %llu attained, %llu without a bound, %llu endless",
			 regulators[i].name, (unsigned long long)t.cases,
			 (unsigned long long)t.attained, (unsigned long long)t.unbounded,
			 (unsigned long long)t.endless);
	}
}

/* The closed forms, in the default reading, at real periods. */
static void test_closed(struct tap *tap)
{
	for (unsigned i = 0; i < REGULATORS; i++) {
		unsigned t = regulators[i].throttled, k = regulators[i].free;
		struct etm_regs r = regs_load(regulators[i].name);
		bool ok = true;

		if (regulators[i].outside != 0)
			continue;
		for (unsigned lines = 1; lines <= 400; lines = lines * 3 + 1)
			for (unsigned overrun = 1; overrun <= 100; overrun = overrun * 3 + 2) {
				struct etm_bound b;
				unsigned n = lines + 1;
				bool holds = t > 0 && overrun + 1 <= t * n;

				regs_set(&r, 5999, lines);
				ok = etm_bound(&b, &r, false, etm_reading_of(0), overrun) ==
					     NFART_OK && ok;
				ok = ok && b.unjudged == NULL && etm_bound_holds(&b) == holds;
				ok = ok && b.least == (t > 0 ? (overrun + t) / t : 0);
				if (holds)
					ok = ok && b.most.window == (k + 1) * n + overrun &&
					     b.most.over == (int64_t)(k * n + overrun) &&
					     b.attained.window && b.attained.over;
				etm_bound_free(&b);
			}
		tap_case(tap, ok, "%s: the closed form", regulators[i].name);
	}
}

/* ---- random regulators ---- */

static uint64_t bound_draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

/* An event: a selector 2 … 9, a pair of them, or none. */
static uint32_t draw_event(uint64_t *seed)
{
	switch (bound_draw(seed, 5)) {
	case 0:
		return 0;
	case 1:
		return (uint32_t)(2 + bound_draw(seed, 8));
	default:
		return ETM_EVENT_PAIR | (uint32_t)(1 + bound_draw(seed, 4));
	}
}

/* Draws registers: counter 0 counts cycles and counter 1 lines, as in all regulators; what the
 * sequencer does with them is random. */
static struct etm_regs draw_regs(uint64_t seed)
{
	struct etm_regs r = { 0 };

	seed = seed * 0x9e3779b97f4a7c15u + 1;
	r.rsctl[2] = ETM_PUT(TRCRSCTLR, SELECT, 1);
	for (unsigned i = 3; i < 10; i++) {
		uint32_t select = 1u << bound_draw(&seed, 2);

		if (bound_draw(&seed, 2) != 0)
			select = (uint32_t)(1 + bound_draw(&seed, 15)) << ETM_COUNTERS;
		r.rsctl[i] = ETM_PUT(TRCRSCTLR, GROUP, ETM_GROUP_CNTSEQ) |
			     ETM_PUT(TRCRSCTLR, SELECT, select) |
			     ETM_PUT(TRCRSCTLR, INV, bound_draw(&seed, 4) == 0);
	}
	r.rsctl[11] = ETM_PUT(TRCRSCTLR, GROUP, ETM_GROUP_CNTSEQ) |
		      ETM_PUT(TRCRSCTLR, SELECT, (1 + bound_draw(&seed, 14)) << ETM_COUNTERS);
	r.cntctl[0] = ETM_PUT(TRCCNTCTLR, CNTEVENT, 1) | ETM_PUT(TRCCNTCTLR, RLDSELF, 1);
	r.cntctl[1] = ETM_PUT(TRCCNTCTLR, CNTEVENT, 2) |
		      ETM_PUT(TRCCNTCTLR, RLDEVENT, draw_event(&seed)) |
		      ETM_PUT(TRCCNTCTLR, RLDSELF, bound_draw(&seed, 4) != 0);
	for (unsigned i = 0; i < ETM_STATES - 1; i++)
		r.seqev[i] = ETM_PUT(TRCSEQEVR, F, draw_event(&seed)) |
			     ETM_PUT(TRCSEQEVR, B, draw_event(&seed));
	if (bound_draw(&seed, 4) == 0)
		r.seqrstev[0] = draw_event(&seed);
	/* The pulse of the lines is looked at somewhere, and so is that of the cycles. */
	r.rsctl[12] = ETM_PUT(TRCRSCTLR, GROUP, ETM_GROUP_CNTSEQ) | ETM_PUT(TRCRSCTLR, SELECT, 2);
	r.rsctl[13] = ETM_PUT(TRCRSCTLR, GROUP, ETM_GROUP_CNTSEQ) | ETM_PUT(TRCRSCTLR, SELECT, 1);
	r.seqev[bound_draw(&seed, 3)] = ETM_PUT(TRCSEQEVR, F, 12) | ETM_PUT(TRCSEQEVR, B, 13);
	r.eventctl0[0] = ETM_PUT(TRCEVENTCTL0R, EVENT3, 11);
	do
		r.seqst[0] = (uint32_t)bound_draw(&seed, ETM_STATES);
	while (r.rsctl[11] >> (ETM_COUNTERS + r.seqst[0]) & 1);
	regs_set(&r, (uint32_t)(6 + bound_draw(&seed, 12)), (uint32_t)(1 + bound_draw(&seed, 3)));
	return r;
}

/* Returns the states in which the output is off and no input makes counter 1 count. */
static unsigned find_outside(const struct etm_regs *r, struct etm_reading reading)
{
	bool self = ETM_GET(TRCCNTCTLR, RLDSELF, r->cntctl[1]); /* else it never pulses */
	unsigned states = 0;

	for (unsigned state = 0; state < ETM_STATES; state++) {
		bool counts = false;

		for (unsigned i = 0; i < 16; i++) {
			struct macrocell_inputs in = { .group[ETM_GROUP_EXTIN] = i & 1 };
			struct macrocell m;

			macrocell_init(&m, r, reading);
			m.regs.seqst[0] = state;
			m.regs.cntv[0] = i & 2 ? 0 : 100;
			m.regs.cntv[1] = 100;
			m.pulses = i >> 2 & (self ? 3 : 1);
			macrocell_step(&m, &in);
			counts = counts || m.regs.cntv[1] == 99;
		}
		if (!counts && !(r->rsctl[11] >> (ETM_COUNTERS + state) & 1))
			states |= 1u << state;
	}
	return states;
}

static void test_random(struct tap *tap, uint64_t seed, uint64_t trials)
{
	struct tally t = { 0 };

	for (uint64_t i = 0; i < trials; i++) {
		struct etm_regs r = draw_regs(seed + i);
		unsigned reading = (unsigned)(i % ETM_READINGS);
		char name[40];

		snprintf(name, sizeof name, "seed %llu", (unsigned long long)(seed + i));
		bound_compare(name, &r, reading, (unsigned)(i / ETM_READINGS % 5),
			      find_outside(&r, etm_reading_of(reading)), false, &t);
	}
	tap_case(tap, t.mismatches == 0,
		 "seeds from %llu: %llu cases, %llu attained, %llu without a bound, %llu endless",
		 (unsigned long long)seed, (unsigned long long)t.cases,
		 (unsigned long long)t.attained, (unsigned long long)t.unbounded,
		 (unsigned long long)t.endless);
}

/* The smallest budget that has a bound is found by halving a range; here all budgets are tried. */
static void test_least(struct tap *tap)
{
	for (unsigned i = 0; i < REGULATORS; i++) {
		struct etm_regs r = regs_load(regulators[i].name);
		unsigned wrong = 0, most = 12;

		for (unsigned reading = 0; reading < ETM_READINGS; reading++) {
			uint32_t least = 0;

			/* Reload values 0 and 1 are one budget in reading `zero`. */
			for (unsigned lines = 1; lines <= most; lines++) {
				struct etm_bound b;

				regs_set(&r, 5999, lines);
				wrong += etm_bound(&b, &r, false, etm_reading_of(reading), 4) !=
					 NFART_OK;
				if (lines == 1)
					least = b.least;
				wrong += b.least != least;
				wrong += etm_bound_holds(&b) != (least != 0 && lines + 1 >= least);
				etm_bound_free(&b);
			}
		}
		tap_case(tap, wrong == 0, "%s: budgets from 2 to %u", regulators[i].name, most + 1);
	}
}

/* Whatever the registers hold, there is an answer. */
static void test_any(struct tap *tap, uint64_t seed)
{
	uint64_t x = seed;
	unsigned judged = 0, trials = 400;

	for (unsigned i = 0; i < trials; i++) {
		struct etm_regs r = draw_regs(bound_draw(&x, 1 << 30));
		struct etm_bound b;
		enum nfart_status s;

		for (unsigned k = 0; k < 1 + bound_draw(&x, 6); k++) {
			uint8_t *bytes = (uint8_t *)&r;

			bytes[bound_draw(&x, sizeof r)] ^= (uint8_t)(1u << bound_draw(&x, 8));
		}
		r.cntrldv[0] &= 0xfff;
		r.cntrldv[1] &= 0xff;
		s = etm_bound(&b, &r, i % 2, etm_reading_of(i), (uint32_t)bound_draw(&x, 9));
		judged += s == NFART_OK && b.unjudged == NULL;
		etm_bound_free(&b);
	}
	tap_case(tap, judged > trials / 4, "damaged registers from seed %llu: %u of %u judged",
		 (unsigned long long)seed, judged, trials);
}

/* TB 3:1 loses a tick in states 1 and 2; its exact form loses none. */
static void test_lost(struct tap *tap)
{
	static const struct {
		const char *name;
		unsigned tick_lost;
	} cases[] = { { "tb31", 6 }, { "tb31-exact", 0 } };

	for (unsigned i = 0; i < 2; i++) {
		struct etm_regs r = regs_load(cases[i].name);
		bool ok = true;

		for (unsigned reading = 0; reading < ETM_READINGS; reading++) {
			struct etm_bound b;

			ok = etm_bound(&b, &r, false, etm_reading_of(reading), 9) == NFART_OK &&
			     ok && b.tick_lost == cases[i].tick_lost && b.lines_lost == 0;
			etm_bound_free(&b);
		}
		tap_case(tap, ok, "%s: lost ticks", cases[i].name);
	}
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), trials = setting("NFACC_TRIALS", 400);
	struct tap tap = { 0 };

	test_library(&tap);
	test_random(&tap, seed, trials);
	test_closed(&tap);
	test_lost(&tap);
	test_least(&tap);
	test_any(&tap, seed);
	return tap_end(&tap);
}
