/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/gen_draw.h"

#include <string.h>

enum { BATCHES = 40 };

/* ---- random numbers ------------------------------------------------------------------------- */

/* Returns the next number of SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t gen_random(struct gen *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

uint32_t gen_below(struct gen *g, uint32_t n)
{
	return (uint32_t)((gen_random(g) >> 32) * n >> 32);
}

bool gen_chance(struct gen *g, uint32_t percent)
{
	return gen_below(g, 100) < percent;
}

/* ---- the message types and lines of a seed -------------------------------------------------- */

/* Draws a code that a message can have. */
static uint32_t any_code(struct gen *g)
{
	uint32_t code;

	do
		code = gen_below(g, g->proto->codes.n);
	while (!bits_get(g->proto->codes.valid, code));
	return code;
}

/* Draws a code for the pool. Mostly it is the code of a type with an address. Sometimes it is an
 * opcode of the pool in another slot, and sometimes any code. If types have no addresses it is
 * often a letter. */
static uint32_t draw_code(struct gen *g)
{
	const struct nfart_proto *p = g->proto;
	uint32_t kind = gen_below(g, 100);

	for (int tries = 0; tries < 500; tries++) {
		uint32_t code = any_code(g);

		if (kind < 25 && g->npool != 0)
			code = gen_slot(g, code) << p->header.op_bits | gen_opcode(g, g->pool[0]);
		if (bits_get(p->codes.has_addr, code) ||
		    (kind >= 75 && p->codes.type_of[code] != 0) || kind >= 85)
			return code;
	}
	if (p->header.op_bits == 8 && kind < 40 && bits_get(p->codes.valid, 'a' + kind % 6))
		return 'a' + kind % 6;
	return any_code(g);
}

void gen_init(struct gen *g, uint64_t seed, const struct gen_options *o)
{
	uint32_t n;

	*g = (struct gen){ .state = seed,
			   .proto = o->proto,
			   .guards = o->guards,
			   .time = o->time,
			   .sides = o->sides,
			   .keys = o->keys,
			   .payload = o->payload };
	n = 3 + gen_below(g, GEN_POOL - 2);
	while (g->npool < n) {
		uint32_t code = draw_code(g);
		g->pool[g->npool++] = code;
	}
	if (o->proto->header.addr_bits != 0 && gen_chance(g, 20))
		g->line = gen_random(g) >> (64 - o->proto->header.addr_bits);
	if (g->line >= GEN_LINES)
		g->line -= GEN_LINES - 1; /* so that all GEN_LINES lines exist */
}

uint64_t gen_value(struct gen *g, uint32_t bits)
{
	return gen_below(g, 5) & UINT64_MAX >> (64 - bits);
}

uint32_t gen_code(struct gen *g)
{
	return gen_chance(g, 90) ? g->pool[gen_below(g, g->npool)] : any_code(g);
}

/* ---- the stream of a seed ------------------------------------------------------------------- */

/* Draws a header with this code, on one of the seed's lines. Sometimes all other bits are
 * random. */
static uint64_t draw_header(struct gen *g, uint32_t code)
{
	const struct nfart_proto *p = g->proto;
	uint64_t header = (uint64_t)gen_opcode(g, code) << p->header.op_lsb;
	uint64_t used = (((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb;

	if (bits_get(p->codes.has_addr, code)) {
		header |= (g->line + gen_below(g, GEN_LINES)) << p->header.addr_lsb &
			  proto_addr_mask(p);
		used |= proto_addr_mask(p);
	}
	if (gen_chance(g, 15))
		header |= gen_random(g) & proto_header_mask(p) & ~used;
	for (uint32_t f = 0; (g->guards || g->keys) && f < p->names.nfields; f++) {
		const struct proto_place *at = proto_field_place(p, f, code);
		if (at != NULL && gen_chance(g, 80))
			header |= (uint64_t)gen_value(g, at->bits) << at->lsb & ~used;
	}
	return header;
}

/* Draws a batch, mostly of one message. If two messages are drawn for one slot, the second one
 * replaces the first. */
static void draw_batch(struct gen *g, struct nfart_batch *x)
{
	uint32_t kind = gen_below(g, 100);
	uint32_t n = kind < 60 ? 1 : kind < 80 ? 2 : kind < 94 ? 3 : g->proto->nslots;

	while (n-- > 0) {
		uint32_t code = gen_code(g), slot = gen_slot(g, code);

		x->header[slot] = draw_header(g, code);
		x->mask |= (uint64_t)1 << slot;
	}
}

size_t gen_stream(uint64_t seed, const struct gen_options *o, struct nfart_batch *out, size_t most)
{
	size_t limit = o->max_batches != 0 ? o->max_batches : BATCHES;
	uint64_t time = 0;
	struct gen g;
	size_t n;

	gen_init(&g, seed, o);
	/* gen_filter() goes on from the same state. The stream must not use the same random numbers
	 * as the filter. */
	g.state = ~g.state;
	n = gen_below(&g, (uint32_t)(limit < most ? limit : most) + 1);
	if (gen_chance(&g, 10))
		time = gen_random(&g) >> 1;
	for (size_t i = 0; i < n; i++) {
		bool lost = gen_chance(&g, 5);

		memset(&out[i], 0, sizeof out[i]);
		if (i != 0 && !(lost && out[i - 1].mask != 0 && gen_chance(&g, 20)))
			time += gen_chance(&g, 3) ? gen_random(&g) >> (o->time ? 56 : 24) :
						    1 + gen_below(&g, 4);
		out[i].time = time;
		if (!lost)
			draw_batch(&g, &out[i]);
		else if (gen_chance(&g, 50))
			out[i].lost = 1 + gen_below(&g, 99);
		else
			out[i].lost = NFART_LOST_UNKNOWN;
	}
	return n;
}
