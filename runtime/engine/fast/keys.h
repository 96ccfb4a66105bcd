/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * keys.h: all that an automaton sees of a batch, in 64 bits.
 *
 * Note [keys]
 * An automaton sees of a batch only which predicates hold for it. A *key* says that. A predicate
 * names a set of letters (image.h, Note [letters]), so with several slots a key has a bit for each
 * distinct set:
 *
 *     63    62                          2      1         0
 *   +------+------------------------------+----------+---------+
 *   | idle | bit KEY_FIRST_SET + i: some  | has line | message |
 *   |      | message's letter is in set i |          |         |
 *   +------+------------------------------+----------+---------+
 *
 * The key of a message is loaded from a table that is indexed by the message's code, if all
 * messages of the code have one letter. Otherwise tests of the header choose among the keys of the
 * code's letters (Note [tests at once]). The key of a batch is the OR of the keys of its messages.
 * Key 0 is no batch: it stands for a dense row without messages.
 *
 * With a single slot, and no time slot, a batch is one message, so there is nothing to OR. Then the
 * upper bits are a number, the *class* of the letter: letters that are in the same predicates have
 * the same class. If a protocol has several slots and the image more than KEY_SETS sets, there are
 * no keys, and the engine steps the image.
 *
 * Note [tests at once]
 * Most codes need few tests. All tests of a code that has at most KEY_TESTS are made at once, each
 * in a lane of a vector register. Their results are the bits of an index into the keys of the
 * code's letters. A test that fails gives a 1. Every test is a range: a masked header x passes if
 * it is not below `low` and not above `low` + `width`, that is if x - low <= width in unsigned
 * arithmetic. The vectors compare signed numbers, so 2^63 is added on both sides.
 *
 * Codes with more tests, and all guarded codes where there are no vectors, have the key KEY_GUARDED
 * at first. A batch that gets such a key is looked at again, message by message.
 *
 * Note [sets of opcodes]
 * A filter names few opcodes of a slot. All messages of the others have one key, the *plain* key:
 * it says that there is a message, and nothing else. So where opcodes have at most 6 bits, each
 * slot has two sets of opcodes in 64 bits each: those whose key is plain, and those whose key is
 * another, and is looked up. The idle opcode is in neither set. An opcode o is bit 63 - o, so that
 * a set that is shifted to the left by a message's opcode has the answer in bit 63. A slot that
 * does not exist has empty sets.
 *
 * Note [lanes]
 * Many slots have equal sets. A processor with AVX-512 VBMI and BITALG collects the opcodes of a row
 * in the bytes of one register, eight slots an instruction, and looks up all of them in their sets
 * at once. This instruction has one set for each group of eight bytes. So the bytes, or *lanes*,
 * are put into an order in which slots with equal sets are in the same groups. If that takes more
 * than the eight groups, there are no lanes. The last lane is never used.
 */
#ifndef NFART_KEYS_H
#define NFART_KEYS_H

#include <string.h>

#include "include/nfart.h"
#include "runtime/engine/engine.h"

/* The bit that only the key of an idle message has. */
#define KEY_IDLE ((uint64_t)1 << 63)
/* A message whose letter is not known yet. The last set has the same bit, so an image with tests
 * has one set less. */
#define KEY_GUARDED ((uint64_t)1 << 62)
/* With substreams: a message that belongs to a line, or is for all of them. */
#define KEY_HAS_LINE ((uint64_t)1 << 1)

enum {
	KEY_SETS = 61,      /* the most sets of letters that keys can tell apart */
	KEY_FIRST_SET = 2,  /* the bit of a key that stands for the first set of letters */
	KEY_TESTS = 4,      /* the most tests of a code that are made at once */
	KEY_SMALL = 1 << 12 /* the symbols of keys below this are in an array (symbols.h) */
};

/* The tests of a code (Note [tests at once]). */
struct key_tests {
	_Alignas(32) uint64_t mask[KEY_TESTS];
	uint64_t low[KEY_TESTS];  /* low + 2^63 */
	uint64_t most[KEY_TESTS]; /* width + 2^63 */
};

/* Keys of messages that are tested (Note [tests at once]). place[code] is, for the codes of
 * key_table.of_code, the index of the code's tests << 32 | the index of its first key in `keys`;
 * the results of the tests are added to this index. */
