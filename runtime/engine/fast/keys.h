/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * keys.h: all that an automaton sees of a batch, in 64 bits.
 *
 * Note [keys]
 * An automaton sees of a batch only which predicates hold for it. A *key* says that. A predicate
 * names a set of codes (slot and opcode), so with several slots a key has a bit for each distinct
 * set:
 *
 *     63    62                          2      1         0
 *   +------+------------------------------+----------+---------+
 *   | idle | bit KEY_FIRST_SET + i: some  | has line | message |
 *   |      | message's code is in set i   |          |         |
 *   +------+------------------------------+----------+---------+
 *
 * The key of a message is loaded from a table that is indexed by the message's code. The key of a
 * batch is the OR of the keys of its messages. Key 0 is no batch: it stands for a dense row without
 * messages.
 *
 * With a single slot a batch is one message, so there is nothing to OR. Then the upper bits are a
 * number, the *class* of the code: codes that are in the same predicates have the same class. If a
 * protocol has several slots and the image more than KEY_SETS sets, there are no keys, and the
 * engine steps the image.
 */
#ifndef NFART_KEYS_H
#define NFART_KEYS_H

#include <string.h>

#include "include/nfart.h"
#include "runtime/engine/engine.h"

#define KEY_IDLE ((uint64_t)1 << 63)    /* the bit that only the key of an idle message has */
#define KEY_HAS_LINE ((uint64_t)1 << 1) /* with substreams: a message that belongs to a line */

enum {
	KEY_SETS = 61,      /* the most sets of codes that keys can tell apart */
	KEY_FIRST_SET = 2,  /* the bit of a key that stands for the first set of codes */
	KEY_SMALL = 1 << 12 /* the symbols of keys below this are in an array (symbols.h) */
};

struct key_table {
	struct nfart_engine *en;  /* the engine whose predicates the keys are for; borrowed */
	enum nfart_simd level;    /* the instructions that decoding and stepping use */
	bool single;              /* one slot: the bits from KEY_FIRST_SET on are a class */
	bool small;               /* the keys of all batches are below KEY_SMALL */
	uint32_t nslots;
	uint32_t op_lsb,          /* the lowest bit of the opcode in a header */
		 op_bits;         /* the length of an opcode, in bits */
	uint64_t op_mask,         /* the bits of a header that are its opcode */
		 idle;            /* the bits of op_mask in the header of an idle message */
	/* [code]: the key of a message with this code. The codes of one more slot follow those of
	 * the last slot; their keys are 0. */
	uint64_t *of_code;
	uint64_t **of_slot;       /* [nslots + 1]: where the keys of the slot begin in of_code */
	uint32_t *bit_of;         /* [predicate]: the bit of its set of codes; unless `single` */
	uint32_t *class_code;     /* [class]: one code of this class; only if `single` */
};

/* Fills in t. False, and *ok is true: the image has no keys. False, and *ok is false: out of
 * memory. The caller must call key_table_free() in every case. */
bool key_table_init(struct key_table *t, struct nfart_engine *en, enum nfart_simd level, bool *ok);
void key_table_free(struct key_table *t);

/* Returns the number of classes of codes (Note [keys]). t->single must be true. */
uint32_t key_classes(const struct key_table *t);

/* Fills the set `truth` of the engine t->en with the predicates that hold for a batch with this
 * key. */
void key_truth(const struct key_table *t, uint64_t key);

/* Returns the key of the message that has this header in this slot. */
static inline uint64_t key_of_message(const struct key_table *t, uint32_t slot, uint64_t header)
{
	return t->of_slot[slot][(header & t->op_mask) >> t->op_lsb];
}

/* Loads 64 bits, little-endian, at once. */
static inline uint64_t key_load(const unsigned char *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

#endif
