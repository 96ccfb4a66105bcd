/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rules.h: checkers of an image whose rules it keeps, all of which are followed here.
 */
#ifndef NFART_RULES_H
#define NFART_RULES_H

#include "runtime/rules/follow.h"

struct rules {
	const struct kept *kept;     /* [nkept]: all that the image keeps */
	uint32_t nkept;
	VEC(struct follow *) checkers;
};

/* Follows what the image keeps, which may be nothing: if `followed`, only the checkers that an
 * engine follows (KEPT_FOLLOWED); else also the others of systems with up to KEPT_MOST_MOVES moves
 * and states, and lines recall their messages. Returns NFART_OK; or *e says why not. Call
 * rules_free() in either case. The image must outlive it. */
enum nfart_status rules_init(struct rules *r, const struct nfart_image *im, bool followed,
			     struct nfart_error *e);
void rules_free(struct rules *r);

/* Returns the checker with this label, or NULL. */
struct follow *rules_find(const struct rules *r, const char *label);

/* Forgets all lines. */
void rules_reset(struct rules *r);

/* Did more sets of states come up than are remembered (know.h)? Then errors may have been missed,
 * as this says. */
bool rules_forgot(const struct rules *r);
#define RULES_FORGOT                                                                               \
	"more sets of states came up than are remembered (nfacc-coherence(5)): errors may be "     \
	"missing"

#endif
