/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * vec.h: growable arrays.
 *
 * VEC(T) declares an anonymous struct with the fields `at` (the elements), `n` (how many there are)
 * and `cap` (how many fit). A zeroed one is empty. The owner frees it with vec_free(). Nothing here
 * aborts: if memory is short the vector is unchanged and the call returns false.
 */
#ifndef NFACC_SUPPORT_VEC_H
#define NFACC_SUPPORT_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *at;                                                                             \
		size_t n, cap;                                                                     \
	}

/* No vector grows beyond VEC_MAX_BYTES: 4 GiB, or a quarter of the address space if that is less.
 * So hostile input ends in a clean error, not in swapping. */
#define VEC_MOST ((uint64_t)4 << 30)
#define VEC_MAX_BYTES (SIZE_MAX / 4 < VEC_MOST ? SIZE_MAX / 4 : (size_t)VEC_MOST)

/* Makes room for `extra` more elements of `size` bytes each. False: out of memory, or above the
 * limit. */
bool vec_reserve_(void **at, const size_t *n, size_t *cap, size_t extra, size_t size);

#define vec_reserve(v, extra)                                                                      \
	vec_reserve_((void **)&(v)->at, &(v)->n, &(v)->cap, (extra), sizeof *(v)->at)

/* Appends x to the vector. False: there is no room. */
#define vec_push(v, x) (vec_reserve((v), 1) && ((v)->at[(v)->n++] = (x), true))

#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

#endif
