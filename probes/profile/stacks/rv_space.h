/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_space.h: address spaces, and which modules are mapped where in each of them. The stream of
 * tokens does not name programs. So mappings are inferred only from the instructions.
 *
 * Note [mappings]
 * A mapping is a module and a base. The base is added to the addresses at which the module is
 * linked. A mapping is inferred once for an address space. After that each token is checked with
 * one comparison (Note [code table]). The first token in a page without a mapping gives the
 * candidates. These are all places of all modules that have its instruction at its offset in the
 * page. The next tokens in the same address space choose among the candidates. A candidate is
 * dropped if it has another instruction than a token. A candidate wins if it explains more of these
 * tokens than every other candidate, and if one of the following rules out chance:
 *
 *   - It explains at least LEAST_LINKED different instructions. Among them are at least LEAST_LINKS
 *     direct calls whose targets are right in the module, too, or entries into its functions from a
 *     mapping that exists already.
 *   - It explains at least LEAST_LONG different instructions, and at least one such call.
 *   - It explains all tokens of the address space that were looked at, and at least LEAST_ALONE
 *     instructions.
 *
 * So a leaf function that two programs share proves nothing. If no candidate wins, the page is
 * unknown. It is looked at again only after many tokens, and after more of them each time.
 *
 * Note [epochs]
 * An address space is found by its number, satp. Such a number is used again after the end of a
 * program, or for a program that replaces another one. A program normally goes on where it was
 * interrupted. If it goes on elsewhere, this may be a handler of a signal, another thread, or
 * another program. So the mappings are compared with the tokens to come. If a token contradicts
 * them, all mappings of the address space are forgotten. A new epoch of the address space begins,
 * which is a new process.
 *
 * The same satp and the same addresses prove nothing: without address-space layout randomisation
 * each program has them, and the loader and the C library run in each of them for long. So:
 *
 *   - A program begins where it goes on at the entry point of a program or of an interpreter
 *     (rv_space_begins()). A new epoch begins there.
 *   - A process has one program. If a second one is found in it, or a token contradicts the
 *     mapping of its program, the end of the first program was missed. So the process is split,
 *     and a new epoch begins: see Note [stays] in rv_stay.h.
 *   - Where tokens are missing, programs may have ended. So all address spaces begin a new epoch
 *     when they are seen again. Libraries stay where they were, because they are the same in each
 *     program. LEAST_ALONE instructions prove that the program before is still there.
 *
 * Kernels change their own code while they boot. So in supervisor and machine mode, a token that
 * contradicts a mapping changes the table of the mapping, as long as most tokens agree with it.
 */
#ifndef NFACC_RISCV_RV_SPACE_H
#define NFACC_RISCV_RV_SPACE_H

#include "probes/profile/stacks/code_index.h"
#include "probes/profile/stacks/token.h"

struct rv_mapping {
	uint32_t module;
	uint64_t base;        /* added to the addresses at which it is linked */
	uint64_t low, span;   /* the addresses that the module's table covers */
	uint64_t *code;       /* the module's table; NULL: the page is unknown */
	/*
	 * Number of the token at which it was inferred. For an unknown page: number of the token at
	 * which it is looked at again.
	 */
	uint64_t first;
};

enum rv_space_kind { RV_SPACE_USER, RV_SPACE_BARE, RV_SPACE_KERNEL, RV_SPACE_MACHINE };

/*
 * A program from its start to its end, as far as these are known. It is one epoch of an address
 * space.
 */
struct rv_process {
	uint64_t satp;
	uint32_t program;     /* the module that is executed; UINT32_MAX: not known */
	bool proven;          /* its program was proven, and was not only taken from a parent */
	bool doubtful;        /* another program may have run since its last proof (Note [stays]) */
	bool ended;           /* another process has its page table */
	bool free;            /* its number is not used, and another process may get it */
};

/* An instruction and its address. */
struct rv_place {
	uint64_t pc;
	uint32_t instruction;
};

struct rv_unknown {
	uint64_t page;        /* 0: the entry is free */
	uint64_t again;       /* number of the token at which it is looked at again */
	uint32_t failures;
	struct rv_place first; /* the first token in it */
};

struct rv_space {
	enum rv_space_kind kind;
	uint64_t satp;
	uint32_t process;     /* index into rv_spaces.processes */
	VEC(struct rv_mapping) mappings;
	VEC(struct rv_mapping) refuted; /* only module and base are used */
	struct rv_mapping before;       /* the program before tokens were lost; code NULL: none */
	struct rv_unknown *unknown;     /* a hash table (support/hash.h) */
	size_t nunknown, capunknown;
	bool held;                      /* rv_spaces_drop() must keep it */
	uint64_t losses;                /* rv_spaces.losses when its epoch began */
};

