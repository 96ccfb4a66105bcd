/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * text.h: writes numbers, strings and messages as the textual formats have them. All output is
 * appended to the buffer b. These functions do without printf(), because most of a trace goes
 * through them.
 */
#ifndef NFART_TRACE_TEXT_H
#define NFART_TRACE_TEXT_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "runtime/trace/writer.h"
#include "support/buf.h"

void text_string(struct buf *b, const char *s);
void text_decimal(struct buf *b, uint64_t x);
/* Appends `0x` and x in at least `digits` hexadecimal digits. `digits` is 16 at most. */
void text_hex(struct buf *b, uint64_t x, unsigned digits);

/* text_json() appends s as a JSON string (support/escape.h). text_csv() appends s as a CSV cell, in
 * quotes only if it needs them. */
void text_json(struct buf *b, const char *s);
void text_csv(struct buf *b, const char *s);

/* How many hexadecimal digits a header has in full width. */
unsigned text_header_digits(const struct nfart_proto *p);

/* Appends a message as `cpu.MREQ_RLDD@6:0x80` if that loses nothing. Otherwise it appends
 * `cpu@6=0x…`, and after it the first form in parentheses, if the opcode has a name. */
void text_item(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header);

/* Appends a message as `cpu.MREQ_RLDD@6:0x80`, without the other bits of its header. The opcode
 * must have a name. */
void text_typed(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header);

/* Appends the payload of the message in a slot in hexadecimal digits, highest bits first and in
 * full width. */
void text_payload(struct buf *b, const struct nfart_writer *w, const struct nfart_batch *batch,
		  uint32_t slot);

/* What the first line of batch text begins with if messages have a payload; its bits follow. */
#define TEXT_PAYLOAD "# payload: "

/* Appends a line's address like `0x80` or, if the name of a key is given, a value like
 * `rreqid=3`. */
void text_copy(struct buf *b, const char *key, uint64_t shown);

/* Appends the labels of r, separated by commas, as they stand between `[` and `]` in batch text. If
 * r is NULL, there are no labels. Each label is written as `name@line` or `name@key=value` if
 * r->by_line is true, and otherwise as its name. */
void text_labels(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r);

/* Appends a note as comments: `# name: value`. Each further line of the value is a comment, too. */
void text_note(struct buf *b, const char *name, const char *value);

/* Appends the writer's notes as comments, if they are wanted. */
void text_notes(struct buf *b, const struct nfart_writer *w);

#endif
