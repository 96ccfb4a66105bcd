/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_int.h: what the files of the mapper share. etm_map.c is its outline, map_resources.c finds
 * inputs, comparators and counters, map_rows.c makes the truth table, map_select.c lists what
 * selectors can compute, map_cover.c chooses among it, map_regs.c writes registers.
 *
 * Note [truth table]. A row is a state of the machine with all that selectors can see in a cycle:
 * pulses of counters, external inputs, comparators. Rows that can't occur are left out: states that
 * nothing reaches, a pulse of a counter that does not count or that is reloaded. A function has to
 * have a value in some rows (on, off), and in others it can't matter, for example a step from a
 * state in which the sequencer is not. So each function is a choice, and functions share selectors.
 *
 * Note [levels]. A counter that latches does not reload itself, and is seen as a level: it was at
 * zero before the cycle. Such a counter is usable if the machine's state tells whether it is at
 * zero. Then states of the machine may share a state of the sequencer if such a counter tells them
 * apart. That the counter reaches zero in a cycle is not seen in this cycle; a row has a hidden bit
 * for it.
 *
 * Note [fewest]. Once it is known in which rows the reset event holds, the other functions can be
 * chosen one by one. Each is a constant, a selector or a pair, and a selector costs 1, a pair 2
 * together with its two selectors. So the fewest selectors are a cheapest cover: each selector
 * covers the functions that it computes, each pair those that it or one of its selectors computes.
 * All selectors and pairs are tried, in all assignments of states, with all reset events that can
 * help; the cover is found by dynamic programming over sets of functions. Nothing is cut off that
 * could be better, so what is found is a proof.
 *
 * Note [robust]. Where the sequencer moves back over a step whose event forward holds, the two
 * priorities (contract/etm/etm.h) differ: one makes the step, the other does not. In all other rows
 * of a realisation that is right with one priority, they are the same. So a realisation is right
 * with both if and only if it is right with the default one, and no event forward holds in a row in
 * which the sequencer moves back over its step. That is a demand on each function alone, so the
 * fewest selectors with it are found in the same way. With `overlap` selectors may see a pulse of a
 * counter that the machine resets in this cycle. So there are more rows: with such a pulse, and
 * with what the machine does without it. No realisation can settle `zero` or `delay`: the one changes
 * after how many events a counter pulses, the other when a pulse is seen.
 */
#ifndef NFACC_BACKENDS_ETM_MAP_INT_H
#define NFACC_BACKENDS_ETM_MAP_INT_H

#include "backends/etm/etm_map.h"
#include "support/arena.h"

enum {
	MAP_ROWS = 16384,
	MAP_FUNCTIONS = 1024,
	MAP_RANGES = 8,
	MAP_COUNTERS = ETM_COUNTERS,
	MAP_COVER = 14 /* the most functions that are not constant */
};

/* The functions. */
enum map_field {
	FIELD_F,                               /* forward from state 0, 1, 2 */
	FIELD_B = FIELD_F + ETM_STATES - 1,    /* backward to state 0, 1, 2 */
	FIELD_R = FIELD_B + ETM_STATES - 1,    /* reset */
	FIELD_COUNT,                           /* counter 0 … 3 counts */
	FIELD_RELOAD = FIELD_COUNT + ETM_COUNTERS,
	FIELD_OUT = FIELD_RELOAD + ETM_COUNTERS,
	FIELD_TRACE = FIELD_OUT + ETM_OUTPUTS,
	NFIELDS
};

struct map_range {
	uint32_t levels; /* a bit for each exception level */
	uint64_t lo, hi; /* addresses */
};

struct map_row {
	uint8_t state, next; /* of the machine */
	uint8_t zero;        /* counters that selectors see at zero: pulses and levels */
	uint8_t lines;       /* external inputs */
	uint8_t ranges;      /* comparators */
	uint8_t counts, reloads; /* what the machine's counters do */
};

/* A selector: OR over some resources of a group, inverted or not. */
struct map_select {
	bool exists;
	uint8_t group;
	uint16_t mask;
	bool inv;
};

