/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_build.h: what the files that parse protocol descriptions share. proto_text.c reads headings
 * and the statements about headers, proto_slots.c groups and channels, proto_types.c types, events
 * and fields, proto_rules.c pairs, proto_joins.c joins, proto_misses.c what has no message.
 * proto_auto.c lays out what a description leaves to nfacc, proto_use.c reads other descriptions
 * into one, tap_text.c and tap_expr.c read taps. No other file includes this header.
 *
 * Note [units]. A unit is what one file says: the description itself, or one that `use` names. A
 * description that is laid out automatically is read in two steps, since places and numbers are
 * known at its end alone: first all but events, pairs and taps, then the layout is made, then these
 * are read. A `struct build_later` remembers where they stand. While they are read, b->unit is
 * their unit, and codes, groups and fields of others are not seen.
 */
#ifndef NFACC_GRAMMAR_PROTO_BUILD_H
#define NFACC_GRAMMAR_PROTO_BUILD_H

#include "contract/proto/proto.h"
#include "contract/proto/tap.h"
#include "grammar/describe/proto_text.h"
#include "support/desc.h"
#include "support/vec.h"

enum {
	MOST_CHANNELS = 4096,
	AUTO_TYPES = 1 << 14,          /* more than 255 types in each of 64 slots */
	BUILD_NO_CLASS = UINT32_MAX - 1 /* the class of a type without one */
};

/* Channels, from `first` to `last`. */
struct build_range {
	bool given; /* false: no description gives these channels */
	uint32_t first, last;
};

/* Channels of a group, an index into the groups. */
struct build_own {
	uint32_t group;
	struct build_range range;
};

struct build_type {
	const char *name;
	uint32_t class; /* index in build.classes */
};

/* A place of field `field`, an index in build.fields. */
struct build_place {
	uint32_t field;
	struct proto_place place;
};

/* A type of a description that is laid out automatically. */
struct build_auto_type {
	struct build_type type;
	uint64_t slots;         /* a bit for each slot */
	bool address;
};

/* A field of such a description. */
struct build_auto_field {
	const char *name;
	uint32_t bits;
	uint64_t *types;        /* bit set over the types, AUTO_TYPES bits */
};

/* A statement that is read later: a cursor on its first word. */
struct build_later {
	struct desc c;
};

/* A register or a queue: what is in its statement before its expressions, and where they are. */
struct build_memory {
	struct build_later later;
	uint32_t signal, deep;
};

/* A parameter that an extension gives another value. */
struct build_other {
	struct diag_range at;   /* the place of its name */
	bool met;               /* what is extended has it */
};

/* Note [units]. */
struct build_unit {
	const char *name;       /* of its `use`; NULL: the description itself */
	const char *prefix;     /* where its signals are */
	const char *own_group;  /* the name that its group has in its own file; NULL: the table's */
	uint32_t group;         /* with own_group: the group in the table */
	uint64_t slots;         /* a bit for each of its slots */
	uint32_t addr_bits;     /* of a byte address */
	struct desc_params params;
	VEC(struct build_auto_field) fields;
	VEC(struct build_later) rules;  /* events, pairs and joins */
	VEC(struct build_later) resets, taps;
	VEC(struct build_memory) registers, queues;
	VEC(const char *) clocks;
	bool has_clock, falling;
	bool has_payload;       /* it has a `payload` statement, whose bits may be 0 */
	VEC(struct tap_signal) signals;
};

/* What a description that is laid out automatically says. */
struct build_auto {
	bool on;                /* opcode auto */
	struct diag_range at;   /* where that stands, or the first `use` */
	bool address;
	uint32_t addr_bits, line_shift;
	VEC(struct build_auto_type) types;
	VEC(struct build_auto_field) fields; /* of all units */
};

/* The state of a parse: the cursor, the table that is being filled, and what was read so far. */
/* What comes from outside. */
struct build_outside {
	const struct proto_given *given; /* parameters that are set; may be NULL */
	const char *const *dirs;  /* the folders in which `extends` finds descriptions */
	size_t ndirs;
};

/* Which channels there are. */
struct build_channels {
	struct build_range all;     /* what `channels` says */
	struct diag_range at;       /* place of what `channels` says */
	struct diag_range groups_at; /* place of the first group */
	VEC(struct build_own) of;   /* the channels that `groups` gives; groups rise */
	bool fixed;                 /* a description that extends this one gave the channels */
};

/* What the tables of the protocol are made of. */
struct build_tables {
	VEC(const char *) classes;
	VEC(struct build_type) types;
	VEC(struct proto_event) events;
	VEC(const char *) fields;   /* the names of the fields */
	VEC(struct build_place) places;
	VEC(struct proto_pair) pairs;
	VEC(struct proto_join) joins;
};

struct build {
	struct desc c;
	struct nfart_proto *p;
	struct arena *arena;      /* where what the table keeps is: that of the protocol */
	struct build_outside outside;
	struct build_unit *unit;  /* whose statements are read */
	struct build_unit own;    /* the unit of the description itself */
	VEC(struct build_other) others; /* [i]: what extensions say of own.params.all.at[i] */
	VEC(struct build_unit *) uses; /* those that it uses */
	struct build_auto automatic;
	bool memory;              /* memory was short */
	bool laid_out;            /* build_slots() was called, so the slots exist */
	bool by_hand;             /* header, opcode, idle or address were given by hand */
	unsigned seen;            /* bit i: the statement of words[i] in once() was read */
	struct build_channels channels;
	struct build_tables tables;
	uint64_t *misses_except;  /* codes that `misses` excepts; NULL: there is no `misses` */
};

