/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes pcapng, the format of Wireshark: a section with one interface, and a packet for each
 * message, each loss record, and each batch without messages. contract/image/packet.h says what a
 * packet holds. Its time stamp is in nanoseconds; the cycle is in the packet. What Wireshark shows
 * without a dissector are comments: the labels that accept a batch, in all of its packets, the
 * payload of a message, and what was lost.
 *
 * A block is its type, its length in bytes, its content, and its length again. Everything is
 * padded to 4 bytes. This writer's numbers are little-endian, which the section header says.
 */
#include <string.h>

#include "contract/image/packet.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"
#include "support/escape.h"

enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 6,
	BYTES_MARK = 0x1a2b3c4d, /* in a section header: which bytes come first in the file */
	LINKTYPE_USER0 = 147,    /* packets whose meaning the user knows */
	NANOSECONDS = 9          /* the unit of time stamps, as a negative power of 10 */
};

/* The codes of options. Those above 1 depend on the block. */
enum { OPTION_END, OPTION_COMMENT, SECTION_PROGRAM = 4, INTERFACE_NAME = 2, INTERFACE_TEXT = 3,
       INTERFACE_UNIT = 9 };

static void add_big(struct buf *b, uint64_t x, unsigned bytes)
{
	unsigned char t[8];

	for (unsigned i = 0; i < bytes; i++)
		t[i] = (unsigned char)(x >> 8 * (bytes - 1 - i));
	buf_add(b, t, bytes);
}

static void add_padding(struct buf *b, size_t n)
{
	static const unsigned char zeros[3];

	buf_add(b, zeros, -n & 3);
}

/* Begins a block. Returns where it begins, for end_block(). */
static size_t begin_block(struct buf *b, uint32_t type)
{
	size_t begin = b->n;

	buf_le32(b, type);
	buf_le32(b, 0);
	return begin;
}

static void end_block(struct buf *b, size_t begin)
{
	uint32_t n = (uint32_t)(b->n - begin + 4);

	buf_le32(b, n);
	if (!b->failed)
		put_le32((unsigned char *)b->at + begin + 4, n);
}

/* Adds an option of n bytes, at most 65535. */
static void add_option(struct buf *b, unsigned code, const void *p, size_t n)
{
	buf_le32(b, code | (uint32_t)n << 16);
	buf_add(b, p, n);
	add_padding(b, n);
}

static void add_text_option(struct buf *b, unsigned code, const struct buf *text)
{
	add_option(b, code, text->at, text->n < UINT16_MAX ? text->n : UINT16_MAX);
	b->failed |= text->failed;
}

/* Adds the section header, with the writer's notes as comments. */
static void add_section(struct buf *b, const struct nfart_writer *w)
{
	size_t begin = begin_block(b, BLOCK_SECTION);
	struct buf text = { 0 };

	buf_le32(b, BYTES_MARK);
	buf_le32(b, 1);          /* version 1.0 */
	buf_le64(b, UINT64_MAX); /* the length of the section is not known */
	buf_addf(&text, "libnfart %d.%d.%d", NFART_VERSION_MAJOR, NFART_VERSION_MINOR,
		 NFART_VERSION_PATCH);
	add_text_option(b, SECTION_PROGRAM, &text);
	for (uint32_t i = 0; i < w->o.nnotes; i++) {
		text.n = 0;
		text_string(&text, w->o.notes[i].name);
		text_string(&text, ": ");
		escape_utf8(&text, w->o.notes[i].value, strlen(w->o.notes[i].value));
		add_text_option(b, OPTION_COMMENT, &text);
	}
	add_option(b, OPTION_END, NULL, 0);
	end_block(b, begin);
	buf_free(&text);
}

static void add_interface(struct buf *b, const struct nfart_writer *w)
{
	static const unsigned char unit = NANOSECONDS;
	size_t begin = begin_block(b, BLOCK_INTERFACE);
	struct buf text = { 0 };

	buf_le32(b, LINKTYPE_USER0);
	buf_le32(b, 0); /* packets may have any length */
	text_string(&text, w->proto->name);
	add_text_option(b, INTERFACE_NAME, &text);
	text.n = 0;
	text_string(&text, "messages of protocol ");
	text_string(&text, w->proto->name);
	text_string(&text, ", cycles a second: ");
	text_decimal(&text, w->o.clock != 0 ? w->o.clock : 1000000000);
	add_text_option(b, INTERFACE_TEXT, &text);
	add_option(b, INTERFACE_UNIT, &unit, 1);
	add_option(b, OPTION_END, NULL, 0);
	end_block(b, begin);
	buf_free(&text);
}

