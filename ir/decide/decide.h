/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decide.h: what two NFAs accept, compared over all streams of batches: equality, containment, and
 * with nothing or everything as the other side emptiness and universality.
 *
 * The NFAs may be homogeneous or not, with epsilon transitions or without, and each has its own spec;
 * slots, opcodes and the codes a copy sees must be the same. A stream is what one copy sees. After the
 * empty stream nothing counts as accepted (language.md 3). No pass is used and nothing is rewritten:
 * the answer rests on decide*.c alone, and every witness is run through both NFAs state by state
 * (nfa_run()) before it is given away.
 *
 * Work is counted in elementary steps (an entry of a list visited), never in time, and the limit is
 * given for each question. What it ends is answered as far as it went.
 */
#ifndef NFACC_IR_DECIDE_H
#define NFACC_IR_DECIDE_H

#include "ir/nfa.h"

enum decide_verdict {
	DECIDE_YES,       /* proved */
	DECIDE_NO,        /* there is a witness */
	DECIDE_BOUNDED,   /* true of all streams of up to `depth` batches, >= 1; else the limit came first */
	DECIDE_GAVEUP,    /* the limit came before the first batch was done */
	DECIDE_NO_MEMORY,
	DECIDE_BROKEN     /* a witness was found that is none: a bug here */
};

/* A stream: batch i has the messages code[first[i]] … code[first[i + 1] - 1], by rising slot. */
struct decide_stream {
	size_t n;
	const uint32_t *first; /* [n + 1] */
	const uint32_t *code;
};

struct decide_answer {
	enum decide_verdict verdict;
	uint64_t depth;               /* DECIDE_BOUNDED */
	bool left;                    /* DECIDE_NO: after the witness the left side accepts, else the right */
	struct decide_stream witness; /* DECIDE_NO: a shortest one, in the decider until the next question */
	uint64_t work;
};

/* What is looked at on one side. */
enum decide_kind {
	DECIDE_LABEL,     /* a label, or a port (nfa.h) */
	DECIDE_ANY_LABEL, /* any label of the spec */
	DECIDE_LOG,
	DECIDE_NOTHING,   /* accepts nothing */
	DECIDE_EVERYTHING /* accepts after every batch */
};

struct decide_target {
	enum decide_kind kind;
	uint32_t label;
};

struct decider;

enum { DECIDE_NO_COUNTER = UINT32_MAX };

/* A decider for a (left) and b (right), which must outlive it; they may be the same. counter[i], for
 * each counter of b, is the one of a it is taken to be, or DECIDE_NO_COUNTER; NULL: the same index. It
 * is a hint that is never trusted (decide.c, Note [counters in proofs]). NULL: out of memory. Linear in
 * both, times the number of distinct predicates. */
struct decider *decide_new(const struct nfa *a, const struct nfa *b, const uint32_t *counter);
void decide_free(struct decider *d);

/* From now on DECIDE_NO comes without a witness, and unconfirmed: for whoever only wants proofs. */
void decide_without_witness(struct decider *d);

/* From now on sets of states are walked in one way only (decide_congruence.c); for tests, which small
 * automata would not lead into all of them. */
enum decide_walk { DECIDE_ANY_WALK, DECIDE_BACKWARD, DECIDE_MERGED };
void decide_walk_only(struct decider *d, enum decide_walk walk);

/* Is x of the left side, after every stream, y of the right one? Exponential at worst, within `most`. */
struct decide_answer decide_equal(struct decider *d, struct decide_target x, struct decide_target y,
				  uint64_t most);

/* After every stream after which the left side accepts, does the right one? */
struct decide_answer decide_contains(struct decider *d, struct decide_target x,
				     struct decide_target y, uint64_t most);

/* Runs a over the stream as a copy from its start states, straight from the sentences of nfa.h. Sets
 * in `labels`, bits_words(labels of the spec + 2 * counters) words, what accepts after the last batch,
 * ports included. False: out of memory. Cost: batches times transitions, times the depth of epsilon. */
bool nfa_run(const struct nfa *a, const struct decide_stream *s, uint64_t *labels, bool *logged);

#endif
