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
 * several places from the first batch on. What is output and counted must be what
 * nfart_engine_step() and the window make of the records. Returns false if it is not, and writes to
 * `why` what differs. */
bool fast_same(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
	       char *why, size_t size);

/* Does the same with the records as compact and dense traces in which some words are changed. CRCs
 * of chunks are not checked. If the seed is odd, records have room for labels. What a payload can't
 * contain, and what is lost with it, must be the same, too. */
bool fast_same_damaged(const struct nfart_image *im, const struct nfart_batch *b, size_t n,
		       uint64_t seed, char *why, size_t size);

#endif
