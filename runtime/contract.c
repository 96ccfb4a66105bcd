/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/contract.h"

#include <string.h>

/* The expressions of contract.def as functions; not every one uses its overlay. */
#define DERIVED(name, expression, text)                                                            \
	uint32_t overlay_##name(const struct overlay *o)                                           \
	{                                                                                          \
		return expression;                                                                 \
	}
#include "rtl/contract.def"

#define ELEMENT(id, name, storage, per, width, present, encoding, shadowed, text)                  \
	static uint32_t width_##name(const struct overlay *o)                                      \
	{                                                                                          \
		(void)o;                                                                           \
		return width;                                                                      \
	}                                                                                          \
	static bool present_##name(const struct overlay *o)                                        \
	{                                                                                          \
		(void)o;                                                                           \
		return present;                                                                    \
	}
#include "rtl/contract.def"

const struct element elements[] = {
#define ELEMENT(id, name, storage, per, width, present, encoding, shadowed, text)                  \
	{ EL_##name, #name, STORAGE_##storage, PER_##per, ENCODING_##encoding, shadowed, text,    \
	  width_##name, present_##name },
#include "rtl/contract.def"
};
const size_t nelements = sizeof elements / sizeof elements[0];

const struct section sections[] = {
#define SECTION(id, name, skippable, text) { SEC_##name, #name, skippable, text },
#include "rtl/contract.def"
};
const size_t nsections = sizeof sections / sizeof sections[0];

const struct overlay_param overlay_params[] = {
#define PARAM(field, lowest, highest, preset, text)                                                \
	{ #field, lowest, highest, preset, text, offsetof(struct overlay, field) },
#include "rtl/contract.def"
};
const size_t noverlay_params = sizeof overlay_params / sizeof overlay_params[0];

const struct element *element_find(uint32_t id)
{
	for (size_t i = 0; i < nelements; i++)
		if (elements[i].id == id)
			return &elements[i];
	return NULL;
}

uint32_t element_count(const struct element *el, const struct overlay *o)
{
	if (o->none ? el->storage == STORAGE_CHAIN || el->storage == STORAGE_ROWS : !el->present(o))
		return 0;
	switch (el->per) {
	case PER_ONCE:
		return 1;
	case PER_STE:
		return overlay_nste(o);
	case PER_STE_SLOT:
		return overlay_nste(o) * o->slots;
	case PER_BANK:
		return o->bank;
	case PER_ROW:
		return overlay_nrow(o);
	}
	return 0;
}

uint64_t element_bits(const struct element *el, const struct overlay *o)
{
	return (uint64_t)element_count(el, o) * el->width(o);
}

void overlay_default(struct overlay *o, const struct nfart_proto *p)
{
	memset(o, 0, sizeof *o);
	for (size_t i = 0; i < noverlay_params; i++)
		*overlay_field(o, &overlay_params[i]) = overlay_params[i].preset;
	o->slots = p->nslots;
	o->op_bits = p->op_bits;
}

const char *overlay_check(const struct overlay *o)
{
	if (o->none)
		return NULL;
	if ((uint64_t)o->clique * o->length > OVERLAY_MOST_STES ||
	    (uint64_t)o->clique * o->length * o->rings > OVERLAY_MOST_STES)
		return "an overlay has at most 1048576 STEs";
	if (o->data != 32 && o->data != 64)
		return "the configuration port has 32 or 64 bits";
	if (o->predecessors == OVERLAY_LUT5 && (uint64_t)contract_degree(o) * o->clique > 1 << 20)
		return "an STE has at most 1048576 predecessors";
	for (size_t i = 0; i < nelements; i++)
		if (element_bits(&elements[i], o) > OVERLAY_MOST_BITS)
			return "the configuration of this overlay has more than 2^30 bits";
	return NULL;
}

uint32_t contract_log2(uint32_t n)
{
	uint32_t bits = 1;

	while (bits < 32 && n > 1u << bits)
		bits++;
	return bits;
}

/* How many of `ring` places are at most `reach` away on a closed ring, oneself not counted. */
static uint32_t near(uint32_t ring, uint32_t reach)
{
	return 2 * reach + 1 >= ring ? ring - 1 : 2 * reach;
}

uint32_t contract_degree(const struct overlay *o)
{
	return 1 + near(o->rings, o->reach) + near(o->length, 1);
}

static uint32_t distance(uint32_t n, uint32_t a, uint32_t b)
{
	uint32_t d = a > b ? a - b : b - a;

	return d < n - d ? d : n - d;
}

void contract_neighbours(const struct overlay *o, uint32_t c, uint32_t *out)
{
	uint32_t l = c % o->length, r = c / o->length, n = 0;

	for (uint32_t ring = 0; ring < o->rings; ring++) {
		if (ring != r) {
			if (distance(o->rings, r, ring) <= o->reach)
				out[n++] = ring * o->length + l;
			continue;
		}
		uint32_t before = (l + o->length - 1) % o->length, after = (l + 1) % o->length;
		uint32_t near3[3] = { before, l, after };
		for (int i = 0; i < 3; i++)       /* three places, sorted, repeats dropped */
			for (int k = i; k > 0 && near3[k - 1] > near3[k]; k--) {
				uint32_t t = near3[k];
				near3[k] = near3[k - 1];
				near3[k - 1] = t;
			}
		for (int i = 0; i < 3; i++)
			if (i == 0 || near3[i] != near3[i - 1])
				out[n++] = ring * o->length + near3[i];
	}
}

int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to)
{
	uint32_t a = from / o->clique, b = to / o->clique, l = b % o->length, r = b / o->length;
	int place = 0;

	/* Counts the neighbours of b below a, without listing them. */
	uint32_t al = a % o->length, ar = a / o->length;
	bool ring = ar == r && distance(o->length, al, l) <= 1;
	bool across = al == l && distance(o->rings, ar, r) <= o->reach;
	if (!ring && !across)
		return -1;
	for (uint32_t i = 0; i < ar; i++)
		if (i == r)
			place += (int)near(o->length, 1) + 1;
		else if (distance(o->rings, i, r) <= o->reach)
			place++;
	if (ar == r)
		for (uint32_t i = 0; i < al; i++)
			if (distance(o->length, i, l) <= 1)
				place++;
	return place * (int)o->clique + (int)(from % o->clique);
}

uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p)
{
	uint64_t h = p->hardware_fp ^ CONTRACT_VERSION;

	for (size_t i = 0; i < noverlay_params; i++) {
		struct overlay t = *o;
		uint64_t v = o->none ? UINT64_MAX : *overlay_field(&t, &overlay_params[i]);
		h = (h ^ v) * 0x100000001b3u;
		h ^= h >> 29;
	}
	return h;
}

uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < width;) {
		uint32_t in = (uint32_t)((at + i) % 32), n = 32 - in < width - i ? 32 - in : width - i;
		uint64_t part = words[(at + i) / 32] >> in;
		if (n < 32)
			part &= (1u << n) - 1;
		v |= part << i;
		i += n;
	}
	return v;
}

void words_set(uint32_t *words, uint64_t at, uint32_t width, uint64_t value)
{
	for (uint32_t i = 0; i < width;) {
		uint32_t in = (uint32_t)((at + i) % 32), n = 32 - in < width - i ? 32 - in : width - i;
		uint64_t part = value >> i;
		if (n < 32)
			part &= (1u << n) - 1;
		words[(at + i) / 32] |= (uint32_t)(part << in);
		i += n;
	}
}
