/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_ila.h: writes batches as a capture of a tap that takes one sample for each message. The
 * capture is a CSV file of Vivado's logic analyser, or a dump of raw samples of 128 bits. If the
 * tap has a ring, only the last samples are kept, and the file has them in the order of the ring. A
 * raw sample:
 *
 *   127            77 76    74 73  69 68   64 63                                 0
 *  +-----------------+--------+------+-------+-----------------------------------+
 *  | timestamp       | source | VC   | size  | header                            |  little-endian
 *  +-----------------+--------+------+-------+-----------------------------------+
 *  Source 7 means lost samples. Bits 73:0 say how many; 0 of them is padding.
 */
#ifndef NFART_GEN_ILA_H
#define NFART_GEN_ILA_H

#include <stdio.h>

#include "contract/proto/proto.h"
#include "include/nfart.h"

enum { GEN_MAX_RING = 1 << 24 };

struct gen_ila_options {
	enum nfart_format format; /* NFART_FORMAT_ILA or NFART_FORMAT_DUMP */
	/* Size of the ring in samples, at most GEN_MAX_RING. 0: there is no ring, and all samples
	 * are written in order. */
	uint32_t ring;
	uint32_t start;           /* place of the first sample in the ring, below `ring` */
};

struct gen_ila;

/* Begins a capture that is written to f. The caller keeps f, and ends the capture with
 * gen_ila_close(). NULL: out of memory. */
struct gen_ila *gen_ila_new(FILE *f, const struct nfart_proto *p, const struct gen_ila_options *o,
			    struct nfart_error *e);

/* Appends a batch or a loss record. Returns false if the batch has a message that an ILA tap does
 * not see (I/O, requests of the FPGA), if its time is 2^51 or more, or if writing to the file
 * fails. gen_ila_close() reports which of these it was. */
bool gen_ila_put(struct gen_ila *w, const struct nfart_batch *b);

/* Writes the ring if there is one, flushes f and frees w, which may be NULL. Returns NFART_OK, or
 * the status of the first error, which is in *e. */
enum nfart_status gen_ila_close(struct gen_ila *w, struct nfart_error *e);

#endif
