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

struct image_state {
	/* index into nfart_image.preds; IMAGE_NO_PRED: nothing enters the state */
	uint32_t pred;
	uint32_t labelset; /* index into nfart_image.labelsets */
	uint32_t node;     /* number of the state's node; in a sparse image, number of the state */
	uint8_t flags;     /* sum of the flags STATE_START, STATE_LOG, … of the state */
};

struct image_list { /* a list of labels, codes or states, in rising order */
	uint32_t n;
	const uint32_t *at;
};

struct image_pred {
	bool none;
	struct image_list codes;
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

struct image_section {
	uint32_t id;
	const unsigned char *at; /* the n bytes of the section, in nfart_image.file */
	size_t n;
	uint32_t crc;
};

struct nfart_image {
	struct arena arena;
	unsigned char *file; /* a copy of the n bytes that the image was loaded from */
	size_t n;
	struct image_section section[16];
	uint32_t nsections;
	struct overlay overlay;
	struct nfart_proto *proto;
	uint64_t hardware_fp, names_fp;
	const char **labels;
	uint32_t nlabels;
	uint32_t *device; /* [ndevice]: halves of the configuration words, in host byte order */
	size_t ndevice;

	/* values of the REGISTER elements */
	bool by_line;
	uint64_t first_line, nlines, window, limit;

	/* the automaton that is executed */
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
};

/* An element in the configuration words. The payload begins at half `at` of nfart_image.device and
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

/* Decodes im->device: fills the automaton and the values of the registers in *im. False: *why says
 * what is malformed, or is NULL if memory is short. */
bool image_decode(struct nfart_image *im, const char **why);

/* Returns the section with this id; NULL: the image lacks it. */
const struct image_section *image_find_section(const struct nfart_image *im, enum section_id id);

#endif
