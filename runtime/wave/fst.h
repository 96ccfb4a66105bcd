/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fst.h: what the files of the FST reader share.
 *
 * Note [layout of an FST]
 * A file is a row of blocks: a byte for the kind, 8 bytes for the length, then the content. The
 * length includes its own bytes, but not that of the kind. Numbers of fixed size have their highest
 * byte first. Others, called varints here, have 7 bits a byte, the lowest first; the top bit says
 * that more follow.
 *
 *   header      times, counts, time scale; first in the file
 *   values      the changes of some time. Its content, in this order:
 *                 first and last time, memory to unpack, 8 bytes each
 *                 frame: the values at the first time, as digits, of all handles
 *                 chains: the changes of one handle each, packed one by one
 *                 index: where each handle's chain begins, or whose chain it shares
 *                 times: a varint a time stamp, the difference to the one before
 *                 sizes of the index and of the times, 8 bytes each, at fixed places at the end
 *   blackouts   times at which dumping was switched off and on
 *   geometry    a varint a handle: how wide its value is
 *   hierarchy   scopes and variables
 *   wrapper     a whole FST, packed by gzip
 *   skip        a block that is not finished, or not to be read
 *
 * A handle is a value (Note [variables and values]); in the file they count from 1. Geometry and
 * hierarchy stand at the end, so a file that was never closed has none. Its hierarchy is then in a
 * file beside it, and the widths come from the variables.
 */
#ifndef NFART_WAVE_FST_H
#define NFART_WAVE_FST_H

#include "runtime/wave/wave_priv.h"

enum fst_kind {
	FST_HEADER = 0, FST_VALUES = 1, FST_BLACKOUTS = 2, FST_GEOMETRY = 3, FST_HIERARCHY_GZ = 4,
	FST_VALUES_ALIAS = 5, FST_HIERARCHY_LZ4 = 6, FST_HIERARCHY_LZ4_TWICE = 7,
	FST_VALUES_ALIAS2 = 8, FST_WRAPPER = 254, FST_SKIP = 255
};

/* A block of the file. */
struct fst_block {
	uint64_t at, n;     /* the content: where it begins, and how many bytes it has */
	enum fst_kind kind;
};

struct fst_blackout {
	uint64_t time;
	bool on; /* dumping went on here; else it stopped */
};

/* How a value is stored. */
struct fst_shape {
	uint32_t n;  /* digits; 8 for a real number; 0 for a string */
	bool real;
};

/* A chain of changes that is being read. */
struct fst_chain {
	const unsigned char *p, *end;
	uint32_t next; /* another chosen value that changes at the same time, plus 1; 0: none */
};

/* The block of values that is being read. */
struct fst_values {
	uint64_t *times;
	size_t ntimes, time;       /* how many, and which is next */
	uint32_t *first;           /* [ntimes]: a chosen value that changes then, plus 1; 0: none */
	struct fst_chain *chains;  /* [nchosen] */
	unsigned char **unpacked;  /* [nunpacked]: the chains belong to it */
	size_t nunpacked;
	size_t bytes;              /* all that is unpacked */
};

/* Where the bytes are. */
struct fst_file {
	int fd;              /* the file, read at offsets; -1: it is in memory */
	bool own;            /* fd is a temporary file of ours */
	const unsigned char *memory;
	uint64_t base, size; /* where it begins in fd; how many bytes it has */
};

struct fst {
	struct wave *w;
	struct fst_file file;
	VEC(struct fst_block) blocks;
	struct fst_shape *shapes;   /* [nhandles] */
	uint32_t nhandles;
	VEC(struct fst_blackout) blackouts;
	size_t next_blackout;
	bool unfinished;
	/* The block that is read. */
	struct {
		size_t next;        /* the next block to look at */
		bool inside;        /* `values` is read from the block before that */
		bool begun;         /* a block of values was read */
		bool frame;         /* the values of its frame were set, and are part of a step */
		uint64_t begin, end; /* its times */
		struct fst_values values;
	} now;
	/* The search for the next time. */
	struct {
		int result;         /* what it returned; 0: none yet */
		uint64_t time;
		struct nfart_error error; /* if `result` is -1 */
	} found;
	uint32_t *handle_of;        /* [nchosen]: the handle of a chosen value, from 0 */
};

