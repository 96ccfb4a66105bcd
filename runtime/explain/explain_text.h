/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_text.h: puts into words what a witness remembers.
 */
#ifndef NFART_EXPLAIN_TEXT_H
#define NFART_EXPLAIN_TEXT_H

#include "include/nfart.h"
#include "runtime/explain/origin.h"
#include "runtime/explain/witness.h"

struct explain_text {
	const struct nfart_image *im;
	const struct witness *w;
	struct origin origin;
	uint64_t *ops;  /* room for a set of codes */
	struct buf b;   /* the text; `failed`: out of memory */
};

/* False: out of memory. explain_text_free() in any case. */
bool explain_text_init(struct explain_text *x, const struct nfart_image *im, const struct witness *w);
void explain_text_free(struct explain_text *x);

/* ` ITEM ITEM …`: the messages of these slots; or ` nothing`. */
void explain_items(struct explain_text *x, const uint64_t *header, uint64_t slots);

/* The predicate of a state and its place; then, indented, by which messages of the batch it holds,
 * or why it does not. */
void explain_pred(struct explain_text *x, uint32_t state, const uint64_t *header, uint64_t slots);

/* Where the state comes from: its place, the line of source and a caret, as far as the image has
 * them. */
void explain_place(struct explain_text *x, uint32_t state);

/* The steps that lead to a, in order. a is of the copy of this line. */
void explain_chain(struct explain_text *x, const struct witness_active *a, uint64_t line);

/* The counter's state: its count, and when it counted. */
void explain_count(struct explain_text *x, const struct witness_count *k, const struct image_counter *c);

/* ` on line 0x8080`, where there are lines. */
void explain_line(struct explain_text *x, uint64_t line);

/* Why the copy accepts for the goal, a being an active state that does; why it does not. */
void explain_why(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		 const struct witness_active *a, uint64_t time);
void explain_why_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		     const struct nfart_batch *b);

#endif
