/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The handler of the interrupt CTIIRQ as freestanding C. It keeps a core from going on while the
 * program throttles it.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "contract/etm/cti.h"

/* Which states of the sequencer turn an external output on? */
struct throttling {
	/* A bit for each state that stands for a state of the machine with an output, without. */
	uint32_t on, off;
};

static struct throttling throttling_of(const struct spec *s, const struct etm_report *r)
{
	const struct machine *m = &s->machines.at[r->machine];
	struct throttling t = { 0, 0 };

	for (uint32_t i = 0; i < m->states.n; i++) {
		const struct machine_state *state = &m->states.at[i];
		bool on = false;

		for (uint32_t k = 0; k < state->noutputs; k++)
			on = on || r->output[state->outputs[k]] < ETM_OUTPUTS;
		*(on ? &t.on : &t.off) |= 1u << r->state[i];
	}
	return t;
}

const char *etm_no_handler(const struct target_job *job)
{
	const struct etm_program *p = job->made.own;
	struct throttling t = throttling_of(job->spec, &p->report);

	if (t.on == 0)
		return "no state of the machine has an external output, so there is no interrupt";
	if ((t.on & t.off) != 0)
		return "the output does not follow from the state of the sequencer alone, which is "
		       "all that a handler reads";
	return NULL;
}

static uint32_t offset_of(const char *name)
{
	uint32_t index;

	return etm_reg_find(name, strlen(name), &index)->offset;
}

static void hooks(struct buf *b)
{
	buf_addf(b,
		 "#include <stdint.h>\n\n"
		 "/* How a register is read and written: define these if an access takes more. */\n"
		 "#ifndef NFACC_READ32\n"
		 "#define NFACC_READ32(base, offset) \\\n"
		 "\t(*(const volatile uint32_t *)((const volatile char *)(base) + (offset)))\n"
		 "#endif\n"
		 "#ifndef NFACC_WRITE32\n"
		 "#define NFACC_WRITE32(base, offset, value) \\\n"
		 "\t(*(volatile uint32_t *)((volatile char *)(base) + (offset)) = (value))\n"
		 "#endif\n"
		 "/* After so many reads without an end the sequencer counts as hung. It should\n"
		 " * be some periods: a read takes 50 cycles and more. */\n"
		 "#ifndef NFACC_ETM_POLLS\n"
		 "#define NFACC_ETM_POLLS 100000\n"
		 "#endif\n\n");
}

static void constants(uint32_t throttling, uint32_t cores, struct buf *b)
{
	buf_addf(b, "\tenum {\n");
	if (cores != 0)
		buf_addf(b, "\t\tCORES = %" PRIu32 ",\n", cores);
	buf_addf(b, "\t\tTHROTTLING = 0x%" PRIx32 ", /* a bit for each state of the sequencer */\n"
		 "\t\tTRCSEQSTR = 0x%03" PRIx32 ",\n"
		 "\t\tCTIINTACK = 0x%03x,\n"
		 "\t\tCTITRIGOUTSTATUS = 0x%03x,\n"
		 "\t\tCTIOUTEN = 0x%03x, /* of trigger output %d, which is CTIIRQ */\n"
		 "\t\tCTIIRQ = 1 << %d\n"
		 "\t};\n",
		 throttling, offset_of("TRCSEQSTR"), CTI_INTACK, CTI_TRIGOUTSTATUS,
		 CTI_OUTEN + 4 * CTI_IRQ_OUTPUT, CTI_IRQ_OUTPUT, CTI_IRQ_OUTPUT);
}

