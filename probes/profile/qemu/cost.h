/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cost.h: how many cycles an instruction takes. qemu does not count cycles. So the plugin has a
 * model of a core that commits its instructions in order, one at a time.
 *
 * Note [cost model]
 * An instruction takes one cycle, and additionally:
 *
 *	load                    1    atomic instruction     4
 *	multiplication, float   3    division, square root 32
 *	after a taken jump      2    (the pipeline is filled again)
 *
 * With stalls, one load or store in 64, chosen at random, misses the cache and takes 1 to 64 cycles
 * more. The random numbers come from a seed. Each hart has its own random numbers. So what one hart
 * does never changes the cycles of another. The model is not that of a real core. Its purpose is
 * that numbers of cycles differ from numbers of instructions, so that tests find code that confuses
 * the two.
 */
#ifndef RISCV_QEMU_COST_H
#define RISCV_QEMU_COST_H

#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,
	INSN_LOAD,
	INSN_STORE,
	INSN_ATOMIC,
	INSN_MULTIPLY, /* also floating point, except for what INSN_DIVIDE has */
	INSN_DIVIDE,
	INSN_JUMP,     /* branch, jump, call, return: sets the pc and never traps */
	INSN_SYSTEM    /* ecall, ebreak, sret, mret, wfi, csr*: may change privilege or satp */
};

/* The cost of filling the pipeline again after a taken jump. */
enum { COST_OF_JUMP = 2 };

/*
 * The kind of an instruction. If it is compressed (its lowest two bits are not 3), the upper 16
 * bits of insn must be 0.
 */
enum insn_kind insn_kind(uint32_t insn);

/* The cycles of an instruction of this kind, without stalls and without COST_OF_JUMP. */
unsigned cost_of(enum insn_kind kind);

/*
 * The cycles of a stall of an instruction of this kind. *random is the state of the hart's random
 * numbers, and is never 0.
 */
unsigned cost_of_stall(enum insn_kind kind, uint64_t *random);

/* The first state of the random numbers of a hart. */
uint64_t cost_seed(uint64_t seed, unsigned hart);

#endif
