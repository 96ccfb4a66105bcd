/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [words]. Words have slots of their own, so that a filter over headers of blocks keeps the
 * payload of what it accepts. Bits 63:57 are the opcode: the opcode of ECI, and below it the class.
 * Class 3 has what is no message of a coherence channel. Bits 3:0 are the virtual channel. All
 * other bits are as in the message's header; where that has no line, bits 39:7 have no meaning.
 */
#include "tools/nfagen/blocks/block_tap.h"

#include <string.h>

enum word_class { CLASS_MREQ, CLASS_MRSP, CLASS_MFWD, CLASS_OTHER };
/* The opcodes of class 3. Those of blocks are their types. */
enum { OTHER_EMPTY, OTHER_MREQ_DATA, OTHER_MRSP_DATA, OTHER_IO, OTHER_LINK = 8 };

static const uint64_t LINE = ((uint64_t)1 << 40) - (1 << 7);

static const uint8_t classes[BLOCK_VCS] = {
	CLASS_OTHER, CLASS_OTHER, CLASS_MREQ, CLASS_MREQ, CLASS_MRSP, CLASS_MRSP, CLASS_MREQ,
	CLASS_MREQ, CLASS_MFWD, CLASS_MFWD, CLASS_MRSP, CLASS_MRSP, CLASS_OTHER, CLASS_OTHER,
};

static uint64_t make_word(uint32_t op, enum word_class class, uint64_t rest, uint32_t vc)
{
	return (uint64_t)(op << 2 | class) << 57 | (rest & ~((uint64_t)0x7f << 57 | 15)) | vc;
}

/* Returns the message for a word, and follows the messages of its virtual channel. */
static uint64_t see_word(struct block_side *s, uint32_t vc, uint64_t word)
{
	if (vc >= BLOCK_VCS)
		return make_word(OTHER_EMPTY, CLASS_OTHER, 0, 0);
	struct block_rest *r = &s->rest[vc];
	if (r->words > 0) {
		r->words--;
		return make_word(vc < 4 ? OTHER_MREQ_DATA : OTHER_MRSP_DATA, CLASS_OTHER, r->line,
				 vc);
	}
	if (classes[vc] == CLASS_OTHER)
		return make_word(vc < 2 ? OTHER_IO : OTHER_LINK, CLASS_OTHER, 0, vc);
	/* dmask says which quarters of the line follow, of four words each. */
	if (vc >= 2 && vc <= 5)
		r->words = 4 * (uint32_t)__builtin_popcountll(word >> 46 & 15);
	r->line = word & LINE;
	return make_word((uint32_t)(word >> 59), classes[vc], word, vc);
}

/* A node that has agreed to send blocks again says by TxSEQ from which one on. The tap goes back to
 * what it knew before that block. */
static void see_sync(struct block_side *s, uint64_t header)
{
	uint8_t seq = block_tx_seq(header);

	if (s->link != LINK_REPLAY || block_request(header) != BLOCK_NO_REQUEST ||
	    !block_ack(header))
		return;
	s->lost = false;
	if (seq != s->seq)
		memcpy(s->rest, s->before[seq % BLOCK_UNACKED], sizeof s->rest);
	s->seq = seq;
}

bool block_tap_init(struct block_tap *t, const struct nfart_proto *p)
{
	static const char *const names[] = { "in", "out", "in_word@0", "out_word@0" };

	memset(t, 0, sizeof *t);
	for (int i = 0; i < 4; i++) {
		int slot = nfart_proto_slot(p, names[i]);
		if (slot < 0)
			return false;
		*(i < 2 ? &t->slot[i] : &t->words[i - 2]) = (uint32_t)slot;
	}
	return true;
}

void block_tap_see(struct block_tap *t, const struct block *const blocks[2], struct nfart_batch *b)
{
	enum link_state before[2] = { t->side[0].link, t->side[1].link };

	b->mask = b->lost = 0;
	b->damaged = false;
	b->when = 0;
	b->payload_words = 0;
	for (int d = 0; d < 2; d++) {
		struct block_side *s = &t->side[d];
		const struct block *k = blocks[d];
		if (k == NULL)
			continue;
		if (k->damaged) {
			s->lost = true;
			continue;
		}
		s->link = link_next(before[d], before[1 - d], k->header);
		b->mask |= (uint64_t)1 << t->slot[d];
		b->header[t->slot[d]] =
			make_word(block_type(k->header), CLASS_OTHER, 0, 0) |
			block_reduce(k->header, s->link);
		bool data = block_is_data(k->header);
		if (block_type(k->header) == BLOCK_SYNC)
			see_sync(s, k->header);
		if (data && s->lost)
			continue;
		if (data)
			memcpy(s->before[s->seq++ % BLOCK_UNACKED], s->rest, sizeof s->rest);
		for (int i = 0; i < BLOCK_WORDS; i++) {
			uint32_t vc = data ? block_vc(k->header, i) : BLOCK_NO_VC;
			uint32_t slot = t->words[d] + (uint32_t)i;
			b->mask |= (uint64_t)1 << slot;
			b->header[slot] = see_word(s, vc, k->words[i]);
		}
	}
}
