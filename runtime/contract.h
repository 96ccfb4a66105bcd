/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract.h: the C side of rtl/contract.def: overlays, configuration elements, and the words that
 * carry them. The one evaluator of every derived number.
 *
 * An overlay is C*L*R STEs in cliques on R closed rings of L cliques (T 3.3.2). Clique number
 * c = r*L + l; STE number s = c*C + position. The predecessors of an STE are the STEs of the
 * neighbouring cliques (its own included), cliques rising, positions rising.
 *
 * Device words: for each element a header of two 32-bit words, its id and how many words follow;
 * then the words. REGISTER: the value, low word first. CHAIN: the bits of all repetitions, one after
 * the other, lowest bit first. ROWS: a bit map of the rows that are present (absent ones are zero),
 * then the words of each. SPARSE: as contract.def says. Elements come in order of their ids.
 */
#ifndef NFART_CONTRACT_H
#define NFART_CONTRACT_H

#include "runtime/proto.h"

enum { CONTRACT_VERSION = 1, OVERLAY_MOST_STES = 1 << 20, OVERLAY_MOST_BITS = 1 << 30 };

enum { OVERLAY_ROWS, OVERLAY_STE, OVERLAY_BANK };
enum { OVERLAY_MASK, OVERLAY_LUT5 };

struct overlay {
#define PARAM(field, lowest, highest, preset, text) uint32_t field;
#include "rtl/contract.def"
	uint32_t slots, op_bits; /* of the protocol */
	bool none;               /* overlay none: no hardware, nothing above means anything */
};

enum element_id {
#define ELEMENT(id, name, storage, per, width, present, encoding, shadowed, text) EL_##name = id,
#include "rtl/contract.def"
};

enum section_id {
#define SECTION(id, name, skippable, text) SEC_##name = id,
#include "rtl/contract.def"
};

enum element_storage { STORAGE_REGISTER, STORAGE_CHAIN, STORAGE_ROWS, STORAGE_SPARSE };
enum element_per { PER_ONCE, PER_STE, PER_STE_SLOT, PER_BANK, PER_ROW };
enum element_encoding { ENCODING_MASK, ENCODING_TRUTH, ENCODING_INTEGER };

struct element {
	enum element_id id;
	const char *name;
	enum element_storage storage;
	enum element_per per;
	enum element_encoding encoding;
	bool shadowed;
	const char *text;
	uint32_t (*width)(const struct overlay *o);
	bool (*present)(const struct overlay *o);
};

/* All elements, by rising id. */
extern const struct element elements[];
extern const size_t nelements;

const struct element *element_find(uint32_t id); /* NULL: no such element */

/* How often the element is there in this overlay (rows for ROWS), and the bits of all of it. */
uint32_t element_count(const struct element *el, const struct overlay *o);
uint64_t element_bits(const struct element *el, const struct overlay *o);

struct section {
	enum section_id id;
	const char *name;
	bool skippable;
	const char *text;
};
extern const struct section sections[];
extern const size_t nsections;

/* A parameter by its place in contract.def. */
struct overlay_param {
	const char *name;
	uint32_t lowest, highest, preset;
	const char *text;
	size_t offset; /* of the field in struct overlay */
};
extern const struct overlay_param overlay_params[];
extern const size_t noverlay_params;

static inline uint32_t *overlay_field(struct overlay *o, const struct overlay_param *p)
{
	return (uint32_t *)(void *)((char *)o + p->offset);
}

/* The default overlay for a protocol (language.md 8). */
void overlay_default(struct overlay *o, const struct nfart_proto *p);

/* NULL, or what is wrong with the parameters taken together (each is within its own range). */
const char *overlay_check(const struct overlay *o);

/* Derived numbers: overlay_nste(o), overlay_npred(o), … */
#define DERIVED(name, expression, text) uint32_t overlay_##name(const struct overlay *o);
#include "rtl/contract.def"

uint32_t contract_degree(const struct overlay *o);  /* |N[c]|, the same for every clique */
uint32_t contract_log2(uint32_t n);                 /* bits to count n things, at least 1 */

/* The cliques next to clique c, c included, rising: contract_degree() of them (T 3.3.2). */
void contract_neighbours(const struct overlay *o, uint32_t c, uint32_t *out);

/* The place of STE `from` among the predecessors of STE `to`; -1: it is none. */
int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to);

/* Of what shapes bits; overlay none has one of its own. */
uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p);

/* `width` <= 64 bits at bit `at` of words; and setting them (the bits must be 0 before). */
uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width);
void words_set(uint32_t *words, uint64_t at, uint32_t width, uint64_t value);

#endif
