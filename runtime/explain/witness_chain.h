/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness_chain.h: the insides of a witness: its steps and what they share (who refers to one counts in its
 * `refs`), and its copies.
 */
#ifndef NFART_WITNESS_CHAIN_H
#define NFART_WITNESS_CHAIN_H

#include "runtime/explain/witness.h"

/* One reference less; the last one takes what it refers to with it. NULL is fine. */
void chain_free(struct witness_step *s);
void chain_batch_free(struct witness_batch *b);

/* One more to s, which is answered; NULL is fine. */
struct witness_step *chain_share(struct witness_step *s);

/* Frees a list, which is empty then. */
void chain_list_free(struct witness_list *l);

/* A copy, to be freed. NULL: out of memory. */
struct witness_count *chain_count(const struct witness_count *k);

/* A chain of the last WITNESS_KEEP steps of s, which has as many, of its own. NULL: out of memory. */
struct witness_step *chain_shorten(const struct witness_step *s);

/* The copy of a line, in its start states where it is new or was reset. NULL: out of memory. */
struct witness_copy *witness_copy_find(struct witness *w, uint64_t line);

/* Forgets what was lost; what is referred to by the parts. */
void witness_lost_clear(struct witness_lost *l);
void witness_parts_clear(struct witness *w);

#endif
