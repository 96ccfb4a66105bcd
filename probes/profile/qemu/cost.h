/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cost.h: how many cycles an instruction takes. qemu counts no cycles, so the plugin has a model of
 * a core that commits in order, one instruction at a time.
 *
 * Note [cost model]
 * An instruction takes one cycle, and on top of that:
 *
 *	load                    1    atomic instruction     4
 *	multiplication, float   3    division, square root 32
 *	after a taken jump      2    (the pipeline is filled again)
 *
 * With stalls, one load or store in 64, at random, misses the cache and takes 1 to 64 cycles more.
 * Random numbers come from a seed. Each hart has its own, so what one hart does never changes the
 * cycles of another. The model is no core's. It is there so that cycles differ from counts of
 * instructions: whoever takes one for the other is found out.
 */
#ifndef RISCV_QEMU_COST_H
#define RISCV_QEMU_COST_H

#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,
	INSN_LOAD,
	INSN_STORE,
	INSN_ATOMIC,
	INSN_MULTIPLY, /* and floating point without what INSN_DIVIDE has */
	INSN_DIVIDE,
	INSN_JUMP,     /* branches, jumps, calls, returns: all that never traps and sets the pc */
	INSN_SYSTEM    /* ecall, ebreak, sret, mret, wfi, csr*: what may change privilege or satp */
};

/* The cost of filling the pipeline again after a jump that was taken. */
enum { COST_OF_JUMP = 2 };

/* The kind of an instruction; of a compressed one (its lowest two bits are not 3), the upper 16
 * bits of insn are 0. */
enum insn_kind insn_kind(uint32_t insn);

/* The cycles of an instruction of this kind, without stalls and without COST_OF_JUMP. */
unsigned cost_of(enum insn_kind kind);

/* The cycles that an instruction of this kind stalls; *random is the hart's state, never 0. */
unsigned cost_of_stall(enum insn_kind kind, uint64_t *random);

/* The state of the random numbers of a hart. */
uint64_t cost_seed(uint64_t seed, unsigned hart);

#endif
