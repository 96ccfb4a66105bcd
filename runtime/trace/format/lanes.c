/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/lanes.h"

#include "support/bits.h"

void lanes_free(struct lanes *l)
{
	vec_free(&l->all);
	vec_free(&l->vacant);
}

bool lanes_take(struct lanes *l, uint32_t *lane)
{
	size_t i = bits_next(l->vacant.at, l->all.n, 0);

	if (i == l->all.n) {
		if (i == UINT32_MAX || (i % 64 == 0 && !vec_push(&l->vacant, 0)) ||
		    !vec_push(&l->all, ((struct lane){ .track = 0 })))
			return false;
	}
	l->vacant.at[i / 64] &= ~((uint64_t)1 << (i % 64));
	l->all.at[i].taken = true;
	*lane = (uint32_t)i;
	return true;
}

void lanes_give(struct lanes *l, uint32_t lane)
{
	bits_set(l->vacant.at, lane);
	l->all.at[lane].taken = false;
}
