/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_space.h: address spaces, and which modules are mapped where in each of them. The stream does
 * not name programs: mappings are inferred from the instructions alone.
 *
 * Note [mappings]
 * A mapping is a module and a base, which is added to its linked addresses. It is inferred once for
 * an address space; after that each token is checked with one comparison (Note [code table]). The
 * first token in a page without a mapping gives the candidates: all places of all modules that have
 * this instruction at this offset in the page. The tokens that follow in the same address space
 * choose among them: a candidate with another instruction than a token is dropped. A candidate wins
 * if it explains more of these tokens than any other one, and if that is no chance:
 *
 *   - at least LEAST_LINKED different instructions, and LEAST_LINKS direct calls among them that end
 *     where the module has them, too, or entries from a mapping that is certain into its
 *     functions;
 *   - at least LEAST_LONG different instructions, and one such call; or
 *   - all tokens of the address space that were looked at, and at least LEAST_ALONE instructions.
 *
 * So a leaf function that two programs have in common proves nothing. If nothing wins, the page is
 * unknown, and it is looked at again only after many tokens, and more of them each time.
 *
 * Note [epochs]
 * An address space is found by its number, satp, and such a number is used again: after the end of
 * a program, or for a program that replaces another one. A program goes on where it was
 * interrupted. If it goes on elsewhere, this may be a handler of a signal, another thread, or
 * another program; so the mappings are checked against the tokens to come, and if one of these
 * contradicts them, all mappings of the address space are forgotten: a new epoch begins, which is a
 * new process.
 *
 * Kernels change their own text while they boot. In supervisor and machine mode a token that
 * contradicts a mapping changes the mapping's table, as long as most tokens agree with it.
 */
#ifndef NFACC_RISCV_RV_SPACE_H
#define NFACC_RISCV_RV_SPACE_H

#include "probes/profile/stacks/code_index.h"
#include "probes/profile/stacks/token.h"

struct rv_mapping {
	uint32_t module;
	uint64_t base;        /* added to addresses as linked */
	uint64_t low, span;   /* the addresses where the module's table is */
	uint64_t *code;       /* the module's table; NULL: the page is unknown */
	/* Number of the token by which it was inferred. Of an unknown page: number of the token from
	 * which on it is looked at again. */
	uint64_t first;
};

enum rv_space_kind { RV_SPACE_USER, RV_SPACE_BARE, RV_SPACE_KERNEL, RV_SPACE_MACHINE };

/* A program from its start to its end, as far as that can be told: an epoch of an address space. */
struct rv_process {
	uint64_t satp;
	uint32_t program;     /* the module that is executed; UINT32_MAX: not known */
	bool ended;           /* another process has its page table */
	bool free;            /* nothing has its number, which can be that of another process */
};

struct rv_unknown {
	uint64_t page;        /* 0: the slot is free */
	uint64_t again;       /* number of the token from which on it is looked at again */
	uint32_t failures;
};

struct rv_space {
	enum rv_space_kind kind;
	uint64_t satp;
	uint32_t process;     /* index into rv_spaces.processes */
	VEC(struct rv_mapping) mappings;
	VEC(struct rv_mapping) refuted; /* only module and base count */
	struct rv_unknown *unknown;     /* hash table */
	size_t nunknown, capunknown;
	bool held;                      /* rv_spaces_drop() must keep it */
};

/* What was inferred, for the report. */
struct rv_inferred {
	uint32_t process;
	struct rv_mapping mapping;
	bool user;            /* in an address space of programs */
	bool withdrawn;       /* a later token contradicted it */
};

struct rv_spaces {
	struct rv_code *code;
	struct code_index index;
	VEC(struct rv_space *) all;
	struct rv_space **slots; /* hash table by kind and satp */
	size_t nslots;
	VEC(struct rv_process) processes;
	size_t next_free;     /* no process before this one is free */
	VEC(struct rv_inferred) inferred;
	size_t nwithdrawn;    /* how many of these were withdrawn */
	size_t nended;        /* processes that have ended, and were not merged */
	uint64_t patches;     /* instructions that a kernel has changed */
	uint64_t attempts;    /* how often candidates were looked for */
	bool failed;          /* out of memory */
};

/* Tokens to come: n of them, of which the first has the number `number`. */
struct rv_ahead {
	const struct nfaperf_token *last; /* of the same hart, before them; NULL: there is none */
	const struct nfaperf_token *at;
	size_t n;
	uint64_t number;
};

/* How many tokens are looked at, at most, to infer a mapping. */
enum { RV_AHEAD = 1 << 16 };

/* `code` must have all modules, and outlive *s. False: out of memory. */
bool rv_spaces_init(struct rv_spaces *s, struct rv_code *code);
void rv_spaces_free(struct rv_spaces *s);

/* Returns the address space of a token, which is made if it is not there. NULL: out of memory. */
struct rv_space *rv_spaces_of(struct rv_spaces *s, const struct nfaperf_token *t);

/* Returns the number of a new process like *as. UINT32_MAX: out of memory. */
uint32_t rv_spaces_process(struct rv_spaces *s, const struct rv_process *as);

/* Frees the address spaces whose processes have ended, except those that are held. */
void rv_spaces_drop(struct rv_spaces *s);

/* Is the token of address space x? */
static inline bool rv_space_has(const struct rv_space *x, const struct nfaperf_token *t)
{
	switch (x->kind) {
	case RV_SPACE_USER:
		return t->privilege == NFAPERF_USER && t->satp == x->satp;
	case RV_SPACE_MACHINE:
		return t->privilege == NFAPERF_MACHINE;
	default:
		return t->privilege == NFAPERF_SUPERVISOR &&
		       (t->satp >> 60 == 0) == (x->kind == RV_SPACE_BARE);
	}
}

/* Returns the mapping for the first token of `ahead`, or an unknown page (its code is NULL). A
 * table may be changed so that it has the token's instruction. */
struct rv_mapping rv_space_find(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead);

/* Could the program of address space `satp` be in a system call that returns at t? */
bool rv_space_calls(const struct rv_spaces *s, uint64_t satp, const struct nfaperf_token *t);

/* The program of address space x, which begins with the first token of `ahead`, is a child that
 * another address space's program has forked: it has the same mappings, at first. */
void rv_space_fork(struct rv_spaces *s, struct rv_space *x, uint64_t parent_satp,
		   struct rv_ahead ahead);

/* A program goes on where it was not interrupted, at the first token of `ahead`, which
 * rv_space_find() has not seen. Returns true if a new epoch begins: all mappings are forgotten, and
 * x->process is new. */
bool rv_space_resume(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead);

#endif
