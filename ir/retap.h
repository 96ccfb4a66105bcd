/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * retap.h: rewrites a spec of one protocol for an overlay that taps another protocol with fewer
 * slots.
 */
#ifndef NFACC_IR_RETAP_H
#define NFACC_IR_RETAP_H

#include "ir/spec.h"

/* Rewrites the predicates of s from s->proto to `tap`. A slot becomes the slot of `tap` with the
 * same group and channel; the fields of the headers must be the same. On success s->proto becomes
 * `tap`, and NFART_OK is returned. NFART_NOFIT: a predicate names a slot that is not tapped (*where
 * is its place, *slot the number of the slot in s->proto), or the headers differ (*slot is
 * UINT32_MAX). NFART_SYSTEM: out of memory. The letters become codes: guards and time are lost from
 * predicates, and no target that taps a protocol takes filters that have them (fit_parts()). */
enum nfart_status spec_retap(struct spec *s, const struct nfart_proto *tap,
			     struct diag_range *where, uint32_t *slot);

#endif