/* Finds out where the bytes of the input are. A pipe or a compressed file is copied to a temporary
 * one. */
bool fst_open_file(struct fst *f, struct nfart_error *e);
void fst_close_file(struct fst *f);

/* Replaces the file by what is packed in a wrapper block. */
bool fst_unwrap(struct fst *f, const struct fst_block *b, struct nfart_error *e);

/* Reads n bytes at a place of the file. False: *e says why. */
bool fst_read(struct fst *f, uint64_t at, void *p, size_t n, struct nfart_error *e);

/* Reads and allocates n bytes, of which the caller frees the result. NULL: *e says why. */
unsigned char *fst_load(struct fst *f, uint64_t at, uint64_t n, struct nfart_error *e);

/* Fails with a text, and the place of a byte of the file. Returns false. */
bool fst_fail(struct fst *f, struct nfart_error *e, uint64_t at, const char *what);

static inline uint64_t fst_number(const unsigned char *p)
{
	uint64_t x = 0;

	for (int i = 0; i < 8; i++)
		x = x << 8 | p[i];
	return x;
}

/* Takes a varint of at most 64 bits from the bytes between *p and end. False: it does not end
 * there. */
static inline bool fst_varint(const unsigned char **p, const unsigned char *end, uint64_t *x)
{
	const unsigned char *q = *p;
	uint64_t sum = 0;
	unsigned shift = 0;

	for (; q < end && shift < 64; shift += 7, q++) {
		sum |= (uint64_t)(*q & 0x7f) << shift;
		if ((*q & 0x80) == 0) {
			*p = q + 1;
			*x = sum;
			return true;
		}
	}
	return false;
}

/* The same for a signed number, whose sign is the top bit that is stored. */
bool fst_signed_varint(const unsigned char **p, const unsigned char *end, int64_t *x);

/* ---- unpacking ---- */

enum fst_pack { FST_PACK_ZLIB, FST_PACK_GZIP, FST_PACK_LZ4, FST_PACK_FASTLZ };

/* May n packed bytes become `unpacked` bytes? No method packs better than 1 to 1,100 or so. Checked
 * before memory is asked for. */
bool fst_may_unpack(uint64_t n, uint64_t unpacked);

/* Unpacks n bytes to exactly nout bytes. False: they are damaged. */
bool fst_unpack(enum fst_pack pack, const unsigned char *in, size_t n, unsigned char *out,
		size_t nout);

/* FastLZ, levels 1 and 2 (Hidayat, https://ariya.github.io/FastLZ). */
bool fst_unpack_fastlz(const unsigned char *in, size_t n, unsigned char *out, size_t nout);

/* Loads n bytes of the file and unpacks them to nout bytes. The caller frees the result. NULL: *e
 * says why. */
unsigned char *fst_load_packed(struct fst *f, uint64_t at, uint64_t n, uint64_t nout,
			       enum fst_pack pack, struct nfart_error *e);

/* The same by zlib, for parts that are not packed if n and nout are equal: geometry, frames and
 * time stamps. */
unsigned char *fst_load_part(struct fst *f, uint64_t at, uint64_t n, uint64_t nout,
			     struct nfart_error *e);

/* ---- parts ---- */

/* Reads geometry and hierarchy, from the blocks or from the file beside. */
bool fst_read_hierarchy(struct fst *f, struct nfart_error *e);

/* Loads the changes of the chosen values from a block. */
bool fst_open_values(struct fst *f, const struct fst_block *b, struct nfart_error *e);

/* Sets the chosen values that change at time stamp number f->values.time, and goes to the next. */
bool fst_take_changes(struct fst *f, struct nfart_error *e);
void fst_close_values(struct fst *f);

#endif
