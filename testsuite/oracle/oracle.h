/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * oracle.h: the reference matcher. It executes a checked syntax tree over a recorded stream,
 * straight from the sentences of nfacc-filter(5). Automata and engines are compared with it.
 *
 * It builds no automaton and shares no code with lowering, the passes, the predicate algebra or the
 * engine. An expression is evaluated by sets of prefixes of the stream. A prefix is given by its
 * length. ends(E, S) is the set of prefixes that end a match of E begun at a prefix in S, and
 * prefix i is in L(E) if i is in ends(E, {0}). The whole stream must be in memory. For tests only:
 * the matcher is slow, and it recurses as deep as expressions nest, with names written out.
 */
#ifndef NFACC_IR_ORACLE_H
#define NFACC_IR_ORACLE_H

#include "grammar/ast.h"
#include "include/nfart.h"

struct oracle_options {
	bool reset_on_loss;          /* a loss record puts every copy back into its start states */
	bool no_limit;               /* the limit statement of the source is ignored */
	bool has_substream;          /* the range below replaces those of the source */
	uint64_t first,              /* the first cache line, or value, that is observed */
		count;               /* how many are observed, at least 1 */
};

/* What the filters say of one record of the stream. */
struct oracle_record {
	/* [bits_words(labels and outputs of the source)]: bit l says that label l accepts; bits for
	 * the outputs of machines follow those of the labels */
	uint64_t *labels;
	bool accepted;            /* some label accepts */
	bool logged;
	bool output;              /* window and limit let the record be output */
	size_t nlines;            /* how many entries `lines` has */
	/* with substreams: every pair of a label and a cache line, or value, for which it accepts,
	 * by label, and then in the order in which the source has the substreams */
	struct nfart_line *lines;
};

/* Appends the n records at b to *out, with the ticks and the end that the tree asks for: a batch
 * gets its mark in `when`, and ticks alone and the end are batches of their own. The stream lasts
 * until `until`, if that is later than its last batch. NFART_GAVEUP: there are more than 2^16 ticks
 * in a row. The caller frees *out with vec_free() in any case. */
struct oracle_stream {
	struct nfart_batch *at;
	size_t n, cap;
};
enum nfart_status oracle_time(const struct ast *a, const struct nfart_batch *b, size_t n,
			      uint64_t until, struct oracle_stream *out);

/* Runs the tree over the n records at b. A record without messages, tick and end is a loss record;
 * all others are batches. *out receives n records, to be freed with oracle_free(). Of a loss record
 * only `output` is meaningful. `o` may be NULL: all options are off. NFART_USAGE: has_substream is
 * set, but the source has no substream or `count` is 0. NFART_GAVEUP: messages, ticks or the end
 * that every copy sees, and more than 2^16 copies. NFART_SYSTEM: out of memory. *out is NULL on
 * failure. The cost is a few steps per expression node, copy and batch, times the number of batches
 * for every level of repetition; the window costs up to n for each logged batch. */
enum nfart_status oracle_run(const struct ast *a, const struct nfart_batch *b, size_t n,
			     const struct oracle_options *o, struct oracle_record **out);

/* Frees the n records that oracle_run() returned. `out` may be NULL. */
void oracle_free(struct oracle_record *out, size_t n);

#endif
