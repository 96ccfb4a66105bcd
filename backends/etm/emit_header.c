/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A C header that programs a trace unit: it needs a freestanding compiler and the address of the
 * unit's registers, and nothing else.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"

/* ---- the writes ---- */

struct writes {
	const struct etm_core *core;
	struct buf *b;
};

static void word(struct writes *w, const struct etm_reg *reg, uint32_t index, uint32_t offset,
		 uint32_t value, const char *half)
{
	if (reg->member == offsetof(struct etm_regs, traceid))
		buf_addf(w->b, "\t{ 0x%03" PRIx32 ", ETM_TRACEID }, /* ", offset);
	else
		buf_addf(w->b, "\t{ 0x%03" PRIx32 ", 0x%08" PRIx32 " }, /* ", offset, value);
	etm_reg_name(w->core, reg, index, w->b);
	buf_addf(w->b, "%s */\n", half);
}

/* A register of 64 bits is two words. */
static void write_register(void *ctx, const struct etm_reg *reg, uint32_t index, uint32_t offset,
			   uint64_t value)
{
	bool wide = reg->size == 8;

	word(ctx, reg, index, offset, (uint32_t)value, wide ? ", low" : "");
	if (wide)
		word(ctx, reg, index, offset + 4, (uint32_t)(value >> 32), ", high");
}

/* ---- what the trace unit must have ---- */

/* The largest number of an external input that the program chooses. */
static uint32_t highest_input(const struct etm_core *core, const struct etm_program *p)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < p->report.ninputs; i++) {
		uint32_t n = core->ete ? p->regs.extinsel[i]
				       : p->regs.extinsel[0] >> i * ETM_TRCEXTINSELR_SEL0_WIDTH & 0xff;
		most = n > most ? n : most;
	}
	return most;
}

static uint32_t offset_of(const char *name)
{
	uint32_t i = 0;
	const struct etm_reg *r = etm_reg_find(name, strlen(name), &i);

	return r->offset + i * r->stride;
}

struct demand {
	const char *name, *reg, *what;
	uint32_t lsb, width, least;
};

/* Appends the tests of the identification registers. */
static void demands(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const struct etm_core *core = etm_options(job)->core;
	uint32_t last = 1;

	for (uint32_t i = 2; i < ETM_SELECTORS; i++)
		last = p->regs.rsctl[i] != 0 ? i : last;
	const struct demand rows[] = {
#define DEMAND(reg, field, least, what) \
	{ #field, #reg, what, ETM_##reg##_##field##_LSB, ETM_##reg##_##field##_WIDTH, least }
		DEMAND(TRCIDR4, NUMRSPAIR, last / 2, "pairs of selectors, minus 1"),
		DEMAND(TRCIDR4, NUMACPAIRS, p->report.nranges, "pairs of address comparators"),
		DEMAND(TRCIDR5, NUMEXTINSEL, p->report.ninputs, "inputs that can be chosen"),
		DEMAND(TRCIDR5, NUMCNTR, p->report.ncounters, "counters"),
		DEMAND(TRCIDR5, NUMSEQSTATE, p->report.nstates > 1 ? core->has.states : 0,
		       "states"),
		DEMAND(TRCIDR5, NUMEXTIN,
		       p->report.ninputs == 0 || core->ete ? 0 : highest_input(core, p) + 1,
		       "external inputs"),
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].least != 0)
			buf_addf(b, "\tif ((etm[0x%03" PRIx32 " / 4] >> %" PRIu32 " & 0x%" PRIx32
				 ") < %" PRIu32 ")\n\t\treturn -1; /* %s.%s: %s */\n",
				 offset_of(rows[i].reg), rows[i].lsb, (1u << rows[i].width) - 1,
				 rows[i].least, rows[i].reg, rows[i].name, rows[i].what);
}

/* ---- the header ---- */

/* In which states of the sequencer is output o on? False: they do not tell it. */
static bool states_with(const struct target_job *job, uint32_t o, uint32_t *states)
{
	const struct etm_program *p = job->made.own;
	const struct machine *m = &job->spec->machines.at[0];
	uint32_t off = 0;

	*states = 0;
	for (uint32_t i = 0; i < m->states.n; i++) {
		bool on = false;

		for (uint32_t k = 0; k < m->states.at[i].noutputs; k++)
			on = on || m->states.at[i].outputs[k] == o;
		*(on ? states : &off) |= 1u << p->report.state[i];
	}
	return (*states & off) == 0;
}

