/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Reads back files in C (etm_files.h): the header of ordered writes, the module for Linux, and the
 * handler of the interrupt. They are read as the text that they are, and not as C in general. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/etm/proof/etm_files.h"
#include "contract/etm/cti.h"

static uint32_t offset_of(const char *name)
{
	uint32_t i = 0;
	const struct etm_reg *r = etm_reg_find(name, strlen(name), &i);

	return r->offset + i * r->stride;
}

static const char *next_line(const char *at)
{
	at += strcspn(at, "\n");
	return *at == 0 ? at : at + 1;
}

/* Returns what stands behind the first `what` after `at`; NULL: it is not there. */
static const char *behind(const char *at, const char *what)
{
	at = at != NULL ? strstr(at, what) : NULL;
	return at != NULL ? at + strlen(what) : NULL;
}

/* ---- the header ---- */

/* Reads a value: a number, or a macro that the file defines as one. */
static const char *value_or_macro(const struct etm_file *f, const char *at, uint64_t *value)
{
	const char *end = etm_file_number(at, "", value, " }"), *define = f->text;
	size_t n = strcspn(at, " ");

	while (end == NULL && (define = behind(define, "#define ")) != NULL)
		if (strncmp(define, at, n) == 0 && define[n] == ' ' &&
		    etm_file_number(define + n, " ", value, "") != NULL) {
			uint64_t more = 0;

			end = strncmp(at + n, " }", 2) == 0
				      ? at + n : etm_file_number(at + n, " + ", &more, " }");
			*value += more;
		}
	return end;
}

/* Reads the writes of a table from `line` on, to the line that ends it. */
static const char *header_writes(struct etm_file *f, const char *line, bool channels)
{
	for (; strncmp(line, "}", 1) != 0 && *line != 0; line = next_line(line)) {
		uint64_t offset, value;
		const char *at = etm_file_number(line, "\t{ ", &offset, ", ");

		if (at == NULL || value_or_macro(f, at, &value) == NULL) {
			etm_file_wrong(f, "this is no write: %.*s", (int)strcspn(line, "\n"), line);
			return line;
		}
		if (channels)
			etm_file_channel(f, f->blocks - 1, offset, value);
		else
			etm_file_state(f, (uint32_t)offset, value);
	}
	return line;
}

/* Reads a table that has a block of writes for each core. */
static void header_blocks(struct etm_file *f, const char *line, bool channels)
{
	f->blocks = 0;
	while (line != NULL && strncmp(line, "};", 2) != 0 && f->wrong.n == 0) {
		uint64_t core = UINT64_MAX;

		if (etm_file_number(line, "{ /* core ", &core, " */\n") == NULL)
			etm_file_wrong(f, "this begins no core: %.*s", (int)strcspn(line, "\n"),
				       line);
		etm_file_core(f, core);
		if (f->wrong.n != 0)
			return;
		line = next_line(header_writes(f, next_line(line), channels));
		if (!channels)
			etm_file_core_ends(f);
	}
	if (f->blocks != f->cores)
		etm_file_wrong(f, "it has a table for %" PRIu32 " cores, and not for %" PRIu32,
			       f->blocks, f->cores);
}

/* Returns where the table of channels begins, after the table of writes. */
static const char *channel_table(const char *at)
{
	uint64_t rows;

	at = at != NULL ? strstr(at, "_channels[") : NULL;
	at = at != NULL ? strstr(at, "_CORES][") : NULL;
	at = at != NULL ? etm_file_number(at, "_CORES][", &rows, "] = {\n") : NULL;
	return at != NULL && rows == CTI_MAP_REGISTERS ? at : NULL;
}

static void header_table(struct etm_file *f)
{
	const char *line = behind(f->text, "_writes[] = {\n");
	uint64_t rows;

	if (f->cores != 0) {
		line = strstr(f->text, "_CORES][");
		line = line == NULL ? NULL : etm_file_number(line, "_CORES][", &rows, "] = {\n");
		header_blocks(f, line, false);
		header_blocks(f, channel_table(line), true);
	} else if (line != NULL) {
		header_writes(f, line, false);
	}
	if (line == NULL)
		etm_file_wrong(f, "it has no table of writes");
}

/* Appends what the function that loads the program does in a line: a write, the writes of the
 * table, a wait. */
