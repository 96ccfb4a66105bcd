/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decide.h: compares what two NFAs accept, over all streams of batches. It decides equality and
 * containment. If one side is "nothing" or "everything", these are emptiness and universality.
 *
 * The NFAs may be homogeneous or not, and may have epsilon transitions. Each has its own spec, but
 * slots, opcodes and the letters that a copy sees must be the same. A stream is what one copy sees.
 * After the empty stream nothing counts as accepted (nfacc-filter(5), Expressions). No pass is
 * used: the answer rests on decide*.c alone. Every witness is run through both NFAs state by state
 * (nfa_run()) before it is returned.
 *
 * Work is counted in elementary steps (an entry of a list visited), never in time. Each question
 * comes with a limit of steps. If the limit ends it, the answer says up to which length streams
 * were covered.
 */
#ifndef NFACC_IR_DECIDE_H
#define NFACC_IR_DECIDE_H

#include "ir/nfa.h"

enum decide_verdict {
	DECIDE_YES,       /* the answer is yes, and proved */
	DECIDE_NO,        /* the answer is no: the witness shows it */
	/* proved for all streams of up to `depth` >= 1 batches, where the limit was reached */
	DECIDE_BOUNDED,
	DECIDE_GAVEUP,    /* the limit was reached before all streams of one batch were done */
	DECIDE_NO_MEMORY,
	DECIDE_BROKEN     /* a bug: nfa_run() does not confirm the witness */
};

/* A stream of n batches. Batch i has the messages letter[first[i]] … letter[first[i + 1] - 1], in
 * rising order of slots. */
struct decide_stream {
	size_t n;
	const uint32_t *first; /* [n + 1]: where the messages of each batch begin in `letter` */
	const uint32_t *letter;
};

struct decide_answer {
	enum decide_verdict verdict;
	uint64_t depth;               /* of DECIDE_BOUNDED: length of the longest streams covered */
	/* of DECIDE_NO: only the left side accepts after the witness; else only the right side */
	bool left;
	/* of DECIDE_NO: a shortest witness, which lives in the decider until the next question */
	struct decide_stream witness;
	uint64_t work; /* how many steps the answer took */
};

/* With which outputs a side accepts in a comparison. */
enum decide_kind {
	DECIDE_LABEL,     /* a label or a port (nfa.h, Note [counters]) */
	DECIDE_ANY_LABEL, /* any label of the spec */
	DECIDE_LOG,
	DECIDE_NOTHING,   /* the side accepts nothing */
	DECIDE_EVERYTHING /* the side accepts after every batch */
};

struct decide_target {
	enum decide_kind kind;
	uint32_t label;
};

struct decider;

enum { DECIDE_NO_COUNTER = UINT32_MAX };

/* Makes a decider for the NFAs a (left) and b (right), which must outlive it and may be the same.
 * counter[i] is the counter of a that is taken to be the same as counter i of b, or
 * DECIDE_NO_COUNTER. If `counter` is NULL, counters with the same index are taken to be the same.
 * `counter` is a hint, which is never trusted (decide.c, Note [counters in proofs]). NULL: out of
 * memory. Linear in both NFAs, times the number of distinct predicates. */
struct decider *decide_new(const struct nfa *a, const struct nfa *b, const uint32_t *counter);
void decide_free(struct decider *d);

/* From now on the answer DECIDE_NO comes without a witness, and nfa_run() does not confirm it. This
 * is for callers that only want proofs. */
void decide_without_witness(struct decider *d);

/* From now on the decider makes only this kind of walk over sets of states (decide_congruence.c,
 * Note [up to congruence]). This is for tests: on small automata the first walk would answer every
 * question. */
enum decide_walk { DECIDE_ANY_WALK, DECIDE_BACKWARD, DECIDE_MERGED };
void decide_walk_only(struct decider *d, enum decide_walk walk);

/* Does the left side accept with x after exactly those streams after which the right side accepts
 * with y? Exponential at worst; `most` limits the steps. */
struct decide_answer decide_equal(struct decider *d, struct decide_target x, struct decide_target y,
				  uint64_t most);

/* Does the right side accept with y after all streams after which the left side accepts with x? */
struct decide_answer decide_contains(struct decider *d, struct decide_target x,
				     struct decide_target y, uint64_t most);

/* Runs the NFA over the stream, as one copy from its start states on, straight from the sentences
 * of nfa.h. `labels` receives the labels and ports of the states that are active after the last
 * batch; it has bits_words(labels of the spec + 2 * counters) words. *logged says whether one of
 * these states is a log state. False: out of memory. Cost: batches times transitions, times the
 * length of the longest chain of epsilon transitions. */
bool nfa_run(const struct nfa *a, const struct decide_stream *s, uint64_t *labels, bool *logged);

#endif