/* What a selector can compute. */
struct map_function {
	uint64_t *rows;             /* bit set */
	uint32_t allowed; /* a bit for each field: the event may depend on its resources */
	struct map_select impl[2];  /* not inverted, inverted */
};

/* An event: a constant, a function, or f AND g, inverted or not. */
enum map_kind { MAP_FALSE, MAP_TRUE, MAP_ONE, MAP_PAIR };
struct map_event {
	enum map_kind kind;
	uint16_t f, g;
	bool inv;
};

/* A realisation. */
struct map_choice {
	uint32_t cost; /* selectors; UINT32_MAX: there is none */
	struct map_event event[NFIELDS];
	uint8_t q[ETM_MAP_STATES]; /* the sequencer's state of each state of the machine */
	uint32_t chain;            /* a bit for each counter that is chained to the one below it */
	uint32_t impossible; /* if cost is UINT32_MAX: a bit for each field that nothing computes
				    * with the assignment q */
};

struct map_counters {
	bool time;          /* counter 0 counts cycles; counter c of the machine is c + 1 */
	uint32_t n;
	uint32_t levels;    /* a bit for each counter of the trace unit that latches */
};

/* The external inputs. */
struct map_lines {
	uint32_t n;
	uint16_t slot[PROTO_SLOTS]; /* [n] */
	/* Lines that all predicates treat alike are one class: a set of lines. */
	uint32_t nclasses;
	uint8_t class[ETM_EXTIN];
};

/* The comparators. */
struct map_ranges {
	uint32_t n;
	struct map_range at[MAP_RANGES];
	/* What an instruction fetch, or none, can be to the comparators; and a letter of it. */
	uint32_t nfetches;
	struct { uint8_t ranges; uint32_t letter; } fetch[1 << MAP_RANGES];
};

/* The truth table. */
struct map_table {
	uint32_t n;
	size_t words;                   /* how many words a set of rows has */
	struct map_row *row;            /* [n] */
	bool reached[ETM_MAP_STATES];
	uint8_t level[ETM_MAP_STATES];  /* counters that are at zero in the state */
};

struct map {
	const struct spec *spec;
	const struct machine *machine;
	const struct etm_core *core;
	struct diags *diags;
	struct etm_report *report;
	struct arena arena;
	bool fits; /* no reason was found why not */
	struct map_counters counters;
	struct map_lines lines;
	struct map_ranges ranges;
	bool level_outputs; /* external outputs may look at levels, and not at states alone */
	bool overlap; /* rows in which a counter pulses that is reset are there, too */
	bool robust; /* the sequencer must move alike with both priorities (contract/etm/etm.h) */
	struct map_table table;
	uint32_t nfunctions;
	struct map_function *function;  /* [MAP_FUNCTIONS] */
};

static inline uint32_t map_counter(const struct map *m, uint32_t c)
{
	return c + m->counters.time;
}

/* Reports why the machine does not fit. */
size_t map_nofit(struct map *m, struct diag_range at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Finds counters, external inputs and comparators, and reports what the core lacks. */
void map_resources(struct map *m);

/* Makes the truth table. Returns NFART_OK, or what etm_map() does. */
enum nfart_status map_rows(struct map *m);

/* Lists the functions of one selector for an assignment of states. False: out of memory. */
bool map_functions(struct map *m, const uint8_t *q);

/* Finds the fewest selectors, if they are fewer than `below`. Returns NFART_OK with best->cost,
 * which is not less than `below` if there is no such realisation; NFART_GAVEUP or NFART_SYSTEM.
 * With UINT32_MAX for `below`, that means that some field has no realisation. Afterwards
 * m->function has the functions that *best names. */
enum nfart_status map_cover(struct map *m, uint32_t below, struct map_choice *best);

/* Writes what a realisation means to *out. */
void map_regs(struct map *m, const struct map_choice *c, struct etm_regs *out);

/* Writes registers that do not depend on the realisation: counters, inputs, comparators. */
void map_regs_common(struct map *m, struct etm_regs *out);

/* Writes the registers of the authors' layout. Reports it if the machine has none. */
void map_authors(struct map *m, struct etm_regs *out);

#endif
