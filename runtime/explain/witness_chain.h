/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness_chain.h: functions that only the files of the witness use. They handle its steps, the
 * batches that steps refer to, and its copies of the automaton. Steps and batches count the
 * references to them in `refs`.
 */
#ifndef NFART_WITNESS_CHAIN_H
#define NFART_WITNESS_CHAIN_H

#include "runtime/explain/witness.h"

/* Drops a reference to the object. When the last reference is dropped, the object is freed and
 * drops its own references. NULL is fine. */
void chain_free(struct witness_step *s);
void chain_batch_free(struct witness_batch *b);

/* Returns a new reference to the witness's copy of the current batch. NULL: out of memory. */
struct witness_batch *witness_share_batch(struct witness *w);

/* Adds a reference to s, and returns s, which may be NULL. */
struct witness_step *chain_share(struct witness_step *s);

/* Frees what the list has, and leaves the list empty. */
void chain_list_free(struct witness_list *l);

/* Returns a copy of *k, which the caller frees. NULL: out of memory. */
struct witness_count *chain_count(const struct witness_count *k);

/* Returns a copy of the chain that ends in s, cut to its last WITNESS_KEEP steps; s has at least as
 * many. NULL: out of memory. */
struct witness_step *chain_shorten(const struct witness_step *s);

/* Returns the witness's copy of the automaton for a line. If the copy is new or was reset, it is in
 * the state of the rest. witness_copy_rest() returns the rest. NULL: out of memory. */
struct witness_copy *witness_copy_find(struct witness *w, uint64_t line);
struct witness_copy *witness_copy_rest(struct witness *w);

/* Steps the copy c over the current batch, of which it sees these slots, and adds a part for it.
 * False: out of memory, or c is NULL. */
bool witness_step_copy(struct witness *w, struct witness_copy *c, uint64_t slots);

/* witness_lost_clear() forgets what was lost. witness_parts_clear() empties the parts of the last
 * batch and drops what they refer to. */
void witness_lost_clear(struct witness_lost *l);
void witness_parts_clear(struct witness *w);

#endif
