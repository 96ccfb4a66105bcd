/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/registers.h"

#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/inspect/etm_inspect.h"
#include "backends/etm/proof/etm_files.h"
#include "support/clock.h"

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
	etm_source_pins(in, etm_options(job)->layout == ETM_LAYOUT_AUTHORS);
}

/* Has each external output that is used a name in the source? */
static bool check_pins(const struct etm_compared *in, struct buf *wrong)
{
	etm_pins_t named = 0;

	for (unsigned i = 0; i < in->noutputs; i++)
		named |= in->pins[i];
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		if ((in->regs->eventctl0[0] >> (i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH) &
		     ETM_MASK(TRCEVENTCTL0R, EVENT0)) != 0 && (named >> i & 1) == 0)
			buf_addf(wrong, "external output %u has an event, and no output of the "
				 "source is there\n", i);
	if (ETM_GET(TRCVICTLR, EVENT, in->regs->victl[0]) != 0 && (named & ETM_PIN_TRACE) == 0)
		buf_addf(wrong, "TRCVICTLR has an event, and the source has no output 'trace'\n");
	return wrong->n == 0;
}

/* Are the settings of the registers such as nfacc warns of in registers that it reads? Selectors
 * that nothing uses do no harm: the authors' layout has them. */
static bool check_settings(const struct etm_compared *in, struct buf *wrong)
{
	struct diags d = { .werror = false };
	struct etm_regs regs = *in->regs, stated;

	for (const struct etm_reg *reg = etm_reg_table; reg->name != NULL; reg++)
		for (uint32_t i = 0; i < reg->count; i++)
			etm_reg_set(&stated, reg, i, 1);
	etm_check(&regs, &stated, in->core, &d);
	for (size_t i = 0; i < d.records.n; i++)
		if (strcmp(d.records.at[i].code, "etm-setting") == 0)
			buf_addf(wrong, "the registers have a wrong setting: %s\n",
				 d.records.at[i].message);
	wrong->failed |= d.failed;
	diag_free(&d);
	return wrong->n == 0;
}

/* Do all files that can be written have the registers? They are written here, and read back. */
static bool check_files(const struct target_job *job, const struct etm_compared *in,
			struct buf *wrong)
{
	for (const struct target_output *o = job->target->outputs; o->name != NULL; o++) {
		struct buf text = { 0 };

		if (o->against != NULL && o->against(job) != NULL)
			continue;
		o->job(job, &text);
		buf_add(&text, "", 1);
		if (!text.failed)
			etm_files_check(in->core, in->regs, etm_options(job)->cores,
					etm_options(job)->counts, o->name, text.at, wrong);
		wrong->failed |= text.failed;
		buf_free(&text);
	}
	return wrong->n == 0;
}

/* Checks what the comparison of machines does not see. Appends the first thing that is wrong. */
static bool check_written(const struct target_job *job, const struct etm_compared *in,
			  struct buf *wrong)
{
	return check_pins(in, wrong) && check_settings(in, wrong) && check_files(job, in, wrong) &&
	       !wrong->failed;
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
	if (!check_written(job, &in, &r->text)) {
		r->total = 1;
		r->verdict = VERIFY_REFUTED;
		r->nanoseconds = clock_nanoseconds() - begin;
		return !r->text.failed;
	}
	status = etm_compare(&in, etm_reading_number(in.core->reading), &result);
	r->total = 1;
	r->work = result.work;
	if (status == NFART_OK && result.meaning == ETM_MEANS_SOURCE) {
		r->verdict = VERIFY_PROVED;
		r->proved = 1;
	} else if (status == NFART_OK && result.meaning == ETM_MEANS_UNKNOWN) {
		r->verdict = VERIFY_UP_TO;
		r->depth = result.answer.cycles;
		buf_addf(&r->text, "%s", result.why != NULL ? result.why
							    : "the limit of steps is reached");
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
