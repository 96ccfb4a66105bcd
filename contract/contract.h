/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract.h: the C form of contract/contract.def. It has the types and tables for overlays,
 * configuration elements, registers and sections. The numbers that are derived from an overlay are
 * computed here and nowhere else.
 *
 * Note [numbers of nodes]. An overlay has R closed rings of L cliques, and a clique has C STEs
 * (T 3.3.2). Clique l of ring r has the number c = r*L + l, and STE k of this clique the number
 * s = c*C + k. The nodes of an overlay are its STEs and its counters. An STE's node number is s;
 * counter j of clique c is node nste + c*counters + j. The predecessors of an STE are the nodes of
 * its own clique and of the neighbouring cliques. They are numbered clique by clique, in the order
 * of the cliques' numbers; in each clique the STEs come first and then the counters. The neighbours
 * of a counter are numbered like the predecessors of an STE in the same clique. But of these only
 * STEs are connected to it: no counter counts or resets another one within a batch.
 *
 * Note [configuration words]. An engine is sent words of o->data bits (32 for overlay none). In C
 * they are 32-bit halves, the low half first, so a word of 64 bits is two halves, and a word of 32
 * bits is one. The words are:
 *
 *   - the hardware fingerprint, two halves;
 *   - each element of the overlay, in the order of the ids: a header of two halves (its id, and
 *     how many words of payload follow), then the payload;
 *   - a header with id 0 and length 1, then one word: the CRC-32C of all bytes before it (of
 *     halves in little-endian order), zero-extended.
 *
 * Bits of a word that the layout does not use are 0. The layout of a payload
 * depends on the storage class:
 *
 *   REGISTER  the value, low word first
 *   CHAIN     the bits of all repetitions, one repetition after the other, lowest bit first:
 *             bit b is bit b % data of word b / data
 *   TABLES    truth tables of 32 bits. `data` tables are a group, and each group has 32 words:
 *             bit i of word k of group g is entry 31 - k of table g * data + i. In this order
 *             a chain of 32-bit shift registers takes them
 *   ROWS      for every 32 rows a word with a bit map of those that are present, then these
 *             rows, row_words words each; a row that is absent is all 0
 *   WRITES    one or more words, each with an address and a value, by rising address; the
 *             contract's row of the element says where they are in the word
 *   SPARSE    as the element's row in contract.def says
 *   OPTION    likewise; an image lacks the element if it has nothing to say
 */
#ifndef NFART_CONTRACT_H
#define NFART_CONTRACT_H

#include "contract/proto/proto.h"

enum {
	CONTRACT_VERSION = 3,
	DEVICE_HEAD = 2, /* how many halves the header of an element has */
	DEVICE_FIRST = 2, /* how many halves stand before the header of the first element */
	RECODE_ADDRESS = 10, /* the lowest bit of the address in a word of element recode */
	TIME_BITS = 2 /* bits of a letter of the time slot (image.h, IMAGE_TICK and IMAGE_END) */
};

/* The value of register ID, "nfac" in ASCII. It is a macro because contract.def puts its spelling
 * into the register's text. */
#define CONTRACT_ID 0x6e666163
#define CONTRACT_TEXT(value) CONTRACT_TEXT_(value)
#define CONTRACT_TEXT_(value) #value

/* The numbers that stand for the values of CHOICE parameters, such as OVERLAY_ROWS and
 * OVERLAY_LUT5. */
enum {
#define VALUE(field, constant, word, number, text) OVERLAY_##constant = number,
#include "contract/contract.def"
};

/* OVERLAY_LEAST_field and OVERLAY_MOST_field are the range of each parameter that is a number.
 * OVERLAY_MOST_NAME is the limit NAME of contract.def, for example OVERLAY_MOST_STES. */
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

/* Flags of a state, in the words of a sparse image and in struct image_state. */
enum {
#define STATE_FLAG(constant, number, text) STATE_##constant = number,
#include "contract/contract.def"
};

