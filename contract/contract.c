/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/contract.h"

#include <string.h>

/* Defines the functions overlay_NAME(), which compute the expressions of the DERIVED rows. */
#define DERIVED(name, expression, text)                                                            \
	uint32_t overlay_##name(const struct overlay *o)                                           \
	{                                                                                          \
		return expression;                                                                 \
	}
#include "contract/contract.def"

#define ELEMENT(id, name, storage, per, width, present, encoding, text)                            \
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
#include "contract/contract.def"

/* The modes of a counter as text: `, pulse (0), latch (1), roll (2)`. The meaning of element
 * counter_mode is this text without its first comma. */
static const char modes_text[] =
#define COUNTER_MODE(constant, word, number, text) ", " #word " (" #number ")"
#include "contract/contract.def"
	;
#define COUNTER_MODES_TEXT (modes_text + 2)

const struct element elements[] = {
#define ELEMENT(id, name, storage, per, width, present, encoding, text)                            \
	{ EL_##name, #name, STORAGE_##storage, PER_##per, ENCODING_##encoding, text,    \
	  width_##name, present_##name },
#include "contract/contract.def"
};
const size_t nelements = sizeof elements / sizeof elements[0];

const struct section sections[] = {
#define SECTION(id, name, skippable, text) { SEC_##name, #name, skippable, text },
#include "contract/contract.def"
};
const size_t nsections = sizeof sections / sizeof sections[0];

const char *const element_storages[] = {
#define STORAGE(constant, text) [STORAGE_##constant] = text,
#include "contract/contract.def"
};

const char *const element_pers[] = {
#define PER(constant, text) [PER_##constant] = text,
#include "contract/contract.def"
};

const char *const element_encodings[] = {
#define ENCODING(constant, text) [ENCODING_##constant] = text,
#include "contract/contract.def"
};

const char *const counter_modes[] = {
#define COUNTER_MODE(constant, word, number, text) [COUNTER_##constant] = #word,
#include "contract/contract.def"
};

const struct contract_number contract_modes[] = {
#define COUNTER_MODE(constant, word, number, text) { #word, number, text },
#include "contract/contract.def"
};
const size_t ncontract_modes = sizeof contract_modes / sizeof contract_modes[0];

const struct contract_number contract_flags[] = {
#define STATE_FLAG(constant, number, text) { #constant, number, text },
#include "contract/contract.def"
};
const size_t ncontract_flags = sizeof contract_flags / sizeof contract_flags[0];

const struct contract_register contract_registers[] = {
#define REGISTER(offset, name, access, text) { offset, #name, #access, text },
#include "contract/contract.def"
};
const size_t ncontract_registers = sizeof contract_registers / sizeof contract_registers[0];

const struct contract_field contract_fields[] = {
#define FIELD(reg, name, lsb, width, text) { #reg, #name, lsb, width, text },
#include "contract/contract.def"
};
const size_t ncontract_fields = sizeof contract_fields / sizeof contract_fields[0];

const struct contract_load contract_loads[] = {
#define LOAD_RESULT(value, name, text) { value, #name, text },
#include "contract/contract.def"
};
const size_t ncontract_loads = sizeof contract_loads / sizeof contract_loads[0];

const struct element *element_find(uint32_t id)
{
	for (size_t i = 0; i < nelements; i++)
		if (elements[i].id == id)
			return &elements[i];
	return NULL;
}

uint32_t element_count(const struct element *el, const struct overlay *o)
{
	if (o->none && element_is_list(el))
		return 1;
	if ((o->none && el->storage != STORAGE_REGISTER) || !el->present(o))
		return 0;
	switch (el->per) {
	case PER_ONCE:
		return 1;
	case PER_STE:
		return overlay_nste(o);
	case PER_STE_SLOT:
		return overlay_nste(o) * overlay_nslots(o);
	case PER_SLOT:
		return o->slots;
	case PER_BANK:
		return o->bank;
	case PER_ROW:
		return overlay_nrow(o);
	case PER_GUARD:
		return o->slots * o->guards;
	case PER_RANGE:
		return o->slots * o->ranges;
	case PER_PAYLOAD_TEST:
		return o->slots * o->payload_tests;
	case PER_GROUP:
		return overlay_ngroup(o);
	case PER_LABEL_GROUP:
		return o->labels * overlay_ngroup(o);
	case PER_COUNTER:
		return overlay_ncounters(o);
	}
	return 0;
}

uint64_t element_bits(const struct element *el, const struct overlay *o)
{
	return (uint64_t)element_count(el, o) * el->width(o);
}

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return (n + by - 1) / by;
}

