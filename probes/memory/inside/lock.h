/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A lock that is held for a few instructions. It lies in this library's own memory. It is taken
 * between inside_enter and inside_leave, so that no handler of the program runs in a thread that
 * holds it.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_LOCK_H
#define NFACC_PROBES_MEMORY_INSIDE_LOCK_H
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>

#include "probes/memory/inside/raw.h"

/* 0: free; 1: taken; 2: taken, and another thread waits. */
struct lock {
	_Atomic uint32_t state;
};

static inline void lock_take(struct lock *l)
{
	uint32_t free = 0;
	if (atomic_compare_exchange_strong(&l->state, &free, 1))
		return;
	while (atomic_exchange(&l->state, 2) != 0)
		raw_call(SYS_futex, (long)&l->state, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static inline void lock_give(struct lock *l)
{
	if (atomic_exchange(&l->state, 0) == 2)
		RAW3(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1);
}
#endif
