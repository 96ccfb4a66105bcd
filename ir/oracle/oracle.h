/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * oracle.h: the reference matcher. Executes what a spec says over a recorded stream, straight from
 * the sentences of language.md. Automata and engines are compared with it.
 *
 * It builds no automaton and shares no code with the passes, the predicate algebra or the engine.
 * An expression is evaluated by sets of prefixes, a prefix being its length: ends(E, S) is the set
 * of prefixes that end a match of E begun at a prefix in S, and prefix i is in L(E) when i is in
 * ends(E, {0}). The whole stream must be in memory. For tests only: it is slow, and it recurses as
 * deep as the expressions of the spec nest.
 */
#ifndef NFACC_IR_ORACLE_H
#define NFACC_IR_ORACLE_H

#include "include/nfart.h"
#include "ir/spec.h"

struct oracle_options {
	bool reset_on_loss;          /* a loss record puts every copy back into its start states */
	bool has_substream;          /* first_line and nlines below replace the spec's */
	uint64_t first_line, nlines; /* index of the first line, number of lines, >= 1 */
};

/* What the filters say of one record of the stream. */
struct oracle_record {
	uint64_t *labels;         /* bit l: label l accepts; bits_words(the spec's labels) words */
	bool logged;
	bool output;              /* it is output: window and limit decided */
	size_t nlines;
	struct nfart_line *lines; /* accepting lines by label, then address; with substreams only */
};

/* Runs s over the n records at b: batches, or loss records where mask is 0. *out receives n
 * records, to be freed with oracle_free(); of a loss record only `output` says something. `o` may
 * be NULL: all options off. NFART_USAGE: has_substream without a substream line in the spec, or
 * without a line. NFART_SYSTEM: out of memory. *out is NULL on failure.
 * The cost is a few steps per expression node, copy and batch, times the number of batches for
 * every level of repetition; the window costs up to n for each logged batch. */
enum nfart_status oracle_run(const struct spec *s, const struct nfart_batch *b, size_t n,
			     const struct oracle_options *o, struct oracle_record **out);

/* Frees what oracle_run() gave for n records; NULL is fine. */
void oracle_free(struct oracle_record *out, size_t n);

#endif