uint64_t element_words(const struct element *el, const struct overlay *o)
{
	uint32_t data = overlay_data(o), n = element_count(el, o);

	if (n == 0)
		return 0;
	switch (el->storage) {
	case STORAGE_REGISTER:
	case STORAGE_CHAIN:
		return divide_up(element_bits(el, o), data);
	case STORAGE_TABLES:
		return divide_up(element_bits(el, o) / 32, data) * 32;
	case STORAGE_ROWS:
		return divide_up(n, 32) + (uint64_t)n * divide_up(el->width(o), data);
	case STORAGE_WRITES:
		return (uint64_t)o->slots << overlay_recode_bits(o);
	case STORAGE_SPARSE:
	case STORAGE_OPTION:
		break;
	}
	return 0;
}

uint64_t element_place(const struct element *el, const struct overlay *o, uint32_t i, uint32_t bit)
{
	uint64_t at = (uint64_t)i * el->width(o) + bit, table = at / 32;
	uint32_t data = overlay_data(o);

	if (el->storage != STORAGE_TABLES)
		return at;
	return (table / data * 32 + 31 - at % 32) * data + table % data;
}

uint32_t contract_log2(uint32_t n)
{
	uint32_t bits = 1;

	while (bits < 32 && n > 1u << bits)
		bits++;
	return bits;
}

uint32_t contract_row_bits(const struct overlay *o)
{
	uint32_t bits = o->op_bits;

	if (overlay_ntest(o) != 0 && o->letter_bits > bits)
		bits = o->letter_bits;
	return o->time == OVERLAY_TIME_YES && bits < TIME_BITS ? TIME_BITS : bits;
}

