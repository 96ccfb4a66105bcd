/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * zeroes.h: large arrays that are visited in no order. Where the system can, they are in huge
 * pages, so that a visit seldom has to find out where a page is.
 */
#ifndef NFACC_SUPPORT_ZEROES_H
#define NFACC_SUPPORT_ZEROES_H

#include <stddef.h>

/* Does what calloc() does. Memory is taken page by page as it is visited, and a page may have 2 MB
 * if the array has at most 64 MB. NULL: out of memory. Free it with free(). */
void *zeroes_new(size_t n, size_t size);

#endif
