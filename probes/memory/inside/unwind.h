/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the callers of a function: the return addresses on the stack. The rules come from the call
 * frame information of a module (.eh_frame, found by the table in .eh_frame_hdr). Code without such
 * information, as code that is made at run time, is taken to keep a frame pointer.
 *
 * Only what leads to the caller is kept: where the caller's stack ends (the CFA of DWARF), and where
 * rbp was saved. The CFA is rsp or rbp plus a number, or a word on the stack that rbp leads to, as
 * in functions that align their stack. Other rules end the stack.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_UNWIND_H
#define NFACC_PROBES_MEMORY_INSIDE_UNWIND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The call frame information of a module: the segment that holds .eh_frame_hdr and .eh_frame. */
struct unwind_table {
	uintptr_t header;    /* .eh_frame_hdr; 0: there is none */
	uintptr_t low, high; /* nothing outside of the segment is read */
};

enum unwind_cfa { UNWIND_NONE, UNWIND_END, UNWIND_RSP, UNWIND_RBP, UNWIND_WORD };
enum unwind_saved { UNWIND_SAME, UNWIND_AT_CFA, UNWIND_AT_RBP, UNWIND_LOST };

/*
 * What leads from a function to its caller. UNWIND_NONE: the table does not cover the code, which is
 * taken to keep a frame pointer. UNWIND_END: the function has no caller, or the rule is none of those
 * above. UNWIND_WORD: the CFA is the word at rbp + cfa_away.
 */
struct unwind_rule {
	uint8_t cfa; /* enum unwind_cfa */
	uint8_t rbp; /* enum unwind_saved */
	int32_t cfa_away, rbp_away;
};

/*
 * Finds the rule for the instruction at pc. The table may be damaged. Cost: a binary search, and
 * linear in the call frame instructions of one function.
 */
struct unwind_rule unwind_find(const struct unwind_table *t, uintptr_t pc);

/*
 * Calls `each` for every function that the table covers. In a damaged table these may be anywhere.
 * Cost: linear in the functions.
 */
void unwind_each(const struct unwind_table *t,
		 void (*each)(void *with, uintptr_t from, size_t bytes), void *with);

struct unwind_frame {
	uintptr_t pc, sp, bp;
};

/* Reads a word of the program's stack. Returns false if no memory is there. */
typedef bool unwind_read(void *ctx, uintptr_t at, uint64_t *word);

/*
 * Goes from a function to its caller by a rule. Returns false at the end of the stack. Each step
 * goes up on the stack.
 */
bool unwind_step(struct unwind_frame *f, const struct unwind_rule *r, unwind_read *read, void *ctx);
#endif
