/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pred.h: predicates on batches, in normal form (nfacc-filter(5), Predicates).
 *
 * A predicate is a mode (Any or None) and a set of letters (alphabet.h). The table interns them:
 * predicates with one normal form have one id, so equality is equality of ids. The meaning of a
 * predicate depends on which letters a copy can see: those of every code except idle ones or, with
 * substreams, only of codes whose messages are for a copy.
 *
 * Note [batches]. The algebra takes a batch to be any non-empty choice of visible letters, at most
 * one in each slot. If there is a time slot, a batch has exactly one letter in it, and a batch of
 * plain time has another letter, too.
 */
#ifndef NFACC_IR_PRED_H
#define NFACC_IR_PRED_H

#include "ir/alphabet.h"
#include "support/arena.h"
#include "support/hash.h"
#include "support/vec.h"

typedef uint32_t pred_id_t;

enum {
	/* There is no predicate: the state is entered by no transition, or a function failed. */
	PRED_NONE = UINT32_MAX,
	PRED_EPS = UINT32_MAX - 1    /* the trigger of an epsilon transition */
};

struct pred {
	bool none;           /* the mode is None; else it is Any */
	const uint64_t *letters; /* the set of letters, a bit for each letter */
};

/* How many sets the functions of pred.c and pred_logic.c have room for at once. */
enum { PRED_SCRATCH = 3 };

struct pred_table {
	struct arena arena;
	struct alphabet alphabet;        /* what it points to is borrowed */
	const struct nfart_proto *proto; /* that of the alphabet */
	size_t words;                    /* how many 64-bit words a set of letters has */
	uint64_t *visible;               /* the set of letters that a copy can see */
	uint64_t *scratch;               /* room for PRED_SCRATCH sets */
	VEC(struct pred) preds;
	struct hash_ids hash;            /* finds `preds` */
};

/* What copies see: all messages, or, with substreams, messages whose type has an address or, if
 * `field` names one, a field; broadcast messages and answers of joins in any case. An image says with `key`, [codes],
 * what has the field. */
struct pred_view {
	bool by_line;
	const char *field;
	const struct image_key *key;
};

/* Makes *t an empty table for the alphabet, whose arrays are borrowed. False: out of memory. */
bool pred_table_init(struct pred_table *t, const struct alphabet *a, struct pred_view view);

/* The same for an alphabet whose letters are the codes of a protocol. */
bool pred_table_init_codes(struct pred_table *t, const struct nfart_proto *p,
			   struct pred_view view);

/* Makes *t an empty table with the alphabet and the view of another one. False: out of memory. */
bool pred_table_init_like(struct pred_table *t, const struct pred_table *like);
void pred_table_free(struct pred_table *t);

/* Returns the id of the predicate with this mode and this set of letters, which is copied.
 * PRED_NONE: out of memory. The expected cost is linear in the words of a set. */
pred_id_t pred_intern(struct pred_table *t, bool none, const uint64_t *letters);

pred_id_t pred_true(struct pred_table *t);                /* true: None of the empty set */
pred_id_t pred_not(struct pred_table *t, pred_id_t p);    /* complement: other mode, same set */

/* Returns a predicate of the same mode whose set is the union of both sets. For two Any this is
 * their disjunction, for two None their conjunction. PRED_NONE: the modes differ, or out of
 * memory. */
pred_id_t pred_join(struct pred_table *t, pred_id_t p, pred_id_t q);

/* Is p true on every batch (pred_never(): on no batch) that a copy can see? Exact. */
bool pred_always(const struct pred_table *t, pred_id_t p);
bool pred_never(const struct pred_table *t, pred_id_t p);

/* Does q hold wherever p holds? Exact. */
bool pred_implies(const struct pred_table *t, pred_id_t p, pred_id_t q);

/* Does p hold on a batch that has the letters letters[0 … n)? */
bool pred_holds(const struct pred_table *t, pred_id_t p, const uint32_t *letters,
		size_t n);

/* Appends the predicate as filter text that parses back to the same normal form, see
 * proto_print_pred(). pred_can_print() says whether there is such text for a set of letters: no
 * words name plain time alone where batches may have the end but no ticks, for example. Every set
 * of a filter has a text. */
void pred_print(const struct pred_table *t, pred_id_t p, struct buf *b);
bool pred_can_print(const struct pred_table *t, const uint64_t *set);

#endif
