/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_profile.h: makes call stacks from tokens. It finds the code of each token (rv_space.h),
 * follows calls, returns, traps and switches (rv_thread.h), and adds cycles to a call tree.
 */
#ifndef NFACC_RISCV_RV_PROFILE_H
#define NFACC_RISCV_RV_PROFILE_H

#include "probes/profile/stacks/rv_space.h"
#include "probes/profile/stacks/rv_thread.h"

/* In the tree, process number n is the function RV_PROCESS + n below the root. */
enum { RV_PROCESS = 1 << 30 };

struct rv_profile;

struct rv_hart {
	struct rv_thread *thread;
	struct rv_space *space;
	struct rv_mapping map;   /* of the last token */
	uint32_t function;       /* of the last token */
	struct nfaperf_token last;
	enum rv_class class;     /* of the last token */
	uint64_t mark;           /* the tree has this hart's cycles up to this one */
	uint64_t run;            /* tokens since `mark` */
	uint64_t first;          /* cycle of the first token */
	uint64_t check;          /* number of the token at which its program is proven again */
	bool split;              /* its program has ended, as a token of another hart has shown */
};

struct rv_counts {
	uint64_t tokens, cycles;
	uint64_t unknown;        /* tokens in unknown pages */
	uint64_t unknown_user;   /* of these, tokens of programs */
	uint64_t switches, signals;
};

/* How a token has changed the stack of its hart. */
struct rv_move {
	const struct nfaperf_token *token;
	uint32_t before, after; /* the nodes on top of the stack */
	uint32_t thread;        /* number of the thread, from 0 */
	bool trapped;           /* a trap was taken */
	bool switched;          /* another thread goes on; `before` belongs to the one before */
	/* The stack begins anew. This is the first token, or tokens are missing before it. */
	bool anew;
};

/* Why a token was not taken. */
enum rv_stop {
	RV_STOP_NOT,
	RV_STOP_GUEST,     /* the token is of a guest of a hypervisor */
	RV_STOP_PRIVILEGE, /* the privilege does not exist */
	RV_STOP_CYCLE      /* its cycle is lower than that of the token before */
};

/* Where the traps of the kernel begin. */
struct rv_vectors {
	uint64_t vectors[8];
	size_t nvectors;
};

/* If `changed` is not NULL, it is called for each token that may have changed its hart's stack. */
struct rv_listener {
	void (*changed)(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
			const struct rv_move *change);
	void *changed_ctx;
};

/* How ended processes are merged: see Note [folding]. */
struct rv_folding {
	size_t fold_ends;     /* trees are merged when this many processes have ended */
	uint32_t folded;      /* number of merges; each one changes the numbers of nodes */
	bool keeps_mappings;  /* keeps mappings of ended processes, for a report */
	bool keeps_numbers;   /* does not use numbers of processes again, for a report */
	VEC(uint32_t) merged; /* for each module, and for none */
};

struct rv_profile {
	struct rv_code *code;
	struct rv_spaces spaces;
	struct call_tree tree;
	struct rv_hart **harts; /* indexed by number; NULL: no tokens yet */
	size_t most_harts;      /* all numbers of harts are below this one */
	VEC(struct rv_thread *) threads;
	struct rv_vectors traps;
	bool user_mode; /* there is no kernel: traps leave no tokens */
	bool kernel;    /* there was a token of a kernel or of firmware */
	struct rv_counts counts;
	struct rv_listener listener;
	struct rv_folding folding;
	uint32_t started;  /* number of threads so far */
	uint64_t taken;    /* number of tokens */
	enum rv_stop stop; /* why the next token was not taken */
};

enum { RV_HARTS = 1 << 16 };

/*
 * `code` must have all modules, and must outlive *p. Returns false if there is no memory; *p must
 * be freed in any case.
 */
bool rv_profile_init(struct rv_profile *p, struct rv_code *code, bool user_mode);
void rv_profile_free(struct rv_profile *p);

/*
 * Takes tokens. If `last` is false, more tokens will follow, and up to RV_AHEAD tokens at the end
 * are not taken yet. Returns how many tokens were taken. Stops at a wrong token; p->stop says why.
 */
size_t rv_profile_put(struct rv_profile *p, const struct nfaperf_token *t, size_t n, bool last);

/* Adds the cycles and tokens of the hart since its `mark` to the node on top of its stack. */
void rv_profile_settle_hart(struct rv_profile *p, struct rv_hart *h);

/* Adds all open cycles to the tree. The cycles of the tree then are those of all tokens. */
void rv_profile_settle(struct rv_profile *p);

/* Whether there was too little memory. The sums are incomplete then. */
bool rv_profile_failed(const struct rv_profile *p);

#endif
