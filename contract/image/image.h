/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * image.h: loads an image (cfg.bin), and decodes the automaton in it.
 *
 * The file is little-endian. It begins with a header: magic, contract version, number of sections,
 * both fingerprints, size of the file, CRC-32C of header and table (computed with 0 in this field).
 * A table of sections follows: id, flags, offset, length, CRC-32C. Then come the sections in the
 * order of the table, each at the next multiple of 8 bytes, with zeros between them.
 * contract/contract.def lists the sections. The device section holds the words that an engine is
 * sent (contract.h, Note [configuration words]). Loading checks all of this, so every changed bit
 * is noticed.
 *
 * Loading also decodes the device words to the automaton that the software engine executes: a list
 * of the STEs that can ever be active, or of the states of a sparse image.
 */
#ifndef NFART_IMAGE_H
#define NFART_IMAGE_H

#include "contract/contract.h"
#include "contract/image/record.h"

enum {
	IMAGE_HEADER = 48,
	IMAGE_ENTRY = 32,
	IMAGE_AT_VERSION = 8,
	IMAGE_AT_NSECTIONS = 12,
	IMAGE_AT_HARDWARE = 16,
	IMAGE_AT_NAMES = 24,
	IMAGE_AT_SIZE = 32,
	IMAGE_AT_CRC = 40,
	ENTRY_AT_ID = 0,
	ENTRY_AT_FLAGS = 4,
	ENTRY_AT_OFFSET = 8,
	ENTRY_AT_LENGTH = 16,
	ENTRY_AT_CRC = 24,
	ENTRY_SKIPPABLE = 1 /* a flag of a section: an engine may skip the section */
};
#define IMAGE_MAGIC "NFACCFG\n"
#define IMAGE_NO_PRED UINT32_MAX

/* Note [letters]. Predicates are sets of letters. A letter is a class of messages of one code
 * (proto.h) that no predicate of the image tells apart. Letter c, for c below proto->ncodes, is the
 * first class of code c. It is all of the code unless the image has tests for the headers of that
 * code; then further letters follow, and the tests tell which letter a header has. An image with
 * ticks, or with a batch of the end, has four letters more, the last ones, for what the time of a
 * batch can be. They are in a slot of their own, which every batch fills: the time slot.
 */
enum {
	IMAGE_NO_GUARD = UINT32_MAX,    /* in `guard`: all messages of the code have one letter */
	IMAGE_LETTER = (int)0x80000000, /* in `no` and `yes`: a letter, and not a test, follows */
	IMAGE_NO_TIME = UINT32_MAX,     /* in `time`: no time slot */
	IMAGE_NO_CODE = UINT32_MAX,     /* in `letter_code`: a letter of the time slot */
	/* The letters of the time slot are `time` plus a sum of these. */
	IMAGE_TICK = 1,
	IMAGE_END = 2,
	IMAGE_TIMES = 4
};

/* A test of a message. It passes if the bits under `mask` of one of its words, mostly the header,
 * are `value` or, with at_most, at most `value`. */
struct image_test {
	uint64_t mask, value;
	bool at_most;
	/* What follows if the test fails, and if it passes: the index of a later test, or
	 * IMAGE_LETTER with a letter. */
	uint32_t no, yes;
	uint32_t word; /* index in record_message.word */
};

/* For which copies messages with a certain code are, if the image has substreams. */
struct image_key {
	bool has;       /* for the copy whose number is in the header */
	bool broadcast; /* for all copies */
	bool joined;    /* without `has`: for the copy of their request (proto.h, Note [joins]) */
	uint8_t lsb, bits; /* with `has`: where the number is in the header */
};

/* A range of substreams: copies for the lines or values first … first + count - 1. */
struct image_range {
	uint64_t first, count;
};

struct image_state {
	/* index into image_nfa.preds; IMAGE_NO_PRED: nothing enters the state */
	uint32_t pred;
	uint32_t labelset; /* index into image_nfa.labelsets */
	uint32_t node;     /* number of the state's node; in a sparse image, number of the state */
	uint8_t flags;     /* sum of the flags STATE_START, STATE_LOG, … of the state */
};

struct image_list { /* a list of labels, letters or states, in rising order */
	uint32_t n;
	const uint32_t *at;
};

struct image_pred {
	bool none;
	struct image_list letters;
};

/* A counter (nfacc-filter(5)). After each batch its count becomes 0 if a state of `reset` is
 * active. Otherwise the count goes up by one, to k at most, if a state of `count` is active. The
 * states of counters that stand before this one may be among them. */
struct image_counter {
	/* the state of the counter, which is active after a batch if the counter is active */
	uint32_t state;
	uint32_t k; /* where the count ends; at least 1 */
	enum counter_mode mode;
	struct image_list count, /* the states that make the counter count */
		reset;           /* the states that reset the counter */
};

