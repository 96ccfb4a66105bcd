/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_flow.h: changes the stack of a hart by one token. The change depends on the instruction before
 * the token. rv_profile.c calls these functions if the token does not simply go on in the same
 * function.
 */
#ifndef NFACC_RISCV_RV_FLOW_H
#define NFACC_RISCV_RV_FLOW_H

#include "probes/profile/stacks/rv_profile.h"

/*
 * How a program goes on after the kernel. It goes on elsewhere than where it stopped; or where the
 * hart's thread stopped; or where another thread stopped; or it begins.
 */
enum rv_arrival { RV_ARRIVES_ELSEWHERE, RV_ARRIVES_BACK, RV_ARRIVES_AT_OTHER, RV_BEGINS };

/* A token, and where it is in the code. */
struct rv_step {
	struct rv_ahead ahead;   /* `ahead.at` is the token */
	uint64_t entry_bits;     /* its entry in the code table */
	uint32_t function;
	bool entry;              /* it is the first instruction of its function */
	enum rv_arrival arrival; /* for the first token of a program after the kernel */
	/*
	 * With RV_ARRIVES_AT_OTHER: that thread. With RV_BEGINS: the thread that has forked, or
	 * NULL.
	 */
	struct rv_thread *other;
};

/* Finds out where the token s->ahead.at is, and sets the other fields of *s. */
void rv_locate(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/* Whether the kernel's traps begin at this address. rv_learn_vector() adds such an address. */
bool rv_is_vector(const struct rv_profile *p, uint64_t pc);
void rv_learn_vector(struct rv_profile *p, uint64_t pc);

/* Goes on within the same privilege, after the instruction at pc. */
void rv_flow_go_on(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, uint64_t pc,
		   uint32_t instruction);

/*
 * A trap was taken: pushes a boundary, and the frame of the handler. `from` is the last token
 * before the trap.
 */
void rv_flow_trap(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		  const struct nfaperf_token *from);

/* The handler of a trap has ended, or the privilege has dropped in another way. */
void rv_flow_trap_return(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/*
 * The kernel has left a function that switches tasks. Finds the thread that goes on, or makes a new
 * one.
 */
void rv_switch_task(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/*
 * Finds out how the program goes on at this token, the first one after the kernel. It may be
 * another program now. So this must be called before rv_locate(), which uses the mappings of the
 * program.
 */
void rv_switch_arrive(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/*
 * The token is where a new program begins in its address space x (rv_space_begins()). Must be
 * called before rv_locate().
 */
void rv_switch_begin(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		     struct rv_space *x);

/*
 * For streams without a kernel. The token does not follow the last one of the hart: a signal or
 * another program. Must be called before rv_locate().
 */
void rv_switch_break(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/*
 * For streams without a kernel. The hart goes on in another address space after its last token:
 * its thread stops. `number` is that of the token to come. Must be called before
 * rv_switch_arrive().
 */
void rv_switch_leave(struct rv_profile *p, struct rv_hart *h, uint64_t number);

/*
 * For streams without a kernel. The hart's thread has stopped, or its program has ended: goes on at
 * the token, as s->arrival says.
 */
void rv_switch_between(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/*
 * The program in the hart's address space goes on at the token, as s->arrival says. `interrupted`
 * is the boundary above its frames, or NULL. `full` is the number of frames that the thread had
 * before.
 */
void rv_switch_user(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		    const struct rv_frame *interrupted, size_t full);

/*
 * Removes all frames of the hart's thread. The thread then belongs to the process of the address
 * space.
 */
void rv_switch_reset(struct rv_profile *p, struct rv_hart *h);

/*
 * Frees the parked threads of the process that has had the page table `satp`. It has ended. The
 * thread of hart h stays.
 */
void rv_switch_drop(struct rv_profile *p, const struct rv_hart *h, uint64_t satp);

/* Returns a new thread of the hart's process or kernel. Returns NULL if there is no memory. */
struct rv_thread *rv_switch_new(struct rv_profile *p, const struct rv_hart *h);

#endif