static void header_step(const struct etm_file *f, const char *line, struct buf *steps)
{
	const char *table = f->cores != 0 ? "_writes[core][i].offset / 4] = "
					  : "_writes[i].offset / 4] = ";
	size_t n = strcspn(line, "\n");
	uint64_t offset, value;
	const char *at = etm_file_number(line + strspn(line, "\t"), "etm[", &offset, " / 4] = ");

	if (at == NULL)
		at = etm_file_number(line + strspn(line, "\t"), "cti[", &offset, " / 4] = ");
	if (at != NULL && etm_file_number(at, "", &value, "") != NULL)
		buf_addf(steps, "%" PRIx64 "=%" PRIx64 " ", offset, value);
	for (size_t i = 0; i < n; i++) {
		if (strncmp(line + i, table, strlen(table)) == 0)
			buf_addf(steps, "table ");
		if (strncmp(line + i, "_channels[core][i].offset / 4] = ", 33) == 0)
			buf_addf(steps, "channels ");
		if (etm_file_number(line + i, "_wait(etm, ", &value, ")") != NULL)
			buf_addf(steps, "wait%" PRIu64 " ", value);
	}
}

/* The function whose head ends with `head` must take the steps `want`. */
static void header_steps(struct etm_file *f, const char *head, const struct buf *want)
{
	const char *line = behind(f->text, head);
	struct buf have = { 0 };

	while (line != NULL && *line != 0 && *line != '}') {
		header_step(f, line, &have);
		line = next_line(line);
	}
	if (have.n != want->n || memcmp(have.at, want->at, want->n) != 0)
		etm_file_wrong(f, "it writes in the order %.*s, and not %.*s", (int)have.n,
			       have.n != 0 ? have.at : "", (int)want->n, want->at);
	f->wrong.failed |= have.failed || want->failed;
	buf_free(&have);
}

/* There are as many cores as there must be, and the interface of a core is disabled while it is
 * connected. */
static void header_cores(struct etm_file *f)
{
	const char *at = strstr(f->text, "_CORES ");
	struct buf want = { 0 };
	uint64_t cores = 0;

	if (at == NULL || etm_file_number(at, "_CORES ", &cores, "\n") == NULL || cores != f->cores)
		etm_file_wrong(f, "it is for %" PRIu64 " cores, and not for %" PRIu32, cores,
			       f->cores);
	buf_addf(&want, "%x=%x %x=0 channels ", CTI_LAR, ETM_UNLOCK, CTI_CONTROL);
	header_steps(f, "_connect(unsigned core, volatile uint32_t *cti)\n{\n", &want);
	buf_free(&want);
}

/* Opens the locks, stops the unit, waits, writes, starts it, and waits. */
static void header_order(struct etm_file *f)
{
	const char *line;
	struct buf want = { 0 };
	uint64_t stat;

	buf_addf(&want, "%" PRIx32 "=%x %" PRIx32 "=0 %" PRIx32 "=0 wait1 table %" PRIx32
		 "=1 wait0 ", offset_of("TRCLAR"), ETM_UNLOCK, offset_of("TRCOSLAR"),
		 offset_of("TRCPRGCTLR"), offset_of("TRCPRGCTLR"));
	header_steps(f, f->cores != 0 ? "_load(unsigned core, volatile uint32_t *etm)\n{\n"
				      : "_load(volatile uint32_t *etm)\n{\n", &want);
	line = strstr(f->text, "if ((etm[");
	if (line == NULL ||
	    etm_file_number(line, "if ((etm[", &stat, " / 4] & 1) == idle)") == NULL ||
	    stat != offset_of("TRCSTATR"))
		etm_file_wrong(f, "it waits for another register than TRCSTATR");
	buf_free(&want);
	if (f->cores != 0)
		header_cores(f);
}

/* A field of the identification that a program needs to have a least value. */
struct need {
	const char *reg;
	uint32_t lsb, width, least;
};

/* Does the header look at a field, for the least value or for a larger one? */
static bool header_asks(const struct etm_file *f, const struct need *n)
{
	for (const char *at = f->text; (at = behind(at, "if ((etm[")) != NULL;) {
		uint64_t offset, lsb, mask, least;
		const char *end = etm_file_number(at, "", &offset, " / 4] >> ");

		end = end == NULL ? NULL : etm_file_number(end, "", &lsb, " & ");
		end = end == NULL ? NULL : etm_file_number(end, "", &mask, ") < ");
		if (end != NULL && etm_file_number(end, "", &least, ")\n\t\treturn -1;") != NULL &&
		    offset == offset_of(n->reg) && lsb == n->lsb &&
		    mask == (1u << n->width) - 1 && least >= n->least)
			return true;
	}
	return false;
}

/* Returns the number of the highest bit of a set, plus 1. */
static uint32_t end_of(uint64_t set)
{
	return set == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(set);
}

