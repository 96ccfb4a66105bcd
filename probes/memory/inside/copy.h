/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Copies of instructions. A copy works on the alias of its operand. It has up to two parts: the
 * head records the access, and the tail executes the instruction. This is the copy of an
 * instruction of FORM_PLAIN. A, B and rcx are scratch registers; A is a register that the
 * instruction does not use. "x -> scratch" saves x in inside_self.scratch, and "x <- scratch"
 * restores it.
 *
 *     slow:   hlt
 *     head:   rcx, A, B -> scratch
 *             A = address of the operand
 *             rcx = ring->written % 65536; if 0, go to slow
 *             chunk[rcx] = site << 47 | A
 *             rcx = mirror_pages[A >> 12]; if 0, go to plain
 *             A += mirror_distances[rcx]
 *             ring->written++
 *     plain:  rcx, B <- scratch
 *     tail:   the instruction, with (A) as its operand
 *             A <- scratch
 *             jump to the next instruction of the program
 *
 * If a mask chooses the bytes of the operand, the head writes three words: MEM_LANES, the mask, and
 * the access.
 *
 * With stacks (stacks.h), the head then looks the address up in the tables of shadow.h. At a hlt
 * for a suspect access, the handler records the call stack, and the head goes on.
 *
 * At `slow` the hlt faults. The handler then begins the next chunk of the ring (ring_wait).
 *
 * A string instruction uses rsi and rdi themselves. Its head does the above for each of the two,
 * and counts the words in B. It publishes all words at once. The head adds the distance of the
 * alias to rsi and rdi, and the tail subtracts it. The distances are in KEEP_RSI_MOVED and
 * KEEP_RDI_MOVED.
 *
 * An atomic instruction has a lock prefix or is xchg. By it a thread may let another thread go on,
 * or may be let go on; also by plain accesses of up to 8 bytes, which nfamem may want in order. So
 * one stamp is written before the access and one after the instruction. Taking a stamp changes
 * flags. So lahf and seto put the flags into rax, and rax is saved.
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
 *             jump to the next instruction of the program
 *     wait:   hlt
 *
 * nfamem waits for every stamp that was taken. So a stamp must be written even if a handler of the
 * program interrupts the copy: fault_settle writes it before the handler runs.
 *
 * An instruction of FORM_NONE has no operand to record. Its copy is the same instruction in another
 * place, so that its own place can hold a jump. The copy of a relative jump goes to the same
 * target.
 *
 * If accesses are only counted, copies are as copy_count.c says.
 *
 * A copy changes neither the flags nor the program's stack. shrx, lea and jrcxz touch no flags. If
 * a site faults at every access, its copy has only a tail, and the handler records the access.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_COPY_H
#define NFACC_PROBES_MEMORY_INSIDE_COPY_H
#include "probes/memory/inside/sites.h"

enum { COPY_MAX = 1024 };

/* Whether the processor has the instructions that heads consist of (BMI2). */
bool copy_can_log(void);

/* Whether a copy can record the accesses of an instruction: the instruction can have a head. */
bool copy_can_have_head(const struct decode *d);

/* Called before copies are made at a fault: the code may have changed since the last ones. */
void copy_count_begin(void);

/* Finds out whether the flags that an instruction leaves are used (site.flags_free). */
void copy_count_flags(struct site *s);

/* Whether an instruction of FORM_NONE can be executed in another place. */
bool copy_can_move(const struct decode *d);

/* Where a thread keeps what the head of a string instruction added to rsi (6) or rdi. */
static inline enum inside_scratch copy_moved(unsigned r)
{
	return r == 6 ? KEEP_RSI_MOVED : KEEP_RDI_MOVED;
}

/* The number of the general register that holds the address of an operand in a site's copy. */
unsigned copy_register(const struct site *s, unsigned operand);

/*
 * Whether an instruction is a relative jump. If so, sets *away to the distance from its end to the
 * target. Sets *condition to the second byte of its long form if it is conditional, else to 0.
 */
bool copy_is_jump(const struct decode *d, unsigned *condition, int64_t *away);

/* Whether an instruction is a near call by a distance. If so, sets *away to that. */
bool copy_is_call(const struct decode *d, int64_t *away);

/* Whether an instruction is a near return, without prefixes. */
bool copy_is_return(const uint8_t *code);

/* Where the return is that a copy goes on up to (copy_stretch.c). */
uintptr_t copy_returns_at(const struct site *s);

/*
 * Makes the copy of a site's instruction, for the address `at`, with a head if `logs`. Sets all
 * fields of *layout. Returns the size in bytes, at most COPY_MAX; 0 if the instruction cannot have
 * a copy.
 */
size_t copy_make(const struct site *s, uintptr_t at, bool logs, uint8_t *code, struct copy *layout);
#endif
