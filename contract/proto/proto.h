/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto.h: the table of a protocol (nfacc-protocol(5)): slots, opcodes, addresses, names.
 *
 * The compiler fills the table from a description, an image carries the table, and every engine and
 * every trace format reads it. The struct is plain data in an arena of its own. Nothing changes the
 * struct after proto_finish(). A code is a pair (slot, opcode), stored as one number,
 * slot << op_bits | opcode. A set of message types is a bit set over codes.
 */
#ifndef NFART_PROTO_H
#define NFART_PROTO_H

#include "include/nfart_status.h"
#include "support/arena.h"
#include "support/bits.h"
#include "support/buf.h"

/* The ranges of the numbers that an engine knows of a protocol. PROTO_LEAST_slots and
 * PROTO_MOST_slots, for example, are the range of the number of slots. */
enum {
#define PROTOCOL(name, member, lowest, highest, text)                                              \
	PROTO_LEAST_##name = lowest, PROTO_MOST_##name = highest,
#include "contract/contract.def"
	PROTO_SLOTS = PROTO_MOST_slots,
	PROTO_OP_BITS = PROTO_MOST_op_bits,
	PROTO_PAIRS = 64,    /* the most rules for pairs */
	PROTO_PAIR_KEYS = 8, /* the most keys of such a rule */
	PROTO_JOINS = 16,    /* the most joins */
	PROTO_JOIN_BITS = 8, /* the most bits of a join's number */
	PROTO_NO_CHANNEL = -1, /* the channel of a slot that has no channel number */
	PROTO_NO_IDLE = -1
};

struct proto_slot {
	uint16_t group;  /* the slot's group, an index into nfart_proto.names.groups */
	int16_t channel; /* the slot's channel number, or PROTO_NO_CHANNEL */
};

struct proto_event {
	const char *name;
	uint16_t group; /* the group that sends the event, an index into nfart_proto.names.groups */
	uint32_t ntypes;
	const uint32_t *types; /* [ntypes]: the event's types, indices into nfart_proto.names.types */
};

/* A place of a field in the headers of some messages. */
struct proto_place {
	uint32_t lsb, bits;    /* the lowest bit in the header; how many bits, at most 63 */
	const uint64_t *codes; /* bit set: the codes of these messages; NULL: every message */
};

/* A field of headers. Its places have disjoint sets of codes. */
struct proto_field {
	const char *name;
	uint32_t nplaces;
	const struct proto_place *places; /* [nplaces] */
};

/* Note [pairs]. A rule says which messages answer which: an answer is for the request of its rule
 * that has the same keys and is still open. A key is a field of the header, or the index of the
 * line. No message is both request and answer of one rule, every request and every answer has each
 * key, and the keys have at most 64 bits together.
 *
 * At most one request of a rule is open for a value of the keys: a further one replaces it. A rule
 * in order has a queue for each value of its keys instead, and an answer belongs to the request
 * that has waited longest in its queue. Such a rule need not have keys: then it has one queue. */
struct proto_pair {
	const char *name;
	const uint64_t *requests, *answers; /* bit sets over codes, neither is empty */
	bool in_order;  /* requests with the same keys wait for their answers in a queue */
	uint32_t nkeys; /* at most PROTO_PAIR_KEYS; at least 1 unless the rule is in order */
	/* [nkeys]: the keys. One that is called `line` is the index of the line. A key has places
	 * for requests and answers alone. */
	const struct proto_field *keys;
};

/* Note [joins]. An answer may have no address, but the number of its request. A join gives such an
 * answer the substream of its request. It has a table with an entry for each number. A request
 * *opens* the entry of its number, and the entry keeps the request's substream. An answer *closes*
 * the entry of its number, and is for the substream that the entry has. An answer to an entry that
 * was closed before is *late*, and one to an entry that was never open is *wrong*. Neither is for
 * any substream.
 *
 * The answers of a batch look up the table as it was before the batch. Then they close their
 * entries, and then the requests of the batch open theirs; of several requests with the same
 * number the one in the highest slot counts. The table is empty where the automata are in their
 * start states: before the first batch, after a restart, and with a new image.
 *
 * The requests have addresses, the answers have none and are not broadcast. If substreams are for
 * the values of a field, an answer that has the field is for its own value, whatever the table
 * says; it closes its entry all the same. */
struct proto_join {
	const char *name, *field;           /* field: the name of the number */
	const uint64_t *requests, *answers; /* bit sets over codes, neither is empty */
	uint32_t bits;                      /* of the number, at most PROTO_JOIN_BITS */
	uint32_t request_lsb, answer_lsb;   /* its lowest bit in headers */
};

