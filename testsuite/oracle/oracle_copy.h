/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * oracle_copy.h: the part of the reference matcher (oracle.h) that says what one copy of the
 * filters does with the batches it sees (nfacc-filter(5)). It knows nothing of lines, windows
 * and limits. Internal to oracle.c.
 */
#ifndef NFACC_IR_ORACLE_COPY_H
#define NFACC_IR_ORACLE_COPY_H

#include "grammar/ast.h"
#include "include/nfart.h"

/* A batch as a copy sees it. `slots` is a mask of the slots whose messages belong to the copy;
 * there is at least one, or the batch has a tick or is the end. */
struct oracle_sight {
	const struct nfart_batch *batch; /* borrowed */
	uint64_t slots;
};

/* What the statements of a tree say of the whole run. */
struct oracle_source {
	const struct ast *ast;        /* borrowed: checked, without errors */
	struct arena arena;
	bool *is_predicate;           /* [nodes]: the node is a predicate, or a name of one */
	/* [2 * nodes * codes]: two bits for each node and code. The first says whether the second
	 * is known; the second says whether a message with that code matches the node's basic
	 * predicate. */
	uint64_t *matches;
	uint32_t nlabels, noutputs;
	/* What each symbol names. */
	struct {
		uint32_t *label;      /* [symbols]: number of the label; AST_NIL: no label */
		uint32_t *output;     /* [symbols]: the same for outputs of machines */
		uint32_t *counter;    /* [symbols]: the number of the counter's statement */
	} of;
	uint64_t before, after;       /* the window */
	uint64_t limit;               /* 0: there is none */
	uint64_t tick;                /* the time between two ticks; 0: there are none */
	bool end;                     /* the stream ends with a batch of the end */
	/* The substream statement: its key, PROTO_ADDR or a field, and its ranges. */
	uint32_t key, nranges;        /* no ranges: there is no such statement */
	const struct ast_range *ranges;
};

/* Fills *s from a checked tree, which is borrowed. False: out of memory; then there is nothing to
 * free. */
bool oracle_source_init(struct oracle_source *s, const struct ast *a);
void oracle_source_free(struct oracle_source *s);

/* Runs every filter, automaton and counter and the log expression of the source over seen[0 … n),
 * from the start states on. Row i of `labels`, of label_words words, receives the labels that
 * accept after seen[i], and after them the outputs that are on; logged[i] says whether that batch
 * is logged. Both arrays must be zeroed before. False: out of memory. */
bool oracle_copy_run(const struct oracle_source *s, const struct oracle_sight *seen, size_t n,
		     uint64_t *labels, size_t label_words, bool *logged);

#endif
