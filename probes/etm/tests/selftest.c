/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs probes/etm/board/selftest.h on the model of the macrocell, which is reached by its
 * registers, in all sixteen readings, and with trace units that differ otherwise: it must tell
 * just the reading, or say that none explains what it saw.
 */
#include <string.h>

#include "probes/etm/model/macrocell.h"
#include "testsuite/unit/tap.h"

/* A trace unit. Its macrocell takes some cycles between two accesses. */
static struct board {
	struct macrocell cell;
	struct etm_reading reading;
	uint32_t idr4, idr5;
	bool enabled, open, locked; /* locked: nothing opens it */
	bool hangs;                 /* never idle again */
	unsigned settles, left;     /* how often an idle unit says that it is not stable yet */
	unsigned cycles, wrong;     /* cycles an access takes; accesses that must not be */
	/* none; the sequencer stands; with `delay`, pulses are seen two cycles late; no clock */
	enum { HONEST, STANDS, LATE, SLEEPS } fault;
	uint32_t pulses;            /* LATE: those of the last cycle */
} board;

static void step(void)
{
	static const struct macrocell_inputs none;
	uint32_t state = macrocell_state(&board.cell), pulses;

	if (board.fault == SLEEPS)
		return;
	macrocell_step(&board.cell, &none);
	if (board.fault == STANDS)
		board.cell.regs.seqst[0] = state;
	pulses = board.cell.pulses;
	if (board.fault == LATE)
		board.cell.pulses = board.pulses;
	board.pulses = pulses;
}

/* The register at an offset, and which one of its array it is. */
static const struct etm_reg *register_at(uint32_t offset, uint32_t *index)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		if (offset >= r->offset && offset < r->offset + r->stride * r->count &&
		    (offset - r->offset) % r->stride == 0) {
			*index = (offset - r->offset) / r->stride;
			return r;
		}
	board.wrong++;
	*index = 0;
	return etm_reg_table;
}

static uint32_t read_register(const void *base, uint32_t offset)
{
	uint32_t index;
	const struct etm_reg *r = register_at(offset, &index);

	board.wrong += base != &board;
	for (unsigned i = 0; board.enabled && i < board.cycles; i++)
		step();
	if (strcmp(r->name, "TRCSTATR") == 0) {
		bool idle = !board.hangs && !board.enabled, stable = idle && board.left == 0;

		board.left -= idle && !stable;
		return ETM_PUT(TRCSTATR, IDLE, idle) | ETM_PUT(TRCSTATR, PMSTABLE, stable);
	}
	if (strcmp(r->name, "TRCIDR") == 0)
		return index == 4 ? board.idr4 : index == 5 ? board.idr5 : 0;
	/* Registers are not to be read before the unit has stopped and is stable. */
	board.wrong += board.enabled || board.left > 0;
	return (uint32_t)etm_reg_get(&board.cell.regs, r, index);
}

static void write_register(const void *base, uint32_t offset, uint32_t value)
{
	uint32_t index;
	const struct etm_reg *r = register_at(offset, &index);

	board.wrong += base != &board;
	if (strcmp(r->name, "TRCLAR") == 0) {
		board.open = value == ETM_UNLOCK && !board.locked;
	} else if (strcmp(r->name, "TRCPRGCTLR") == 0) {
		if (value != 0 && !board.enabled) {
			struct etm_regs regs = board.cell.regs;

			macrocell_init(&board.cell, &regs, board.reading);
			board.pulses = 0;
		}
		board.enabled = value != 0;
		board.left = board.settles;
	} else if (board.open && !board.enabled) {
		etm_reg_set(&board.cell.regs, r, index, value);
	} else {
		board.wrong += !board.locked;
	}
}

#define NFACC_READ32(base, offset) read_register(base, offset)
#define NFACC_WRITE32(base, offset, value) write_register(base, offset, value)
#define NFACC_ETM_PATIENCE 10
#include "probes/etm/board/selftest.h"

static unsigned seed;

