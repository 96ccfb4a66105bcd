/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the model of the macrocell. The authors' register values are compared with regulators
 * written by hand, in all readings. Selectors, pairs and counters are compared with Arm's text.
 * NFACC_SEED is the seed of the random cycles, and NFACC_CYCLES their number.
 */
#include <inttypes.h>
#include <string.h>

#include "probes/etm/model/macrocell.h"
#include "testsuite/etm/regs.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

static uint64_t draw_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static struct etm_reading reading_of(unsigned bits)
{
	return (struct etm_reading){ .priority = bits & 1, .zero = bits & 2, .delay = bits & 4,
				     .overlap = bits & 8 };
}

/* ---- regulators by hand ---- */

/* A regulator as its authors draw it: two counters and a state. */
struct hand {
	struct etm_reading reading;
	uint32_t period, budget;     /* the programmed numbers */
	bool token_bucket;
	uint32_t state, time, lines; /* time, lines: numbers counted so far */
	bool tick, over;             /* pulses of the cycle before */
};

/*
 * Counts up by one. A round is `reload` + 1 counts, or `reload` counts if `zero`. Returns true at
 * the last count of a round.
 */
static bool count_to(uint32_t *n, uint32_t reload, bool zero)
{
	uint32_t most = zero && reload > 0 ? reload : reload + 1;

	if (++*n < most)
		return false;
	*n = 0;
	return true;
}

static void move_state(struct hand *h, bool tick, bool over)
{
	if (h->token_bucket) {
		if (over && h->state < 3)
			h->state++;
		else if (tick && h->state > 0)
			h->state--;
	} else if (h->state == 0 && over) {
		h->state = 3;
	} else if (h->state == 3 && tick && !(over && h->reading.priority)) {
		h->state = 0;
	}
}

/* One cycle, with or without a line. `tick` and `over` are the pulses that the events see. */
static void hand_step(struct hand *h, bool line)
{
	bool delay = h->reading.delay;
	bool tick_now = count_to(&h->time, h->period, h->reading.zero);
	bool tick = delay ? h->tick : tick_now;
	bool over_now = false;

	if (!h->token_bucket && tick && h->state == 0) {
		over_now = line && count_to(&h->lines, h->budget, h->reading.zero) &&
			   h->reading.overlap;
		h->lines = 0;
	} else if (line)
		over_now = count_to(&h->lines, h->budget, h->reading.zero);
	move_state(h, tick, delay ? h->over : over_now);
	h->tick = tick_now;
	h->over = over_now;
}

/* Random cycles. There are enough lines that all states occur. */
static bool state_follows(const char *name, bool bucket, unsigned reading, const uint8_t output[4],
			  uint64_t cycles, uint64_t *seed)
{
	struct hand h = { .reading = reading_of(reading),
			  .token_bucket = bucket,
			  .period = (uint32_t)(draw_random(seed) % 40),
			  .budget = (uint32_t)(draw_random(seed) % 9) };
	struct etm_regs r = regs_load(name);
	struct macrocell m;
	unsigned density = (unsigned)(draw_random(seed) % 4) + 1;

	regs_set(&r, h.period, h.budget);
	macrocell_init(&m, &r, h.reading);
	for (uint64_t i = 0; i < cycles; i++) {
		bool line = draw_random(seed) % 8 < density;
		unsigned which = line ? (unsigned)(1 + draw_random(seed) % 3) : 0;
		struct macrocell_inputs in = { .group = { [ETM_GROUP_EXTIN] = (uint16_t)which } };

		hand_step(&h, line);
		macrocell_step(&m, &in);
		if (macrocell_state(&m) != h.state || m.outputs != output[h.state]) {
			printf("# cycle %" PRIu64 ": state %u instead of %u, outputs %#x, "
			       "period %u, budget %u\n", i, macrocell_state(&m), h.state,
			       m.outputs, h.period, h.budget);
			return false;
		}
	}
	return true;
}

