/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fast.h: every fast way through a filter against the engine, one batch after the other.
 */
#ifndef NFACC_PROPERTY_FAST_H
#define NFACC_PROPERTY_FAST_H

#include "include/nfart.h"

/* Filters n records at b through im in every form that can carry them and at every level of
 * instructions this processor has, with tables of the usual size, with ones that are always too small,
 * and walked side by side from the first one on. What is output and counted must be what
 * nfart_engine_step() and the window make of it. False: `why` says where it differs. */
bool fast_same(const struct nfart_image *im, const struct nfart_batch *b, size_t n, bool reset,
	       char *why, size_t size);

/* The same of the records as compact and dense traces in which some words are changed, CRCs of chunks
 * not looked at, with room for labels where the seed is odd: what a payload can't be, and what is lost
 * with it, must be the same too. */
bool fast_same_damaged(const struct nfart_image *im, const struct nfart_batch *b, size_t n,
		       uint64_t seed, char *why, size_t size);

#endif