static void output_masks(const struct target_job *job, const char *name, struct buf *b)
{
	const struct etm_program *p = job->made.own;

	for (uint32_t o = 0; o < job->spec->outputs.n; o++) {
		uint32_t states;

		if (p->report.output[o] != ETM_MAP_TRACE && states_with(job, o, &states))
			buf_addf(b, "#define %s_%s_STATES 0x%" PRIx32 "u /* bits: sequencer states "
				 "with output %s */\n", name, job->spec->outputs.at[o], states,
				 job->spec->outputs.at[o]);
	}
}

static const char head[] =
"/* SPDX-License" "-Identifier: BSD-2-Clause */\n"
"/* Made by nfacc: machine %s for the trace unit of core %s. */\n"
"#ifndef ETM_%s_H\n#define ETM_%s_H\n\n#include <stdint.h>\n\n"
"#ifndef ETM_PATIENCE\n"
"#define ETM_PATIENCE 100000 /* how often a status is read before the trace unit is given up */\n"
"#endif\n"
"#ifndef ETM_TRACEID\n"
"#define ETM_TRACEID %" PRIu32 " /* 1 to 0x6f; another one for each unit of a mixed trace */\n"
"#endif\n\n";

static const char load[] =
"/* Waits until TRCSTATR.IDLE is `idle`. Returns 0, or -2 after ETM_PATIENCE reads. */\n"
"static inline int etm_%s_wait(const volatile uint32_t *etm, uint32_t idle)\n{\n"
"\tfor (uint32_t i = 0; i < ETM_PATIENCE; i++)\n"
"\t\tif ((etm[0x%03" PRIx32 " / 4] & 1) == idle)\n\t\t\treturn 0;\n\treturn -2;\n}\n\n"
"/* Programs the trace unit whose registers are at `etm`, and enables it. Returns 0; -1 if the trace\n"
" * unit lacks something that the program needs, and nothing was changed but its locks; -2 if it does\n"
" * not become idle, or does not start. */\n"
"static inline int etm_%s_load(volatile uint32_t *etm)\n{\n"
"\tetm[0x%03" PRIx32 " / 4] = 0x%08xu; /* TRCLAR */\n\tetm[0x%03" PRIx32 " / 4] = 0; /* TRCOSLAR */\n";

static const char body[] =
"\tetm[0x%03" PRIx32 " / 4] = 0; /* TRCPRGCTLR */\n"
"\tif (etm_%s_wait(etm, 1) != 0)\n\t\treturn -2;\n"
"\tfor (uint32_t i = 0; i < sizeof etm_%s_writes / sizeof etm_%s_writes[0]; i++)\n"
"\t\tetm[etm_%s_writes[i].offset / 4] = etm_%s_writes[i].value;\n"
"\tetm[0x%03" PRIx32 " / 4] = 1; /* TRCPRGCTLR */\n"
"\treturn etm_%s_wait(etm, 0);\n}\n\n#endif\n";

void etm_emit_header(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const char *name = job->spec->machines.at[0].name;
	struct writes w = { etm_options(job)->core, b };

	buf_addf(b, head, name, etm_options(job)->core->name, name, name, p->regs.traceid[0]);
	output_masks(job, name, b);
	buf_addf(b, "\n/* Offsets in bytes and values, in the order in which they are written. */\n"
		 "static const struct {\n\tuint16_t offset;\n\tuint32_t value;\n} etm_%s_writes[] = {\n",
		 name);
	etm_visit(etm_options(job)->core, p, write_register, &w);
	buf_addf(b, "};\n\n");
	buf_addf(b, load, name, offset_of("TRCSTATR"), name, offset_of("TRCLAR"), ETM_UNLOCK,
		 offset_of("TRCOSLAR"));
	demands(job, b);
	buf_addf(b, body, offset_of("TRCPRGCTLR"), name, name, name, name, name,
		 offset_of("TRCPRGCTLR"), name);
}
