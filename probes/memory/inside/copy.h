/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Copies of instructions that work on aliases. A copy of FORM_PLAIN, in which A, B and rcx are
 * scratch registers (A is not a register of the instruction):
 *
 *     slow:   hlt
 *     head:   rcx, A, B -> inside_self.scratch
 *             A = address of the operand
 *             rcx = ring->written % 65536; if 0, go to slow
 *             chunk[rcx] = site << 47 | A
 *             rcx = mirror_pages[A >> 12]; if 0, go to plain
 *             A += mirror_distances[rcx]
 *             ring->written++
 *     plain:  rcx, B <- scratch
 *     tail:   the instruction, with (A) as its operand
 *             A <- scratch
 *             jump behind the instruction
 *
 * A string instruction works on rsi and rdi themselves. Its head does the same for each of them,
 * with the words counted in B, and publishes them at once. What it adds to rsi and rdi is in the
 * scratch places KEEP_RSI_MOVED and KEEP_RDI_MOVED; the tail takes it off again.
 *
 * By an atomic instruction (with a lock prefix, or xchg) a thread may let another one go on, or
 * have been let go. So a stamp comes before its word, and one behind the instruction. Taking one
 * changes flags: they are kept in rax, by lahf and seto.
 *
 *     slow:   hlt
 *     head:   rcx, A, B, rax, flags -> scratch
 *             A = address of the operand; if not watched, go to plain
 *             rcx = ring->written % 65536; if no room for 3 words, go to slow
 *             stamp and access -> chunk; ring->written += 3; stamped
 *     plain:  A += distance; flags, rcx, B, rax <- scratch
 *     tail:   the instruction, with (A) as its operand
 *             rcx, B, rax, flags -> scratch; if not stamped, go to leave
 *             if no room for 2 words, go to wait
 *             stamp -> chunk; ring->written += 2
 *     leave:  flags, rcx, B, rax, A <- scratch
 *             jump behind the instruction
 *     wait:   hlt
 *
 * A stamp that was taken must be written, or nfamem waits for it. So a handler of the program that
 * comes in between has it written first (fault_settle).
 *
 * An instruction of FORM_NONE is moved as it is, so that a jump can be put in its place too. A copy
 * of one that is a relative jump goes to the same target.
 *
 * Flags and the program's stack stay as they are: shrx, lea and jrcxz touch no flags. A copy for a
 * site that faults at every access has the tail only; the handler does the rest.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_COPY_H
#define NFACC_PROBES_MEMORY_INSIDE_COPY_H
#include "probes/memory/inside/sites.h"

enum { COPY_MAX = 512 };

/* Whether the processor has what heads are made of (BMI2). */
bool copy_can_log(void);

/* Whether the accesses of an instruction can be logged by a copy: it is in the reach of a head. */
bool copy_can_have_head(const struct decode *d);

/* Whether an instruction without operands in memory can be moved. */
bool copy_can_move(const struct decode *d);

/* Where a thread keeps what the copy of a string instruction has added to rsi or rdi. */
static inline enum inside_scratch copy_moved(unsigned r)
{
	return r == 6 ? KEEP_RSI_MOVED : KEEP_RDI_MOVED;
}

/* The general register with which the copy of a site's instruction reaches an operand. */
unsigned copy_register(const struct site *s, unsigned operand);

/*
 * Whether an instruction is a jump by a distance: then how far it goes from its end, and the second
 * byte of its long form if it is conditional, else 0.
 */
bool copy_is_jump(const struct decode *d, unsigned *condition, int64_t *away);

/*
 * Makes the copy of a site's instruction, with a head where `logs`, to lie at `at`. Fills in all of
 * *layout. Returns the bytes, at most COPY_MAX; 0 where the instruction has no copy.
 */
size_t copy_make(const struct site *s, uintptr_t at, bool logs, uint8_t *code, struct copy *layout);
#endif
