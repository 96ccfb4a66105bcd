/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * text.h: numbers, strings and messages as the textual formats have them. Every function appends to b.
 * They do without printf(), because most of a trace goes through them.
 */
#ifndef NFART_TRACE_TEXT_H
#define NFART_TRACE_TEXT_H

#include "contract/proto.h"
#include "include/nfart.h"
#include "support/buf.h"

void text_string(struct buf *b, const char *s);
void text_decimal(struct buf *b, uint64_t x);
void text_hex(struct buf *b, uint64_t x, unsigned digits); /* `0x` and at least `digits`, <= 16 */

/* A string as JSON has it, in quotes; as CSV has it, in quotes where it needs them. */
void text_json(struct buf *b, const char *s);
void text_csv(struct buf *b, const char *s);

/* Hexadecimal digits of a header in full width. */
unsigned text_header_digits(const struct nfart_proto *p);

/* `cpu.MREQ_RLDD@6:0x80` where that loses nothing, else `cpu@6=0x…` with the first form, if there is one, in
 * parentheses after it. */
void text_item(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header);

/* The labels of r (NULL: none) between `[` and `]` of batch text: names, or `name@line` where r is by line.
 * names: of all labels. */
void text_labels(struct buf *b, const char *const *names, const struct nfart_result *r);

#endif
