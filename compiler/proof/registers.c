/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/registers.h"

#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "support/clock.h"

/* The external outputs whose events are not constantly false. */
static etm_pins_t used_pins(const struct etm_regs *r)
{
	etm_pins_t pins = 0;

	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		if ((r->eventctl0[0] >> (i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH) &
		     ETM_MASK(TRCEVENTCTL0R, EVENT0)) != 0)
			pins |= (etm_pins_t)(1u << i);
	return pins;
}

void registers_compared(const struct target_job *job, uint64_t steps, struct etm_compared *in)
{
	const struct etm_program *p = job->made.own;
	const struct spec *s = job->spec;

	*in = (struct etm_compared){
		.spec = s,
		.machine = &s->machines.at[p->report.machine],
		.core = etm_options(job)->core,
		.regs = &p->regs,
		.steps = steps,
	};
	for (size_t i = 0; i < s->outputs.n && i < ETM_OUTPUTS + 1; i++)
		in->pins[in->noutputs++] = (etm_pins_t)(1u << p->report.output[i]);
	if (in->noutputs == 1 && in->pins[0] != ETM_PIN_TRACE)
		in->pins[0] = used_pins(&p->regs);
}

bool registers_verify(const struct target_job *job, enum verify_level level, uint64_t steps,
		      struct verify_report *r)
{
	struct etm_compared in;
	struct etm_result result;
	uint64_t begin = clock_nanoseconds();
	enum nfart_status status;

	verify_report_free(r);
	if (level == VERIFY_OFF)
		return true;
	registers_compared(job, steps, &in);
	status = etm_compare(&in, etm_reading_number(in.core->reading), &result);
	r->total = 1;
	r->work = result.work;
	if (status == NFART_OK && result.meaning == ETM_MEANS_SOURCE) {
		r->verdict = VERIFY_PROVED;
		r->proved = 1;
	} else if (status == NFART_OK && result.meaning == ETM_MEANS_UNKNOWN) {
		r->verdict = VERIFY_UP_TO;
		r->depth = result.answer.cycles;
	} else if (status != NFART_SYSTEM) {
		r->verdict = VERIFY_REFUTED;
		buf_addf(&r->text, "the registers do not mean the source: ");
		etm_result_print(&in, &result, "", &r->text);
	}
	etm_result_free(&result);
	r->nanoseconds = clock_nanoseconds() - begin;
	return status != NFART_SYSTEM && !r->text.failed;
}

enum nfart_status registers_print(const struct etm_compared *in, unsigned readings, bool *equal,
				  struct buf *b)
{
	enum nfart_status status = NFART_OK;

	*equal = true;
	for (unsigned i = 0; i < ETM_READINGS && status == NFART_OK; i++) {
		struct etm_result r;
		char name[ETM_READING_NAME];

		if (!(readings >> i & 1))
			continue;
		etm_reading_name(i, name);
		buf_addf(b, "%-20s ", name);
		status = etm_compare(in, i, &r);
		*equal = *equal && r.meaning == ETM_MEANS_SOURCE;
		if (status == NFART_OK)
			etm_result_print(in, &r, "    ", b);
		etm_result_free(&r);
	}
	return status;
}

enum nfart_status registers_print_witness(const struct etm_compared *in, unsigned readings,
					  struct buf *b)
{
	enum nfart_status status = NFART_OK;
	bool found = false;

	for (unsigned i = 0; i < ETM_READINGS && status == NFART_OK && !found; i++) {
		struct etm_result r;
		char name[ETM_READING_NAME];

		if (!(readings >> i & 1))
			continue;
		status = etm_compare(in, i, &r);
		found = status == NFART_OK && r.answer.verdict == ETM_DIFFERENT;
		etm_reading_name(i, name);
		if (found) {
			buf_addf(b, "# reading %s differs after %" PRIu64 " cycles\n", name,
				 r.answer.cycles);
			etm_witness_trace(in, &r, b);
		}
		etm_result_free(&r);
	}
	if (status == NFART_OK && !found)
		buf_addf(b, "# no reading differs\n");
	return status;
}
