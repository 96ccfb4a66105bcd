/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/vec.h"

bool vec_reserve_(void **at, const size_t *n, size_t *cap, size_t extra, size_t size)
{
	size_t most = VEC_MAX_BYTES / size, want = *cap;
	void *p;

	if (extra <= *cap - *n)
		return true;
	if (*n > most || extra > most - *n)
		return false;
	if (want < 8)
		want = 8;
	while (want < *n + extra)
		want += want / 2;
	if (want > most)
		want = most;
	p = realloc(*at, want * size);
	if (p == NULL)
		return false;
	*at = p;
	*cap = want;
	return true;
}
