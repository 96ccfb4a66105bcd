/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_thread.h: a thread of control, which is a stack of frames, from a program's first function up
 * to what the kernel and the firmware do for it.
 *
 * Note [frames]
 * A stack begins with its base: the process, or the kernel for threads of its own. A call puts a
 * frame on top, which has the address where the call returns to. A trap puts a boundary on top,
 * which has the instruction that was interrupted, and the frame of the handler above it. A boundary
 * for a signal's handler lies in the program's own frames.
 */
#ifndef NFACC_RISCV_RV_THREAD_H
#define NFACC_RISCV_RV_THREAD_H

#include "probes/profile/stacks/call_tree.h"
#include "probes/profile/stacks/rv_code.h"

enum rv_frame_kind { RV_FRAME_BASE, RV_FRAME_CALL, RV_FRAME_TRAP, RV_FRAME_SIGNAL };

struct rv_frame {
	uint32_t node;        /* in the tree */
	uint32_t function;    /* what is executed in the frame now */
	/* Of a call: the address it returns to. Of a trap or signal: the last instruction before
	 * it. */
	uint64_t pc;
	uint32_t instruction; /* of a trap or signal: the instruction at pc */
	uint8_t kind;         /* enum rv_frame_kind */
	uint8_t privilege;    /* of a trap: the privilege that was interrupted */
};

struct rv_thread {
	VEC(struct rv_frame) frames;
	uint64_t satp;    /* of the program's frames */
	bool has_program; /* the base is a process, not the kernel */
	uint32_t number;  /* from 0 on, in the order in which threads were seen */
	uint64_t parked;  /* number of the token at which the thread stopped; 0: it runs */
};

/* Returns a thread with a base at the node. NULL: out of memory. */
struct rv_thread *rv_thread_new(uint32_t node, uint32_t function);
void rv_thread_free(struct rv_thread *x);

/* The frame on top; every thread has a base. */
static inline struct rv_frame *rv_thread_top(struct rv_thread *x)
{
	return &x->frames.at[x->frames.n - 1];
}

/* Removes all frames but the base, which becomes that of the node. */
void rv_thread_reset(struct rv_thread *x, uint32_t node, uint32_t function);

/* Puts a frame on top: its node is that of `function` below the top's node. Counts a call if
 * `counts`. False: out of memory. */
bool rv_thread_push(struct rv_thread *x, struct call_tree *t, struct rv_frame frame, bool counts);

/* The function of the top's frame becomes another one: a tail call, or text that runs on. */
void rv_thread_jump(struct rv_thread *x, struct call_tree *t, uint32_t function, bool counts);

/* Returns the index of the topmost trap that interrupted `privilege` or less, or 0 if there is
 * none. */
size_t rv_thread_trap(const struct rv_thread *x, unsigned privilege);

/* Returns the index of the frame of a call that returns to pc, above the topmost trap; 0 if there
 * is none. */
size_t rv_thread_caller(const struct rv_thread *x, uint64_t pc);

/* Returns the index of the topmost frame in which a function is executed, above the topmost trap; 0
 * if there is none. */
size_t rv_thread_inside(const struct rv_thread *x, uint32_t function);

/* May the instruction at pc be followed by the one at `next`, without a trap? */
bool rv_follows(uint64_t pc, uint32_t instruction, uint64_t next);

#endif
