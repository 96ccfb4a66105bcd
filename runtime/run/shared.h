/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shared.h: counts the batches in which messages of one line come together. A derived checker in
 * the form "any" can have false alarms in them, and after them (nfacc-coherence(5), Forms of the
 * checker).
 */
#ifndef NFART_SHARED_H
#define NFART_SHARED_H

#include "include/nfart.h"

struct shared;

/* Does the image keep a checker in the form "any"? False if the image keeps no rules. */
bool shared_matters(const struct nfart_image *im);

/* Makes a count of no batches, for the lines that an engine with these options observes. NULL: *e
 * says why not. The image must outlive it. Free with shared_free(). */
struct shared *shared_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			  struct nfart_error *e);
void shared_free(struct shared *s);

/* Takes a batch or a loss record. The cost is that of comparing its messages in pairs. */
void shared_put(struct shared *s, const struct nfart_batch *b);

/* Returns the number of batches in which a checker in the form "any" sees several messages of a
 * line. */
uint64_t shared_batches(const struct shared *s);

#endif
