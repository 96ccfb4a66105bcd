/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/gen_draw.h"

/* A machine that is being written. Its names begin with `x` and the number of the machine. */
struct machine {
	struct gen *g;
	uint32_t index, ncounters, nstates;
};

/* Appends a condition that may use the first `counters` counters. */
static void add_condition(struct machine *m, uint32_t counters)
{
	struct gen *g = m->g;
	uint32_t terms = 1 + (gen_chance(g, 50) ? gen_below(g, 3) : 0);

	for (uint32_t i = 0; i < terms; i++) {
		buf_addf(g->b, i == 0 ? " : " : " & ");
		if (counters != 0 && gen_chance(g, 45))
			buf_addf(g->b, "%s@x%uc%u", gen_chance(g, 40) ? "!" : "", m->index,
				 gen_below(g, counters));
		else if (gen_chance(g, 15))
			buf_addf(g->b, "true");
		else
			gen_pred(g);
	}
	if (gen_chance(g, 30)) {
		uint32_t s = gen_below(g, m->nstates);

		buf_addf(g->b, " when x%us%u", m->index, s);
		if (gen_chance(g, 30))
			buf_addf(g->b, ", x%us%u", m->index, gen_below(g, m->nstates));
	}
	buf_addf(g->b, ";\n");
}

static void add_declarations(struct machine *m)
{
	static const char *const modes[] = { "", " pulse", " latch", " roll" };
	struct gen *g = m->g;
	uint32_t start = gen_below(g, m->nstates);

	for (uint32_t i = 0; i < m->ncounters; i++)
		buf_addf(g->b, "\tcounter x%uc%u at %u%s;\n", m->index, i,
			 1 + gen_below(g, gen_chance(g, 80) ? 4 : 20), modes[gen_below(g, 4)]);
	for (uint32_t i = 0; i < m->nstates; i++) {
		buf_addf(g->b, "\tstate x%us%u%s", m->index, i, i == start ? " start" : "");
		if (gen_chance(g, 30))
			buf_addf(g->b, " accept");
		if (gen_chance(g, 20))
			buf_addf(g->b, " accept(X%u)", m->index);
		for (uint32_t k = 0; k < 2; k++)
			if (gen_chance(g, 35))
				buf_addf(g->b, " output(x%uo%u)", m->index, k);
		buf_addf(g->b, "%s;\n", gen_chance(g, 25) ? " log" : "");
	}
}

void gen_machine(struct gen *g, uint32_t index)
{
	struct machine m = { g, index, gen_below(g, 4), 1 + gen_below(g, 4) };

	buf_addf(g->b, "machine x%u {\n", index);
	add_declarations(&m);
	for (uint32_t n = gen_below(g, 4 * m.ncounters + 1); n > 0; n--) {
		uint32_t c = gen_below(g, m.ncounters);

		buf_addf(g->b, "\t%s x%uc%u", gen_chance(g, 70) ? "count" : "reset", index, c);
		add_condition(&m, c);
	}
	for (uint32_t n = gen_below(g, 3 * m.nstates + 2); n > 0; n--) {
		if (gen_chance(g, 20))
			buf_addf(g->b, "\t*");
		else
			buf_addf(g->b, "\tx%us%u", index, gen_below(g, m.nstates));
		buf_addf(g->b, " -> x%us%u", index, gen_below(g, m.nstates));
		add_condition(&m, m.ncounters);
	}
	buf_addf(g->b, "}\n");
}
