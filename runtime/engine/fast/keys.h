/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * keys.h: what an automaton sees of a batch, in 64 bits.
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
 * The key of a batch is the OR of the keys of its messages, and the key of a message is one load
 * from a table indexed by its code. Key 0 is no batch: a dense row without messages.
 *
 * With a single slot a batch is one message, so nothing has to be ORed. There the upper bits are a
 * number, the *class* of the code: codes in the same predicates have the same class. A protocol
 * with several slots and more than KEY_SETS sets has no keys; the engine steps its images.
 */
#ifndef NFART_KEYS_H
#define NFART_KEYS_H

#include <string.h>

#include "include/nfart.h"
#include "runtime/engine/engine.h"

#define KEY_IDLE ((uint64_t)1 << 63)    /* in the key of an idle message, and nowhere else */
#define KEY_HAS_LINE ((uint64_t)1 << 1) /* with substreams: the message belongs to a line */

enum {
	KEY_SETS = 61,      /* the most sets of codes that keys can tell apart */
	KEY_FIRST_SET = 2,  /* the bit of the first set */
	KEY_SMALL = 1 << 12 /* keys below index a table of their symbols (symbols.h) */
};

struct key_table {
	struct nfart_engine *en;  /* borrowed */
	enum nfart_simd level;    /* the instructions that decoding and stepping use */
	bool single;              /* one slot: the bits from KEY_FIRST_SET on are a class */
	bool small;               /* all keys are below KEY_SMALL */
	uint32_t nslots;
	uint32_t op_lsb, op_bits; /* where a header has its opcode */
	uint64_t op_mask, idle;   /* that field; what it holds in an idle header, in place */
	uint64_t *of_code;        /* [nslots + 1 << op_bits]; 0 for the slot after the last */
	uint64_t **of_slot;       /* [nslots + 1]: where of_code has the slot's opcodes */
	uint32_t *bit_of;         /* [npreds]: the key's bit for the predicate's set; not if single */
	uint32_t *class_code;     /* [256]: a code of each class; only if single */
};

/* False with *ok: the image has no keys. False without: out of memory. key_table_free() in every
 * case. */
bool key_table_init(struct key_table *t, struct nfart_engine *en, enum nfart_simd level, bool *ok);
void key_table_free(struct key_table *t);

/* Classes, if single. */
uint32_t key_classes(const struct key_table *t);

/* Fills the engine's truth: the predicates that hold where the key is this one. */
void key_truth(const struct key_table *t, uint64_t key);

/* The key of a message. */
static inline uint64_t key_of_message(const struct key_table *t, uint32_t slot, uint64_t header)
{
	return t->of_slot[slot][(header & t->op_mask) >> t->op_lsb];
}

/* 64 bits, little-endian, in one load. */
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
