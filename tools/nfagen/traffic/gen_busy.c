/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_busy.h"

/* Adds opcodes of a slot to g->opcodes: those that name a message type, or all that are valid. */
static void busy_collect(struct gen_busy *g, uint32_t slot, bool named)
{
	const struct nfart_proto *p = g->proto;

	for (uint32_t op = 0; op < 1u << p->header.op_bits; op++) {
		uint32_t code = slot << p->header.op_bits | op;
		if (named ? p->codes.type_of[code] != 0 : bits_get(p->codes.valid, code))
			g->opcodes[slot][g->nopcodes[slot]++] = (uint8_t)op;
	}
}

void gen_busy_init(struct gen_busy *g)
{
	g->time = g->batches = g->messages = 0;
	for (uint32_t slot = 0; slot < g->proto->nslots; slot++) {
		g->nopcodes[slot] = 0;
		busy_collect(g, slot, true);
		if (g->nopcodes[slot] == 0)
			busy_collect(g, slot, false);
	}
}

static uint64_t make_header(struct gen_busy *g, uint32_t slot)
{
	const struct nfart_proto *p = g->proto;
	uint32_t op = g->opcodes[slot][gen_random_below(&g->random, g->nopcodes[slot])];
	uint64_t op_mask = (((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb;
	uint64_t h = g->plain ? 0 : gen_random(&g->random) & proto_header_mask(p) & ~op_mask;

	if (bits_get(p->codes.has_addr, slot << p->header.op_bits | op)) {
		uint64_t line = g->first_line + gen_random_below(&g->random, g->lines);
		h = (h & ~proto_addr_mask(p)) | line << p->header.addr_lsb;
	}
	return h | (uint64_t)op << p->header.op_lsb;
}

void gen_busy_next(struct gen_busy *g, struct nfart_batch *b)
{
	uint32_t nslots = g->proto->nslots;

	b->time = ++g->time;
	b->mask = b->lost = 0;
	b->damaged = false;
	b->when = 0;
	b->payload_words = 0;
	while (b->mask == 0)
		for (uint32_t slot = 0; slot < nslots; slot++) {
			if (g->filled < nslots &&
			    gen_random_below(&g->random, nslots) >= g->filled)
				continue;
			b->mask |= (uint64_t)1 << slot;
			b->header[slot] = make_header(g, slot);
			g->messages++;
		}
	g->batches++;
}
