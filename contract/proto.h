/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto.h: the table of a protocol (language.md, section 1): slots, opcodes, addresses, names.
 *
 * Part of the contract's C side: the compiler fills it from a description, the image carries it,
 * every engine and every trace format reads it. The struct is plain data in one arena of its own;
 * after proto_finish() nothing changes it. A code is the pair (slot, opcode) as one number,
 * slot << op_bits | opcode: sets of message types are bit sets over codes.
 */
#ifndef NFART_PROTO_H
#define NFART_PROTO_H

#include "include/nfart_status.h"
#include "support/arena.h"
#include "support/bits.h"
#include "support/buf.h"

/* Ranges of what an engine knows of a protocol: PROTO_MOST_slots, ... */
enum {
#define PROTOCOL(name, member, lowest, highest, text)                                              \
	PROTO_LEAST_##name = lowest, PROTO_MOST_##name = highest,
#include "contract/contract.def"
	PROTO_SLOTS = PROTO_MOST_slots,
	PROTO_OP_BITS = PROTO_MOST_op_bits,
	PROTO_NO_CHANNEL = -1, /* a slot without a channel number */
	PROTO_NO_IDLE = -1
};

struct proto_slot {
	uint16_t group;  /* index into groups */
	int16_t channel; /* or PROTO_NO_CHANNEL */
};

struct proto_event {
	const char *name;
	uint16_t group;        /* its sender */
	uint32_t ntypes;
	const uint32_t *types; /* indices into types */
};

struct nfart_proto {
	struct arena arena;
	const char *name;
	uint32_t header_bits;
	uint32_t op_lsb, op_bits; /* the opcode's place in the header */
	int32_t idle;             /* opcode, or PROTO_NO_IDLE */
	uint32_t addr_lsb;        /* the line index's place in the header */
	uint32_t addr_bits;       /* 0: the protocol has no addresses */
	uint32_t line_shift;      /* byte address = line index << line_shift */

	uint32_t ngroups;
	const char **groups;
	uint32_t nslots;
	struct proto_slot slots[PROTO_SLOTS]; /* in the order of the contract: group by group */
	uint32_t ntypes;
	const char **types;                   /* names, as CLASS_NAME */
	uint32_t nevents;
	struct proto_event *events;

	uint32_t ncodes;      /* nslots << op_bits */
	uint32_t *type_of;    /* [ncodes]: index of the type + 1, or 0 */
	uint64_t *has_addr;   /* bit set over codes: the type has an address */
	uint64_t *valid;      /* bit set over codes: not idle */

	uint64_t hardware_fp; /* of what shapes bits: slots, fields, idle, address table */
	uint64_t names_fp;    /* of the names */
};

/* An empty protocol; NULL: out of memory. proto_free(NULL) is fine. */
struct nfart_proto *proto_new(void);
void proto_free(struct nfart_proto *p);

/* Allocates the tables over codes once slots and fields are set. False: out of memory. */
bool proto_alloc_codes(struct nfart_proto *p);

/* Marks idle codes and computes the fingerprints; call last. False: out of memory. */
bool proto_finish(struct nfart_proto *p);

/* Serialises into b; reads back (NULL and *e on malformed input; the n bytes are hostile). */
void proto_write(const struct nfart_proto *p, struct buf *b);
struct nfart_proto *proto_read(const unsigned char *at, size_t n, struct nfart_error *e);

static inline uint32_t proto_opcode(const struct nfart_proto *p, uint64_t header)
{
	return (uint32_t)(header >> p->op_lsb) & ((1u << p->op_bits) - 1);
}

static inline uint32_t proto_code(const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	return slot << p->op_bits | proto_opcode(p, header);
}

/* Index of the line a header names; meaningful where has_addr has its code. */
static inline uint64_t proto_line(const struct nfart_proto *p, uint64_t header)
{
	return header >> p->addr_lsb & (((uint64_t)1 << (p->addr_bits & 63)) - 1);
}

/* The header's bits that hold the line index, in place. */
static inline uint64_t proto_addr_mask(const struct nfart_proto *p)
{
	return p->addr_bits == 0 ? 0 : (((uint64_t)1 << p->addr_bits) - 1) << p->addr_lsb;
}

/* All bits a header may have. */
static inline uint64_t proto_header_mask(const struct nfart_proto *p)
{
	return p->header_bits == 64 ? UINT64_MAX : ((uint64_t)1 << p->header_bits) - 1;
}

/* Look-ups by name of n bytes; -1 where there is none. Linear in the table. */
int proto_find_group(const struct nfart_proto *p, const char *s, size_t n);
int proto_find_type(const struct nfart_proto *p, const char *s, size_t n);
int proto_find_event(const struct nfart_proto *p, const char *s, size_t n);

/* The slot of a group and channel (PROTO_NO_CHANNEL for a slot without one); -1: none. */
int proto_find_slot(const struct nfart_proto *p, uint32_t group, int channel);

/* The opcode that type `type` has in `slot`; -1: it never is there. */
int proto_type_opcode(const struct nfart_proto *p, uint32_t type, uint32_t slot);

/* Appends the predicate (mode None or Any; a bit set over codes) as filter text that parses back to the
 * same normal form, types by name where they have one: `Any(cpu.MREQ_RLDD@6,7, cpu.#31@2)`, `true`. */
void proto_print_pred(const struct nfart_proto *p, bool none, const uint64_t *ops, struct buf *b);

/* Writes the slot's name, `cpu@6` or `b`, into out. */
void proto_slot_name(const struct nfart_proto *p, uint32_t slot, char out[static 80]);

#endif