struct proto_joins {
	uint32_t n;
	struct proto_join *at;
	uint64_t *answers; /* bit set: the codes of all answers, which are disjoint */
};

/* Stands for the byte address of a message's line where the index of a field is wanted. */
#define PROTO_ADDR (UINT32_MAX - 1)
/* In place of the index of a field: bits of the payload. */
#define PROTO_PAYLOAD (UINT32_MAX - 2)

struct tap_form;

/* Where the parts of a header are. */
struct proto_header {
	uint32_t bits;       /* how many bits a header has */
	uint32_t op_lsb,     /* the lowest bit of the opcode in the header */
		op_bits;     /* how many bits the opcode has */
	int32_t idle;        /* the opcode that no message has, or PROTO_NO_IDLE */
	uint32_t addr_lsb;   /* the lowest bit of the line index in the header */
	uint32_t addr_bits;  /* how many bits the line index has; 0: there are no addresses */
	uint32_t line_shift; /* byte address = line index << line_shift */
};

/* What filters and answers can name. */
struct proto_names {
	uint32_t ngroups;
	const char **groups;
	uint32_t ntypes;
	const char **types; /* names of the types, such as MREQ_RLDD */
	uint32_t nevents;
	struct proto_event *events;
	/* Fields, like rules for pairs, have a section of their own in an image, which engines
	 * skip, and enter neither fingerprint. */
	uint32_t nfields;
	struct proto_field *fields;
	uint32_t npairs; /* rules for pairs */
	struct proto_pair *pairs;
};

struct proto_codes {
	uint32_t n;         /* how many codes there are: nslots << op_bits */
	uint32_t *type_of;  /* [n]: index, plus 1, of each code's type; 0: no type */
	uint64_t *has_addr; /* bit set: the codes whose type has an address */
	/* bit set: the codes whose messages every substream sees; has_addr contains none of them */
	uint64_t *broadcast;
	uint64_t *valid;    /* bit set: the codes whose opcode is not the idle one */
	/* bit set: the codes whose type may happen without a message, as a description says by
	 * `misses`; no image carries it. NULL: there are none. */
	uint64_t *missed;
};

struct nfart_proto {
	struct arena arena;
	const char *name;
	struct proto_header header;
	struct proto_names names;
	uint32_t nslots;
	struct proto_slot slots[PROTO_SLOTS]; /* the nslots slots, group by group */

	/* Bits beside each header that filters can look at, a multiple of 64; 0: none. No image
	 * carries it. */
	uint32_t payload;

	/* Taps (contract/proto/tap.h), which no image carries. NULL: there are none. */
	const struct tap_form *taps;

	struct proto_codes codes;
	struct proto_joins joins; /* Note [joins] */
	struct {
		/* hash of all that shapes bits: slots, places, idle, has_addr; broadcast and joins
		 * if there are any */
		uint64_t hardware;
		uint64_t names; /* hash of the names */
	} fp;
};

/* Returns an empty protocol. NULL: out of memory. The caller frees it with proto_free();
 * proto_free(NULL) is fine. */
struct nfart_proto *proto_new(void);
void proto_free(struct nfart_proto *p);

/* Allocates the tables that are indexed by code. The number of slots and of opcode bits must be set
 * before. False: out of memory. */
bool proto_alloc_codes(struct nfart_proto *p);

/* Returns a number that tells protocols apart by their bits and by their names. */
uint64_t proto_fingerprint(const struct nfart_proto *p);

/* Completes a protocol: fills `valid` and computes the fingerprints. All other fields must be set
 * before. False: out of memory. */
bool proto_finish(struct nfart_proto *p);

/* proto_write() appends the protocol in the form that it has in an image. proto_read() makes a
 * protocol of n bytes of this form, which are hostile. It returns NULL if they are malformed or
 * memory is short, and *e says which. */
void proto_write(const struct nfart_proto *p, struct buf *b);
struct nfart_proto *proto_read(const unsigned char *at, size_t n, struct nfart_error *e);

/* proto_write_fields() and proto_write_pairs() append the fields, and the rules for pairs, in the
 * form that they have in an image. proto_read_fields() and proto_read_pairs() add those in n bytes
 * of this form, which are hostile, to a protocol that has none. NFART_INPUT: they are malformed.
 * NFART_SYSTEM: memory is short. */
void proto_write_fields(const struct nfart_proto *p, struct buf *b);
enum nfart_status proto_read_fields(struct nfart_proto *p, const unsigned char *at, size_t n);
void proto_write_pairs(const struct nfart_proto *p, struct buf *b);
enum nfart_status proto_read_pairs(struct nfart_proto *p, const unsigned char *at, size_t n);

