/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/proof/etm_equal.h"

#include <string.h>

static bool is_known(const struct etm_question *q, const uint32_t *letters, size_t n,
		     uint32_t letter)
{
	uint64_t left = q->left->signature(q->left, letter),
		 right = q->right->signature(q->right, letter);

	for (size_t i = 0; i < n; i++)
		if (q->left->signature(q->left, letters[i]) == left &&
		    q->right->signature(q->right, letters[i]) == right)
			return true;
	return false;
}

uint32_t *etm_letters(const struct etm_question *q, size_t *n)
{
	uint32_t *letters = malloc((q->nletters + 1) * sizeof *letters);

	*n = 0;
	for (int atoms = 0; atoms <= 32 && letters != NULL; atoms++)
		for (size_t i = 0; i < q->nletters; i++)
			if (__builtin_popcount(q->letters[i]) == atoms &&
			    !is_known(q, letters, *n, q->letters[i]))
				letters[(*n)++] = q->letters[i];
	return letters;
}

void etm_answer_free(struct etm_answer *a)
{
	vec_free(&a->witness);
}

/* Executes both sides on the witness. Is everything as the answer says: outputs are the same after
 * each cycle but the last, and outputs or counters differ after that one? */
static bool confirmed(const struct etm_question *q, const struct etm_answer *a)
{
	struct etm_side_config left, right;
	uint64_t cycles = 0;
	uint32_t x = 0, y = 0;

	etm_side_start(q->left, &left);
	etm_side_start(q->right, &right);
	for (size_t i = 0; i < a->witness.n; i++)
		for (uint64_t j = 0; j < a->witness.at[i].cycles; j++) {
			if (x != y)
				return false;
			x = etm_side_run(q->left, &left, a->witness.at[i].letter);
			y = etm_side_run(q->right, &right, a->witness.at[i].letter);
			cycles++;
		}
	if (cycles != a->cycles)
		return false;
	if (a->pair < q->npairs)
		return x == y && left.value[q->pairs[a->pair].left] == a->values[0] &&
		       right.value[q->pairs[a->pair].right] == a->values[1] &&
		       a->values[0] != a->values[1];
	return x == a->left && y == a->right && x != y;
}

void etm_equal(const struct etm_question *q, struct etm_answer *a)
{
	uint64_t work = 0;

	memset(a, 0, sizeof *a);
	a->pair = q->npairs;
	if (etm_prove(q, &work))
		a->verdict = ETM_EQUAL;
	else
		etm_search(q, a);
	a->work += work;
	if (a->verdict == ETM_DIFFERENT && !confirmed(q, a))
		a->verdict = ETM_BROKEN;
}
