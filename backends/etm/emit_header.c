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
	uint32_t of_core; /* the core whose table it is */
	uint32_t n;       /* writes so far */
};

static void word(struct writes *w, const struct etm_reg *reg, uint32_t index, uint32_t offset,
		 uint32_t value, const char *half)
{
	w->n++;
	if (reg->member == offsetof(struct etm_regs, traceid) && w->of_core != 0)
		buf_addf(w->b, "\t{ 0x%03" PRIx32 ", ETM_TRACEID + %" PRIu32 " }, /* ", offset,
			 w->of_core);
	else if (reg->member == offsetof(struct etm_regs, traceid))
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
"#define ETM_TRACEID %" PRIu32 " /* 1 to 0x%02x; another one for each unit of a mixed trace */\n"
"#endif\n\n";

/* The function that loads the program, and its wait; what the lines of its table are called. */
static const char load[] =
"/* Waits until TRCSTATR.IDLE is `idle`. Returns 0, or -2 after ETM_PATIENCE reads. */\n"
"static inline int etm_%s_wait(const volatile uint32_t *etm, uint32_t idle)\n{\n"
"\tfor (uint32_t i = 0; i < ETM_PATIENCE; i++)\n"
"\t\tif ((etm[0x%03" PRIx32 " / 4] & 1) == idle)\n\t\t\treturn 0;\n\treturn -2;\n}\n\n"
"/* Programs the trace unit whose registers are at `etm`, and enables it. Returns 0; -1 if the trace\n"
" * unit lacks something that the program needs, and nothing was changed but its locks; -2 if it does\n"
" * not become idle, or does not start. */\n"
"static inline int etm_%s_load(%svolatile uint32_t *etm)\n{\n%s"
"\tetm[0x%03" PRIx32 " / 4] = 0x%08xu; /* TRCLAR */\n\tetm[0x%03" PRIx32 " / 4] = 0; /* TRCOSLAR */\n";

static const char body[] =
"\tetm[0x%03" PRIx32 " / 4] = 0; /* TRCPRGCTLR */\n"
"\tif (etm_%s_wait(etm, 1) != 0)\n\t\treturn -2;\n"
"\tfor (uint32_t i = 0; i < sizeof etm_%s_writes%s / sizeof etm_%s_writes%s[0]; i++)\n"
"\t\tetm[etm_%s_writes%s[i].offset / 4] = etm_%s_writes%s[i].value;\n"
"\tetm[0x%03" PRIx32 " / 4] = 1; /* TRCPRGCTLR */\n"
"\treturn etm_%s_wait(etm, 0);\n}\n\n#endif\n";

static void table(const struct target_job *job, const char *name, struct buf *b)
{
	struct writes w = { .core = etm_options(job)->core, .b = b };

	buf_addf(b, "\n/* Offsets in bytes and values, in the order in which they are written. */\n"
		 "static const struct {\n\tuint16_t offset;\n\tuint32_t value;\n} etm_%s_writes[] = {\n",
		 name);
	etm_visit(etm_options(job)->core, job->made.own, write_register, &w);
	buf_addf(b, "};\n\n");
}

/* ---- several cores ---- */

static void write_channel(void *ctx, const char *name, uint32_t offset, uint32_t value)
{
	struct buf *b = ctx;

	buf_addf(b, "\t{ 0x%03" PRIx32 ", 0x%08" PRIx32 " }, /* %s */\n", offset, value, name);
}

static const char connect[] =
"/* Connects the cross-trigger interface of a core, whose registers are at `cti`, so that an output\n"
" * of any core throttles all. Connect all cores before you load the program of one. Returns 0, or\n"
" * -1 if there is no such core. */\n"
"static inline int etm_%s_connect(unsigned core, volatile uint32_t *cti)\n{\n"
"\tif (core >= ETM_%s_CORES)\n\t\treturn -1;\n"
"\tcti[0x%03x / 4] = 0x%08xu; /* CTILAR */\n\tcti[0x%03x / 4] = 0; /* CTICONTROL */\n"
"\tfor (uint32_t i = 0; i < sizeof etm_%s_channels[core] / sizeof etm_%s_channels[core][0]; i++)\n"
"\t\tcti[etm_%s_channels[core][i].offset / 4] = etm_%s_channels[core][i].value;\n"
"\treturn 0;\n}\n\n";

/* A block of registers for each core, and how the cores are connected. */
static void tables_of_cores(const struct target_job *job, const char *name, struct buf *b)
{
	struct buf rows = { 0 };
	struct writes w = { .core = etm_options(job)->core, .b = &rows };
	uint32_t cores = etm_options(job)->cores;

	for (uint32_t i = 0; i < cores; i++) {
		struct etm_program own = etm_program_of(job, i);

		w.of_core = i;
		w.n = 0;
		buf_addf(&rows, "{ /* core %" PRIu32 " */\n", i);
		etm_visit(w.core, &own, write_register, &w);
		buf_addf(&rows, "},\n");
	}
	buf_addf(b, "#define ETM_%s_CORES %" PRIu32 "\n\n"
		 "struct etm_%s_write {\n\tuint16_t offset;\n\tuint32_t value;\n};\n\n"
		 "/* Offsets in bytes and values for each core, in the order in which they are "
		 "written. */\nstatic const struct etm_%s_write "
		 "etm_%s_writes[ETM_%s_CORES][%" PRIu32 "] = {\n%.*s};\n\n",
		 name, cores, name, name, name, name, w.n, (int)rows.n, rows.n != 0 ? rows.at : "");
	buf_addf(b, "/* The same for the cross-trigger interface of each core. */\n"
		 "static const struct etm_%s_write etm_%s_channels[ETM_%s_CORES][%d] = {\n", name,
		 name, name, CTI_MAP_REGISTERS);
	for (uint32_t i = 0; i < cores; i++) {
		buf_addf(b, "{ /* core %" PRIu32 " */\n", i);
		etm_visit_channels(job->made.own, write_channel, b);
		buf_addf(b, "},\n");
	}
	buf_addf(b, "};\n\n");
	buf_addf(b, connect, name, name, CTI_LAR, ETM_UNLOCK, CTI_CONTROL, name, name, name, name);
	b->failed |= rows.failed;
	buf_free(&rows);
}

void etm_emit_header(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const char *name = job->spec->machines.at[0].name;
	bool several = etm_options(job)->cores != 0;
	const char *of = several ? "[core]" : "";
	struct buf check = { 0 };

	buf_addf(b, head, name, etm_options(job)->core->name, name, name, p->regs.traceid[0],
		 0x70 - (several ? etm_options(job)->cores : 1));
	output_masks(job, name, b);
	(several ? tables_of_cores : table)(job, name, b);
	if (several)
		buf_addf(&check, "\tif (core >= ETM_%s_CORES)\n\t\treturn -1;\n", name);
	buf_add(&check, "", 1);
	buf_addf(b, load, name, offset_of("TRCSTATR"), name, several ? "unsigned core, " : "",
		 check.failed ? "" : check.at, offset_of("TRCLAR"), ETM_UNLOCK,
		 offset_of("TRCOSLAR"));
	demands(job, b);
	buf_addf(b, body, offset_of("TRCPRGCTLR"), name, name, of, name, of, name, of, name, of,
		 offset_of("TRCPRGCTLR"), name);
	b->failed |= check.failed;
	buf_free(&check);
}
