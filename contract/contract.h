/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract.h: the C side of contract/contract.def: overlays, configuration elements, and the words that
 * carry them. The one evaluator of every derived number.
 *
 * An overlay is C*L*R STEs in cliques on R closed rings of L cliques (T 3.3.2). Clique number
 * c = r*L + l; STE number s = c*C + position. The predecessors of an STE are the STEs of the
 * neighbouring cliques (its own included), cliques rising, positions rising. Counter j of clique c has
 * node number nste + c * counters + j (the STEs' node numbers are their own) and is, besides the STEs
 * of that clique and behind them, a predecessor of all STEs near by. The neighbours of a counter are
 * numbered like the predecessors of an STE of its clique; of these only STEs are connected: no counter
 * counts or resets another one within a batch.
 *
 * Note [configuration words]. What an engine is sent: words of o->data bits (32 for overlay none), here
 * as 32-bit halves, low half first, so that two halves make a word of 64. The hardware fingerprint
 * (two halves); then each element of the overlay, ids rising: a header of two halves, its id and how
 * many words follow, then these words; then a header with id 0 and one word, the CRC-32C of all bytes
 * before it (little-endian halves), zero-extended. What a word has no item for is 0.
 *
 *   REGISTER  the value, low word first
 *   CHAIN     the bits of all repetitions, one after the other, lowest bit first: bit b is bit
 *             b % data of word b / data
 *   TABLES    truth tables of 32 bits, in groups of `data` tables, 32 words a group: word k has bit
 *             31 - k of table g * data + i at its bit i, as chains of 32-bit shift registers take them
 *   ROWS      for each 32 rows a word with the bit map of those present (absent ones are zero), then
 *             the present ones, row_words words each
 *   SPARSE    as contract.def says
 */
#ifndef NFART_CONTRACT_H
#define NFART_CONTRACT_H

#include "contract/proto.h"

enum { CONTRACT_VERSION = 3, OVERLAY_MOST_STES = 1 << 20, OVERLAY_MOST_BITS = 1 << 30,
       DEVICE_HEAD = 2, DEVICE_FIRST = 2 /* halves of a header; of what stands before the first */ };

/* What register ID reads: "nfac". A macro: contract.def spells it in the register's text. */
#define CONTRACT_ID 0x6e666163
#define CONTRACT_TEXT(value) CONTRACT_TEXT_(value)
#define CONTRACT_TEXT_(value) #value

enum { OVERLAY_ROWS, OVERLAY_STE, OVERLAY_BANK };
enum { OVERLAY_MASK, OVERLAY_LUT5 };
enum { OVERLAY_LUT, OVERLAY_BLOCK };
enum counter_mode { COUNTER_PULSE, COUNTER_LATCH, COUNTER_ROLL }; /* language.md 6 */

struct overlay {
#define PARAM(field, lowest, highest, preset, shapes, text) uint32_t field;
#include "contract/contract.def"
	uint32_t slots, op_bits; /* of the protocol */
	bool none;               /* overlay none: no hardware, nothing above means anything */
};

enum element_id {
#define ELEMENT(id, name, storage, per, width, present, encoding, text) EL_##name = id,
#include "contract/contract.def"
};

enum section_id {
#define SECTION(id, name, skippable, text) SEC_##name = id,
#include "contract/contract.def"
};

enum element_storage { STORAGE_REGISTER, STORAGE_CHAIN, STORAGE_TABLES, STORAGE_ROWS, STORAGE_SPARSE };
enum element_per {
	PER_ONCE,
	PER_STE,
	PER_STE_SLOT,
	PER_BANK,
	PER_ROW,
	PER_GROUP,       /* of five nodes */
	PER_LABEL_GROUP, /* label by label */
	PER_COUNTER
};
enum element_encoding { ENCODING_MASK, ENCODING_TRUTH, ENCODING_INTEGER };

struct element {
	enum element_id id;
	const char *name;
	enum element_storage storage;
	enum element_per per;
	enum element_encoding encoding;
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

/* Words of its payload (of a ROWS element at most); 0 where the overlay has none of it. */
uint64_t element_words(const struct element *el, const struct overlay *o);

/* Where bit `bit` of repetition i stands in the payload: bit at % 32 of half at / 32. Not for ROWS. */
uint64_t element_place(const struct element *el, const struct overlay *o, uint32_t i, uint32_t bit);

/* Bits of a configuration word. */
static inline uint32_t overlay_data(const struct overlay *o)
{
	return o->none ? 32 : o->data;
}

/* A register of the engine, its fields, and what STATUS.load says. */
struct contract_register {
	uint32_t offset;
	const char *name, *access, *text;
};
extern const struct contract_register contract_registers[];
extern const size_t ncontract_registers;

struct contract_field {
	const char *reg, *name;
	uint32_t lsb, width;
	const char *text;
};
extern const struct contract_field contract_fields[];
extern const size_t ncontract_fields;

struct contract_load {
	uint32_t value;
	const char *name, *text;
};
extern const struct contract_load contract_loads[];
extern const size_t ncontract_loads;

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
	bool shapes; /* the bits of an image: part of the fingerprint */
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

/* Are all parameters the same? Two sparse ones always are. */
bool overlay_same(const struct overlay *a, const struct overlay *b);

/* Derived numbers: overlay_nste(o), overlay_npred(o), … */
#define DERIVED(name, expression, text) uint32_t overlay_##name(const struct overlay *o);
#include "contract/contract.def"

uint32_t contract_degree(const struct overlay *o);  /* |N[c]|, the same for every clique */
uint32_t contract_log2(uint32_t n);                 /* bits to count n things, at least 1 */
uint32_t contract_most_words(const struct overlay *o); /* of all configuration words; saturates */

/* The cliques next to clique c, c included, rising: contract_degree() of them (T 3.3.2). */
void contract_neighbours(const struct overlay *o, uint32_t c, uint32_t *out);

/* The clique of a node. */
uint32_t contract_clique_of(const struct overlay *o, uint32_t node);

/* Neighbour i (of npred) of the nodes of a clique, as a node; `near` is what contract_neighbours() says. */
uint32_t contract_neighbour_node(const struct overlay *o, const uint32_t *near, uint32_t i);

/* The place of node `from` among the predecessors of node `to`; -1: it is none. */
int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to);

/* Of what shapes bits; overlay none has one of its own. */
uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p);

/* `width` <= 64 bits at bit `at` of words; and setting them (the bits must be 0 before). */
uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width);
void words_set(uint32_t *words, uint64_t at, uint32_t width, uint64_t value);

#endif