/* Notes that memory is short, and ends the parse. */
void build_no_memory(struct build *b);

/* Returns a copy of the n bytes at s in the protocol's arena, or of `PREFIX_S` if the prefix, of m
 * bytes, is not empty. NULL: out of memory, which is noted. */
char *build_copy(struct build *b, const char *prefix, size_t m, const char *s, size_t n);

/* Reads a name as filters write it: a letter or '_', then letters, digits and '_', at most 60
 * bytes. Sets *s to the text of the name and returns its length. `what` says in error messages what
 * was expected, such as "a group". */
size_t build_name(struct build *b, const char **s, const char *what);

/* Reads a range `LO..HI` of bits of the header, or a single bit `LO`. Sets *lsb to the lowest bit
 * and *bits to the number of bits. More than `most` bits are an error. */
void build_bits(struct build *b, uint32_t *lsb, uint32_t *bits, uint32_t most);

/* Returns the group with this name (n bytes at s) in the unit. -1: there is none. */
int build_find_group(const struct build *b, const char *s, size_t n);

/* Is the code in a slot of the unit? */
static inline bool build_in_unit(const struct build *b, uint32_t code)
{
	return (b->unit->slots >> (code >> b->p->header.op_bits) & 1) != 0;
}

/* Reads the description of one protocol, from its heading on: the cursor is on its first token. */
void build_description(struct build *b, struct diags *d);

/* Finds the description of a protocol, and adds it to the sources of d. Returns what proto_find()
 * does, and its number in *source. */
enum nfart_status build_source(struct diags *d, const char *const *dirs, size_t ndirs,
			       const char *name, size_t n, uint32_t *source);

/* Frees what the parse of one description holds, without its protocol. */
void build_free(struct build *b);

/* Reads `param NAME = N;` after the first word. Its value is what is set from outside, or else N. A
 * description has a parameter once. */
void build_param(struct build *b);

/* The same in an extension, whose parameters are those from number `first` on. Extensions are read
 * before what they extend, and the value that is read first counts. */
void build_param_other(struct build *b, size_t first);

/* Reports the first parameter of an extension that nothing extended has. */
void build_check_others(struct build *b);

/* These functions read a statement of a description that is laid out automatically, after its first
 * word. build_auto_address() is called after `address auto`. */
void build_auto_address(struct build *b);
void build_auto_types(struct build *b);
void build_auto_field(struct build *b);

/* Lays out what was read of all units. */
void build_layout(struct build *b);

/* Reads `use` after its first word. */
void build_use(struct build *b);

/* Reads the statement of a tap at whose first word the cursor is. False: it is none. */
bool build_tap_statement(struct build *b);

/* Remembers the statement at the cursor, and moves past it. It ends at a `;`, or if `braces` is set
 * at a `}`. Its tokens are those of taps if `taps` is set. */
void build_put_off(struct build *b, struct build_later *later, bool braces, bool taps);

/* Reads the taps of all units, after places and numbers are known, and adds them to the table. All
 * errors in them are reported. */
void build_taps(struct build *b);

/* Finds the place of a field, an index into b->fields, in messages with this code. The number of
 * fields stands for the index of the line. False: the messages lack it. */
bool build_find_place(const struct build *b, size_t field, uint32_t code, struct proto_place *x);

/* These functions read a statement after its first word, up to its ';'. */
void build_groups(struct build *b);
void build_channels(struct build *b);

/* These functions read a whole statement after its first word. */
void build_types(struct build *b);
void build_event(struct build *b);
void build_field(struct build *b);
void build_pair(struct build *b);
void build_join(struct build *b);
void build_misses(struct build *b);

/* Marks the codes that `misses` means in the table, which has all types. False: out of memory. */
bool build_missed(struct build *b);

/* Reads a list of types, classes and first letters of types, and adds their codes to `set`. One
 * whose codes are already in it or in `other` is an error. */
void build_type_list(struct build *b, const uint64_t *other, uint64_t *set);

/* Returns the name NAME (n bytes at s) of a rule, or USE.NAME. NULL: out of memory, which is noted. */
const char *build_rule_name(struct build *b, const char *s, size_t n);

/* Reports that there is no `what` of the name at `at`, and the name that comes nearest to it. `next`
 * returns one name after the other, and NULL after the last one. */
void build_unknown(struct build *b, struct diag_range at, const char *what,
		   const char *(*next)(void *ctx), void *ctx);

/* These functions return the index of the type, class or field with this name (n bytes at s), or
 * how many there are if there is none. */
size_t build_find_type(const struct build *b, const char *s, size_t n);
size_t build_find_class(const struct build *b, const char *s, size_t n);
size_t build_find_field(const struct build *b, const char *s, size_t n);

/* Lays out the slots, unless this was done before. All groups and channels must be known, so this
 * is called before the first type, event or field, or at the end of the description. */
void build_slots(struct build *b);

/* Copies types, events, fields, pairs and joins into the table. False: out of memory. */
bool build_tables(struct build *b);

#endif
