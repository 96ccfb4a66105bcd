/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#define _DEFAULT_SOURCE /* madvise() */
#include "support/zeroes.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 1 << 12, HUGE = 1 << 21, MOST_HUGE = 1 << 26 };

void *zeroes_new(size_t n, size_t size)
{
	void *p = calloc(n, size);

#if defined(MADV_HUGEPAGE)
	/* Memory of this size is a mapping of its own, and what its first page has before p is
	 * malloc()'s. Whether the advice is taken makes no difference to what is there. */
	if (p != NULL && n * size >= HUGE && n * size <= MOST_HUGE) {
		uintptr_t begin = (uintptr_t)p & ~(uintptr_t)(PAGE - 1);
		madvise((void *)begin, (uintptr_t)p + n * size - begin, MADV_HUGEPAGE);
	}
#endif
	return p;
}
