/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * oracle_copy.h: the part of the reference matcher (oracle.h) that says what one copy of the
 * filters does with the batches it sees (language.md 2, 3, 6). It knows nothing of lines, windows
 * and limits. Internal to oracle.c.
 */
#ifndef NFACC_IR_ORACLE_COPY_H
#define NFACC_IR_ORACLE_COPY_H

#include "include/nfart.h"
#include "ir/spec.h"

/* A batch as a copy sees it: the slots whose messages belong to the copy, at least one. */
struct oracle_sight {
	const struct nfart_batch *batch; /* borrowed */
	uint64_t slots;
};

/* Runs every filter, automaton and counter and the log expression of s over seen[0 … n), from the
 * start states on. Row i of `labels`, of label_words words, receives the labels that accept after
 * seen[i]; logged[i] says whether that batch is logged. Both arrays must be zeroed before. False:
 * out of memory. */
bool oracle_copy_run(const struct spec *s, const struct oracle_sight *seen, size_t n,
		     uint64_t *labels, size_t label_words, bool *logged);

#endif
