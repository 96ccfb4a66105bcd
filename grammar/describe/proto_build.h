/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_build.h: what the files that parse protocol descriptions share. proto_text.c reads headings
 * and the statements about headers, proto_slots.c groups and channels, proto_types.c types, events
 * and fields, proto_rules.c pairs. No other file includes this header.
 */
#ifndef NFACC_GRAMMAR_PROTO_BUILD_H
#define NFACC_GRAMMAR_PROTO_BUILD_H

#include "contract/proto/proto.h"
#include "support/desc.h"
#include "support/vec.h"

enum { MOST_CHANNELS = 4096 };

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

/* The state of a parse: the cursor, the table that is being filled, and what was read so far. */
struct build {
	struct desc c;
	struct nfart_proto *p;
	const char *const *dirs;  /* the folders in which `extends` finds descriptions */
	size_t ndirs;
	bool memory;              /* memory was short */
	bool laid_out;            /* build_slots() was called, so the slots exist */
	bool fixed_channels;      /* a description that extends this one gave the channels */
	unsigned seen;            /* bit i: the statement of words[i] in once() was read */
	struct build_range channels;    /* what `channels` says */
	struct diag_range channels_at;  /* place of what `channels` says */
	struct diag_range groups_at;    /* place of the first group */
	VEC(struct build_own) own;      /* the channels that `groups` gives; groups rise */
	VEC(const char *) classes;
	VEC(struct build_type) types;
	VEC(struct proto_event) events;
	VEC(const char *) fields;       /* the names of the fields */
	VEC(struct build_place) places;
	VEC(struct proto_pair) pairs;
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

/* These functions read a statement after its first word, up to its ';'. */
void build_groups(struct build *b);
void build_channels(struct build *b);

/* These functions read a whole statement after its first word. */
void build_types(struct build *b);
void build_event(struct build *b);
void build_field(struct build *b);
void build_pair(struct build *b);

/* These functions return the index of the type, class or field with this name (n bytes at s), or
 * how many there are if there is none. */
size_t build_find_type(const struct build *b, const char *s, size_t n);
size_t build_find_class(const struct build *b, const char *s, size_t n);
size_t build_find_field(const struct build *b, const char *s, size_t n);

/* Lays out the slots, unless this was done before. All groups and channels must be known, so this
 * is called before the first type, event or field, or at the end of the description. */
void build_slots(struct build *b);

/* Copies types, events, fields and pairs into the table. False: out of memory. */
bool build_tables(struct build *b);

#endif