/* A trace unit with an old program in all its registers. */
static void begin(unsigned reading, unsigned cycles)
{
	memset(&board, 0, sizeof board);
	board.reading = etm_reading_of(reading);
	board.cycles = cycles;
	board.settles = cycles % 5;
	board.idr4 = ETM_PUT(TRCIDR4, NUMRSPAIR, 7);
	board.idr5 = ETM_PUT(TRCIDR5, NUMCNTR, 2) | ETM_PUT(TRCIDR5, NUMSEQSTATE, 4);
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = 0; i < r->count; i++) {
			seed = seed * 1103515245 + 12345;
			etm_reg_set(&board.cell.regs, r, i, seed);
		}
}

/* Does the line for a description name the reading as etm_reading_name() does, but for the
 * commas? */
static bool line_is_right(struct etm_reading r)
{
	char line[ETM_SELFTEST_LINE], name[ETM_READING_NAME], want[ETM_SELFTEST_LINE] = "reading ";
	size_t n = strlen(want);

	etm_reading_name(etm_reading_number(r), name);
	for (const char *s = name; *s != '\0'; s++) {
		want[n++] = *s == '+' ? ',' : *s;
		if (*s == '+')
			want[n++] = ' ';
	}
	want[n] = ';';
	etm_selftest_line(r, line);
	return strcmp(line, want) == 0;
}

static bool says(int wanted, unsigned reading)
{
	struct etm_selftest t;
	int result = etm_selftest(&board, &t);

	return result == wanted && board.wrong == 0 && !board.enabled &&
	       (wanted != ETM_SELFTEST_OK || etm_reading_number(t.reading) == reading);
}

int main(void)
{
	struct tap t = { 0 };

	for (unsigned r = 0; r < 16; r++) {
		bool right = true;

		for (unsigned cycles = 1; cycles < 40; cycles++) {
			begin(r, cycles);
			right = right && says(ETM_SELFTEST_OK, r);
		}
		tap_case(&t, right, "reading %u is told", r);
		tap_case(&t, line_is_right(etm_reading_of(r)), "reading %u, the line", r);
	}
	/* Each point by itself, with the others as they were: bit `point` of what is told flips. */
	for (unsigned point = 0; point < 4; point++) {
		bool right = true;

		for (unsigned r = 0; r < 16; r++) {
			begin(r ^ 1u << point, 3);
			right = right && !says(ETM_SELFTEST_OK, r);
		}
		tap_case(&t, right, "point %u flipped is told apart", point);
	}
	for (unsigned r = 0; r < 16; r++) {
		begin(r, 3);
		board.fault = STANDS;
		tap_case(&t, says(ETM_SELFTEST_OTHER, 0), "reading %u, the sequencer stands", r);
	}
	for (unsigned r = 0; r < 16; r++) {
		if (!etm_reading_of(r).delay)
			continue;
		begin(r, 3);
		board.fault = LATE;
		tap_case(&t, says(ETM_SELFTEST_OTHER, 0), "reading %u, pulses are later still", r);
	}
	begin(0, 3);
	board.fault = SLEEPS;
	tap_case(&t, says(ETM_SELFTEST_OTHER, 0), "a unit whose core sleeps");
	begin(0, 3);
	board.locked = true;
	tap_case(&t, says(ETM_SELFTEST_LOCKED, 0), "a unit that stays locked");
	begin(0, 3);
	board.hangs = true;
	tap_case(&t, says(ETM_SELFTEST_STUCK, 0), "a unit that does not stop");
	begin(0, 3);
	board.settles = NFACC_ETM_PATIENCE;
	tap_case(&t, says(ETM_SELFTEST_STUCK, 0), "a unit that stops and does not become stable");
	begin(0, 3);
	board.idr4 = 0;
	tap_case(&t, says(ETM_SELFTEST_LACKS, 0), "a unit without selectors");
	begin(0, 3);
	board.idr5 = ETM_PUT(TRCIDR5, NUMCNTR, 2);
	tap_case(&t, says(ETM_SELFTEST_LACKS, 0), "a unit without a sequencer");
	return tap_end(&t);
}
