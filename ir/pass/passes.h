/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * passes.h: what is done to an NFA between construction and mapping, one pass a file, and the
 * runner that chooses, verifies and times them.
 *
 * A pass takes an NFA that nfa_verify() accepts, with edges sorted, and leaves one; it keeps, for
 * every stream of batches, the labels and the log mark of every batch. It returns NFART_OK,
 * NFART_SYSTEM (out of memory) or NFART_GAVEUP (above NFA_MAX_STATES or NFA_MAX_EDGES). Passes don't
 * call each other and don't print.
 */
#ifndef NFACC_IR_PASSES_H
#define NFACC_IR_PASSES_H

#include "ir/nfa.h"
#include "support/progress.h"

/* Removes epsilon transitions (T eq. 9), also out of start states; cycles of them are fine. `prune`
 * leaves out what could do nothing: transitions into states from which no transition leads on and
 * which have no label. Afterwards no transition is PRED_EPS. Cost: the transitions it makes. */
enum nfart_status pass_epsilon(struct nfa *a, bool prune);

/* Joins parallel transitions. If the transitions into a state with predicate p come from the same states as
 * those with predicate q, and one predicate can say "p or q", each pair of them becomes one transition.
 * No transition may be PRED_EPS. Compares all pairs of predicates into a state; a state with more than
 * PASS_PAIRS_MOST of them stays as it is. The rest is n log n in the transitions. */
enum nfart_status pass_join(struct nfa *a);

/* Makes every transition into a state carry one predicate (T eq. 11 and 12): one copy of a state for
 * each of its triggers. Needs an NFA without epsilon. A start state that nothing enters keeps a copy
 * without predicate; any other start bit goes to the copy that loops, or to the first. Linear in the
 * transitions it makes. */
enum nfart_status pass_homogenise(struct nfa *a);

/* Drops what can't matter: states never active, states that lead to no label and no log, predicates
 * that never hold; writes predicates that always hold as `true`. Homogeneous form. Linear. */
enum nfart_status pass_trim(struct nfa *a);

/* Merges equivalent states until none are left (see merge.c). Homogeneous form. m log n for n states
 * and m transitions, times the number of rounds, each of which removes a state. */
enum nfart_status pass_merge(struct nfa *a);

/* Where a state is active before every batch, its successors become `always` and the transitions into
 * them go: what `true*` at the front of a filter is for. Homogeneous form. Linear. */
enum nfart_status pass_always(struct nfa *a);

/* Drops and merges by simulation, of what may follow a state and of what may lead to it (reduce.c,
 * Note [simulation]). Homogeneous form. Never more states. Above PASS_PAIRS_MOST states it does
 * nothing; after PASS_WORK words of its relations it keeps what it has. */
enum nfart_status pass_simulate(struct nfa *a);

/* Local search for a small automaton with fewer states (local_search.c). Homogeneous form. Never more states;
 * above PASS_PAIRS_MOST states, and above the bounds of letters.h, it does nothing. */
enum nfart_status pass_search(struct nfa *a);

/* Replaces predicates by others of the automaton wherever that makes no difference, so that there are
 * fewer distinct predicates (share.c). Homogeneous form. States and transitions stay but for start bits. */
enum nfart_status pass_share(struct nfa *a);

/* Runs the passes of level 2, then chooses among the automata after each pass, from the first homogeneous
 * one on: the one with the fewest states, and of these the one with the fewest transitions. A state with
 * more than most_degree neighbours counts as the least number of states that it must be split into.
 * Merging can connect a state with more others than an STE can have near; this goes back to before, where it costs more than it
 * saves. */
enum { PASS_LEVEL_S = 3 };

/* Bounds: states for passes that compare pairs; words of their relations; predicates that are tried in
 * others' places; letters that the search reads; records of a report. */
enum {
	PASS_PAIRS_MOST = 1024, PASS_WORK = 1 << 28, PASS_SHARE_TRIES = 1 << 14,
	PASS_SEARCH_WORK = 1 << 20, PASS_MAX = 16
};

struct pass_record {
	const char *name;
	size_t states[2], edges[2]; /* before and after; edges between distinct pairs, with loops */
	size_t most;                /* states above which it does nothing; 0: no limit */
	uint64_t nanoseconds;
};

struct pass_options {
	int level;                    /* 0: only epsilon and homogenise, as in the thesis; 1: what is
				       * linear, or nearly; 2: all; PASS_LEVEL_S */
	uint64_t most_degree;         /* PASS_LEVEL_S: how many others an STE can be connected with;
				       * 0: no limit */
	uint32_t off;                 /* bit i: pass i of pass_name() is left out */
	const char *stop_after;       /* or NULL */
	const struct progress *progress; /* or NULL */
	void (*dump)(void *ctx, const char *pass,
		     const struct nfa *a); /* after each pass, or NULL */
	void *ctx;
};

struct pass_report {
	size_t n;
	struct pass_record at[PASS_MAX];
	const char *broken;           /* what nfa_verify() said after the last of them, or NULL */
};

/* The names of the passes in their order, NULL after the last; the same pass may stand twice. */
const char *pass_name(size_t i);

/* Does pass i run at this level? */
bool pass_at_level(size_t i, int level);

/* Runs the passes of a level. NFART_INTERNAL where one leaves an NFA that nfa_verify() refuses. */
enum nfart_status passes_run(struct nfa *a, const struct pass_options *o, struct pass_report *r);

#endif
