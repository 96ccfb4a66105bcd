/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * image.h: loads an image (cfg.bin), and decodes the automaton in it.
 *
 * The file is little-endian. It begins with a header: magic, contract version, number of sections,
 * both fingerprints, size of the file, CRC-32C of header and table with this field 0. A table of
 * sections follows: id, flags, offset, length, CRC-32C. Then come the sections in the order of the
 * table, each at the next multiple of 8 bytes, with zeros between them. contract/contract.def lists
 * the sections. The device section is the words that an engine is sent (contract.h,
 * Note [configuration words]). Loading checks all of this, so every changed bit is noticed.
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
	ENTRY_SKIPPABLE = 1 /* a flag: an engine may skip the section */
};
#define IMAGE_MAGIC "NFACCFG\n"
#define IMAGE_NO_PRED UINT32_MAX

struct image_state {
	uint32_t pred;     /* index into preds; IMAGE_NO_PRED: nothing enters the state */
	uint32_t labelset; /* index into labelsets */
	uint32_t node;     /* the number of its node or, in a sparse image, its own number */
	uint8_t flags;     /* a sum of STATE_START, STATE_LOG, … */
};

struct image_list { /* numbers in rising order: labels, codes or states */
	uint32_t n;
	const uint32_t *at;
};

struct image_pred {
	bool none;
	struct image_list codes;
};

/* A counter (nfacc-filter(5)). After each batch its count becomes 0 if a state of `reset` is
 * active. Otherwise the count goes up by one, to k at most, if a state of `count` is active. States
 * of earlier counters may be among these. */
struct image_counter {
	/* the counter's own state, which is active after a batch if the counter is */
	uint32_t state;
	uint32_t k; /* the bound of the count; at least 1 */
	enum counter_mode mode;
	struct image_list count, reset; /* states that make it count; states that reset it */
};

struct image_section {
	uint32_t id;
	const unsigned char *at; /* points into nfart_image.file */
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
	uint32_t *device; /* [ndevice]: the configuration words as halves, in host byte order */
	size_t ndevice;

	/* values of the REGISTER elements */
	bool by_line;
	uint64_t first_line, nlines, window, limit;

	/* the automaton that is executed */
	uint32_t nstates;
	struct image_state *states;
	/* the successors of state s are succ[succ_first[s]] … succ[succ_first[s + 1] - 1] */
	uint32_t *succ_first, *succ;
	uint32_t npreds;
	struct image_pred *preds;
	uint32_t nlabelsets;
	struct image_list *labelsets;
	uint32_t ncounters;
	struct image_counter *counters; /* [ncounters], in the order of their states */
};

/* An element in the configuration words: its payload begins at half `at` and has n halves. */
struct image_element {
	const struct element *el;
	size_t at, n;
};

/* Makes an image of n bytes at p, which are hostile and are copied; `name` is the file's name in
 * errors. image_open() reads them from a file. NULL: *e says what is wrong (NFART_INPUT,
 * NFART_SYSTEM). Linear in n. image_free(NULL) is fine. */
struct nfart_image *image_load(const void *p, size_t n, const char *name, struct nfart_error *e);
struct nfart_image *image_open(const char *path, struct nfart_error *e);
void image_free(struct nfart_image *im);

/* Goes to the next element of the configuration words. *next is the half at which its header is;
 * set it to 0 at the beginning. 1: *out is the element. 0: there are no more, and the CRC after
 * them is right. -1: the words are malformed. */
int image_next_element(const struct nfart_image *im, size_t *next, struct image_element *out);

/* Returns the words of row r of a ROWS element, NULL if the row is absent, which means all 0. The
 * element must have been checked. */
const uint32_t *image_row(const struct nfart_image *im, const struct image_element *e, uint32_t r);

/* Sets row[r] to image_row() for every row r of a ROWS element. row[] has
 * element_count() entries. */
void image_rows(const struct nfart_image *im, const struct image_element *e, const uint32_t **row);

/* Fills the automaton and the registers of *im from im->device (image_decode.c). False: *why says
 * what is malformed, or is NULL if memory is short. */
bool image_decode(struct nfart_image *im, const char **why);

/* Returns the section with this id; NULL: the image lacks it. */
const struct image_section *image_find_section(const struct nfart_image *im, enum section_id id);

#endif
