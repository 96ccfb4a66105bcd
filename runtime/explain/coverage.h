/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coverage.h: which rules of coherence a capture exercised. A message *needs* a rule if no run of
 * the rules without that one explains it, after the messages of its line before it. A rule is
 * exercised if a message needs it. So a rule that moves a node unseen counts, too, once a message
 * shows that it has.
 *
 * A batch with several messages of a line does not tell their order. It is followed, and counts for
 * no rule; neither does one that no run explains.
 */
#ifndef NFART_COVERAGE_H
#define NFART_COVERAGE_H

#include "include/nfart.h"
#include "runtime/rules/rules.h"

struct coverage;

/* What is counted of a checker. */
struct coverage_counts {
	const struct kept *kept;
	const struct kept_checker *checker;
	const uint64_t *needed; /* [rules]: how many messages need each rule */
	uint64_t exercised;     /* how many rules any message needs */
	uint64_t messages;      /* messages of the checker, alone in their batch, and explained */
	uint64_t shared;        /* further messages, of batches with others of their line */
	uint64_t errors;        /* batches that no run explains */
};

/* Makes an empty one for the lines that an engine with these options observes. NULL: *e says why
 * not (NFART_USAGE: the image keeps no rules). Free with coverage_free(). */
struct coverage *coverage_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			      struct nfart_error *e);
void coverage_free(struct coverage *c);

/* Takes a batch or a loss record. False: out of memory. The cost is a look-up for each message and
 * rule. */
bool coverage_put(struct coverage *c, const struct nfart_batch *b);

/* Returns how many checkers there are, and what is counted of number i. It is valid until the next
 * call of coverage_put(). */
size_t coverage_checkers(const struct coverage *c);
struct coverage_counts coverage_of(const struct coverage *c, size_t i);

/* Forgets what is known of lines, at the beginning of a further trace. */
void coverage_begin(struct coverage *c);

#endif
