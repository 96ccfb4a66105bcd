/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_memory.h: writes registers and queues of an interface in Verilog (contract/proto/tap.h, Note
 * [what taps remember]).
 *
 * A queue is a shift register. Its entries are from index 0 on, the oldest first, and `used` has a
 * bit for each of them.
 */
#ifndef NFACC_COMPILER_TAP_MEMORY_H
#define NFACC_COMPILER_TAP_MEMORY_H

#include "compiler/tap/tap_rails.h"

/* Parts of the module, to which text is appended. */
struct tap_memory_parts {
	struct buf *signals; /* declarations that expressions may stand behind */
	struct buf *initial; /* the initial block */
	struct buf *step;    /* what is done in a sample */
	struct buf *clear;   /* what is done in reset */
};

/* Returns the name of a made signal in the module. NULL: out of memory. */
const char *tap_memory_name(struct arena *a, const struct tap_interface *x, uint32_t side,
			    uint32_t signal);

/* Writes the registers and queues of r->x; wires go to r->body. Cost: linear in their expressions
 * and in the entries of queues. */
void tap_memory_print(struct tap_rails *r, const struct tap_memory_parts *p);

#endif
