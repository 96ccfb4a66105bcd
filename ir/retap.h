/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * retap.h: a spec for one protocol, rewritten for an overlay that taps another with fewer slots.
 */
#ifndef NFACC_IR_RETAP_H
#define NFACC_IR_RETAP_H

#include "ir/spec.h"

/* Rewrites the predicates of s from s->proto to `tap`, slot by slot of the same group and channel.
 * Headers must agree in their fields. NFART_OK; NFART_NOFIT: some predicate names a slot that is
 * not tapped (*where its place, *slot its number in s->proto) or, with *slot = UINT32_MAX, the
 * headers differ; NFART_SYSTEM: out of memory. */
enum nfart_status spec_retap(struct spec *s, const struct nfart_proto *tap,
			     struct diag_range *where, uint32_t *slot);

#endif
