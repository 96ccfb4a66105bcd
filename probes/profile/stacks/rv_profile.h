/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_profile.h: makes call stacks of tokens. It finds the text of each token (rv_space.h), follows
 * calls, returns, traps and switches (rv_thread.h), and adds cycles to a tree of calls.
 */
#ifndef NFACC_RISCV_RV_PROFILE_H
#define NFACC_RISCV_RV_PROFILE_H

#include "probes/profile/stacks/rv_space.h"
#include "probes/profile/stacks/rv_thread.h"

/* In the tree, a process stands below the root as the function RV_PROCESS + its number. */
enum { RV_PROCESS = 1 << 30 };

struct rv_profile;

struct rv_hart {
	struct rv_thread *thread;
	struct rv_space *space;
	struct rv_mapping map;   /* of the last token */
	uint32_t function;       /* of the last token */
	struct nfaperf_token last;
	enum rv_class class;     /* of the last token */
	uint64_t mark;           /* the cycle up to which the tree has this hart's cycles */
	uint64_t run;            /* tokens since then */
	uint64_t first;          /* cycle of the first token */
};

struct rv_counts {
	uint64_t tokens, cycles;
	uint64_t unknown;        /* tokens in pages that nothing is known of */
	uint64_t unknown_user;   /* those of programs */
	uint64_t switches, signals;
};

/* What a token has done to its hart's stack. */
struct rv_move {
	const struct nfaperf_token *token;
	uint32_t before, after; /* the nodes on top */
	uint32_t thread;        /* number of the thread, from 0 */
	bool trapped;           /* a trap was taken */
	bool switched;          /* another thread goes on: `before` is not of this one */
	/* The stack was made anew: this is the first token, or tokens are missing before it. */
	bool anew;
};

/* Tokens that are not taken. */
enum rv_stop {
	RV_STOP_NOT,
	RV_STOP_GUEST,     /* it is of a guest of a hypervisor */
	RV_STOP_PRIVILEGE, /* there is no such privilege */
	RV_STOP_CYCLE      /* it is earlier than the one before it */
};

struct rv_profile {
	struct rv_code *code;
	struct rv_spaces spaces;
	struct call_tree tree;
	struct rv_hart **harts;  /* by number; NULL: no tokens yet */
	VEC(struct rv_thread *) threads;
	uint64_t vectors[8];     /* where the kernel's traps begin */
	size_t nvectors;
	bool user_mode;          /* there is no kernel: traps leave no tokens */
	struct rv_counts counts;
	/* Called for each token that may have changed the stack of its hart; or NULL. */
	void (*changed)(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
			const struct rv_move *change);
	void *changed_ctx;
	size_t fold_ends;        /* so many processes must have ended before trees are merged */
	uint32_t folded;         /* how often that was done: nodes then have other numbers */
	bool keeps_mappings;     /* those of processes that have ended, too: for a report */
	bool keeps_numbers;      /* no process has the number of one that has ended: for a report */
	VEC(uint32_t) merged;    /* for each module, and for none: Note [folding] */
	uint32_t started;        /* threads so far */
	uint64_t taken;          /* tokens */
	enum rv_stop stop;       /* why the next token was not taken */
};

enum { RV_HARTS = 1 << 16 };

/* `code` must have all modules, and outlive *p. False: out of memory; *p can be freed. */
bool rv_profile_init(struct rv_profile *p, struct rv_code *code, bool user_mode);
void rv_profile_free(struct rv_profile *p);

/* Takes tokens. If `last` is false, more tokens follow, and up to RV_AHEAD tokens at the end are
 * left. Returns how many were taken. Stops at a token that is wrong: see p->stop. */
size_t rv_profile_put(struct rv_profile *p, const struct nfaperf_token *t, size_t n, bool last);

/* Adds to the tree what has not been added yet. The tree's cycles are then those of all tokens. */
void rv_profile_settle(struct rv_profile *p);

/* Is memory short? The sums are then incomplete. */
bool rv_profile_failed(const struct rv_profile *p);

#endif