/* ---- packets ---- */

/* What the packets of a batch have in common. */
struct common {
	uint64_t cycle, nanoseconds;
	unsigned flags;
	struct buf labels, comment;
	struct buf payload; /* a comment with that of the current message */
};

/* Cuts the labels after the last one that fits. */
static void cut_labels(struct common *c)
{
	if (c->labels.n <= PACKET_MOST_LABELS)
		return;
	c->flags |= PACKET_NOT_ALL;
	c->labels.n = PACKET_MOST_LABELS + 1;
	while (c->labels.n != 0 && c->labels.at[c->labels.n - 1] != ',')
		c->labels.n--;
	c->labels.n -= c->labels.n != 0;
}

static void make_common(struct common *c, const struct nfart_writer *w,
			const struct nfart_batch *b, const struct nfart_result *r)
{
	c->cycle = b->time;
	c->nanoseconds = writer_nanoseconds(w, b->time);
	c->flags = ((b->when & NFART_TICK) != 0 ? PACKET_TICK : 0) |
		   ((b->when & NFART_END) != 0 ? PACKET_END : 0) |
		   (b->damaged ? PACKET_DAMAGED : 0);
	if (!batch_is_loss(b))
		text_labels(&c->labels, w, r);
	cut_labels(c);
	if (c->labels.n != 0) {
		text_string(&c->comment, "accepted: ");
		buf_add(&c->comment, c->labels.at, c->labels.n);
		text_string(&c->comment, (c->flags & PACKET_NOT_ALL) != 0 ? ",..." : "");
	}
	if (batch_is_loss(b)) {
		text_string(&c->comment, "lost messages: ");
		if (b->lost == NFART_LOST_UNKNOWN)
			text_string(&c->comment, "?");
		else
			text_decimal(&c->comment, b->lost);
	}
}

static void add_packet(struct nfart_writer *w, const struct common *c, enum packet_kind kind,
		       uint32_t slot, uint64_t header)
{
	struct buf *b = &w->out;
	uint32_t n = PACKET_LABELS + (uint32_t)c->labels.n;
	size_t begin = begin_block(b, BLOCK_PACKET);

	buf_le32(b, 0); /* the interface */
	buf_le32(b, (uint32_t)(c->nanoseconds >> 32));
	buf_le32(b, (uint32_t)c->nanoseconds);
	buf_le32(b, n); /* bytes that are here, */
	buf_le32(b, n); /* and bytes that the packet had */
	add_big(b, packet_protocol(w->proto), 4);
	add_big(b, (uint64_t)kind << 24 | c->flags << 16 | slot << 8, 4);
	add_big(b, c->cycle, 8);
	add_big(b, header, 8);
	buf_add(b, c->labels.at, c->labels.n);
	add_padding(b, n);
	if (c->comment.n != 0)
		add_text_option(b, OPTION_COMMENT, &c->comment);
	if (c->payload.n != 0)
		add_text_option(b, OPTION_COMMENT, &c->payload);
	if (c->comment.n + c->payload.n != 0)
		add_option(b, OPTION_END, NULL, 0);
	end_block(b, begin);
}

static bool pcapng_put(struct nfart_writer *w, const struct nfart_batch *b,
		       const struct nfart_result *r)
{
	struct common c = { .flags = 0 };

	make_common(&c, w, b, r);
	if (batch_is_loss(b))
		add_packet(w, &c, PACKET_LOSS, 0, b->lost);
	else if (b->mask == 0)
		add_packet(w, &c, PACKET_TIME, 0, 0);
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		c.payload.n = 0;
		if (w->o.payload_words != 0) {
			text_string(&c.payload, "payload: 0x");
			text_payload(&c.payload, w, b, slot);
		}
		add_packet(w, &c, PACKET_MESSAGE, slot, b->header[slot]);
	}
	w->out.failed |= c.labels.failed | c.comment.failed | c.payload.failed;
	buf_free(&c.labels);
	buf_free(&c.comment);
	buf_free(&c.payload);
	return writer_flush(w);
}

bool detect_pcapng(const unsigned char *p, size_t n)
{
	return n >= 4 && get_le32(p) == BLOCK_SECTION;
}

bool write_pcapng_open(struct nfart_writer *w, struct nfart_error *e)
{
	(void)e;
	w->form.put = pcapng_put;
	add_section(&w->out, w);
	add_interface(&w->out, w);
	writer_flush(w);
	return true;
}