/* One core: its own sequencer says whether it is throttled. */
static void body(uint32_t throttling, struct buf *b)
{
	buf_addf(b,
		 "/* Handles CTIIRQ of the core whose trace unit is at `etm` and whose\n"
		 " * cross-trigger interface is at `cti`; both are unlocked. Returns 0 when the\n"
		 " * program throttles the core no more and the interrupt is acknowledged.\n"
		 " * Returns -1 if the sequencer hangs, for example because the trace unit was\n"
		 " * disabled: then the interrupt is disconnected from the ETM, and the core is not\n"
		 " * regulated any more.\n"
		 " *\n"
		 " * The state is read again after the acknowledgement. An output that came on\n"
		 " * between the last read and the acknowledgement raises no new\n"
		 " * interrupt where CTIIRQ is an edge. */\n"
		 "int nfacc_etm_handler(void *etm, void *cti);\n\n"
		 "int nfacc_etm_handler(void *etm, void *cti)\n{\n");
	constants(throttling, 0, b);
	buf_addf(b,
		 "\n\tfor (uint32_t polls = 0; polls < NFACC_ETM_POLLS; polls++) {\n"
		 "\t\tif ((THROTTLING >> (NFACC_READ32(etm, TRCSEQSTR) & 3) & 1) != 0)\n"
		 "\t\t\tcontinue;\n"
		 "\t\tNFACC_WRITE32(cti, CTIINTACK, CTIIRQ);\n"
		 "\t\t(void)NFACC_READ32(cti, CTITRIGOUTSTATUS); /* the write has arrived */\n"
		 "\t\tif ((THROTTLING >> (NFACC_READ32(etm, TRCSEQSTR) & 3) & 1) == 0)\n"
		 "\t\t\treturn 0;\n"
		 "\t}\n"
		 "\tNFACC_WRITE32(cti, CTIOUTEN, 0);\n"
		 "\tNFACC_WRITE32(cti, CTIINTACK, CTIIRQ);\n"
		 "\treturn -1;\n}\n");
}

/* Several cores: all sequencers say it. Channels are not asked, since nothing promises that they
 * show for how long an output is on. */
static void body_of_cores(uint32_t throttling, uint32_t cores, struct buf *b)
{
	buf_addf(b,
		 "/* Handles CTIIRQ of a core whose cross-trigger interface is at `cti`. `etm` has\n"
		 " * the trace units of all cores that throttle each other, %" PRIu32 " of them. All are\n"
		 " * unlocked, have power and can be read from each core.\n"
		 " * Returns 0 when no core is over its budget and the interrupt is acknowledged.\n"
		 " * Returns -1 if a sequencer hangs, for example because a trace unit was disabled:\n"
		 " * then the interrupt of this core is disconnected, and it is not regulated any more.\n"
		 " *\n"
		 " * The states are read again after the acknowledgement. An output that came on\n"
		 " * between the last read and the acknowledgement raises no new\n"
		 " * interrupt where CTIIRQ is an edge. */\n"
		 "int nfacc_etm_handler(void *const etm[], void *cti);\n\n"
		 "int nfacc_etm_handler(void *const etm[], void *cti)\n{\n", cores);
	constants(throttling, cores, b);
	buf_addf(b,
		 "\tint acknowledged = 0;\n\n"
		 "\tfor (uint32_t polls = 0; polls < NFACC_ETM_POLLS; polls++) {\n"
		 "\t\tint over = 0;\n\n"
		 "\t\tfor (int i = 0; i < CORES; i++)\n"
		 "\t\t\tover |= THROTTLING >> (NFACC_READ32(etm[i], TRCSEQSTR) & 3) & 1;\n"
		 "\t\tif (over == 0 && acknowledged)\n"
		 "\t\t\treturn 0;\n"
		 "\t\tacknowledged = over == 0;\n"
		 "\t\tif (over != 0)\n"
		 "\t\t\tcontinue;\n"
		 "\t\tNFACC_WRITE32(cti, CTIINTACK, CTIIRQ);\n"
		 "\t\t(void)NFACC_READ32(cti, CTITRIGOUTSTATUS); /* the write has arrived */\n"
		 "\t}\n"
		 "\tNFACC_WRITE32(cti, CTIOUTEN, 0);\n"
		 "\tNFACC_WRITE32(cti, CTIINTACK, CTIIRQ);\n"
		 "\treturn -1;\n}\n");
}

void etm_emit_handler(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	struct throttling t = throttling_of(job->spec, &p->report);

	/* REUSE-IgnoreStart: this line is for the generated file and not for this one. */
	buf_addf(b, "/* SPDX-License-Identifier: BSD-2-Clause */\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b, "/* The handler of CTIIRQ for machine %s on core %s, made by nfacc. */\n",
		 job->spec->machines.at[p->report.machine].name, etm_options(job)->core->name);
	hooks(b);
	if (etm_options(job)->cores != 0)
		body_of_cores(t.on, etm_options(job)->cores, b);
	else
		body(t.on, b);
}
