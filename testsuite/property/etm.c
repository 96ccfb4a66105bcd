/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random register values of a trace unit, in all eight readings. What the compiler decodes is
 * executed beside the model (probes/etm/model), which reads registers in its own way. Then pairs of
 * such machines are compared, and each answer is held against a walk over all configurations: equal
 * must be equal, and a witness must be as short as there is one.
 *
 * NFACC_SEED is the first seed, NFACC_MACHINES how many machines there are, NFACC_CYCLES the number
 * of cycles of each.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/proof/etm_equal.h"
#include "probes/etm/model/macrocell.h"
#include "testsuite/etm/draw.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

static struct etm_reading reading_of(unsigned bits)
{
	return (struct etm_reading){ .priority = bits & 1, .zero = bits & 2, .delay = bits & 4,
				     .overlap = bits & 8 };
}

/* ---- decoded machine and model ---- */

static uint64_t etm_gather(const struct macrocell_inputs *in)
{
	return (uint64_t)(in->group[ETM_GROUP_EXTIN] & 0xf) << ETM_INPUT_EXTIN |
	       (uint64_t)(in->group[ETM_GROUP_PE] & 0xff) << ETM_INPUT_PE |
	       (uint64_t)(in->group[ETM_GROUP_SINGLE] & 0xff) << ETM_INPUT_SINGLE |
	       (uint64_t)in->group[ETM_GROUP_ADDRESS] << ETM_INPUT_ADDRESS |
	       (uint64_t)(in->group[ETM_GROUP_RANGE] & 0xff) << ETM_INPUT_RANGE |
	       (uint64_t)(in->group[ETM_GROUP_CONTEXT] & 0xff) << ETM_INPUT_CONTEXT |
	       (uint64_t)(in->group[ETM_GROUP_VMID] & 0xff) << ETM_INPUT_VMID;
}

static const uint16_t group_bits[MACROCELL_GROUPS] = { 0xf, 0xff, 0, 0xff, 0xffff, 0xff, 0xff,
						       0xff };

/* Executes the registers both ways for n cycles. Returns the first cycle in which they differ, from
 * 1, or 0. */
static uint64_t run_both(const struct etm_regs *r, struct etm_reading reading, uint64_t *seed,
			 uint64_t n)
{
	struct etm_machine m;
	struct etm_config c;
	struct macrocell model;

	etm_decode(&m, r, false, reading);
	etm_start(&m, &c);
	macrocell_init(&model, r, reading);
	for (uint64_t i = 1; i <= n; i++) {
		struct macrocell_inputs in = { { 0 } };
		struct etm_cycle cycle;
		bool same;

		for (unsigned g = 0; g < MACROCELL_GROUPS; g++)
			in.group[g] = draw(seed, 3) == 0
					      ? (uint16_t)(draw(seed, 65536) & group_bits[g])
					      : 0;
		cycle = etm_step(&m, &c, etm_gather(&in));
		macrocell_step(&model, &in);
		same = cycle.outputs == model.outputs && cycle.pulses == model.pulses &&
		       c.state == macrocell_state(&model);
		for (unsigned k = 0; k < ETM_COUNTERS; k++)
			same = same && c.value[k] == model.regs.cntv[k];
		if (!same)
			return i;
	}
	return 0;
}

/* ---- comparison and walk over all configurations ---- */

enum { INPUTS = 2, MOST_CONFIGS = 60000 };

struct both {
	struct etm_config a, b;
};

struct oracle {
	struct both *seen; /* all configurations, in the order in which they were found */
	size_t n;
	uint32_t *hash; /* index + 1 */
	size_t nhash;
};

static uint64_t key_of(const struct both *x)
{
	const unsigned char *at = (const unsigned char *)x;
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < sizeof *x; i++)
		h = (h ^ at[i]) * 1099511628211u;
	return h >> 7;
}

static void etm_add(struct oracle *o, const struct both *x)
{
	size_t at = key_of(x) % o->nhash;

	while (o->hash[at] != 0) {
		if (memcmp(&o->seen[o->hash[at] - 1], x, sizeof *x) == 0)
			return;
		at = (at + 1) % o->nhash;
	}
	if (o->n == MOST_CONFIGS)
		return;
	o->seen[o->n++] = *x;
	o->hash[at] = (uint32_t)o->n;
}

/* Returns the length of a shortest stream after which outputs differ, 0 if there is none, or
 * UINT64_MAX if there are too many configurations. */
static uint64_t etm_walk(struct oracle *o, const struct etm_machine *a, const struct etm_machine *b)
{
	struct both x;
	size_t end = 1;
	uint64_t cycles = 0;

	o->n = 0;
	memset(o->hash, 0, o->nhash * sizeof *o->hash);
	memset(&x, 0, sizeof x);
	etm_start(a, &x.a);
	etm_start(b, &x.b);
	etm_add(o, &x);
	for (size_t i = 0; i < o->n; i++) {
		if (i == end || i == 0) {
			end = o->n;
			cycles++;
		}
		for (uint64_t in = 0; in < 1u << INPUTS; in++) {
			struct etm_cycle p, q;

			x = o->seen[i];
			p = etm_step(a, &x.a, in);
			q = etm_step(b, &x.b, in);
			if (p.outputs != q.outputs || p.trace != q.trace)
				return cycles;
			etm_add(o, &x);
		}
	}
	return o->n == MOST_CONFIGS ? UINT64_MAX : 0;
}