static void test_regulators(struct tap *t, uint64_t *seed, uint64_t cycles)
{
	static const struct {
		const char *name;
		bool bucket;
		uint8_t output[4]; /* for each state */
	} rows[] = {
		{ "pr", false, { 0, 0, 0, 8 } },
		{ "tb31", true, { 0, 0, 0, 8 } },
		{ "tb22", true, { 0, 0, 4, 8 } },
		{ "tb13", true, { 0, 2, 4, 8 } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (unsigned reading = 0; reading < ETM_READINGS; reading++)
			tap_case(t,
				 state_follows(rows[i].name, rows[i].bucket, reading,
					       rows[i].output, cycles, seed),
				 "%s is what its authors draw, reading %u", rows[i].name, reading);
}

/* ---- parts ---- */

/* An event of two selectors, by Arm's table of (A.PAIRINV, A.INV, B.INV). */
static bool by_table(unsigned code, bool a, bool b)
{
	switch (code) {
	case 0: return a && b;
	case 2: return !a && b;
	case 3: return !a && !b;
	case 4: return !a || !b;
	case 5: return !a || b;
	case 7: return a || b;
	default: return false;
	}
}

/* Checks pairs 1 to 15 with every code that is not reserved, by an external output. */
static bool pairs_follow_table(void)
{
	for (unsigned k = 1; k < 16; k++)
		for (unsigned code = 0; code < 8; code++)
			for (unsigned ab = 0; ab < 4; ab++) {
				struct etm_regs r = { 0 };
				struct macrocell m;
				struct macrocell_inputs in = { .group = { (uint16_t)(ab << 1) } };

				r.rsctl[2 * k] = 0x2 | (code >> 1 & 1) << 20 | (code >> 2) << 21;
				r.rsctl[2 * k + 1] = 0x4 | (code & 1) << 20;
				r.eventctl0[0] = (0x80 | k) << 16;
				macrocell_init(&m, &r, reading_of(0));
				macrocell_step(&m, &in);
				if (code != 1 && code != 6 &&
				    (m.outputs == 4) != by_table(code, ab & 1, ab >> 1))
					return false;
			}
	return true;
}

/* Each resource of each group alone reaches a selector, and no other resource reaches it. */
static bool groups_reach_selectors(void)
{
	for (unsigned group = 0; group < MACROCELL_GROUPS; group++)
		for (unsigned bit = 0; bit < 16; bit++)
			for (unsigned other = 0; other < 16; other++) {
				struct etm_regs r = { .rsctl = { [7] = group << 16 | 1u << bit },
						      .eventctl0 = { 7 } };
				struct macrocell_inputs in = { .group = { 0 } };
				struct macrocell m;

				in.group[group] = (uint16_t)(1u << other);
				macrocell_init(&m, &r, reading_of(0));
				macrocell_step(&m, &in);
				/* The counters are at 0, and the sequencer is in state 0. */
				if ((m.outputs != 0) !=
				    (group == ETM_GROUP_CNTSEQ ? bit < 5 : bit == other))
					return false;
			}
	return true;
}

/*
 * Selectors 0 and 1 are constants, whatever is written to them. A reset has priority over all
 * moves.
 */
static bool constants_and_reset(void)
{
	struct etm_regs r = { .rsctl = { 0x100001, 0x100001 }, .eventctl0 = { 0x0100 },
			      .seqev = { 0x0101, 0x0101, 0x0101 } };
	struct macrocell_inputs in = { .group = { 0 } };
	struct macrocell m;

	macrocell_init(&m, &r, reading_of(0));
	macrocell_step(&m, &in);
	if (m.outputs != 2 || macrocell_state(&m) != 3)
		return false;
	r.seqrstev[0] = 1;
	r.seqst[0] = 2;
	macrocell_init(&m, &r, reading_of(0));
	macrocell_step(&m, &in);
	return macrocell_state(&m) == 0;
}

/* Two chained counters: after 2^32 - 1 counts their values are read, in both readings of zero. */
static bool chained(uint32_t reload, uint64_t counts)
{
	struct etm_regs r = regs_load("chained");
	struct macrocell_inputs in = { .group = { 1 } };
	struct macrocell m;

	r.cntrldv[0] = r.cntv[0] = reload;
	macrocell_init(&m, &r, reading_of(0));
	for (uint64_t i = 0; i < counts; i++)
		macrocell_step(&m, &in);
	return (uint64_t)(0xffff - m.regs.cntv[1]) * (reload + 1) + (reload - m.regs.cntv[0]) ==
	       counts;
}

/* Linux's strobing: tracing is on in one of four windows of ten cycles. */
static bool strobes(void)
{
	struct etm_regs r = regs_load("strobing");
	struct macrocell_inputs in = { .group = { 0 } };
	struct macrocell m;
	unsigned on = 0, edges = 0, before = 0;

	macrocell_init(&m, &r, reading_of(0));
	for (unsigned i = 0; i < 400; i++) {
		macrocell_step(&m, &in);
		on += m.outputs & 1;
		edges += (m.outputs & 1) != before;
		before = m.outputs & 1;
	}
	return on == 100 && edges >= 19 && edges <= 20;
}

/* PR-user: the budget is used only in user space. A tick in the kernel restores it. */
static bool user_only(void)
{
	struct etm_regs r = regs_load("pr-user");
	struct macrocell_inputs user = { .group = { [ETM_GROUP_RANGE] = 1 } },
				kernel = { .group = { [ETM_GROUP_RANGE] = 2 } },
				line = { .group = { [ETM_GROUP_EXTIN] = 1 } };
	struct macrocell m;
	uint32_t seen;

	regs_set(&r, 1000, 3);
	macrocell_init(&m, &r, reading_of(0));
	for (unsigned i = 0; i < 20; i++)
		macrocell_step(&m, &line);
	seen = macrocell_state(&m);
	macrocell_step(&m, &user);
	for (unsigned i = 0; i < 4; i++)
		macrocell_step(&m, &line);
	if (seen != 0 || macrocell_state(&m) != 2 || m.outputs != 8)
		return false;
	macrocell_step(&m, &kernel);
	return macrocell_state(&m) == 3 && m.outputs == 8;
}

/*
 * Random registers: idle cycles done at once are compared with the same cycles one by one. Values
 * are small, so there are many pulses.
 */
static bool idle_is_steps(uint64_t *seed, unsigned programs)
{
	static const struct macrocell_inputs none;

	for (unsigned p = 0; p < programs; p++) {
		struct etm_regs r = { .seqst = { (uint32_t)draw_random(seed) & 3 } };
		struct macrocell fast, slow;
		uint64_t left = 400;

		for (unsigned i = 2; i < 16; i++)
			r.rsctl[i] = (uint32_t)(draw_random(seed) & 0x3000ff) |
				     (uint32_t)(draw_random(seed) % 3 == 0) << 16 |
				     (uint32_t)(draw_random(seed) % 4 != 0) << 17;
		for (unsigned i = 0; i < 3; i++)
			r.seqev[i] = (uint32_t)draw_random(seed) & 0x8f8f;
		for (unsigned i = 0; i < ETM_COUNTERS; i++) {
			r.cntctl[i] = (uint32_t)draw_random(seed) & 0x38f8f;
			r.cntrldv[i] = (uint32_t)draw_random(seed) % 60;
			r.cntv[i] = (uint32_t)draw_random(seed) % 60;
		}
		r.eventctl0[0] = (uint32_t)draw_random(seed) & 0x8f8f8f8f;
		macrocell_init(&fast, &r, reading_of(p % 8));
		slow = fast;
		while (left > 0) {
			uint64_t n = macrocell_idle(&fast, draw_random(seed) % left + 1);

			for (uint64_t i = 0; i < n; i++) {
				uint32_t state = macrocell_state(&slow), outputs = slow.outputs;

				macrocell_step(&slow, &none);
				if (i + 1 < n && (state != macrocell_state(&slow) ||
						  outputs != slow.outputs))
					return false;
			}
			if (memcmp(&fast.regs, &slow.regs, sizeof fast.regs) != 0 ||
			    fast.zero != slow.zero || fast.pulses != slow.pulses ||
			    fast.outputs != slow.outputs)
				return false;
			left -= n;
		}
	}
	return true;
}

static bool inputs_are_found(void)
{
	struct etm_regs r = { .extinsel = { 0x04031a19, 0xffff8001, 7, 8 } };

	return macrocell_input(&r, 0, false) == 0x19 && macrocell_input(&r, 3, false) == 4 &&
	       macrocell_input(&r, 0, true) == 0x1a19 && macrocell_input(&r, 1, true) == 0x8001 &&
	       macrocell_input(&r, 3, true) == 8;
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), cycles = setting("NFACC_CYCLES", 20000);
	struct tap t = { 0 };

	printf("# NFACC_SEED=%" PRIu64 "\n", seed);
	test_regulators(&t, &seed, cycles);
	tap_case(&t, pairs_follow_table(), "pairs follow Arm's table");
	tap_case(&t, groups_reach_selectors(), "each resource of each group reaches a selector");
	tap_case(&t, constants_and_reset(), "selectors 0 and 1 are constants; a reset beats moves");
	tap_case(&t, chained(0xffff, 70000), "two counters in one count lines");
	tap_case(&t, chained(99, 12345), "so they do with another reload value");
	tap_case(&t, strobes(), "Linux's strobing is on for a window in four");
	tap_case(&t, user_only(), "PR-user counts in user space");
	tap_case(&t, idle_is_steps(&seed, 2000), "idle cycles at once are cycles one by one");
	tap_case(&t, inputs_are_found(), "numbers of external inputs are found");
	return tap_end(&t);
}
