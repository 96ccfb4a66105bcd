/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_ila.h: writes batches like a tap that takes one sample for each message: the CSV file of
 * Vivado's logic analyser, or a dump of raw 128-bit samples. With a ring, only the last samples are
 * kept, and the file has them in the order of the ring.
 *
 *   127            77 76    74 73  69 68   64 63                                 0
 *  +-----------------+--------+------+-------+-----------------------------------+
 *  | timestamp       | source | VC   | size  | header                            |  little-endian
 *  +-----------------+--------+------+-------+-----------------------------------+
 *  source 7: lost samples, bits 73:0 say how many; 0 of them: padding
 */
#ifndef NFART_GEN_ILA_H
#define NFART_GEN_ILA_H

#include <stdio.h>

#include "contract/proto.h"
#include "include/nfart.h"

enum { GEN_MAX_RING = 1 << 24 };

struct gen_ila_options {
	enum nfart_format format; /* NFART_FORMAT_ILA or NFART_FORMAT_DUMP */
	uint32_t ring;            /* samples, at most GEN_MAX_RING; 0: all, in order */
	uint32_t start;           /* place in the ring of the first sample, below ring */
};

struct gen_ila;

/* Writes to f, which stays the caller's. NULL: out of memory. Ended by gen_ila_close(). */
struct gen_ila *gen_ila_new(FILE *f, const struct nfart_proto *p, const struct gen_ila_options *o,
			    struct nfart_error *e);

/* Appends a batch or loss record. False: the batch has a message that such a tap doesn't see (I/O,
 * requests of the FPGA), its time is 2^51 or more, or f has an error; gen_ila_close() reports
 * it. */
bool gen_ila_put(struct gen_ila *w, const struct nfart_batch *b);

/* Writes what is left, flushes f and frees w; NULL is fine. */
enum nfart_status gen_ila_close(struct gen_ila *w, struct nfart_error *e);

#endif
