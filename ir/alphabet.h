/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * alphabet.h: the letters of a filter. A letter is a class of messages of one code that no test of
 * the filter tells apart.
 *
 * Letters are numbered as in an image (image.h, Note [letters]). Letter c is the first class of
 * code c; further classes of codes with tests follow, code by code; the four letters of the time
 * slot, if there is one, come last. Each class has a sample header and a size, so the sizes of the
 * classes of one code add up to all headers with its opcode.
 */
#ifndef NFACC_IR_ALPHABET_H
#define NFACC_IR_ALPHABET_H

#include "contract/image/image.h"
#include "ir/diagram.h"
#include "support/arena.h"
#include "support/hash.h"

/* A test of a message. It passes if the bits under `mask` of one of its words, mostly the header,
 * are lo … hi, or with `not`, if they are not. If mask is not one run of bits, lo == hi. No message
 * passes lo > hi (without not). */
struct header_test {
	uint64_t mask, lo, hi;
	bool not;
	uint32_t word; /* index in record_message.word */
};

static inline bool header_test_passes(const struct header_test *t, const struct record_message *m)
{
	uint64_t v = m->word[t->word] & t->mask;

	return (v >= t->lo && v <= t->hi) != t->not;
}

/* A class of a code with tests. */
struct alphabet_class {
	uint32_t letter;
	struct record_message sample;
	long double size; /* in headers (diagram.h) */
};

/* A code with tests. */
struct alphabet_guard {
	uint32_t code;
	uint32_t first_class, nclasses; /* its classes, in alphabet.classes */
	/* Guards with the same shape have the same classes, the opcode in samples aside; class k of
	 * one has the headers of class k of the other. */
	uint32_t shape;
	uint32_t first_test;            /* where its tests begin, in alphabet.tests */
	/* alphabet_make(): the tests that the filter has for the code, in alphabet.uses. Together
	 * they tell the classes apart. */
	uint32_t first_use, nuses;
};

struct alphabet {
	const struct nfart_proto *proto; /* borrowed */
	uint32_t nletters;
	uint32_t time;   /* the first letter of the time slot, or IMAGE_NO_TIME */
	bool tick, end;  /* batches may have ticks, or the end */
	uint32_t nguards;
	struct alphabet_guard *guards; /* by rising code */
	struct alphabet_class *classes;
	/* more[s]: the first of the letters from proto->ncodes on that is in slot s or a later one;
	 * [slots + 2], with the time slot as the last slot. NULL: there are no such letters. */
	uint32_t *more;
	/* [letters from ncodes on, without those of the time slot]: index in `classes` */
	uint32_t *class_of;
	/* The tests that tell letters apart, as a sparse image has them. */
	uint32_t ntests;
	struct image_test *tests;
	/* alphabet_make(): the tests that the filter has, without `not`; each once. */
	struct header_test *asked;
	uint32_t *uses; /* indices into `asked`, guard by guard */
};

/* Makes *a the alphabet without tests and without a time slot: its letters are the codes. */
void alphabet_codes(struct alphabet *a, const struct nfart_proto *p);

/* An alphabet that is being made: the tests of each code. */
struct alphabet_draft {
	VEC(struct header_test) tests;
	struct hash_ids hash; /* finds `tests` */
	VEC(uint64_t) uses; /* code << 32 | index of a test */
};

void alphabet_draft_free(struct alphabet_draft *d);

/* Notes that the test looks at messages of the code. False: out of memory. */
bool alphabet_note(struct alphabet_draft *d, uint32_t code, struct header_test t);

/* How many letters a slot may have, at most. */
enum { ALPHABET_MOST = 65536 };

struct header_tests;

/* A code, the classes of its messages, and the tests that tell the classes apart (header_tests.h);
 * NULL: the alphabet needs no tests. Codes may share classes, if no test looks at the opcode. */
struct alphabet_code {
	uint32_t code;
	const struct diagram_classes *classes;
	const struct header_tests *tests;
};

/* Makes the alphabet whose letters are the classes of codes[0 … n), which rise, and all other
 * codes. The opcode in the samples of a class does not matter. The other parameters, and what is
 * returned, are those of alphabet_make(). */
enum nfart_status alphabet_number(struct alphabet *a, const struct nfart_proto *p,
				  const struct alphabet_code *codes, size_t n, bool tick, bool end,
				  struct arena *arena);

/* Makes the alphabet of the draft. With tick or end it has a time slot. It lives in the arena, and
 * borrows the protocol. NFART_GAVEUP: a slot has more than ALPHABET_MOST letters, or finding them
 * takes too much. NFART_SYSTEM: out of memory. The cost is that of diagrams (diagram.h), once for
 * codes with the same tests. */
enum nfart_status alphabet_make(struct alphabet *a, struct alphabet_draft *d,
				const struct nfart_proto *p, bool tick, bool end,
				struct arena *arena);

/* Returns the slot of a letter; the number of the time slot is the number of slots of the
 * protocol. */
static inline uint32_t alphabet_slot(const struct alphabet *a, uint32_t letter)
{
	uint32_t s = 0;

	if (letter < a->proto->codes.n)
		return letter >> a->proto->header.op_bits;
	while (a->more[s + 1] <= letter)
		s++;
	return s;
}

/* How many slots there are, the time slot included. */
static inline uint32_t alphabet_nslots(const struct alphabet *a)
{
	return a->proto->nslots + (a->time != IMAGE_NO_TIME);
}

/* Returns the letter of slot s after `letter`, or the first one if `letter` is UINT32_MAX. If there
 * are no more, UINT32_MAX. */
uint32_t alphabet_next(const struct alphabet *a, uint32_t slot, uint32_t letter);

/* Returns the code of a letter, which must not be one of the time slot. */
uint32_t alphabet_code(const struct alphabet *a, uint32_t letter);

/* Returns a message of the letter, which must not be one of the time slot, or its header. */
struct record_message alphabet_message(const struct alphabet *a, uint32_t letter);
uint64_t alphabet_sample(const struct alphabet *a, uint32_t letter);

/* Returns the guard of a code; NULL: no test looks at it. */
const struct alphabet_guard *alphabet_guard(const struct alphabet *a, uint32_t code);

#endif
