/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * memory.h: a model of the memory traffic of a core. The core issues lines into a queue. Memory
 * takes one line from the queue every `gap` cycles, and at that time the core has a performance
 * event. When the core stops, the lines in its queue are still transferred. A regulator that stops
 * the core cannot stop these lines.
 */
#ifndef NFACC_PROBES_ETM_MODEL_MEMORY_H
#define NFACC_PROBES_ETM_MODEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of access that caused the transfer of a line. */
enum access { ACCESS_PREFETCH, ACCESS_READ, ACCESS_WRITE, ACCESS_MODIFY, ACCESS_KINDS };

/* "prefetch" and so on. */
extern const char *const access_names[ACCESS_KINDS];

/* The performance events of a cycle, as bits. */
enum { EVENT_REFILL = 1, EVENT_WRITEBACK = 2 };

/* What a program does repeatedly: it computes, then it accesses lines. */
struct load {
	enum access kind;
	uint32_t compute; /* cycles in which the program accesses no memory */
	uint32_t burst;   /* number of lines that it then accesses, at least 1 */
};

struct memory {
	struct load load;
	uint32_t gap;          /* cycles that the transfer of a line takes */
	uint32_t depth;        /* number of lines in a full queue, at least 1 */
	bool drains;           /* the core takes no interrupt before the queue is empty */
	uint32_t queued, busy; /* lines in the queue; cycles left for the current line */
	uint32_t left, wait;   /* lines left in this burst; cycles left to compute */
	uint64_t issued;       /* number of lines that the program accessed */
	uint64_t transfers;    /* number of lines that were transferred */
};

void memory_init(struct memory *m, const struct load *load, uint32_t gap, uint32_t depth);

/*
 * Steps over one cycle. `runs`: the program runs. Returns the cycle's events, such as EVENT_REFILL.
 * A modified line is transferred twice: it is read first, and written back later.
 */
uint32_t memory_step(struct memory *m, bool runs);

#endif
