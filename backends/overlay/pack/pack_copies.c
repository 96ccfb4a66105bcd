/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/pack/pack_copies.h"

#include <string.h>

/* Returns the place of the key in the headers of messages with code c, or of a line's address if
 * substreams are for lines. bits 0: these messages lack the key. */
static struct proto_place place_of(const struct spec *s, uint32_t c)
{
	const struct nfart_proto *p = s->proto;
	const struct proto_place *at = NULL;
	struct proto_place none = { .bits = 0 };
	int field = s->substreams.field == NULL
			    ? -1
			    : proto_find_field(p, s->substreams.field, strlen(s->substreams.field));

	if (!bits_get(p->codes.valid, c))
		return none;
	if (s->substreams.field == NULL && bits_get(p->codes.has_addr, c))
		return (struct proto_place){ .lsb = (uint8_t)p->header.addr_lsb,
					     .bits = (uint8_t)p->header.addr_bits };
	if (field >= 0)
		at = proto_field_place(p, (uint32_t)field, c);
	return at != NULL ? *at : none;
}

bool copies_place(const struct spec *s, struct proto_place *out)
{
	*out = (struct proto_place){ .lsb = 0, .bits = 1 };
	for (uint32_t c = 0, n = 0; c < s->proto->codes.n; c++) {
		struct proto_place at = place_of(s, c);
		if (at.bits == 0)
			continue;
		if (n++ == 0)
			*out = at;
		else if (at.lsb != out->lsb || at.bits != out->bits)
			return false;
	}
	return true;
}

/* Sets the bits of the ranges after the first. */
static void ranges(const struct spec *s, const struct overlay *o, uint32_t *words)
{
	uint64_t at = overlay_place_bits(o), number = s->substreams.ranges.at[0].count;
	uint32_t bits = overlay_line_bits(o);

	for (size_t i = 1; i < s->substreams.ranges.n; i++) {
		const struct image_range *r = &s->substreams.ranges.at[i];
		words_set(words, at, 64, r->first);
		words_set(words, at + 64, bits + 1, r->count);
		words_set(words, at + 64 + bits + 1, bits, number);
		number += r->count;
		at += overlay_range_bits(o);
	}
}

void pack_copies(const struct target_job *job, const struct element *el, uint32_t *words)
{
	const struct spec *s = job->spec;
	const struct overlay *o = &job->made.overlay;
	uint32_t number = overlay_place_bits(o) / 2;
	struct proto_place at;

	/* Without substreams the key is that of lines, because registers may turn it on. */
	if (el->id == EL_copies) {
		if (number != 0 && copies_place(s, &at)) {
			words_set(words, 0, number, at.lsb);
			words_set(words, number, number, at.bits - 1u);
		}
		if (s->substreams.by_line)
			ranges(s, o, words);
		return;
	}
	for (uint32_t c = 0; c < s->proto->codes.n; c++)
		if (place_of(s, c).bits != 0)
			words_set(words, element_place(el, o, c >> o->op_bits,
						       c & (overlay_opcodes(o) - 1)), 1, 1);
}
