/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_text.h: functions that put into words what a witness remembers (witness.h, Note
 * [witness]). They append to the text in explain_text.b.
 */
#ifndef NFART_EXPLAIN_TEXT_H
#define NFART_EXPLAIN_TEXT_H

#include "include/nfart.h"
#include "runtime/explain/guards.h"
#include "runtime/explain/origin.h"
#include "runtime/explain/witness.h"

struct explain_text {
	const struct nfart_image *im;
	const struct witness *w;
	struct origin origin;
	struct guards guards;
	uint64_t *ops;  /* room for a set of codes, to print a predicate */
	struct buf b;   /* the text; b.failed: memory ran out */
};

/* Makes an empty text about the image and the witness, which must outlive it. False: out of memory.
 * Call explain_text_free() in either case. */
bool explain_text_init(struct explain_text *x, const struct nfart_image *im,
		       const struct witness *w);
void explain_text_free(struct explain_text *x);

/* Appends the tick, the end and the messages of a batch, ` tick ITEM ITEM …`, or ` nothing` if
 * there are none. */
void explain_items(struct explain_text *x, const struct witness_seen *seen);

/* Appends the predicate of a state and its place in the source. After them, indented, comes by what
 * of a batch the predicate holds, or why it does not hold. */
void explain_pred(struct explain_text *x, uint32_t state, const struct witness_seen *seen);

/* Appends where the state comes from: its place, the line of source and a caret, as far as the
 * image has them. */
void explain_place(struct explain_text *x, uint32_t state);

/* Does what explain_place() does for a place that is known. */
void explain_at(struct explain_text *x, const struct origin_place *p);

/* Appends a predicate, which is given by its index. After it, indented, comes by what of a batch
 * the predicate holds, or why it does not hold. */
void explain_term(struct explain_text *x, uint32_t pred, const struct witness_seen *seen);

/* Appends the steps that lead to the active state a, in order. `line` is the line of the copy in
 * which a is active. */
void explain_chain(struct explain_text *x, const struct witness_active *a, uint64_t line);

/* Appends the state of a counter: its count, and when it counted. */
void explain_count(struct explain_text *x, const struct witness_count *k,
		   const struct image_counter *c);

/* Appends a count, as ` at 3 of 4`, and when the counter counted. The counter ends at `most`. */
void explain_counted(struct explain_text *x, const struct witness_count *k, uint32_t most);

/* Appends ` on line 0x8080` if the image has substreams. `line` is the number of a copy, or
 * WITNESS_REST. */
void explain_line(struct explain_text *x, uint64_t line);

/* Appends `accepted by [LABEL] on line ADDR`, for an output `output NAME is on on line ADDR`.
 * Unless `yes`, it says that this is not so. */
void explain_head(struct explain_text *x, const struct witness_part *p, uint32_t goal, bool yes);

/* explain_why() appends why the copy of p accepts for the goal; a is its active state that accepts.
 * explain_why_not() appends why the copy does not accept. */
void explain_why(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		 const struct witness_active *a, uint64_t time);
void explain_why_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		     uint64_t time);

#endif