uint32_t contract_most_words(const struct overlay *o)
{
	uint64_t head = o->data == 64 ? 1 : 2, n = head + head + 1;

	for (size_t i = 0; i < nelements; i++)
		if (element_count(&elements[i], o) != 0)
			n += head + element_words(&elements[i], o);
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Returns how many other places are at most `reach` away from a place on a closed
 * ring of `ring` places. */
static uint32_t near(uint32_t ring, uint32_t reach)
{
	return 2 * reach + 1 >= ring ? ring - 1 : 2 * reach;
}

uint32_t contract_degree(const struct overlay *o)
{
	return 1 + near(o->rings, o->reach) + near(o->length, 1);
}

/* Takes those places of a closed ring of n places that are at most `reach` away from place x, x
 * itself included, in rising order. Returns the k-th of them, counted from 0. There are
 * near(n, reach) + 1 such places. */
static uint32_t near_place(uint32_t n, uint32_t reach, uint32_t x, uint32_t k)
{
	/* If the near places go past the end of the ring: how many are at its beginning. */
	uint32_t low;

	if (2 * reach + 1 >= n)
		return k;
	if (x >= reach && x + reach < n)
		return x - reach + k;
	low = x < reach ? x + reach + 1 : x + reach + 1 - n;
	return k < low ? k : n - (2 * reach + 1) + k;
}

/* The inverse of near_place(). Returns the number that place y has among the places near x; -1: y
 * is not near x. */
static int near_number(uint32_t n, uint32_t reach, uint32_t x, uint32_t y)
{
	uint32_t d = x > y ? x - y : y - x, low;

	if (2 * reach + 1 >= n)
		return (int)y;
	if (d > reach && n - d > reach)
		return -1;
	if (x >= reach && x + reach < n)
		return (int)(y + reach - x);
	low = x < reach ? x + reach + 1 : x + reach + 1 - n;
	return (int)(y < low ? y : y - (n - (2 * reach + 1)));
}

void contract_neighbours(const struct overlay *o, uint32_t c, uint32_t *out)
{
	uint32_t l = c % o->length, r = c / o->length, n = 0;

	for (uint32_t i = 0; i <= near(o->rings, o->reach); i++) {
		uint32_t ring = near_place(o->rings, o->reach, r, i);
		if (ring != r) {
			out[n++] = ring * o->length + l;
			continue;
		}
		for (uint32_t k = 0; k <= near(o->length, 1); k++)
			out[n++] = r * o->length + near_place(o->length, 1, l, k);
	}
}

uint32_t contract_clique_of(const struct overlay *o, uint32_t node)
{
	uint32_t n = overlay_nste(o);

	return node < n ? node / o->clique : (node - n) / o->counters;
}

uint32_t contract_neighbour_node(const struct overlay *o, const uint32_t *near, uint32_t i)
{
	uint32_t c = near[i / overlay_nnodes(o)], k = i % overlay_nnodes(o);

	return k < o->clique ? c * o->clique + k :
			       overlay_nste(o) + c * o->counters + k - o->clique;
}

int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to)
{
	uint32_t a = contract_clique_of(o, from), b = contract_clique_of(o, to);
	uint32_t stes = overlay_nste(o);
	uint32_t al = a % o->length, ar = a / o->length, l = b % o->length, r = b / o->length;
	int ring = near_number(o->rings, o->reach, r, ar), along = near_number(o->length, 1, l, al);
	int place;

	if (from >= stes && to >= stes)
		return -1;
	if (ar == r ? along < 0 : ring < 0 || al != l)
		return -1;
	/* Clique b has one neighbour on each neighbouring ring. On its own ring it has near(L, 1)
	 * neighbours, and counts as a neighbour of itself. */
	place = ring;
	if (ar == r)
		place += along;
	else if (ar > r)
		place += (int)near(o->length, 1);
	return place * (int)overlay_nnodes(o) +
	       (int)(from < stes ? from % o->clique : o->clique + (from - stes) % o->counters);
}

bool overlay_same(const struct overlay *a, const struct overlay *b)
{
	struct overlay x = *a, y = *b;

	if (x.none || y.none)
		return x.none && y.none;
	for (size_t i = 0; i < noverlay_params; i++)
		if (*overlay_field(&x, &overlay_params[i]) !=
		    *overlay_field(&y, &overlay_params[i]))
			return false;
	return x.slots == y.slots && x.op_bits == y.op_bits && x.header_bits == y.header_bits;
}

uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p)
{
	uint64_t h = p->fp.hardware ^ CONTRACT_VERSION;

	for (size_t i = 0; i < noverlay_params; i++) {
		struct overlay t = *o;
		uint64_t v = o->none ? UINT64_MAX : *overlay_field(&t, &overlay_params[i]);
		if (!overlay_params[i].shapes)
			continue;
		if (i >= noverlay_first) {
			if (o->none || v == overlay_params[i].preset)
				continue;
			v |= (uint64_t)i << 32;
		}
		h = (h ^ v) * 0x100000001b3u;
		h ^= h >> 29;
	}
	return h;
}

uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < width;) {
		uint32_t in = (uint32_t)((at + i) % 32),
			 n = 32 - in < width - i ? 32 - in : width - i;
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
		uint32_t in = (uint32_t)((at + i) % 32),
			 n = 32 - in < width - i ? 32 - in : width - i;
		uint64_t part = value >> i;
		if (n < 32)
			part &= (1u << n) - 1;
		words[(at + i) / 32] |= (uint32_t)(part << in);
		i += n;
	}
}
