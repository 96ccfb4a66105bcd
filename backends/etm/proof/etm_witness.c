/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Prints what comparisons of readings found (etm_readings.h). */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/proof/etm_readings.h"
#include "support/bits.h"

/* Appends the numbers of the source with which it would be equal. */
static void print_numbers(const struct etm_compared *in, const struct etm_result *r, struct buf *b)
{
	const char *between = "";

	if (r->tick != 0) {
		buf_addf(b, "tick %" PRIu64, (uint64_t)((int64_t)in->spec->stream.tick + r->tick));
		between = ", ";
	}
	for (size_t i = 0; i < in->machine->counters.n; i++) {
		const struct machine_counter *c = &in->machine->counters.at[i];

		if (r->counters[i] == 0)
			continue;
		buf_addf(b, "%scounter %s at %" PRId64, between, c->name,
			 (int64_t)c->k + r->counters[i]);
		between = ", ";
	}
}

static void print_outputs(const struct etm_compared *in, uint32_t outputs, struct buf *b)
{
	bool first = true;

	buf_addf(b, "[");
	for (size_t i = 0; i < in->spec->outputs.n && i < ETM_SIDE_OUTPUTS; i++)
		if (outputs >> i & 1) {
			buf_addf(b, "%s%s", first ? "" : ",", in->spec->outputs.at[i]);
			first = false;
		}
	buf_addf(b, "]");
}

static void print_runs(const struct etm_compared *in, const struct etm_result *r,
		       const char *indent, struct buf *b)
{
	uint64_t cycle = 1;

	for (size_t i = 0; i < r->answer.witness.n; i++) {
		const struct etm_run *run = &r->answer.witness.at[i];

		buf_addf(b, "%s", indent);
		if (run->cycles == 1)
			buf_addf(b, "cycle %" PRIu64 ": ", cycle);
		else
			buf_addf(b, "cycles %" PRIu64 " to %" PRIu64 ": ", cycle,
				 cycle + run->cycles - 1);
		if (run->letter == 0)
			buf_addf(b, "nothing");
		else
			etm_signals_print(&r->signals, in->spec, run->letter, b);
		buf_addf(b, "\n");
		cycle += run->cycles;
	}
}

static void print_difference(const struct etm_compared *in, const struct etm_result *r,
			     const char *indent, struct buf *b)
{
	const struct etm_answer *a = &r->answer;

	print_runs(in, r, indent, b);
	buf_addf(b, "%safter that: ", indent);
	if (in->noutputs == 0) {
		buf_addf(b, "a counter has counted to %" PRId64 " in the source, to %" PRId64
			 " in the registers\n", a->values[0], a->values[1]);
		return;
	}
	buf_addf(b, "source ");
	print_outputs(in, a->left, b);
	buf_addf(b, ", registers ");
	print_outputs(in, a->right, b);
	buf_addf(b, "\n");
}

void etm_result_print(const struct etm_compared *in, const struct etm_result *r,
		      const char *indent, struct buf *b)
{
	uint64_t cycles = r->answer.cycles;

	switch (r->meaning) {
	case ETM_MEANS_SOURCE:
		buf_addf(b, "equal\n");
		break;
	case ETM_MEANS_SHIFTED:
		buf_addf(b, "equal to the source with ");
		print_numbers(in, r, b);
		buf_addf(b, "\n");
		break;
	case ETM_MEANS_OTHER:
		buf_addf(b, "differs after %" PRIu64 " cycle%s\n", cycles, cycles == 1 ? "" : "s");
		print_difference(in, r, indent, b);
		break;
	case ETM_MEANS_UNKNOWN:
		if (r->why != NULL)
			buf_addf(b, "not compared: %s\n", r->why);
		else
			buf_addf(b, "gave up: the same for the first %" PRIu64 " cycles\n", cycles);
		break;
	}
}

/* Finds a line that no predicate of the source looks at and that is no signal of the registers, to
 * fill cycles in which nothing else arrives. Returns its slot, or UINT32_MAX. */
static uint32_t filler(const struct etm_compared *in, const struct etm_result *r)
{
	const struct nfart_proto *p = in->spec->proto;

	for (uint32_t slot = 0; slot < p->nslots; slot++) {
		uint32_t code = slot << p->header.op_bits;
		bool used = p->codes.type_of[code] == 0 || bits_get(p->codes.has_addr, code);

		for (unsigned i = 0; i < r->signals.n && !used; i++)
			used = r->signals.at[i].slot == slot;
		for (size_t i = 0; i < in->spec->preds.preds.n && !used; i++)
			used = bits_get(in->spec->preds.preds.at[i].letters, code);
		if (!used)
			return slot;
	}
	return UINT32_MAX;
}

void etm_witness_trace(const struct etm_compared *in, const struct etm_result *r, struct buf *b)
{
	struct etm_signals fill = { .n = 1 };
	uint64_t cycle = 0;

	fill.at[0] = (struct etm_signal){ .kind = ETM_SIGNAL_LINE, .slot = filler(in, r) };
	for (size_t i = 0; i < r->answer.witness.n; i++) {
		const struct etm_run *run = &r->answer.witness.at[i];

		for (uint64_t j = 0; j < run->cycles; j++) {
			cycle++;
			if (run->letter == 0 && fill.at[0].slot == UINT32_MAX)
				continue;
			buf_addf(b, "%" PRIu64 " ", cycle);
			if (run->letter == 0)
				etm_signals_print(&fill, in->spec, 1, b);
			else
				etm_signals_print(&r->signals, in->spec, run->letter, b);
			buf_addf(b, "\n");
		}
	}
}
