/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * memory.h: a model of the memory traffic of a core. The core issues lines into a queue; memory
 * takes one line from the queue every `gap` cycles, and that is when the core's performance events
 * say so. A core that stops leaves its queue behind, which is still transferred: these lines are
 * what a regulator that stops the core can't stop.
 */
#ifndef NFACC_PROBES_ETM_MODEL_MEMORY_H
#define NFACC_PROBES_ETM_MODEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* A kind of access: what a line that is transferred was. */
enum access { ACCESS_PREFETCH, ACCESS_READ, ACCESS_WRITE, ACCESS_MODIFY, ACCESS_KINDS };

/* "prefetch", … */
extern const char *const access_names[ACCESS_KINDS];

/* The performance events of a cycle, as bits. */
enum { EVENT_REFILL = 1, EVENT_WRITEBACK = 2 };

/* What a program does, again and again: it computes, then it accesses lines. */
struct load {
	enum access kind;
	uint32_t compute; /* cycles in which the program accesses no memory */
	uint32_t burst;   /* lines that it accesses then, at least 1 */
};

struct memory {
	struct load load;
	uint32_t gap;          /* cycles that the transfer of a line takes */
	uint32_t depth;        /* lines that the queue holds, at least 1 */
	bool drains;           /* the core takes no interrupt before the queue is empty */
	uint32_t queued, busy; /* lines in the queue; cycles until the current one is transferred */
	uint32_t left, wait;   /* of the program: lines of this burst, cycles of computing */
	uint64_t issued;       /* lines that the program accessed */
	uint64_t transfers;    /* lines that were transferred */
};

void memory_init(struct memory *m, const struct load *load, uint32_t gap, uint32_t depth);

/* Steps over a cycle, in which the program runs or not. Returns the cycle's events (EVENT_REFILL,
 * …). A modified line is transferred twice: it is read first and written back later. */
uint32_t memory_step(struct memory *m, bool runs);

#endif