/* The header must refuse a trace unit that lacks something. */
static void header_needs(struct etm_file *f)
{
	const struct etm_regs *r = f->want;
	uint32_t selectors = 0, counters = 0, inputs, number = 0;
	struct etm_machine m;
	uint64_t used;

	etm_decode(&m, r, f->core->ete, (struct etm_reading){ 0 });
	etm_uses(&m, &used, NULL, NULL);
	inputs = end_of(used & ((1u << ETM_EXTIN) - 1));
	for (uint32_t i = 2; i < ETM_SELECTORS; i++)
		selectors = r->rsctl[i] != 0 ? i : selectors;
	for (uint32_t i = 0; i < ETM_COUNTERS; i++)
		counters = r->cntctl[i] != 0 ? i + 1 : counters;
	for (uint32_t i = 0; i < inputs && !f->core->ete; i++)
		number = m.extin.number[i] >= number ? m.extin.number[i] + 1u : number;
#define NEED(reg, field, least) \
	{ #reg, ETM_##reg##_##field##_LSB, ETM_##reg##_##field##_WIDTH, least }
	const struct need needs[] = {
		NEED(TRCIDR4, NUMRSPAIR, selectors / 2),
		NEED(TRCIDR4, NUMACPAIRS, end_of(used >> ETM_INPUT_RANGE & 0xff)),
		NEED(TRCIDR5, NUMEXTINSEL, inputs),
		NEED(TRCIDR5, NUMCNTR, counters),
		NEED(TRCIDR5, NUMSEQSTATE,
		     (r->seqev[0] | r->seqev[1] | r->seqev[2]) != 0 ? f->core->has.states : 0),
		NEED(TRCIDR5, NUMEXTIN, number),
	};
#undef NEED
	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (needs[i].least != 0 && !header_asks(f, &needs[i]))
			etm_file_wrong(f, "it does not ask whether bits %" PRIu32 " to %" PRIu32
				       " of %s are at least %" PRIu32, needs[i].lsb,
				       needs[i].lsb + needs[i].width - 1, needs[i].reg,
				       needs[i].least);
}

void etm_file_header(struct etm_file *f)
{
	f->halves = true;
	header_table(f);
	header_order(f);
	header_needs(f);
}

/* ---- the module ---- */

/* Returns the value of parameter `n`. */
static uint64_t parameter(struct etm_file *f, uint64_t n)
{
	const char *at = behind(f->text, "_params[] = {\n");
	uint64_t value = 0;

	for (uint64_t i = 0; i <= n && at != NULL; i++)
		at = behind(at, ", .value = ");
	if (at == NULL || etm_file_number(at, "", &value, " },\n") == NULL)
		etm_file_wrong(f, "it has no parameter %" PRIu64, n);
	return value;
}

/* Reads the description of a register, from its "{" on. */
static void module_register(struct etm_file *f, const char *at)
{
	const char *type = behind(at, ".type = CS_CFG_REG_TYPE_STD"), *end = NULL;
	uint64_t offset = 0, value = 0, mask = 0xffffffff;
	bool param, wide, masked;

	if (type == NULL || (at = behind(type, ".offset = ")) == NULL ||
	    (end = etm_file_number(at, "", &offset, ",\n\t\t.")) == NULL) {
		etm_file_wrong(f, "it has a register without a type or an offset");
		return;
	}
	param = strncmp(type, " | CS_CFG_REG_TYPE_VAL_PARAM,", 29) == 0;
	wide = strncmp(type, " | CS_CFG_REG_TYPE_VAL_64BIT,", 29) == 0;
	masked = strncmp(type, " | CS_CFG_REG_TYPE_VAL_MASK,", 28) == 0;
	if (param && etm_file_number(end, "param_idx = ", &value, ",\n") != NULL)
		value = parameter(f, value);
	else if (masked && (at = etm_file_number(end, "val32 = ", &value, ",\n\t\t.")) != NULL &&
		 etm_file_number(at, "mask32 = ", &mask, ",\n\t},") != NULL)
		value &= mask;
	else if (wide ? etm_file_number(end, "val64 = ", &value, "ull,\n\t},") == NULL
		      : param || masked || *type != ',' ||
				etm_file_number(end, "val32 = ", &value, ",\n\t},") == NULL)
		etm_file_wrong(f, "the register at 0x%03" PRIx64 " has no value of its type",
			       offset);
	if (masked && offset == offset_of("TRCVICTLR")) {
		/* the driver starts the start/stop logic */
		if (mask != ETM_MASK(TRCVICTLR, EVENT))
			etm_file_wrong(f, "it writes more of TRCVICTLR than the event");
		value |= value != 0 ? ETM_PUT(TRCVICTLR, SSSTATUS, 1) : 0;
	}
	etm_file_state(f, (uint32_t)offset, value);
}

/* Registers of the trace itself are the driver's. */
static void state_drivers(struct etm_file *f)
{
	static const char *const names[] = { "TRCCONFIGR",  "TRCSTALLCTLR", "TRCTSCTLR",
					     "TRCSYNCPR",   "TRCTRACEIDR",  "TRCVIIECTLR",
					     "TRCVISSCTLR", "TRCVIPCSSCTLR" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t index;
		const struct etm_reg *r = etm_reg_find(names[i], strlen(names[i]), &index);

		etm_file_state(f, offset_of(names[i]), etm_reg_get(f->want, r, index));
	}
}

void etm_file_cscfg(struct etm_file *f)
{
	const char *at = behind(f->text, "_regs[] = {\n");
	const char *end = at != NULL ? strstr(at, "\n};") : NULL;

	if (end == NULL)
		etm_file_wrong(f, "it has no registers");
	for (; end != NULL && at != NULL && at < end; at = behind(at, "\n\t},\n"))
		module_register(f, at);
	state_drivers(f);
}

/* ---- the handler ---- */

/* The states of the sequencer in which an external output is on. *more: some output looks at more
 * than the state. */
static unsigned on_states(const struct etm_machine *m, bool *more)
{
	unsigned on = 0;

	*more = false;
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		for (unsigned s = 0; s < ETM_STATES; s++) {
			const struct etm_event *e = &m->outputs[i];
			struct etm_seen seen = { .state = (uint8_t)s };

			for (unsigned k = 0; k < e->n; k++)
				*more = *more || e->select[k].inputs != 0 ||
					e->select[k].counters != 0;
			on |= (unsigned)etm_event_holds(e, &seen) << s;
		}
	return on;
}

/* The states that the sequencer can be in: those that its steps lead to, whatever holds. */
static unsigned reached_states(const struct etm_machine *m)
{
	unsigned reached = 1u << m->start;

	for (unsigned round = 0; round < ETM_STATES; round++)
		for (unsigned i = 0; i + 1 < ETM_STATES; i++) {
			if ((reached >> i & 1) && (m->forward[i].n != 0 || !m->forward[i].inv))
				reached |= 2u << i;
			if ((reached >> i & 2) && (m->backward[i].n != 0 || !m->backward[i].inv))
				reached |= 1u << i;
		}
	return m->reset.n != 0 || !m->reset.inv ? reached | 1 : reached;
}

void etm_file_handler(struct etm_file *f)
{
	const struct {
		const char *name;
		uint32_t value;
	} constants[] = {
		{ "\t\tTRCSEQSTR = ", offset_of("TRCSEQSTR") },
		{ "\t\tCTIINTACK = ", CTI_INTACK },
		{ "\t\tCTITRIGOUTSTATUS = ", CTI_TRIGOUTSTATUS },
		{ "\t\tCTIOUTEN = ", CTI_OUTEN + 4 * CTI_IRQ_OUTPUT },
	};
	struct etm_machine m;
	const char *at = strstr(f->text, "\t\tTHROTTLING = "), *irq;
	uint64_t value = 0;
	bool more;
	unsigned on;

	etm_decode(&m, f->want, f->core->ete, (struct etm_reading){ 0 });
	on = on_states(&m, &more) & reached_states(&m);
	if (at == NULL || etm_file_number(at, "\t\tTHROTTLING = ", &value, "") == NULL || more ||
	    (value & reached_states(&m)) != on)
		etm_file_wrong(f, "it waits in the states 0x%" PRIx64
			       ", and an output is on in 0x%x", value, on);
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
		at = strstr(f->text, constants[i].name);
		if (at == NULL || etm_file_number(at, constants[i].name, &value, "") == NULL ||
		    value != constants[i].value)
			etm_file_wrong(f, "%.*s has another offset",
				       (int)strcspn(constants[i].name, "=") - 3,
				       constants[i].name + 2);
	}
	at = strstr(f->text, "\t\tCORES = ");
	if (f->cores != 0 &&
	    (at == NULL || etm_file_number(at, "\t\tCORES = ", &value, ",\n") == NULL ||
	     value != f->cores || strstr(f->text, "for (int i = 0; i < CORES; i++)\n") == NULL))
		etm_file_wrong(f, "it does not look at %" PRIu32 " cores", f->cores);
	irq = strstr(f->text, "\t\tCTIIRQ = 1 << ");
	if (irq == NULL || etm_file_number(irq, "\t\tCTIIRQ = 1 << ", &value, "\n") == NULL ||
	    value != CTI_IRQ_OUTPUT)
		etm_file_wrong(f, "it acknowledges another output than CTIIRQ");
}
