/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_form.h: what the files that write and read protocols in images share. proto.c has the
 * protocol table, proto_fields.c fields, proto_pairs.c the rules for pairs, and proto_joins.c joins.
 * No other file includes this header.
 *
 * In an image a number is a 32-bit word, a name is its length and then its bytes, and a set of
 * codes is a bit for each code, in words of 64 bits.
 */
#ifndef NFART_PROTO_FORM_H
#define NFART_PROTO_FORM_H

#include "contract/proto/proto.h"

void proto_write_set(const struct nfart_proto *p, const uint64_t *set, struct buf *b);
void proto_write_name(struct buf *b, const char *s);

/* Appends a field: its name and its places. */
void proto_write_field(const struct nfart_proto *p, const struct proto_field *f, struct buf *b);

/* The bytes that are still to be read, which are hostile. After the first error the functions
 * return 0, "" or anything, so a reader needs few branches for errors. */
struct proto_in {
	const unsigned char *at;
	size_t n;
	bool bad;
	bool memory; /* memory was short; `bad` is true then, too */
};

/* Notes that memory was short. */
void proto_in_no_memory(struct proto_in *in);

/* Read a number; proto_in_below() wants one below `limit`. */
uint32_t proto_in_word(struct proto_in *in);
uint32_t proto_in_below(struct proto_in *in, uint32_t limit);

/* Reads a name, which has at most 64 bytes. The result is in the arena. */
const char *proto_in_name(struct proto_in *in, struct arena *a);

/* Reads a set of codes of p into `set`, which has bits_words(p->ncodes) words. */
void proto_in_set(struct proto_in *in, const struct nfart_proto *p, uint64_t *set);

/* Reads a set of codes of p. The result is in the arena of p. NULL: *in says what was wrong. */
const uint64_t *proto_in_codes(struct proto_in *in, struct nfart_proto *p);

/* Reads a field. Its places are in headers, but their sets of codes may overlap. */
void proto_in_field(struct proto_in *in, struct nfart_proto *p, struct proto_field *f);

/* Reads the joins of a protocol, which has none yet. Their codes must be known. */
void proto_in_joins(struct proto_in *in, struct nfart_proto *p);

#endif
