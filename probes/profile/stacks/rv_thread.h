/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_thread.h: a thread of control. It is a stack of frames, from the first function of a program
 * up to what the kernel and the firmware do for it.
 *
 * Note [frames]
 * A stack begins with its base. The base is a process, or the kernel for the kernel's own threads.
 * A call pushes a frame that holds the return address of the call. A trap pushes a boundary, which
 * holds the interrupted instruction, and then the frame of the handler. A signal also pushes a
 * boundary, among the frames of the program.
 */
#ifndef NFACC_RISCV_RV_THREAD_H
#define NFACC_RISCV_RV_THREAD_H

#include "probes/profile/stacks/call_tree.h"
#include "probes/profile/stacks/rv_code.h"

enum rv_frame_kind { RV_FRAME_BASE, RV_FRAME_CALL, RV_FRAME_TRAP, RV_FRAME_SIGNAL };

struct rv_frame {
	uint32_t node;        /* its node in the call tree */
	uint32_t function;    /* the function that is being executed in this frame */
	/* Call: its return address. Trap or signal: address of the last instruction before it. */
	uint64_t pc;
	uint32_t instruction; /* trap or signal: the instruction at pc */
	uint8_t kind;         /* enum rv_frame_kind */
	uint8_t privilege;    /* trap: the privilege that was interrupted */
};

struct rv_thread {
	VEC(struct rv_frame) frames;
	uint64_t satp;    /* for the frames of the program */
	bool has_program; /* the base is a process and not the kernel */
	uint32_t number;  /* from 0, in the order in which threads were seen */
	uint64_t parked;  /* number of the token at which the thread stopped; 0: it runs */
};

/* Returns a thread with only a base, at the node. Returns NULL if there is no memory. */
struct rv_thread *rv_thread_new(uint32_t node, uint32_t function);
void rv_thread_free(struct rv_thread *x);

/* The topmost frame. It always exists, because every thread has a base. */
static inline struct rv_frame *rv_thread_top(struct rv_thread *x)
{
	return &x->frames.at[x->frames.n - 1];
}

/* Removes all frames and sets the base to that of the node. */
void rv_thread_reset(struct rv_thread *x, uint32_t node, uint32_t function);

/*
 * Pushes a frame. Its node is that of `function` below the node of the topmost frame. Counts a call
 * if `counts`. Returns false if there is no memory.
 */
bool rv_thread_push(struct rv_thread *x, struct call_tree *t, struct rv_frame frame, bool counts);

/*
 * Changes the function of the topmost frame. This is a tail call, or code that runs on into the
 * next function.
 */
void rv_thread_jump(struct rv_thread *x, struct call_tree *t, uint32_t function, bool counts);

/*
 * Pushes a boundary after the instruction at pc of a program, for a stop that has left no token of
 * the kernel. It has no node of its own. Returns false if there is no memory.
 */
bool rv_thread_stop(struct rv_thread *x, uint64_t pc, uint32_t instruction);

/*
 * Returns the index of the topmost trap that interrupted `privilege` or a lower one; 0 if there is
 * none.
 */
size_t rv_thread_trap(const struct rv_thread *x, unsigned privilege);

/*
 * Returns the index of the topmost call above the last trap that returns to pc; 0 if there is none.
 */
size_t rv_thread_caller(const struct rv_thread *x, uint64_t pc);

/*
 * Returns the index of the topmost frame above the last trap that executes a function; 0 if there
 * is none.
 */
size_t rv_thread_inside(const struct rv_thread *x, uint32_t function);

/* Whether the instruction at `next` may come after the one at pc, without a trap. */
bool rv_follows(uint64_t pc, uint32_t instruction, uint64_t next);

#endif
