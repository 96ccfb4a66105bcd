/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fields of headers: where messages have them, and the form that they have in an image. Engines
 * skip them there: what guards need of fields is in the tests of the image.
 */
#include <string.h>

#include "contract/proto/proto_form.h"

/* In the form of a place: its messages are a set of codes, which follows. */
enum { HAS_CODES = 1 << 16, MOST_PLACES = 64 * 64 };

const struct proto_place *proto_key_place(const struct proto_field *key, uint32_t code)
{
	for (uint32_t i = 0; i < key->nplaces; i++)
		if (key->places[i].codes == NULL || bits_get(key->places[i].codes, code))
			return &key->places[i];
	return NULL;
}

const struct proto_place *proto_field_place(const struct nfart_proto *p, uint32_t field,
					    uint32_t code)
{
	return proto_key_place(&p->names.fields[field], code);
}

uint32_t proto_key_bits(const struct proto_field *key)
{
	uint32_t widest = 0;

	for (uint32_t i = 0; i < key->nplaces; i++)
		if (key->places[i].bits > widest)
			widest = key->places[i].bits;
	return widest;
}

void proto_write_field(const struct nfart_proto *p, const struct proto_field *f, struct buf *b)
{
	proto_write_name(b, f->name);
	buf_le32(b, f->nplaces);
	for (uint32_t i = 0; i < f->nplaces; i++) {
		const struct proto_place *x = &f->places[i];
		buf_le32(b, x->lsb | x->bits << 8 | (x->codes != NULL ? HAS_CODES : 0));
		if (x->codes != NULL)
			proto_write_set(p, x->codes, b);
	}
}

void proto_write_fields(const struct nfart_proto *p, struct buf *b)
{
	buf_le32(b, p->names.nfields);
	for (uint32_t i = 0; i < p->names.nfields; i++)
		proto_write_field(p, &p->names.fields[i], b);
}

/* ---- reading hostile bytes ---- */

const uint64_t *proto_in_codes(struct proto_in *in, struct nfart_proto *p)
{
	uint64_t *set = in->bad ? NULL : arena_array(&p->arena, bits_words(p->codes.n), 8);

	if (set == NULL && !in->bad)
		proto_in_no_memory(in);
	else if (set != NULL)
		proto_in_set(in, p, set);
	return in->bad ? NULL : set;
}

static void read_place(struct proto_in *in, struct nfart_proto *p, struct proto_place *x)
{
	uint32_t v = proto_in_below(in, 2 * HAS_CODES);

	x->lsb = v & 0xff;
	x->bits = v >> 8 & 0xff;
	if (x->bits == 0 || x->bits > 63 || x->lsb + x->bits > p->header.bits)
		in->bad = true;
	x->codes = (v & HAS_CODES) != 0 ? proto_in_codes(in, p) : NULL;
}

void proto_in_field(struct proto_in *in, struct nfart_proto *p, struct proto_field *f)
{
	struct proto_place *places;

	f->name = proto_in_name(in, &p->arena);
	f->nplaces = proto_in_below(in, MOST_PLACES + 1);
	f->places = places = arena_array(&p->arena, f->nplaces, sizeof *places);
	if (places == NULL)
		proto_in_no_memory(in);
	for (uint32_t i = 0; i < f->nplaces && !in->bad; i++)
		read_place(in, p, &places[i]);
}

/* Checks what a description can't break: a field has places, of disjoint sets of codes. `seen` is a
 * set of codes. */
static bool is_sound(const struct nfart_proto *p, const struct proto_field *f, uint64_t *seen)
{
	size_t words = bits_words(p->codes.n);

	memset(seen, 0, words * 8);
	for (uint32_t i = 0; i < f->nplaces; i++) {
		if (f->places[i].codes == NULL && f->nplaces != 1)
			return false;
		for (size_t w = 0; f->places[i].codes != NULL && w < words; w++) {
			if ((seen[w] & f->places[i].codes[w]) != 0)
				return false;
			seen[w] |= f->places[i].codes[w];
		}
	}
	return f->nplaces != 0;
}

enum nfart_status proto_read_fields(struct nfart_proto *p, const unsigned char *at, size_t n)
{
	struct proto_in in = { .at = at, .n = n };
	uint32_t nfields = proto_in_below(&in, MOST_PLACES + 1);
	uint64_t *seen = arena_array(&p->arena, bits_words(p->codes.n), 8);

	p->names.fields = arena_array(&p->arena, nfields, sizeof *p->names.fields);
	if (p->names.fields == NULL || seen == NULL)
		proto_in_no_memory(&in);
	for (uint32_t i = 0; i < nfields && !in.bad; i++) {
		struct proto_field *f = &p->names.fields[i];
		proto_in_field(&in, p, f);
		p->names.nfields = i; /* look for the name among the fields before */
		if (!in.bad && (!is_sound(p, f, seen) ||
				proto_find_field(p, f->name, strlen(f->name)) >= 0))
			in.bad = true;
	}
	if (in.n != 0)
		in.bad = true;
	p->names.nfields = in.bad ? 0 : nfields;
	return in.memory ? NFART_SYSTEM : in.bad ? NFART_INPUT : NFART_OK;
}
