/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The rules for pairs in the form that they have in an image. Engines skip them: they say how
 * messages belong together, which no filter sees.
 */
#include "contract/proto/proto_form.h"

/* The number of keys of a rule, in an image. With this bit the rule is in order. */
#define IN_ORDER (UINT32_C(1) << 31)

void proto_write_pairs(const struct nfart_proto *p, struct buf *b)
{
	buf_le32(b, p->names.npairs);
	for (uint32_t i = 0; i < p->names.npairs; i++) {
		const struct proto_pair *r = &p->names.pairs[i];
		proto_write_name(b, r->name);
		proto_write_set(p, r->requests, b);
		proto_write_set(p, r->answers, b);
		buf_le32(b, r->nkeys | (r->in_order ? IN_ORDER : 0));
		for (uint32_t k = 0; k < r->nkeys; k++)
			proto_write_field(p, &r->keys[k], b);
	}
}

/* ---- reading hostile bytes ---- */

/* Checks what a description can't break: requests and answers differ, and each has every key. */
static bool is_sound(const struct nfart_proto *p, const struct proto_pair *r)
{
	uint32_t bits = 0;

	for (uint32_t k = 0; k < r->nkeys; k++)
		bits += proto_key_bits(&r->keys[k]);
	if (bits > 64 || !bits_any(r->requests, bits_words(p->codes.n)) ||
	    !bits_any(r->answers, bits_words(p->codes.n)))
		return false;
	for (uint32_t c = 0; c < p->codes.n; c++) {
		bool request = bits_get(r->requests, c), answer = bits_get(r->answers, c);
		if ((request && answer) || ((request || answer) && !bits_get(p->codes.valid, c)))
			return false;
		for (uint32_t k = 0; (request || answer) && k < r->nkeys; k++)
			if (proto_key_place(&r->keys[k], c) == NULL)
				return false;
	}
	return true;
}

static void read_pair(struct proto_in *in, struct nfart_proto *p, struct proto_pair *r)
{
	struct proto_field *keys;
	uint32_t nkeys;

	r->name = proto_in_name(in, &p->arena);
	r->requests = proto_in_codes(in, p);
	r->answers = proto_in_codes(in, p);
	nkeys = proto_in_word(in);
	r->in_order = (nkeys & IN_ORDER) != 0;
	r->nkeys = nkeys & ~IN_ORDER;
	if (r->nkeys > PROTO_PAIR_KEYS || (r->nkeys == 0 && !r->in_order)) {
		in->bad = true;
		r->nkeys = 0;
	}
	r->keys = keys = arena_array(&p->arena, r->nkeys, sizeof *keys);
	if (keys == NULL)
		proto_in_no_memory(in);
	for (uint32_t k = 0; k < r->nkeys && !in->bad; k++)
		proto_in_field(in, p, &keys[k]);
	if (!in->bad && !is_sound(p, r))
		in->bad = true;
}

enum nfart_status proto_read_pairs(struct nfart_proto *p, const unsigned char *at, size_t n)
{
	struct proto_in in = { .at = at, .n = n };
	uint32_t npairs = proto_in_below(&in, PROTO_PAIRS + 1);

	p->names.pairs = arena_array(&p->arena, npairs, sizeof *p->names.pairs);
	if (p->names.pairs == NULL)
		proto_in_no_memory(&in);
	for (uint32_t i = 0; i < npairs && !in.bad; i++)
		read_pair(&in, p, &p->names.pairs[i]);
	if (in.n != 0)
		in.bad = true;
	p->names.npairs = in.bad ? 0 : npairs;
	return in.memory ? NFART_SYSTEM : in.bad ? NFART_INPUT : NFART_OK;
}
