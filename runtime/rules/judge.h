/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * judge.h: the checkers of an image that its engine follows (KEPT_FOLLOWED in
 * contract/image/kept.h). The machine of such a checker accepts every batch. A copy accepts
 * it only if the judge finds that no run of the rules explains it.
 */
#ifndef NFART_JUDGE_H
#define NFART_JUDGE_H

#include "runtime/rules/rules.h"

struct judge {
	struct rules rules;
	uint64_t *followed;  /* bit set over labels: those of checkers that are followed */
	uint64_t *wrong;     /* those of `followed` that the copy of the last judge_put() accepts */
	uint32_t *label;     /* [rules.checkers]: its label */
};

/* The number of the copy that stands for all copies without a message of their own. */
#define JUDGE_REST UINT64_MAX

/* Makes the judge of an image that says that there is one. Returns NFART_OK; or *e says why not.
 * Call judge_free() in either case; it accepts a zeroed one. The image must outlive it. */
enum nfart_status judge_init(struct judge *j, const struct nfart_image *im, struct nfart_error *e);
void judge_free(struct judge *j);

/* Forgets all copies. */
void judge_reset(struct judge *j);

/* Takes the messages in these slots of a batch, which are for a copy, and sets j->wrong. False:
 * out of memory. The cost is that of follow_put() for each checker. */
bool judge_put(struct judge *j, uint64_t copy, const struct nfart_batch *b, uint64_t slots);

/* rules_forgot() of the checkers. */
bool judge_forgot(const struct judge *j);

#endif