/* Note [machines in images]. The states of machines (nfacc-filter(5)) are the last states of a
 * sparse image: those of the first machine, then those of the next. Nothing enters them but the
 * transitions below, and one state of each machine is active at any time. The section `machines`
 * consists of 32-bit words: the number of machines; then for each the numbers of its states,
 * counters and transitions; its counters (k, mode, numbers of count and reset conditions, and these
 * conditions); its transitions (source or IMAGE_ANY_STATE, target, condition). A condition is the
 * number of its terms, two words for each, and a list of states: the number of states in it, and
 * the states. States are numbered within their machine.
 *
 * A machine with `orders` (nfacc-filter(5), Machines) has its value, from 1 to IMAGE_ORDERS, in
 * bits 16 and up of the number of its counters, which is 0; so an engine that knows no such
 * machines finds too many counters. Each condition is one predicate, and the source of each
 * transition one state. Of its states one or more can be active at a time. Those with labels,
 * outputs or the log mark are its *marked* ones; a transition that starts in such a state leads
 * back to it. The start is not marked.
 *
 * Outputs are labels that accept nothing: the last labels of an image, whose names begin with '|'.
 */
enum {
	IMAGE_ANY_STATE = UINT32_MAX,
	IMAGE_OUTPUT = '|',
	IMAGE_MACHINE_COUNTERS = 1024, /* the most counters of a machine */
	IMAGE_ORDERS = 4,              /* the most messages that are taken in every order */
	IMAGE_ORDERS_AT = 16           /* where `orders` is in the word of the counters' number */
};

enum image_term_kind { IMAGE_TERM_PRED, IMAGE_TERM_AT, IMAGE_TERM_NOT_AT };

struct image_term {
	enum image_term_kind kind;
	uint32_t what; /* index of the predicate, or of the counter in its machine */
};

/* Holds if all terms hold, and `when` is empty or names the state before the batch. */
struct image_cond {
	uint32_t nterms;
	const struct image_term *terms;
	struct image_list when;
};

struct image_machine_counter {
	uint32_t k;
	enum counter_mode mode;
	uint32_t ncount, nreset;
	const struct image_cond *count, *reset;
};

struct image_move {
	uint32_t from, to;
	struct image_cond cond;
};

struct image_machine {
	uint32_t first_state, nstates; /* in image_nfa.states */
	uint32_t first_count; /* where the counts of its counters begin among all counts */
	uint32_t orders; /* 0: it is stepped batch by batch */
	uint32_t ncounters, nmoves;
	const struct image_machine_counter *counters;
	const struct image_move *moves; /* the first that can be taken is taken */
	/* The moves that start in state s alone are by_source[first_move[s]] to
	 * by_source[first_move[s + 1] - 1], in rising order; those of IMAGE_ANY_STATE follow as if
	 * they were those of state number nstates. */
	const uint32_t *first_move, *by_source;
	/* With `orders`: the start state; the marked states, in rising order; and the predicates of
	 * transitions of the others, a bit for each predicate of the image. */
	uint32_t start;
	struct image_list marked;
	const uint64_t *seen;
};

struct image_section {
	uint32_t id;
	const unsigned char *at; /* the n bytes of the section, in image_file.bytes */
	size_t n;
	uint32_t crc;
};

/* The bytes that the image was loaded from. */
struct image_file {
	unsigned char *bytes; /* [n]: a copy of them */
	size_t n;
	struct image_section section[16];
	uint32_t nsections;
};

/* The letters (Note [letters]). */
struct image_alphabet {
	uint32_t nletters;
	/* [nletters - proto->ncodes]: the codes of the further letters; those of the time slot have
	 * IMAGE_NO_CODE */
	uint32_t *code;
	uint32_t *guard;       /* [ncodes]: the first test of each code; NULL: there are no tests */
	uint32_t ntests;
	struct image_test *tests;
	uint32_t payload_words; /* how many words of payload the tests look at */
	uint32_t time; /* the first letter of the time slot, or IMAGE_NO_TIME */
};

struct kept;

/* The rules of coherence that the image keeps (kept.h). */
struct image_kept {
	uint32_t n;
	struct kept *at;
};

/* Which part of the stream is filtered, and what time and losses do. */
struct image_stream {
	uint64_t tick; /* cycles between two ticks; 0: there are no ticks */
	bool end;      /* the stream ends with a batch of the end */
	bool reset_on_loss; /* a loss puts every copy back, unless the user wants otherwise */
	/* The image has checkers of coherence that an engine follows (kept.h, KEPT_FOLLOWED). */
	bool follow;
	uint64_t limit;     /* in batches */
};

/* The substreams. The copies of all ranges are numbered one after the other. */
struct image_substreams {
	bool by_line;          /* there are substreams */
	bool by_field;         /* they are for the values of a field; else for lines */
	const char *field;     /* the name of that field */
	struct image_key *key; /* [ncodes] */
	uint32_t nranges;      /* without substreams 0 */
	struct image_range *ranges;
	uint64_t first_line; /* the first line or value of the first range */
	uint64_t nlines;     /* how many copies all ranges have together */
};

