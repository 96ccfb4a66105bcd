/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Which bytes an instruction accesses, if that depends on more than its address: gathers, scatters,
 * masks, bytes that are chosen one by one, and the state of the processor. The registers are those
 * that the kernel saved for a handler. All functions are called with sites_lock held.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_ELEMENTS_H
#define NFACC_PROBES_MEMORY_INSIDE_ELEMENTS_H
#include "probes/memory/inside/decode.h"

/*
 * The most elements of an instruction. A gather has 16 lanes; xsave has a header and up to 30
 * components; maskmovdqu has at most 8 runs.
 */
enum { ELEMENTS_MAX = 32 };

struct element {
	uintptr_t at;
	uint32_t bytes;
};

/* The mask of an instruction with lanes: bit i is that of lane i. */
uint64_t elements_mask(const struct decode *d, const ucontext_t *context);

/*
 * The elements of the first operand of an instruction at `pc`, in the order of its lanes. Returns
 * their number. It is 0 if no lane is chosen, or if the bytes are not known (DECODE_UNKNOWN).
 */
unsigned elements_of(const struct decode *d, uintptr_t pc, const ucontext_t *context,
		     struct element list[ELEMENTS_MAX]);
#endif