struct key_tested {
	bool any;                 /* the image has tests; else the other fields are not used */
	uint64_t *place, *keys;
	struct key_tests *tests;
	uint32_t ntests, nkeys;
};

/* Note [sets of opcodes]. */
struct key_sets {
	bool any;           /* opcodes are short enough; else the other fields are not used */
	uint64_t plain_key;
	uint64_t *named, *plain; /* [NFART_SLOTS], aligned for the widest vectors */
};

/* Note [lanes]. Here opcode o is bit o of a set. If opcodes are shorter than 6 bits, sets repeat, so
 * that the bits after the opcode don't matter. */
struct key_lanes {
	bool any;                        /* there are lanes; else the other fields are not used */
	uint64_t used;                   /* the set of lanes that are a slot's */
	uint64_t named[8], plain[8];     /* [lane / 8]: the sets of its slots */
	uint8_t slot[64];                /* [lane]: its slot; of the last lane: the number of slots */
	uint8_t from[64];                /* [lane]: the byte that its opcode is collected in */
};

struct key_table {
	struct nfart_engine *en;  /* the engine whose predicates the keys are for; borrowed */
	enum nfart_simd level;    /* the instructions that decoding and stepping use */
	bool single;              /* one slot: the bits from KEY_FIRST_SET on are a class */
	bool small;               /* the keys of all batches are below KEY_SMALL */
	uint32_t nslots;
	struct {
		uint32_t lsb,     /* the lowest bit of the opcode in a header */
			 bits;    /* the length of an opcode, in bits */
		uint64_t mask,    /* the bits of a header that are its opcode */
			 idle;    /* the bits of `mask` in the header of an idle message */
	} op;
	/* [code]: the key of a message with this code, or KEY_GUARDED. The codes of one more slot
	 * follow those of the last slot; their keys are 0. */
	uint64_t *of_code;
	uint64_t *of_letter;      /* [letter]: the key of a message with this letter */
	/* [nfart_batch.when]: the bits that the time of a batch adds to the batch's key; 0 if the
	 * image has no time slot. A batch without messages has no other bits, but bit 0. */
	uint64_t of_time[IMAGE_TIMES];
	struct key_tested tested;
	struct key_sets sets;
	struct key_lanes lanes;
	uint64_t **of_slot;       /* [nslots + 1]: where the keys of the slot begin in of_code */
	uint32_t *bit_of;         /* [predicate]: the bit of its set of letters; unless `single` */
	uint32_t *class_letter;   /* [class]: one letter of this class; only if `single` */
	uint32_t nclasses;
};

/* Fills in t. False, and *ok is true: the image has no keys. False, and *ok is false: out of
 * memory. The caller must call key_table_free() in every case. */
bool key_table_init(struct key_table *t, struct nfart_engine *en, enum nfart_simd level, bool *ok);
void key_table_free(struct key_table *t);

/* Fills in what t needs for an image with tests; key_table_init() calls it. False: out of
 * memory. */
bool key_tests_init(struct key_table *t);

/* Fills in t->sets from the keys of codes, `plain` being the plain key; key_table_init() calls
 * it. False: out of memory. */
bool key_sets_init(struct key_table *t, uint64_t plain);

/* Fills the set `truth` of the engine t->en with the predicates that hold for a batch with this
 * key. */
void key_truth(const struct key_table *t, uint64_t key);

/* Returns the key of the message that has this header in this slot, if the image has no tests. */
static inline uint64_t key_of_plain(const struct key_table *t, uint32_t slot, uint64_t header)
{
	return t->of_slot[slot][(header & t->op.mask) >> t->op.lsb];
}

/* Returns the key of the message that has this header in this slot. */
static inline uint64_t key_of_message(const struct key_table *t, uint32_t slot, uint64_t header)
{
	uint32_t code;

	if (!t->tested.any)
		return key_of_plain(t, slot, header);
	code = slot << t->op.bits | (uint32_t)((header & t->op.mask) >> t->op.lsb);
	if ((t->of_code[code] & KEY_IDLE) != 0)
		return KEY_IDLE;
	return t->of_letter[image_letter(t->en->im, code, header)];
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