/* The automaton that is executed. */
struct image_nfa {
	uint32_t nstates;
	struct image_state *states;
	/* The successors of state s are succ[succ_first[s]] to succ[succ_first[s + 1] - 1]. */
	uint32_t *succ_first, *succ;
	uint32_t npreds;
	struct image_pred *preds;
	uint32_t nlabelsets;
	struct image_list *labelsets;
	uint32_t ncounters;
	struct image_counter *counters; /* [ncounters]: the counters, by rising field `state` */
	uint32_t nmachines;
	struct image_machine *machines;
	uint32_t nplain; /* how many states are no states of machines */
	uint32_t ncounts; /* counts of a copy: of the counters, then of the machines' counters */
};

struct nfart_image {
	struct arena arena;
	struct image_file file;
	struct overlay overlay;
	struct nfart_proto *proto;
	struct {
		uint64_t hardware, names;
	} fp; /* the fingerprints of the hardware and of the names */
	struct {
		const char **names;
		uint32_t n,
			noutputs; /* how many of them, the last ones, are outputs of machines */
	} labels;
	struct {
		uint32_t *halves; /* [n]: halves of the configuration words, in host byte order */
		size_t n;
	} device;
	struct image_alphabet alphabet;
	struct image_stream stream;
	struct image_kept kept;
	struct {
		uint64_t before, after; /* in batches */
	} window;
	struct image_substreams substreams;
	struct image_nfa nfa;
};

/* An element in the configuration words. The payload begins at half `at` of the device words and
 * has n halves. */
struct image_element {
	const struct element *el;
	size_t at, n;
};

/* image_load() checks the n bytes at p, which are hostile, and makes an image of a copy of them.
 * `name` is the file's name in errors. image_open() does the same with the bytes of a file. NULL:
 * *e says what is wrong (NFART_INPUT), or that reading failed or memory is short (NFART_SYSTEM).
 * The cost is linear in n. image_free(NULL) is fine. */
struct nfart_image *image_load(const void *p, size_t n, const char *name, struct nfart_error *e);
struct nfart_image *image_open(const char *path, struct nfart_error *e);
void image_free(struct nfart_image *im);

/* Finds the next element of the configuration words. *next is the half at which the search goes on;
 * the caller sets it to 0 before the first call. 1: *out is the element. 0: there are no more
 * elements, and the CRC after them is right. -1: the words are malformed. */
int image_next_element(const struct nfart_image *im, size_t *next, struct image_element *out);

/* Returns the words of row r of a ROWS element. NULL: the row is absent, which means that all its
 * bits are 0. The element must have been checked before. */
const uint32_t *image_row(const struct nfart_image *im, const struct image_element *e, uint32_t r);

/* Sets row[r] to image_row() for every row r of a ROWS element. row[] has
 * element_count() entries. */
void image_rows(const struct nfart_image *im, const struct image_element *e, const uint32_t **row);

/* Decodes im->device.halves: fills the automaton and the values of the registers in *im. False:
 * *why says what is malformed, or is NULL if memory is short. */
bool image_decode(struct nfart_image *im, const char **why);

/* Does the set of labels have one that accepts, and is no output? */
static inline bool image_accepts(const struct nfart_image *im, const struct image_list *set)
{
	return set->n != 0 && set->at[0] < im->labels.n - im->labels.noutputs;
}

/* Can a batch be output because it is near an accepted one? */
static inline bool image_has_window(const struct nfart_image *im)
{
	return im->window.before != 0 || im->window.after != 0;
}

/* Returns the letter of a message with this code and header; the image must not look at payload.
 * The cost is the number of tests that the header must take: one for each place at which tests of
 * the code tell headers apart, at most. */
static inline uint32_t image_letter(const struct nfart_image *im, uint32_t code, uint64_t header)
{
	uint32_t at = im->alphabet.guard == NULL ? IMAGE_NO_GUARD : im->alphabet.guard[code];

	if (at == IMAGE_NO_GUARD)
		return code;
	while ((at & (uint32_t)IMAGE_LETTER) == 0) {
		const struct image_test *t = &im->alphabet.tests[at];
		uint64_t v = header & t->mask;
		at = (t->at_most ? v <= t->value : v == t->value) ? t->yes : t->no;
	}
	return at & ~(uint32_t)IMAGE_LETTER;
}

/* Returns the letter of a message with this code. The cost is the same. */
static inline uint32_t image_letter_of(const struct nfart_image *im, uint32_t code,
				       const struct record_message *m)
{
	uint32_t at = im->alphabet.guard == NULL ? IMAGE_NO_GUARD : im->alphabet.guard[code];

	if (at == IMAGE_NO_GUARD)
		return code;
	while ((at & (uint32_t)IMAGE_LETTER) == 0) {
		const struct image_test *t = &im->alphabet.tests[at];
		uint64_t v = m->word[t->word] & t->mask;
		at = (t->at_most ? v <= t->value : v == t->value) ? t->yes : t->no;
	}
	return at & ~(uint32_t)IMAGE_LETTER;
}

/* Returns the section with this id; NULL: the image lacks it. */
const struct image_section *image_find_section(const struct nfart_image *im, enum section_id id);

#endif
