/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness_chain.h: the inside of a witness: its steps, what they share, and its copies. Steps and
 * batches count the references to them in `refs`.
 */
#ifndef NFART_WITNESS_CHAIN_H
#define NFART_WITNESS_CHAIN_H

#include "runtime/explain/witness.h"

/* Drops a reference. With the last one the object is freed, and drops its own references. NULL is
 * fine. */
void chain_free(struct witness_step *s);
void chain_batch_free(struct witness_batch *b);

/* Adds a reference to s, and returns s. NULL is fine. */
struct witness_step *chain_share(struct witness_step *s);

/* Frees what a list has; it is empty afterwards. */
void chain_list_free(struct witness_list *l);

/* A copy, to be freed. NULL: out of memory. */
struct witness_count *chain_count(const struct witness_count *k);

/* Copies the last WITNESS_KEEP steps of s, which has at least as many. NULL: out of memory. */
struct witness_step *chain_shorten(const struct witness_step *s);

/* The copy of a line, in its start states where it is new or was reset. NULL: out of memory. */
struct witness_copy *witness_copy_find(struct witness *w, uint64_t line);

/* Forgets what was lost; the parts and what they refer to. */
void witness_lost_clear(struct witness_lost *l);
void witness_parts_clear(struct witness *w);

#endif
