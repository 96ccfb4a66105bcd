/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * passes.h: the passes, which change an NFA between construction and mapping, and the runner that
 * chooses, verifies and times them. Each pass has a file of its own.
 *
 * A pass takes an NFA that nfa_verify() accepts, with its edges sorted, and leaves one. It keeps
 * the labels and the log mark of every batch of every stream. It returns NFART_OK, NFART_SYSTEM
 * (out of memory) or NFART_GAVEUP (above NFA_MAX_STATES or NFA_MAX_EDGES). Passes don't call each
 * other and don't print.
 */
#ifndef NFACC_IR_PASSES_H
#define NFACC_IR_PASSES_H

#include "ir/nfa.h"
#include "support/progress.h"

/* Removes epsilon transitions (T eq. 9), also those of start states; cycles of them are fine. With
 * `prune`, transitions into states that could do nothing are left out: states without label and log
 * mark, from which no transition leads on. Afterwards no transition is PRED_EPS. The cost is linear
 * in the transitions it makes. */
enum nfart_status pass_epsilon(struct nfa *a, bool prune);

/* Joins parallel transitions. If the transitions into a state with predicate p come from the same
 * states as those with predicate q, and one predicate can say "p or q", each pair of them becomes
 * one transition. No transition may be PRED_EPS. All pairs of predicates into a state are compared;
 * a state with more than PASS_PAIRS_MOST of them stays as it is. The rest costs O(n log n) for n
 * transitions. */
enum nfart_status pass_join(struct nfa *a);

/* Gives all transitions into a state the same predicate (T eq. 11 and 12): a state becomes one copy
 * for each predicate of a transition into it. No transition may be PRED_EPS. A start state that no
 * transition enters keeps a copy without predicate. Any other start bit goes to the copy that
 * loops, or to the first copy. Linear in the transitions it makes. */
enum nfart_status pass_homogenise(struct nfa *a);

/* Drops what can't matter: states that are never active, states that lead to no label and no log
 * mark, and predicates that never hold. Predicates that always hold become `true`. The NFA must be
 * homogeneous. Linear. */
enum nfart_status pass_trim(struct nfa *a);

/* Merges equivalent states until none are left (merge.c, Note [merging]). The NFA must be
 * homogeneous. Cost: O(m log n) a round, for n states and m transitions; each round but the last
 * removes a state. */
enum nfart_status pass_merge(struct nfa *a);

/* If a state is active before every batch, its successors become `always`, and the transitions into
 * them are dropped. This is for `true*` at the front of a filter. The NFA must be homogeneous.
 * Linear. */
enum nfart_status pass_always(struct nfa *a);

/* Drops and merges states by simulation: by what may follow a state, and by what may lead to it
 * (reduce.c, Note [simulation]). The NFA must be homogeneous, and never gets more states. Above
 * PASS_PAIRS_MOST states the pass does nothing. After PASS_WORK words of its relations it stops
 * with the best NFA so far. */
enum nfart_status pass_simulate(struct nfa *a);

/* Searches for an automaton with fewer states, if the NFA is small (local_search.c). The NFA must
 * be homogeneous, and never gets more states. Above PASS_PAIRS_MOST states, and above the bounds of
 * symbols.h, the pass does nothing. */
enum nfart_status pass_search(struct nfa *a);

/* Replaces predicates by others of the automaton wherever that makes no difference, so that there
 * are fewer distinct predicates (share.c). The NFA must be homogeneous. Its states and transitions
 * stay, apart from start bits. */
enum nfart_status pass_share(struct nfa *a);

/* Level s runs the passes of level 2, and `always` and `trim` once more before merging. Then it
 * chooses among the automata after each pass, from the first homogeneous one on: the one with the
 * fewest states, and of these the one with the fewest transitions. A state with more than
 * most_degree neighbours counts as the least number of states that it must be split into. The
 * reason is that merging can connect a state with more others than an STE can have near. If that
 * costs more states than it saves, an automaton from before merging is chosen. */
enum { PASS_LEVEL_S = 3 };

/* The bounds of passes. */
enum {
	PASS_PAIRS_MOST = 1024,      /* most states for passes that compare all pairs of states */
	PASS_WORK = 1 << 28,         /* most words of relations that a pass works through */
	PASS_SHARE_TRIES = 1 << 14,  /* most replacements of predicates that pass_share() tries */
	PASS_SEARCH_WORK = 1 << 20,  /* most symbols that pass_search() reads */
	PASS_MAX = 16                /* most passes in a report */
};

struct pass_record {
	const char *name;
	size_t states[2],           /* how many states there were before and after the pass */
		edges[2];           /* how many edges there were, by nfa_count_edges() */
	size_t most;                /* the pass does nothing above so many states; 0: no limit */
	uint64_t nanoseconds;
};

struct pass_options {
	/* Level 0 runs only epsilon and homogenise, as in the thesis. Level 1 also runs the passes
	 * whose cost is linear, or nearly so. Level 2 runs all passes. Above it is PASS_LEVEL_S. */
	int level;
	/* for PASS_LEVEL_S: how many other states an STE can be connected with; 0: no limit */
	uint64_t most_degree;
	uint32_t off;                 /* bit i: pass i, in the order of pass_name(), is left out */
	const char *stop_after;       /* stop after the first pass of this name; or NULL */
	const struct progress *progress; /* shows which pass runs, or NULL */
	void (*dump)(void *ctx, const char *pass,
		     const struct nfa *a); /* called after each pass, or NULL */
	void *ctx;
};

struct pass_report {
	size_t n;
	struct pass_record at[PASS_MAX];
	const char *broken;           /* what nfa_verify() said after the last pass, or NULL */
};

/* Returns the name of pass i in the order in which they run, or NULL after the last one. A name may
 * stand in this order more than once. */
const char *pass_name(size_t i);

/* Does pass i run at this level? */
bool pass_at_level(size_t i, int level);

/* Runs the passes of a level on *a, and fills in *r. NFART_INTERNAL: a pass left an NFA that
 * nfa_verify() refuses; r->broken says why. */
enum nfart_status passes_run(struct nfa *a, const struct pass_options *o, struct pass_report *r);

#endif