struct totals {
	uint64_t equal, different, gaveup, large, wrong, longest;
};

/* Searches without a proof before it, also where there is nothing to find. Is the answer right? */
static bool search_is_right(const struct etm_question *q, uint64_t truth)
{
	struct etm_question few = *q;
	struct etm_answer a = { .pair = 0 };
	bool right;

	few.steps = 3000;
	etm_search(&few, &a);
	right = a.verdict == ETM_DIFFERENT ? truth == a.cycles || truth == UINT64_MAX
					   : truth == 0 || truth > a.cycles;
	etm_answer_free(&a);
	return right;
}

static void etm_against(struct oracle *o, const struct etm_machine *a, const struct etm_machine *b,
			struct totals *t)
{
	static const uint64_t inputs[INPUTS] = { 1, 2 };
	static const uint32_t letters[] = { 0, 1, 2, 3 };
	static const etm_pins_t pins[] = { 1, 2, 4, 8, ETM_PIN_TRACE };
	struct etm_regs_side left, right;
	struct etm_question q = { &left.side, &right.side, letters, 4, NULL, 0, 300000 };
	struct etm_answer answer;
	uint64_t truth = etm_walk(o, a, b);

	etm_regs_side(&left, a, inputs, INPUTS, pins, 5);
	etm_regs_side(&right, b, inputs, INPUTS, pins, 5);
	t->wrong += !search_is_right(&q, truth);
	etm_equal(&q, &answer);
	t->large += truth == UINT64_MAX;
	if (answer.verdict == ETM_EQUAL) {
		t->equal++;
		t->wrong += truth != 0 && truth != UINT64_MAX;
	} else if (answer.verdict == ETM_DIFFERENT) {
		t->different++;
		t->wrong += truth != answer.cycles;
		if (answer.cycles > t->longest)
			t->longest = answer.cycles;
	} else if (answer.verdict == ETM_GAVEUP) {
		t->gaveup++;
		t->wrong += truth != 0 && truth <= answer.cycles;
	} else {
		t->wrong++;
	}
	etm_answer_free(&answer);
}

/* Changes one bit of the registers that a comparison could see, or none. */
static void etm_change(struct etm_regs *r, uint64_t *seed)
{
	uint32_t *words[] = { &r->seqev[draw(seed, 3)], &r->cntctl[draw(seed, 2)],
			      &r->rsctl[2 + draw(seed, 10)], &r->cntrldv[draw(seed, 2)] };
	static const unsigned bits[] = { 16, 18, 22, 3 };
	uint64_t which = draw(seed, 6);

	if (which < 4)
		*words[which] ^= 1u << draw(seed, bits[which]);
}

static void compare_machines(struct tap *t, uint64_t seed, uint64_t n)
{
	struct oracle o = { .nhash = 1 << 17 };
	struct totals all = { 0 };

	o.seen = malloc(MOST_CONFIGS * sizeof *o.seen);
	o.hash = malloc(o.nhash * sizeof *o.hash);
	for (uint64_t i = 0; i < n && o.seen != NULL && o.hash != NULL; i++) {
		uint64_t s = seed + i, wrong = all.wrong;
		unsigned reading = (unsigned)draw(&s, 16);
		struct etm_machine a, b;
		struct etm_regs r;

		draw_regs(&r, &s, INPUTS, 2, 6);
		etm_decode(&a, &r, false, reading_of(reading));
		etm_change(&r, &s);
		etm_decode(&b, &r, false,
			   reading_of(draw(&s, 2) ? reading : (unsigned)draw(&s, 16)));
		etm_against(&o, &a, &b, &all);
		if (all.wrong != wrong)
			printf("# wrong: NFACC_SEED=%" PRIu64 " NFACC_MACHINES=1\n", seed + i);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ": %" PRIu64 " equal, %" PRIu64
	       " different, %" PRIu64 " not decided; %" PRIu64
	       " too large for the walk; longest witness %" PRIu64 "\n",
	       n, seed, all.equal, all.different, all.gaveup, all.large, all.longest);
	tap_case(t, all.wrong == 0 && o.seen != NULL && o.hash != NULL,
		 "answers are those of a walk over all configurations");
	tap_case(t, n < 200 || (all.equal > n / 5 && all.different > n / 10 && all.gaveup < n / 20),
		 "enough of each kind");
	free(o.seen);
	free(o.hash);
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_MACHINES", 1000),
		 cycles = setting("NFACC_CYCLES", 300), wrong = 0;
	struct tap t = { 0 };

	for (uint64_t i = 0; i < n; i++) {
		uint64_t s = seed + i;
		struct etm_regs r;

		draw_regs(&r, &s, 0, ETM_COUNTERS, 12);
		for (unsigned reading = 0; reading < 8; reading++) {
			uint64_t at = run_both(&r, reading_of(reading), &s, cycles);

			if (at != 0)
				printf("# seed %" PRIu64 ", reading %u: cycle %" PRIu64 "\n",
				       seed + i, reading, at);
			wrong += at != 0;
		}
	}
	tap_case(&t, wrong == 0, "decoded registers do what the model does: %" PRIu64
		 " machines, 8 readings, %" PRIu64 " cycles", n, cycles);
	compare_machines(&t, seed, n);
	return tap_end(&t);
}