/* Makes `joins.answers` of the joins. False: out of memory. proto_write_joins() appends the joins,
 * in the form that they have in an image if `names` is set, else what shapes bits. proto_check_joins()
 * says whether the joins keep what Note [joins] promises. */
bool proto_finish_joins(struct nfart_proto *p);
void proto_write_joins(const struct nfart_proto *p, bool names, struct buf *b);
bool proto_check_joins(const struct nfart_proto *p);

/* Do substreams see messages with this code by a join, if they lack the key themselves? */
static inline bool proto_is_joined(const struct nfart_proto *p, uint32_t code)
{
	return p->joins.n != 0 && bits_get(p->joins.answers, code);
}

/* Returns the place of a key of a rule in messages with this code; NULL: they lack the key. */
const struct proto_place *proto_key_place(const struct proto_field *key, uint32_t code);

/* Returns how many bits the widest place of a key has. */
uint32_t proto_key_bits(const struct proto_field *key);

static inline uint32_t proto_opcode(const struct nfart_proto *p, uint64_t header)
{
	return (uint32_t)(header >> p->header.op_lsb) & ((1u << p->header.op_bits) - 1);
}

/* Returns a mask of the bits of a header that hold the opcode, and the opcode of a code there. */
static inline uint64_t proto_opcode_mask(const struct nfart_proto *p)
{
	return (((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb;
}

static inline uint64_t proto_opcode_bits(const struct nfart_proto *p, uint32_t code)
{
	return (uint64_t)(code & ((1u << p->header.op_bits) - 1)) << p->header.op_lsb;
}

static inline uint32_t proto_code(const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	return slot << p->header.op_bits | proto_opcode(p, header);
}

/* Returns the index of the cache line that a header names. The result has a meaning only if
 * p->codes.has_addr contains the header's code. */
static inline uint64_t proto_line(const struct nfart_proto *p, uint64_t header)
{
	return header >> p->header.addr_lsb & (((uint64_t)1 << (p->header.addr_bits & 63)) - 1);
}

/* Returns a mask of the bits of a header that hold the line index. */
static inline uint64_t proto_addr_mask(const struct nfart_proto *p)
{
	return p->header.addr_bits == 0
		       ? 0
		       : (((uint64_t)1 << p->header.addr_bits) - 1) << p->header.addr_lsb;
}

/* Returns a mask of all bits of a header, for example 0xff if headers have 8 bits. */
static inline uint64_t proto_header_mask(const struct nfart_proto *p)
{
	return p->header.bits == 64 ? UINT64_MAX : ((uint64_t)1 << p->header.bits) - 1;
}

/* These functions return the index of the group, type, event or field whose name is the n bytes at
 * s. -1: there is none. The cost is linear in the number of groups, types, events or fields. */
int proto_find_group(const struct nfart_proto *p, const char *s, size_t n);
int proto_find_type(const struct nfart_proto *p, const char *s, size_t n);
int proto_find_event(const struct nfart_proto *p, const char *s, size_t n);
int proto_find_field(const struct nfart_proto *p, const char *s, size_t n);

/* Returns the place that a field has in the headers of messages with this code. `field` is an index
 * into p->names.fields. NULL: these messages lack the field. */
const struct proto_place *proto_field_place(const struct nfart_proto *p, uint32_t field,
					    uint32_t code);

/* Returns the value that a field with this place has in a header. */
static inline uint64_t proto_place_value(const struct proto_place *x, uint64_t header)
{
	return header >> x->lsb & (((uint64_t)1 << x->bits) - 1);
}

/* Returns the slot with this group and channel. For a slot without a channel number, `channel` is
 * PROTO_NO_CHANNEL. -1: there is no such slot. */
int proto_find_slot(const struct nfart_proto *p, uint32_t group, int channel);

/* Returns the opcode that `type` has in `slot`; -1: the type is never in this slot. */
int proto_type_opcode(const struct nfart_proto *p, uint32_t type, uint32_t slot);

/* Appends a predicate as filter text that parses back to the same normal form:
 * `Any(cpu.MREQ_RLDD@6,7, cpu.#31@2)`, `true`. Its mode is None or Any, and `ops` is a bit set over
 * codes. Opcodes that have a type are printed by its name. */
void proto_print_pred(const struct nfart_proto *p, bool none, const uint64_t *ops, struct buf *b);

/* Appends the items of such a predicate: what stands between the parentheses. *first says whether
 * no item stands before them, and becomes false with the first one. */
void proto_print_codes(const struct nfart_proto *p, const uint64_t *ops, bool *first,
		       struct buf *b);

/* Writes the name of a slot to out: `cpu@6`, or `b` if it has no channel. */
void proto_slot_name(const struct nfart_proto *p, uint32_t slot, char out[static 80]);

#endif
