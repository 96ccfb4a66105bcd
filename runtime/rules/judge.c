/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/judge.h"

#include <string.h>

#include "support/bits.h"

/* Returns the label of this name; KEPT_NONE: the image has none. */
static uint32_t judge_label(const struct nfart_image *im, const char *name)
{
	for (uint32_t i = 0; i < im->labels.n; i++)
		if (strcmp(im->labels.names[i], name) == 0)
			return i;
	return KEPT_NONE;
}

enum nfart_status judge_init(struct judge *j, const struct nfart_image *im, struct nfart_error *e)
{
	enum nfart_status status = rules_init(&j->rules, im, true, e);
	size_t n = j->rules.checkers.n;

	if (status != NFART_OK)
		return status;
	j->followed = calloc(bits_words(im->labels.n) + 1, sizeof *j->followed);
	j->wrong = calloc(bits_words(im->labels.n) + 1, sizeof *j->wrong);
	j->label = calloc(n + 1, sizeof *j->label);
	if (j->followed == NULL || j->wrong == NULL || j->label == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct kept_checker *c = j->rules.checkers.at[i]->checker;

		j->label[i] = judge_label(im, c->label);
		if (j->label[i] == KEPT_NONE)
			return nfart_fail(e, NFART_INPUT, "the image has no label %s, whose rules "
					  "are to be followed", c->label);
		bits_set(j->followed, j->label[i]);
	}
	return NFART_OK;
}

void judge_free(struct judge *j)
{
	rules_free(&j->rules);
	free(j->followed);
	free(j->wrong);
	free(j->label);
}

void judge_reset(struct judge *j)
{
	rules_reset(&j->rules);
}

bool judge_put(struct judge *j, uint64_t copy, const struct nfart_batch *b, uint64_t slots)
{
	for (size_t i = 0; i < j->rules.checkers.n; i++) {
		const struct follow_line *l;
		uint64_t bit;

		l = follow_put(j->rules.checkers.at[i], copy, JUDGE_REST, b->time, slots,
			       b->header);
		if (l == NULL)
			return false;
		bit = (uint64_t)1 << j->label[i] % 64;
		j->wrong[j->label[i] / 64] &= ~bit;
		if (l->verdict == FOLLOW_WRONG || l->dead)
			j->wrong[j->label[i] / 64] |= bit;
	}
	return true;
}

bool judge_forgot(const struct judge *j)
{
	return rules_forgot(&j->rules);
}
