/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * field_bins.h: the bins of a histogram of batches by the top bits of a field. A batch is in the
 * bin of the first of its messages that has the field, that of the lowest slot; without such a
 * message it is in none. The engine in hardware has the same bins (rtl/engine/nfacc_histogram.v).
 * It owns nothing, and counts nothing.
 */
#ifndef NFACC_FIELD_BINS_H
#define NFACC_FIELD_BINS_H

#include "contract/proto/proto.h"

struct field_bins {
	const struct nfart_proto *p;
	uint32_t field;      /* an index into p->names.fields, or PROTO_ADDR: the byte address */
	const char *name;
	uint32_t width;      /* how many bits the field has, where it has most */
	uint32_t bits;       /* how many of them, the highest ones, are the bin */
};

/* Finds the field of `text`: NAME, or NAME/BITS. Without BITS all its bits are the bin, or `most`
 * of them if it has more. `addr` is the byte address where the protocol has no field of that name.
 * Returns NULL, or what is wrong. p must live as long as *x. */
const char *field_bins_open(struct field_bins *x, const struct nfart_proto *p, const char *text,
			    uint32_t most);

/* Stores the bin of a batch with these messages (bit i: slot i) and headers in *bin. False: it is
 * in none. */
bool field_bins_find(const struct field_bins *x, uint64_t mask, const uint64_t *header,
		     uint64_t *bin);

/* Where the bits of the bin are in headers: their lowest bit, and the codes of the messages (bit
 * set) that have the field, NULL: all of them. False: not all these messages have the field at one
 * place. */
bool field_bins_place(const struct field_bins *x, uint32_t *lsb, const uint64_t **codes);

/* Returns the lowest and the highest value of the field in a bin. */
uint64_t field_bins_first(const struct field_bins *x, uint64_t bin);
uint64_t field_bins_last(const struct field_bins *x, uint64_t bin);

/* Appends a line of text: the values of a bin, and how many batches it has. */
void field_bins_print(struct buf *b, const struct field_bins *x, uint64_t bin, uint64_t n);

#endif
