/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * image.h: cfg.bin, and the automaton inside it.
 *
 * File, little-endian: a header (magic, contract version, number of sections, both fingerprints,
 * size of the file, CRC-32C of header and table with this field 0), a table of sections (id, flags,
 * offset, length, CRC-32C), then the sections in that order, each at the next multiple of 8 bytes,
 * zeros between them. Sections are those of contract/contract.def; the device section is the words an
 * engine is sent (contract.h, Note [configuration words]). Loading checks all of it, so every
 * changed bit is noticed.
 *
 * Whatever the overlay, loading decodes the device words to the automaton that is executed: a list
 * of the STEs (or states of a sparse image) that can ever be active.
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
	ENTRY_SKIPPABLE = 1 /* flag: an engine may skip the section */
};
#define IMAGE_MAGIC "NFACCFG\n"
#define IMAGE_NO_PRED UINT32_MAX

struct image_state {
	uint32_t pred;     /* index into preds, or IMAGE_NO_PRED: nothing enters it */
	uint32_t labelset; /* index into labelsets */
	uint32_t node;     /* its node number, or its number in a sparse image */
	uint8_t flags;     /* STATE_* */
};

struct image_list { /* rising numbers: labels of a set, or codes of a predicate */
	uint32_t n;
	const uint32_t *at;
};

struct image_pred {
	bool none;
	struct image_list codes;
};

/* A counter (language.md 6). After each batch, in this order: 0 where a state that resets it is active
 * now; else one more, up to k, where one that counts is. Earlier counters may be among these. */
struct image_counter {
	uint32_t state; /* its own, active after a batch when the counter is */
	uint32_t k;     /* >= 1 */
	enum counter_mode mode;
	struct image_list count, reset; /* states */
};

struct image_section {
	uint32_t id;
	const unsigned char *at; /* inside the image's copy of the file */
	size_t n;
	uint32_t crc;
};

struct nfart_image {
	struct arena arena;
	unsigned char *file; /* the n bytes it was loaded from */
	size_t n;
	struct image_section section[16];
	uint32_t nsections;
	struct overlay overlay;
	struct nfart_proto *proto;
	uint64_t hardware_fp, names_fp;
	const char **labels;
	uint32_t nlabels;
	uint32_t *device; /* the configuration words as halves, in host order */
	size_t ndevice;

	/* registers */
	bool by_line;
	uint64_t first_line, nlines, window, limit;

	/* the automaton */
	uint32_t nstates;
	struct image_state *states;
	uint32_t *succ_first, *succ; /* successors of state s: succ[succ_first[s] … [s + 1]) */
	uint32_t npreds;
	struct image_pred *preds;
	uint32_t nlabelsets;
	struct image_list *labelsets;
	uint32_t ncounters;
	struct image_counter *counters; /* by rising state */
};

/* One element in the configuration words: where its payload begins and how long it is, in halves. */
struct image_element {
	const struct element *el;
	size_t at, n;
};

/* Copies the n bytes, which are hostile, and decodes them; `name` is for errors. NULL: *e says what is
 * wrong (NFART_INPUT, NFART_SYSTEM). Linear in n. image_free(NULL) is fine. */
struct nfart_image *image_load(const void *p, size_t n, const char *name, struct nfart_error *e);
struct nfart_image *image_open(const char *path, struct nfart_error *e);
void image_free(struct nfart_image *im);

/* Walks the element headers: *next is the half to look at, 0 to begin. 1: *out is filled; 0: the
 * end, and the CRC that follows is right; -1: malformed. */
int image_next_element(const struct nfart_image *im, size_t *next, struct image_element *out);

/* Row r of a ROWS element (its words), NULL where it is absent (zero). The element was checked. */
const uint32_t *image_row(const struct nfart_image *im, const struct image_element *e, uint32_t r);

/* All rows of it, into row[element_count()]. */
void image_rows(const struct nfart_image *im, const struct image_element *e, const uint32_t **row);

/* Fills the automaton and the registers from device. False: *why says what is malformed, or is
 * NULL where memory is short. (image_decode.c) */
bool image_decode(struct nfart_image *im, const char **why);

const struct image_section *image_find_section(const struct nfart_image *im, enum section_id id);

#endif
