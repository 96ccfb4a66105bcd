/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fast.h: compares every fast way through a filter with the engine, which steps one batch after the
 * other.
 */
#ifndef NFACC_PROPERTY_FAST_H
#define NFACC_PROPERTY_FAST_H

#include "include/nfart.h"

/* Filters n records at b through im, in every form of trace that can carry them and at every SIMD
 * level that the processor has. The tables are of the usual size, always too small, or walked at
 * several places from the first batch on. Output and counts must be those of nfart_engine_step()
 * and the window. Returns false if they are not, and writes to `why` (of `size` bytes) what
 * differs. */
bool fast_same(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
	       char *why, size_t size);

/* Like fast_same(), but the records are given as compact and dense traces, in which some words are
 * changed. CRCs of chunks are not checked. If the seed is odd, records have room for labels. All
 * ways must also agree on which payloads are invalid, and on what is lost with them. */
bool fast_same_damaged(const struct nfart_image *im, const struct nfart_batch *b, size_t n,
		       uint64_t seed, char *why, size_t size);

#endif
