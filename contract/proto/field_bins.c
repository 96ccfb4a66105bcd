/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/proto/field_bins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/buf.h"

/* Returns how many bits the field has, where it has most. */
static uint32_t field_width(const struct field_bins *x)
{
	const struct proto_field *f = &x->p->names.fields[x->field];
	uint32_t most = 0;

	for (uint32_t i = 0; i < f->nplaces; i++)
		if (f->places[i].bits > most)
			most = f->places[i].bits;
	return most;
}

const char *field_bins_open(struct field_bins *x, const struct nfart_proto *p, const char *text,
			    uint32_t most)
{
	size_t n = strcspn(text, "/");
	int field = proto_find_field(p, text, n);
	char *end;
	unsigned long bits;

	*x = (struct field_bins){ .p = p };
	if (field >= 0) {
		x->field = (uint32_t)field;
		x->name = p->names.fields[field].name;
		x->width = field_width(x);
	} else if (n == 4 && memcmp(text, "addr", n) == 0 && p->header.addr_bits != 0) {
		x->field = PROTO_ADDR;
		x->name = "addr";
		x->width = p->header.addr_bits + p->header.line_shift;
	} else {
		return "the protocol has no such field:";
	}
	x->bits = x->width < most ? x->width : most;
	if (text[n] == 0)
		return NULL;
	bits = strtoul(text + n + 1, &end, 10);
	if (text[n + 1] < '0' || text[n + 1] > '9' || *end != 0 || bits == 0 || bits > x->width)
		return "the field has no such number of bits:";
	if (bits > most)
		return "the histogram has no room for so many bits:";
	x->bits = (uint32_t)bits;
	return NULL;
}

/* Stores the value that the field has in a message in *value. False: it lacks the field. */
static bool value_in(const struct field_bins *x, uint32_t slot, uint64_t header, uint64_t *value)
{
	uint32_t code = proto_code(x->p, slot, header);
	const struct proto_place *place;

	if (x->field == PROTO_ADDR) {
		*value = proto_line(x->p, header) << x->p->header.line_shift;
		return bits_get(x->p->codes.has_addr, code);
	}
	place = proto_field_place(x->p, x->field, code);
	if (place != NULL)
		*value = proto_place_value(place, header);
	return place != NULL;
}

bool field_bins_find(const struct field_bins *x, uint64_t mask, const uint64_t *header,
		     uint64_t *bin)
{
	uint64_t value;

	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		if (!value_in(x, slot, header[slot], &value))
			continue;
		*bin = value >> (x->width - x->bits);
		return true;
	}
	return false;
}

bool field_bins_place(const struct field_bins *x, uint32_t *lsb, const uint64_t **codes)
{
	const struct proto_field *f;

	if (x->field == PROTO_ADDR) {
		*lsb = x->p->header.addr_lsb + x->p->header.addr_bits - x->bits;
		*codes = x->p->codes.has_addr;
		return x->bits <= x->p->header.addr_bits;
	}
	f = &x->p->names.fields[x->field];
	*lsb = f->places[0].lsb + x->width - x->bits;
	*codes = f->places[0].codes;
	return f->nplaces == 1;
}

uint64_t field_bins_first(const struct field_bins *x, uint64_t bin)
{
	return bin << (x->width - x->bits);
}

uint64_t field_bins_last(const struct field_bins *x, uint64_t bin)
{
	return field_bins_first(x, bin) | (((uint64_t)1 << (x->width - x->bits)) - 1);
}

void field_bins_print(struct buf *b, const struct field_bins *x, uint64_t bin, uint64_t n)
{
	uint64_t first = field_bins_first(x, bin), last = field_bins_last(x, bin);

	buf_addf(b, "%s=0x%" PRIx64, x->name, first);
	if (first != last)
		buf_addf(b, "..0x%" PRIx64, last);
	buf_addf(b, ": %" PRIu64 "\n", n);
}
