/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract.h: the C side of contract/contract.def: overlays, configuration elements, and the words that
 * carry them. Every derived number is computed here and nowhere else.
 *
 * Note [numbers of nodes]. An overlay has R closed rings of L cliques, and a clique has C STEs (T 3.3.2).
 * Clique l of ring r has the number c = r*L + l, and STE k of this clique the number s = c*C + k. The
 * nodes of an overlay are its STEs and its counters. An STE's node number is s; counter j of clique c is
 * node nste + c*counters + j. The predecessors of an STE are the nodes of its own clique and of the
 * neighbouring ones. They are numbered clique by clique, cliques rising, in each the STEs first and then
 * the counters. The neighbours of a counter have the same numbers as the predecessors of an STE in its
 * clique, but only STEs are connected to it: no counter counts or resets another one within a batch.
 *
 * Note [configuration words]. An engine is sent words of o->data bits (32 for overlay none). In C they are
 * 32-bit halves, the low half first, so two halves make a word of 64. The words are:
 *
 *   - the hardware fingerprint, two halves;
 *   - each element of the overlay, ids rising: a header of two halves (its id, and how many words of
 *     payload follow), then the payload;
 *   - a header with id 0 and one word, the CRC-32C of all bytes before it (little-endian halves),
 *     zero-extended.
 *
 * Bits of a word that the layout does not use are 0. The layout of a payload is that of its storage class:
 *
 *   REGISTER  the value, low word first
 *   CHAIN     the bits of all repetitions, one after the other, lowest bit first: bit b is bit
 *             b % data of word b / data
 *   TABLES    truth tables of 32 bits, in groups of `data` tables, 32 words a group: word k has bit
 *             31 - k of table g * data + i at its bit i, as chains of 32-bit shift registers take them
 *   ROWS      for every 32 rows a word with the bit map of those that follow, then these rows,
 *             row_words words each; a row that is left out is 0
 *   SPARSE    as contract.def says
 */
#ifndef NFART_CONTRACT_H
#define NFART_CONTRACT_H

#include "contract/proto.h"

enum { CONTRACT_VERSION = 3,
       DEVICE_HEAD = 2, DEVICE_FIRST = 2 /* halves of a header; of what stands before the first */ };

/* What register ID reads: "nfac". A macro: contract.def spells it in the register's text. */
#define CONTRACT_ID 0x6e666163
#define CONTRACT_TEXT(value) CONTRACT_TEXT_(value)
#define CONTRACT_TEXT_(value) #value

/* Values of the parameters that are a choice: OVERLAY_ROWS, OVERLAY_LUT5, ... */
enum {
#define VALUE(field, constant, word, number, text) OVERLAY_##constant = number,
#include "contract/contract.def"
};

/* Ranges of parameters that are numbers, OVERLAY_LEAST_clique and OVERLAY_MOST_clique, and the limits,
 * OVERLAY_MOST_STES. */
enum {
#define PARAM(field, lowest, highest, preset, shapes, text)                                        \
	OVERLAY_LEAST_##field = lowest, OVERLAY_MOST_##field = highest,
#include "contract/contract.def"
#define LIMIT(name, most, whose, what) OVERLAY_MOST_##name = most,
#include "contract/contract.def"
};

enum counter_mode {
#define COUNTER_MODE(constant, word, number, text) COUNTER_##constant = number,
#include "contract/contract.def"
};

/* Flags of a state, in a sparse image and in struct image_state. */
enum {
#define STATE_FLAG(constant, number, text) STATE_##constant = number,
#include "contract/contract.def"
};

struct overlay {
#define PARAM(field, lowest, highest, preset, shapes, text) uint32_t field;
#define CHOICE(field, preset, shapes, text) uint32_t field;
#include "contract/contract.def"
	uint32_t slots, op_bits; /* of the protocol */
	bool none;               /* overlay none: no hardware; all other fields are ignored */
};

enum element_id {
#define ELEMENT(id, name, storage, per, width, present, encoding, text) EL_##name = id,
#include "contract/contract.def"
};

enum section_id {
#define SECTION(id, name, skippable, text) SEC_##name = id,
#include "contract/contract.def"
};

