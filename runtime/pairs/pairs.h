/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pairs.h: what statistics see of requests that are open (nfart.h, nfart_pairs).
 */
#ifndef NFART_PAIRS_PAIRS_H
#define NFART_PAIRS_PAIRS_H

#include "include/nfart.h"

/* Returns how many requests of each rule are open: an array that stays where it is while q lives,
 * and follows each batch. */
const uint64_t *pairs_open(const struct nfart_pairs *q);

#endif