struct overlay {
#define PARAM(field, lowest, highest, preset, shapes, text) uint32_t field;
#define CHOICE(field, preset, shapes, text) uint32_t field;
#include "contract/contract.def"
	/* Numbers of the protocol, which overlay_tap() copies: slots, bits of an opcode and of a
	 * header. */
	uint32_t slots, op_bits, header_bits;
	bool none; /* true: overlay none, which has no hardware; all other fields are ignored */
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

/* The names of storage classes, repetitions, encodings and counter modes. The index into each table
 * is the value of the enum. */
extern const char *const element_storages[], *const element_pers[], *const element_encodings[];
extern const char *const counter_modes[];

/* A row COUNTER_MODE(…) or STATE_FLAG(…) of contract.def. */
struct contract_number {
	const char *name;
	uint32_t number;
	const char *text;
};
extern const struct contract_number contract_modes[], contract_flags[];
extern const size_t ncontract_modes, ncontract_flags;

/* A row ELEMENT(…) of contract.def, which describes a configuration element. */
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

/* Is the element one of a sparse image, a list of words that hardware never gets? */
static inline bool element_is_list(const struct element *el)
{
	return el->storage == STORAGE_SPARSE || el->storage == STORAGE_OPTION;
}

/* The ids of elements are below this number. */
enum { ELEMENT_FIELDS = 64 };

/* All elements, in the order of their ids. */
extern const struct element elements[];
extern const size_t nelements;

const struct element *element_find(uint32_t id); /* NULL: no element has the id */

/* element_count() returns how often the element is repeated in overlay o. For class ROWS this is
 * the number of rows, for class WRITES 1. If o lacks the element, the result is 0. element_bits()
 * returns how many bits all repetitions have together. */
uint32_t element_count(const struct element *el, const struct overlay *o);
uint64_t element_bits(const struct element *el, const struct overlay *o);

/* Returns how many words the element's payload has. For classes ROWS and WRITES this is the largest
 * possible number. If overlay o lacks the element, the result is 0. */
uint64_t element_words(const struct element *el, const struct overlay *o);

/* Returns the place in the payload of bit `bit` of repetition i. Place p is bit p % 32 of half
 * p / 32. The storage class must not be ROWS. */
uint64_t element_place(const struct element *el, const struct overlay *o, uint32_t i, uint32_t bit);

/* Returns how many bits a configuration word of the overlay has. */
static inline uint32_t overlay_data(const struct overlay *o)
{
	return o->none ? 32 : o->data;
}

/* The next four structs are rows of contract.def. A contract_register is a register of the engine,
 * a contract_field is a field of a register, a contract_load is a value of field STATUS.load, and a
 * section is a section of an image. */
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

/* A row PARAM(…) or CHOICE(…) of contract.def, which describes a parameter of an overlay. */
struct overlay_param {
	const char *name;
	bool choice; /* the parameter is a CHOICE; its values are in overlay_values[] */
	uint32_t lowest, highest; /* range of the parameter, if it is a number and no choice */
	uint32_t preset;
	bool shapes; /* the parameter shapes the bits of an image, so the fingerprint includes it */
	const char *text;
	size_t offset; /* offset of the parameter's field in struct overlay */
};
extern const struct overlay_param overlay_params[];
extern const size_t noverlay_params;
extern const size_t noverlay_first; /* how many of them are not optional; these are the first */

/* A row VALUE(…) of contract.def, which describes one value of a CHOICE. */
struct overlay_value {
	size_t offset;    /* offset of the choice's field in struct overlay */
	const char *word; /* how descriptions of overlays write the value: a word or a number */
	uint32_t number;
	const char *text;
};
extern const struct overlay_value overlay_values[];
extern const size_t noverlay_values;

/* Returns the parameter with this name, which has n bytes. NULL: there is no such parameter. */
const struct overlay_param *overlay_param_find(const char *name, size_t n);

/* Returns the i-th value of choice p, counted from 0 in the order of contract.def. NULL: the choice
 * has fewer values. */
const struct overlay_value *overlay_param_value(const struct overlay_param *p, size_t i);

/* Returns the value of choice p that has this number. NULL: there is no such value, or p is no
 * choice. */
const struct overlay_value *overlay_param_named(const struct overlay_param *p, uint32_t number);

/* May parameter p have this number? A number must be within the range of p; for a choice it must
 * stand for one of its values. */
bool overlay_param_has(const struct overlay_param *p, uint32_t number);

/* Appends the meaning of p and, if it is a choice, its values:
 * `how STEs decode: rows (0), ste (1), bank (2)`. */
void contract_param_text(const struct overlay_param *p, struct buf *b);

/* Returns the i-th of the four parameters of the graph of cliques. Their order is C, L, R, N, as
 * users type them. */
enum { OVERLAY_NGRAPH = 4 };
const struct overlay_param *overlay_graph_param(size_t i);

/* A row LIMIT(…) of contract.def: a limit that several parameters must keep together. */
struct contract_limit {
	const char *name;
	uint32_t most;
	const char *text; /* the limit as a sentence, without its full stop */
};
extern const struct contract_limit contract_limits[];
extern const size_t ncontract_limits;

/* A row PROTOCOL(…) of contract.def: a number that an engine knows of the protocol. */
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

/* Sets every parameter to its default, and everything else to 0. */
void overlay_presets(struct overlay *o);

/* Copies the numbers of protocol p that an overlay needs. */
void overlay_tap(struct overlay *o, const struct nfart_proto *p);

/* Makes *o the default overlay for protocol p. */
void overlay_default(struct overlay *o, const struct nfart_proto *p);

/* Returns how many parameters an image of the overlay has: those behind are optional and have their
 * defaults. */
size_t overlay_params_used(const struct overlay *o);

/* Returns NULL if overlay o is possible. Otherwise returns a static text. It says that a parameter
 * is out of range, or which limit several parameters exceed together. */
const char *overlay_check(const struct overlay *o);

/* Do two overlays have the same parameters, and the same numbers of a protocol? If both are overlay
 * none, they are the same. */
bool overlay_same(const struct overlay *a, const struct overlay *b);

/* The functions that compute the DERIVED rows of contract.def: overlay_nste(o), overlay_npred(o),
 * and so on. */
#define DERIVED(name, expression, text) uint32_t overlay_##name(const struct overlay *o);
#include "contract/contract.def"

/* Returns |N[c]|, the number of cliques that are adjacent to a clique c, c itself included. */
uint32_t contract_degree(const struct overlay *o);
uint32_t contract_row_bits(const struct overlay *o); /* bits of a letter, as a row is for */
uint32_t contract_log2(uint32_t n); /* how many bits are needed to number n things; at least 1 */
/* Returns how many configuration words the largest image has, or UINT32_MAX if there are more. */
uint32_t contract_most_words(const struct overlay *o);

/* Writes N[c] to out: clique c and the cliques next to it, in rising order (T 3.3.2). `out` needs
 * contract_degree() entries. */
void contract_neighbours(const struct overlay *o, uint32_t c, uint32_t *out);

/* Returns the clique of a node. */
uint32_t contract_clique_of(const struct overlay *o, uint32_t node);

/* Returns the node that has number i among the predecessors of the STEs of a clique
 * (Note [numbers of nodes]). i is below overlay_npred(). `near` is what contract_neighbours() wrote
 * for the clique. */
uint32_t contract_neighbour_node(const struct overlay *o, const uint32_t *near, uint32_t i);

/* Returns the number that node `from` has among the predecessors of node `to`. -1: `from` is no
 * predecessor of `to`. */
int contract_pred_index(const struct overlay *o, uint32_t from, uint32_t to);

/* Returns the hardware fingerprint, a hash of those parameters and protocol fields that shape the
 * bits of an image. All sparse images of one protocol have the same fingerprint. */
uint64_t contract_fingerprint(const struct overlay *o, const struct nfart_proto *p);

/* words_get() reads and words_set() writes the `width` bits that begin at bit `at` of words. At
 * most 64 bits are possible. words_set() requires that the bits are 0 before. */
uint64_t words_get(const uint32_t *words, uint64_t at, uint32_t width);
void words_set(uint32_t *words, uint64_t at, uint32_t width, uint64_t value);

#endif
