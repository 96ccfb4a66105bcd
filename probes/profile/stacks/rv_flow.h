/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_flow.h: what a token does to its hart's stack, by the instruction before it. rv_profile.c
 * calls these functions where a token is not simply the next one in its function.
 */
#ifndef NFACC_RISCV_RV_FLOW_H
#define NFACC_RISCV_RV_FLOW_H

#include "probes/profile/stacks/rv_profile.h"

/* How a program goes on after the kernel: elsewhere than where it stopped; where the hart's thread
 * stopped; where another thread stopped; or it begins. */
enum rv_arrival { RV_ARRIVES_ELSEWHERE, RV_ARRIVES_BACK, RV_ARRIVES_AT_OTHER, RV_BEGINS };

/* A token, and where it is. */
struct rv_step {
	struct rv_ahead ahead;   /* begins with the token */
	uint64_t entry_bits;     /* its entry of the code's table */
	uint32_t function;
	bool entry;              /* it is the first instruction of its function */
	enum rv_arrival arrival; /* of the first token of a program after the kernel */
	/* RV_ARRIVES_AT_OTHER: that thread. RV_BEGINS: the one that has forked, or NULL. */
	struct rv_thread *other;
};

/* Finds where the token of s->ahead is, and fills in the rest of *s. */
void rv_locate(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/* Is the address one where the kernel's traps begin? */
bool rv_is_vector(const struct rv_profile *p, uint64_t pc);
void rv_learn_vector(struct rv_profile *p, uint64_t pc);

/* Within one privilege: goes on after the instruction (pc, instruction), which had this class. */
void rv_flow_go_on(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, uint64_t pc,
		   uint32_t instruction);

/* A trap was taken: puts a boundary and the handler's frame on top. `from` is the last token before
 * the trap. */
void rv_flow_trap(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		  const struct nfaperf_token *from);

/* A trap's handler has ended, or the privilege fell in another way. */
void rv_flow_trap_return(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/* The kernel has left a function that switches tasks: finds the thread that goes on, or makes a new
 * one. */
void rv_switch_task(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/* Finds out how the program goes on at the token, the first one after the kernel. As it may be
 * another program, this comes before rv_locate(), which looks into its mappings. */
void rv_switch_arrive(struct rv_profile *p, struct rv_hart *h, struct rv_step *s);

/* The program of the hart's address space goes on at the token, as s->arrival says. `interrupted`
 * is the boundary that was on top of it, or NULL. `full` is how many frames the thread had. */
void rv_switch_user(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		    const struct rv_frame *interrupted, size_t full);

/* Makes the hart's thread that of the space's process, without frames. */
void rv_switch_reset(struct rv_profile *p, struct rv_hart *h);

/* Returns a new thread of the hart's process or kernel. NULL: out of memory. */
struct rv_thread *rv_switch_new(struct rv_profile *p, const struct rv_hart *h);

#endif
