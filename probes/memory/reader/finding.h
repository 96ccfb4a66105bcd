/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * finding.h: what a check or a filter has found, before it is written in one form or another
 * (findings.h).
 */
#ifndef NFACC_PROBES_MEMORY_READER_FINDING_H
#define NFACC_PROBES_MEMORY_READER_FINDING_H

#include "probes/memory/reader/frames.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/reader/variables.h"

/* Blocks that were in use when the program exited, and that the same calls allocated. */
struct finding_leak {
	enum mem_leak state;
	uint64_t bytes, blocks;
	uint64_t more_bytes, more_blocks; /* MEM_LEAK_LOST: what only these blocks lead to */
	const struct place *first;        /* the block with the lowest number */
};

/* What is wrong with an access to a stack. FINDING_BELOW: a function that has returned had it. */
enum finding_stack {
	FINDING_BEYOND,
	FINDING_UNDER, /* before the beginning of a variable */
	FINDING_SCOPE, /* a variable whose scope has ended */
	FINDING_RETURN, /* a store over a return address */
	FINDING_BELOW
};

struct finding_local {
	enum finding_stack what;
	const char *function; /* whose frame it is; FINDING_BELOW: who has the stack pointer */
	const struct variable *variable; /* NULL: FINDING_RETURN, FINDING_BELOW */
	int64_t offset; /* of the access in the variable; FINDING_BELOW: from the stack pointer */
};

/* Everything is borrowed. */
struct finding {
	const char *check; /* word of --check; NULL: it is by the filter of -f */
	const char *label; /* of the filter; NULL: it has no other one, or is none */
	const struct message *message;   /* what happened; NULL: a leak, or the end */
	const struct message *before;    /* race: the access before; else NULL */
	const struct finding_leak *leak; /* NULL: no leak */
	const struct finding_local *local; /* NULL: no access to a stack */
	uint32_t process;                /* process id; 0: there is one process */
};

/* Whose call stacks there may be. */
enum finding_part {
	FINDING_ACCESS, /* what happened */
	FINDING_BEFORE, /* the access before it */
	FINDING_FREED,  /* the call that freed the block */
	FINDING_ALLOCATED,
	FINDING_PARTS
};

/* The block or variable that it is about; NULL: none. */
const struct place *finding_place(const struct finding *f);

/*
 * Appends the frames of a part, innermost first, up to main(); none, if there is no such part. The
 * instruction or call itself is known in most cases. Its callers are if stacks were recorded.
 * Returns false if there is no memory.
 */
bool finding_frames(struct frames *list, struct memory *memory, const struct finding *f,
		    enum finding_part part);

/* Whether the stack of a part was recorded. */
bool finding_has_stack(const struct finding *f, enum finding_part part);

#endif
