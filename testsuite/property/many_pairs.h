/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * many_pairs.h: traces with thousands of open requests, for the test of pairs.
 */
#ifndef NFACC_PROPERTY_MANY_PAIRS_H
#define NFACC_PROPERTY_MANY_PAIRS_H

#include "contract/proto/proto.h"
#include "include/nfart.h"

/* Writes a random trace of the protocol eci whose pairs are known, in this format, and reads it as
 * questions do. False: what was told of the requests is not what is known. */
bool many_pairs(const struct nfart_proto *eci, enum nfart_format format, uint64_t seed);

#endif
