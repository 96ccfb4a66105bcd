/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * spec.h: a spec is what a filter file says, with its names resolved and before any automaton is
 * built.
 *
 * It is the border between syntax and IR: compiler/lower.c makes it from the AST, ir/build.c makes
 * the NFA from it, and the reference matcher executes it directly.
 *
 * Expressions are a DAG: a name that is used twice is one node with two parents. In `nodes` every
 * node comes after its operands, so one loop over `nodes` computes values bottom-up. The DAG may be
 * deep (a chain of names), so no code may recurse over it.
 */
#ifndef NFACC_IR_SPEC_H
#define NFACC_IR_SPEC_H

#include "contract/contract.h"
#include "contract/image/image.h"
#include "ir/machine.h"
#include "ir/pred.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

typedef uint32_t rx_id_t; /* index into spec.nodes */
enum { RX_NONE = UINT32_MAX, RX_INF = UINT32_MAX };

enum rx_kind {
	RX_EPS,
	RX_PRED,    /* the predicate `pred` */
	RX_CAT,     /* a concatenation of sub[0 … n), n >= 2 */
	RX_ALT,     /* an alternation: one of sub[0 … n), n >= 2 */
	RX_REP,     /* a repetition: sub[0], lo … hi times; hi may be RX_INF */
	RX_COUNTER  /* @NAME: the prefixes after which counter `counter` is active */
};

struct rx {
	enum rx_kind kind;
	pred_id_t pred;
	uint32_t counter;
	uint32_t lo, hi;
	uint32_t n;
	const rx_id_t *sub;
	struct diag_range range; /* place of the node in the source */
};

struct spec_counter {
	const char *name;
	rx_id_t count;  /* the expression whose matches are counted */
	rx_id_t reset;  /* the expression that resets the counter, or RX_NONE */
	uint32_t k;
	enum counter_mode mode;
	/* the compiler made the counter for a large repetition; only spec_filter.counted and
	 * spec.log.counted use it */
	bool made;
	struct diag_range range;
};

struct spec_filter {
	uint32_t label;
	rx_id_t rx;
	rx_id_t counted; /* `rx` with counters in place of large repetitions, or RX_NONE */
	struct diag_range range;
};

struct spec_state {
	const char *name;
	bool start, log;
	uint32_t nlabels;
	const uint32_t *labels;  /* distinct indices into spec.labels, in rising order */
	struct diag_range range;
};

struct spec_edge {
	uint32_t from, to; /* indices into spec_automaton.states */
	pred_id_t pred;    /* the trigger, or PRED_EPS */
	struct diag_range range;
};

struct spec_automaton {
	const char *name;
	VEC(struct spec_state) states;
	VEC(struct spec_edge) edges;
	struct diag_range range;
};

/* A test of a guard as it was written: the field's value under `mask` is lo … hi, or with `not`, it
 * is not. */
struct spec_test {
	uint32_t field; /* an index into proto->fields, PROTO_ADDR or PROTO_PAYLOAD */
	uint64_t mask, lo, hi;
	bool not;
	uint32_t lsb, bits; /* PROTO_PAYLOAD: which bits of the payload, all of one word */
};

/* A basic predicate as it was written: messages of some codes that pass all tests. */
struct spec_term {
	const uint64_t *codes;         /* bit set */
	uint32_t ntests;
	const struct spec_test *tests; /* [ntests] */
};

/* A predicate that was written with guards: its terms tell why a message does not match. The terms
 * have no part in what the predicate means. */
struct spec_guarded {
	pred_id_t pred;
	uint32_t nterms;
	const struct spec_term *terms; /* [nterms] */
};

/* Which part of the stream is filtered, and what time and losses do. */
struct spec_stream {
	uint64_t limit;                  /* 0: no limit */
	uint64_t tick;                   /* cycles between two ticks; 0: there are none */
	bool end;                        /* the file has the predicate `end` */
	bool reset_on_loss;              /* a loss puts every copy back into its start states */
	/* places of the statements `limit` and `tick`, and of the first `end` */
	struct diag_range limit_range, tick_range, end_range;
};

struct spec_substreams {
	bool by_line;                    /* the file has a substream statement */
	const char *field;               /* the field that substreams are for; NULL: for lines */
	/* the ranges of lines or values that are observed, in the order of the statement */
	VEC(struct image_range) ranges;
	uint64_t nlines;                 /* how many lines or values are observed */
	struct diag_range range;         /* place of the statement */
};

struct spec {
	struct arena arena;
	const struct nfart_proto *proto; /* borrowed */
	struct pred_table preds;
	VEC(struct rx) nodes;
	VEC(const char *) labels;        /* names of labels, in order of definition */
	VEC(struct spec_filter) filters;
	VEC(struct spec_automaton) automata;
	VEC(struct spec_counter) counters;
	VEC(struct machine) machines;
	VEC(const char *) outputs;       /* names of machines' outputs, in order of first use */
	struct {
		rx_id_t rx;              /* the log expression, or RX_NONE */
		rx_id_t counted;         /* `rx` with counters for large repetitions, or RX_NONE */
	} log;
	struct {
		uint64_t before, after;  /* the window before and after an accepted batch */
		struct diag_range range; /* place of the statement */
	} window;
	struct spec_stream stream;
	struct {
		bool used;               /* guards tell messages of one code apart */
		VEC(struct spec_guarded) guarded; /* by rising `pred` */
		struct diag_range range; /* place of the first guard */
		bool payload;            /* a guard looks at payload, the first one here: */
		struct diag_range payload_range;
	} guards;
	struct spec_substreams substreams;
};

/* Frees what the spec owns: everything but the protocol. (An empty spec is a zeroed struct spec
 * with log.rx = log.counted = RX_NONE.) */
void spec_free(struct spec *s);

/* Appends a node with the operands sub[0 … n), which are copied and must be nodes of s already.
 * Returns its index, or RX_NONE: out of memory. */
rx_id_t spec_add(struct spec *s, struct rx node, const rx_id_t *sub, uint32_t n);

/* Which expressions can match the empty sequence? Returns an array, allocated in `a`, with a flag
 * for each node. A counter (@NAME) never matches it. NULL: out of memory. Linear. */
const bool *spec_nullable(const struct spec *s, struct arena *a);

#endif