/* A mapping that was inferred, for the report. */
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
	struct rv_space **places; /* a hash table (support/hash.h) by kind and satp; NULL: free */
	size_t nplaces;
	VEC(struct rv_process) processes;
	size_t next_free;     /* all processes before this one are in use */
	VEC(struct rv_inferred) inferred;
	size_t nwithdrawn;    /* how many of these were withdrawn */
	size_t nended;        /* processes that have ended and were not merged yet */
	uint64_t patches;     /* instructions that a kernel has changed */
	uint64_t attempts;    /* number of searches for candidates */
	uint64_t losses;      /* number of places where tokens are missing */
	uint64_t split;       /* number + 1 of a process that must be split; 0: none */
	bool found;           /* a program was found */
	bool single;          /* there is only one program, so nothing is doubtful */
	uint64_t entries[2048 / 64]; /* offsets of entry points in their page, in halfwords */
	bool failed;          /* there was too little memory */
};

/* The tokens to come: n tokens. The first one has the number `number`. */
struct rv_ahead {
	const struct nfaperf_token *last; /* the token before them, of the same hart; NULL: none */
	const struct nfaperf_token *at;
	size_t n;
	uint64_t number;
};

/* The most tokens that are looked at to infer a mapping. */
enum { RV_AHEAD = 1 << 16 };

/* `code` must have all modules, and must outlive *s. Returns false if there is no memory. */
bool rv_spaces_init(struct rv_spaces *s, struct rv_code *code);
void rv_spaces_free(struct rv_spaces *s);

/*
 * Returns the address space of a token. Makes it if it does not exist. Returns NULL if there is no
 * memory.
 */
struct rv_space *rv_spaces_of(struct rv_spaces *s, const struct nfaperf_token *t);

/*
 * Makes a process that is a copy of *as, and returns its number. Returns UINT32_MAX if there is no
 * memory.
 */
uint32_t rv_spaces_process(struct rv_spaces *s, const struct rv_process *as);

/* Frees the address spaces whose processes have ended, except for those with `held` set. */
void rv_spaces_drop(struct rv_spaces *s);

/* Whether a token belongs to address space x. */
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

/* Returns the entry for an address that is in the mapping. */
static inline uint64_t *rv_mapping_entry(const struct rv_mapping *m, uint64_t pc)
{
	return &m->code[(pc - m->low) / 2];
}

/* Returns the mapping that has an address, or NULL. */
static inline struct rv_mapping *rv_space_covering(const struct rv_space *x, uint64_t pc)
{
	for (size_t i = 0; i < x->mappings.n; i++)
		if (pc - x->mappings.at[i].low < x->mappings.at[i].span)
			return &x->mappings.at[i];
	return NULL;
}

/*
 * Returns the mapping for the first token of `ahead`. For an unknown page its `code` is NULL. May
 * change the table of a mapping so that it has the token's instruction.
 */
struct rv_mapping rv_space_find(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead);

/*
 * Whether a program begins at token t of address space x, if it does not go on there from the
 * instruction `from` of the same address space (NULL: from none). A loader also jumps to the entry
 * point of a program; this does not count.
 */
bool rv_space_begins(const struct rv_spaces *s, const struct rv_space *x,
		     const struct nfaperf_token *t, const struct rv_place *from);

/* Whether an entry point may be at this address. rv_space_begins() is certain. */
static inline bool rv_spaces_entry(const struct rv_spaces *s, uint64_t pc)
{
	return (s->entries[(pc & 0xfff) >> 7] >> ((pc & 0xfff) / 2 % 64) & 1) != 0;
}

/*
 * A new program begins in address space x: all mappings are forgotten, and x->process is new.
 * Returns false if nothing was known about x, so that its process is new already.
 */
bool rv_space_renew(struct rv_spaces *s, struct rv_space *x);

/*
 * The same after missing tokens: the program may be the same or a new one. Libraries stay mapped.
 */
bool rv_space_doubt(struct rv_spaces *s, struct rv_space *x, uint64_t number);

/* Whether the program of address space `satp` may be in a system call that returns at t. */
bool rv_space_calls(const struct rv_spaces *s, uint64_t satp, const struct nfaperf_token *t);

/*
 * The program of address space x begins with the first token of `ahead`. It is a child that the
 * program of another address space has forked. So at first it has the same mappings as its parent.
 */
void rv_space_fork(struct rv_spaces *s, struct rv_space *x, uint64_t parent_satp,
		   struct rv_ahead ahead);

/*
 * A program goes on at the first token of `ahead`, and not where it was interrupted.
 * rv_space_find() has not seen this token yet. Returns true if a new epoch begins: all mappings are
 * forgotten then, and x->process is new.
 */
bool rv_space_resume(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead);

#endif
