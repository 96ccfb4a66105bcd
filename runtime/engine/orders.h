/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * orders.h: steps the machines of an image that have `orders` (nfacc-filter(5), Machines). Such a
 * machine takes the messages of a batch one by one, in every order, and is then in each state that
 * some order leads to.
 *
 * Note [orders]. The states after some of the messages, in every order, are those that a last one of
 * them leads to from the states after the others. So a set of states is made for each subset of the
 * messages, at most 1 << IMAGE_ORDERS of them, and not one for each order.
 */
#ifndef NFART_ORDERS_H
#define NFART_ORDERS_H

#include "contract/image/image.h"
#include "include/nfart.h"

/* A batch, as a copy sees it. Row i is the set of the predicates that name letter i; `none` is the
 * set of the predicates of mode None. */
struct orders_batch {
	size_t n;
	const uint64_t *row[NFART_SLOTS]; /* of each message, in any order */
	const uint64_t *none;
};

/* Returns how many words orders_step() needs for machines of this image. */
size_t orders_words(const struct nfart_image *im);

/* Is a state of the machine active that is not marked? */
bool orders_has_state(const struct image_machine *m, const uint64_t *active);

/* Steps a machine with `orders` by a batch. `active` and `after` are sets of states of the image:
 * the states of this machine after the batch are added to `after`. `scratch` has orders_words()
 * words. The cost is that of the moves of the active states, times 1 << n messages. */
void orders_step(const struct nfart_image *im, const struct image_machine *m,
		 const struct orders_batch *b, const uint64_t *active, uint64_t *after,
		 uint64_t *scratch);

#endif
