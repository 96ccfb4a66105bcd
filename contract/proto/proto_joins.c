/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins (proto.h, Note [joins]): the form that they have in an image, and what must hold for them.
 * They are the last part of a protocol, after the broadcast types. A protocol without joins does not
 * have this part, so that its image is what it was before there were joins.
 */
#include "contract/proto/proto_form.h"

bool proto_finish_joins(struct nfart_proto *p)
{
	size_t words = bits_words(p->codes.n);

	if (p->joins.n == 0)
		return true;
	p->joins.answers = arena_array(&p->arena, words, 8);
	if (p->joins.answers == NULL)
		return false;
	for (uint32_t i = 0; i < p->joins.n; i++)
		for (size_t w = 0; w < words; w++)
			p->joins.answers[w] |= p->joins.at[i].answers[w];
	return true;
}

void proto_write_joins(const struct nfart_proto *p, bool names, struct buf *b)
{
	buf_le32(b, p->joins.n);
	for (uint32_t i = 0; i < p->joins.n; i++) {
		const struct proto_join *j = &p->joins.at[i];
		if (names) {
			proto_write_name(b, j->name);
			proto_write_name(b, j->field);
		}
		proto_write_set(p, j->requests, b);
		proto_write_set(p, j->answers, b);
		buf_le32(b, j->bits | j->request_lsb << 8 | j->answer_lsb << 16);
	}
}

static bool join_holds(const struct nfart_proto *p, const struct proto_join *j, uint32_t code)
{
	bool request = bits_get(j->requests, code), answer = bits_get(j->answers, code);

	if (request && !bits_get(p->codes.has_addr, code))
		return false;
	return !answer || (!request && !bits_get(p->codes.has_addr, code) &&
			   !bits_get(p->codes.broadcast, code));
}

bool proto_check_joins(const struct nfart_proto *p)
{
	size_t words = bits_words(p->codes.n);

	for (uint32_t i = 0; i < p->joins.n; i++) {
		const struct proto_join *j = &p->joins.at[i];
		if (j->bits == 0 || j->bits > PROTO_JOIN_BITS ||
		    j->request_lsb + j->bits > p->header.bits ||
		    j->answer_lsb + j->bits > p->header.bits || !bits_any(j->requests, words) ||
		    !bits_any(j->answers, words))
			return false;
		for (uint32_t c = 0; c < p->codes.n; c++) {
			if (!join_holds(p, j, c))
				return false;
			for (uint32_t k = 0; k < i; k++)
				if (bits_get(j->answers, c) && bits_get(p->joins.at[k].answers, c))
					return false;
		}
	}
	return true;
}

void proto_in_joins(struct proto_in *in, struct nfart_proto *p)
{
	uint32_t n = proto_in_below(in, PROTO_JOINS + 1);

	p->joins.at = arena_array(&p->arena, n, sizeof *p->joins.at);
	if (p->joins.at == NULL)
		proto_in_no_memory(in);
	if (n == 0)
		in->bad = true;
	for (uint32_t i = 0; i < n && !in->bad; i++) {
		struct proto_join *j = &p->joins.at[i];
		uint32_t place;
		j->name = proto_in_name(in, &p->arena);
		j->field = proto_in_name(in, &p->arena);
		j->requests = proto_in_codes(in, p);
		j->answers = proto_in_codes(in, p);
		place = proto_in_below(in, 1u << 24);
		j->bits = place & 0xff;
		j->request_lsb = place >> 8 & 0xff;
		j->answer_lsb = place >> 16;
	}
	p->joins.n = in->bad ? 0 : n;
	if (!in->bad && !proto_check_joins(p))
		in->bad = true;
}