enum element_storage {
#define STORAGE(constant, text) STORAGE_##constant,
#include "contract/contract.def"
};

enum element_per {
#define PER(constant, text) PER_##constant,
#include "contract/contract.def"
};

enum element_encoding {
#define ENCODING(constant, text) ENCODING_##constant,
#include "contract/contract.def"
};

/* Names of these and of counter modes, by their numbers. */
extern const char *const element_storages[], *const element_pers[], *const element_encodings[];
extern const char *const counter_modes[];

/* COUNTER_MODE and STATE_FLAG rows. */
struct contract_number {
	const char *name;
	uint32_t number;
	const char *text;
};
extern const struct contract_number contract_modes[], contract_flags[];
extern const size_t ncontract_modes, ncontract_flags;

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

/* The number of words in the element's payload; for ROWS, the largest possible number. 0 if the overlay
 * lacks the element. */
uint64_t element_words(const struct element *el, const struct overlay *o);

/* The place of bit `bit` of repetition i in the payload, for any storage class but ROWS: a result p means
 * bit p % 32 of half p / 32. */
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
	bool choice;              /* one of the overlay_values[] of the same offset, else a number: */
	uint32_t lowest, highest; /* its range */
	uint32_t preset;
	bool shapes; /* the bits of an image: part of the fingerprint */
	const char *text;
	size_t offset; /* of the field in struct overlay */
};
extern const struct overlay_param overlay_params[];
extern const size_t noverlay_params;

struct overlay_value {
	size_t offset; /* of its parameter's field in struct overlay */
	const char *word; /* in descriptions; may be a number */
	uint32_t number;
	const char *text;
};
extern const struct overlay_value overlay_values[];
extern const size_t noverlay_values;

/* The parameter with a name of n bytes; NULL: there is none. */
const struct overlay_param *overlay_param_find(const char *name, size_t n);

/* Value number i of a choice, in the order of contract.def; NULL: it has no more. */
const struct overlay_value *overlay_param_value(const struct overlay_param *p, size_t i);

/* The value of a choice that has this number; NULL: none, or p is no choice. */
const struct overlay_value *overlay_param_named(const struct overlay_param *p, uint32_t number);

/* Is it within the range, or one of the values? */
bool overlay_param_has(const struct overlay_param *p, uint32_t number);

/* Appends its meaning; of a choice also the values, `how STEs decode: rows (0), ste (1), bank (2)`. */
void contract_param_text(const struct overlay_param *p, struct buf *b);

/* C, L, R, N, in the order in which users type them: the parameters of the graph of cliques. */
enum { OVERLAY_NGRAPH = 4 };
const struct overlay_param *overlay_graph_param(size_t i);

/* What LIMITs and PROTOCOL rows say. */
struct contract_limit {
	const char *name;
	uint32_t most;
	const char *text; /* a sentence without its full stop */
};
extern const struct contract_limit contract_limits[];
extern const size_t ncontract_limits;

struct contract_protocol {
	const char *name;
	uint32_t lowest, highest;
	const char *text;
};
extern const struct contract_protocol contract_protocols[];
extern const size_t ncontract_protocols;

static inline uint32_t *overlay_field(struct overlay *o, const struct overlay_param *p)
{
	return (uint32_t *)(void *)((char *)o + p->offset);
}

/* Every parameter gets its default (language.md 8), everything else is 0. */
void overlay_presets(struct overlay *o);

/* The default overlay for a protocol. */
void overlay_default(struct overlay *o, const struct nfart_proto *p);

/* NULL, or what is wrong with the parameters, each alone or all together. */
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

/* The node number of neighbour i (below npred) of a clique's nodes. `near` is what contract_neighbours()
 * wrote for the clique. */
uint32_t contract_neighbour_node(const struct overlay *o, const uint32_t *near, uint32_t i);

/* The number of node `from` among the predecessors of node `to`; -1: it is no predecessor. */
int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to);

/* The hardware fingerprint: of the parameters and protocol fields that shape bits. All sparse images of one
 * protocol share one. */
uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p);

/* Reads and writes `width` <= 64 bits that begin at bit `at`. Bits that are written must be 0 before. */
uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width);
void words_set(uint32_t *words, uint64_t at, uint32_t width, uint64_t value);

#endif
