/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Parses protocol descriptions, with a function for each statement. This is one file of a little
 * over 500 lines, because all functions work on one struct that no other file should see.
 */
#include "grammar/describe/proto_text.h"

#include <errno.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "grammar/describe/desc.h"
#include "grammar/describe/reserved.h"

enum { MOST_CHANNELS = 4096, MOST_FILE = 1 << 20 };

/* The state of a parse: the cursor, the table that is being filled, and what was read so far. */
struct build {
	struct desc c;
	struct nfart_proto *p;
	const char *const *dirs;  /* the folders in which `extends` finds descriptions */
	size_t ndirs;
	bool memory;              /* memory was short */
	bool laid_out;            /* lay_out() was called, so the slots exist */
	bool fixed_channels;      /* a description that extends this one gave the channels */
	bool has_channels;        /* the slots have channels, from first_channel to last_channel */
	unsigned seen;            /* bit i: the statement of words[i] in once() was read */
	uint32_t first_channel, last_channel;
	struct diag_range channels_at; /* place of the statement that gave the channels */
	VEC(const char *) types;
	VEC(struct proto_event) events;
};

static void no_memory(struct build *b)
{
	b->memory = b->c.failed = true;
}

static char *copy_name(struct build *b, const char *prefix, size_t m, const char *s, size_t n)
{
	char *t = arena_alloc(&b->p->arena, m + n + 2);

	if (t == NULL) {
		no_memory(b);
		return NULL;
	}
	memcpy(t, prefix, m);
	if (m != 0)
		t[m++] = '_';
	memcpy(t + m, s, n);
	return t;
}

/* Reads a name as filters write it: a letter or '_', then letters, digits and '_', at most 60
 * bytes. Sets *s to the text of the name and returns its length. `what` says in error messages what
 * was expected, such as "a group". */
static size_t name(struct build *b, const char **s, const char *what)
{
	struct diag_range at = b->c.range;
	size_t n = desc_word(&b->c, s, what);

	if (!b->c.failed && (n > 60 || memchr(*s, '-', n) != NULL))
		desc_error(&b->c, at, "%s has letters, digits and '_', at most 60", what);
	if (!b->c.failed && grammar_find_reserved(*s, n) >= 0)
		desc_error(&b->c, at, "'%.*s' is a reserved word of the filter language", (int)n,
			   *s);
	return n;
}

/* Reads a range `LO..HI` of bits of the header, or a single bit `LO`. Sets *lsb to the lowest bit
 * and *bits to the number of bits. More than `most` bits are an error. */
static void bit_range(struct build *b, uint32_t *lsb, uint32_t *bits, uint32_t most)
{
	struct diag_range at = b->c.range;
	uint64_t lo = desc_number(&b->c, "a bit", 0, b->p->header_bits - 1), hi = lo;

	if (desc_accept(&b->c, ".."))
		hi = desc_number(&b->c, "a bit", 0, b->p->header_bits - 1);
	if (hi < lo || hi - lo >= most)
		desc_error(&b->c, at, "a field has its lowest bit first and at most %u bits", most);
	*lsb = (uint32_t)lo;
	*bits = (uint32_t)(hi - lo + 1);
}

static void address(struct build *b)
{
	struct diag_range at;
	uint64_t line = 1;

	bit_range(b, &b->p->addr_lsb, &b->p->addr_bits, PROTO_MOST_addr_bits);
	if (desc_accept(&b->c, "line")) {
		at = b->c.range;
		line = desc_number(&b->c, "the size of a line", 1, 1 << 30);
		if ((line & (line - 1)) != 0)
			desc_error(&b->c, at, "the size of a line is a power of two");
	}
	while (!b->c.failed && line >> b->p->line_shift > 1)
		b->p->line_shift++;
	if (b->p->addr_bits + b->p->line_shift > 63)
		desc_error(&b->c, b->c.range, "addresses have at most 63 bits");
}

static void groups(struct build *b)
{
	VEC(const char *) v = { 0 };

	do {
		struct diag_range at = b->c.range;
		const char *s, *t;
		size_t n = name(b, &s, "a group");
		for (size_t i = 0; i < v.n && !b->c.failed; i++)
			if (strlen(v.at[i]) == n && memcmp(v.at[i], s, n) == 0)
				desc_error(&b->c, at, "this group is already defined");
		t = b->c.failed ? NULL : copy_name(b, "", 0, s, n);
		if (v.n == PROTO_SLOTS)
			desc_error(&b->c, at, "at most %d groups", PROTO_SLOTS);
		if (t != NULL && !vec_push(&v, t))
			no_memory(b);
	} while (desc_accept(&b->c, ","));
	b->p->groups = arena_array(&b->p->arena, v.n, sizeof *b->p->groups);
	if (b->p->groups == NULL)
		no_memory(b);
	else if (v.n != 0)
		memcpy(b->p->groups, v.at, v.n * sizeof *v.at);
	b->p->ngroups = (uint32_t)v.n;
	vec_free(&v);
}

static void channels(struct build *b)
{
	struct diag_range at = b->c.range;
	uint64_t lo = desc_number(&b->c, "a channel", 0, MOST_CHANNELS), hi = lo;

	if (desc_accept(&b->c, ".."))
		hi = desc_number(&b->c, "a channel", 0, MOST_CHANNELS);
	if (hi < lo)
		desc_error(&b->c, at, "the lowest channel comes first");
	if (b->fixed_channels)
		return;
	b->has_channels = true;
	b->channels_at = at;
	b->first_channel = (uint32_t)lo;
	b->last_channel = (uint32_t)hi;
}

/* Lays out the slots. This is called before the first type or event, or at the end of the
 * description, because all fields, groups and channels are known then. */
static void lay_out(struct build *b)
{
	struct nfart_proto *p = b->p;
	uint64_t each = b->has_channels ? b->last_channel - b->first_channel + 1 : 1;

	if (b->laid_out || b->c.failed)
		return;
	b->laid_out = true;
	if (p->op_bits == 0)
		desc_error(&b->c, b->c.range,
			   "the place of the opcode is missing: 'opcode LO..HI;'");
	else if (p->ngroups == 0)
		desc_error(&b->c, b->c.range,
			   "the groups of slots are missing: 'groups NAME, …;'");
	else if (each * p->ngroups > PROTO_SLOTS)
		desc_error(&b->c, b->has_channels ? b->channels_at : b->c.range,
			   "%llu slots: at most %d", (unsigned long long)(each * p->ngroups),
			   PROTO_SLOTS);
	else if (p->idle >= 1 << p->op_bits)
		desc_error(&b->c, b->c.range, "the idle opcode has more bits than opcodes have");
	else if (p->op_lsb + p->op_bits > p->header_bits ||
		 p->addr_lsb + p->addr_bits > p->header_bits)
		desc_error(&b->c, b->c.range, "a field lies outside the header");
	if (b->c.failed)
		return;
	for (uint32_t g = 0; g < p->ngroups; g++)
		for (uint32_t i = 0; i < each; i++)
			p->slots[p->nslots++] = (struct proto_slot){
				(uint16_t)g,
				b->has_channels ? (int16_t)(b->first_channel + i) : PROTO_NO_CHANNEL
			};
	if (!proto_alloc_codes(p))
		no_memory(b);
}

/* Reads the list after `on`, as in `on 6, 7`, into `set`, which has a bit for each channel from 0
 * to MOST_CHANNELS. */
static void channel_list(struct build *b, uint64_t *set)
{
	memset(set, 0, bits_words(MOST_CHANNELS + 1) * 8);
	do {
		struct diag_range at = b->c.range;
		uint64_t v = desc_number(&b->c, "a channel", 0, MOST_CHANNELS);
		if (!b->fixed_channels &&
		    (!b->has_channels || v < b->first_channel || v > b->last_channel))
			desc_error(&b->c, at, "this protocol has no channel %llu",
				   (unsigned long long)v);
		bits_set(set, v);
	} while (desc_accept(&b->c, ","));
}

/* Reads the list after `from`, as in `from cpu, fpga`. Returns a bit for each group. */
static uint64_t group_list(struct build *b)
{
	uint64_t set = 0;

	do {
		struct diag_range at = b->c.range;
		const char *s;
		size_t n = name(b, &s, "a group");
		int g = proto_find_group(b->p, s, n);
		if (g < 0)
			desc_error(&b->c, at, "no group '%.*s'", (int)n, s);
		else
			set |= (uint64_t)1 << g;
	} while (desc_accept(&b->c, ","));
	return set;
}

static void claim(struct build *b, struct diag_range at, uint32_t code, uint32_t type,
		  bool has_addr)
{
	if (b->p->type_of[code] != 0 || (int32_t)(code & ((1u << b->p->op_bits) - 1)) == b->p->idle)
		desc_error(&b->c, at, "this opcode has another meaning in one of these slots");
	b->p->type_of[code] = type + 1;
	if (has_addr)
		bits_set(b->p->has_addr, code);
}

/* Reads `NAME OPCODE [from …] [on …] [address];` inside the braces of `types`. `class`, `from`
 * and `on` are those of the `types` statement. */
static void one_type(struct build *b, const char *class, size_t nclass, uint64_t from,
		     const uint64_t *on)
{
	static const size_t words = MOST_CHANNELS / 64 + 1;
	uint64_t mine[MOST_CHANNELS / 64 + 1];
	struct nfart_proto *p = b->p;
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = name(b, &s, "a type");
	uint64_t op = desc_number(&b->c, "an opcode", 0, (1u << p->op_bits) - 1);
	bool used = false, has_addr;

	memcpy(mine, on, words * 8);
	if (desc_accept(&b->c, "from"))
		from &= group_list(b);
	if (desc_accept(&b->c, "on"))
		channel_list(b, mine);
	has_addr = desc_accept(&b->c, "address");
	if (has_addr && p->addr_bits == 0)
		desc_error(&b->c, at, "this protocol has no address field");
	desc_expect(&b->c, ";");
	if (b->c.failed)
		return;
	for (uint32_t i = 0; i < p->nslots && !b->c.failed; i++) {
		int ch = p->slots[i].channel;
		if ((from >> p->slots[i].group & 1) == 0 ||
		    (ch != PROTO_NO_CHANNEL && !bits_get(mine, (size_t)ch)))
			continue;
		claim(b, at, i << p->op_bits | (uint32_t)op, (uint32_t)b->types.n, has_addr);
		used = true;
	}
	if (!used && !b->fixed_channels)
		desc_error(&b->c, at, "no slot can carry this type");
	if (!b->c.failed && nclass + 1 + n > 60)
		desc_error(&b->c, at, "class and type have at most 60 letters together");
	if (b->c.failed || !used)
		return;
	const char *t = copy_name(b, class, nclass, s, n);
	for (size_t i = 0; t != NULL && i < b->types.n; i++)
		if (strcmp(b->types.at[i], t) == 0)
			desc_error(&b->c, at, "type '%s' is already defined", t);
	for (size_t i = 0; t != NULL && i < b->events.n; i++)
		if (strcmp(b->events.at[i].name, t) == 0)
			desc_error(&b->c, at, "'%s' is an event", t);
	if (t != NULL && !vec_push(&b->types, t))
		no_memory(b);
}

/* Reads `CLASS [from …] [on …] { … }` after the word `types`. */
static void types(struct build *b)
{
	uint64_t on[MOST_CHANNELS / 64 + 1], from = UINT64_MAX;
	const char *class;
	size_t nclass = name(b, &class, "the name of a class");

	memset(on, 0xff, sizeof on);
	lay_out(b);
	if (desc_accept(&b->c, "from"))
		from = group_list(b);
	if (desc_accept(&b->c, "on"))
		channel_list(b, on);
	desc_expect(&b->c, "{");
	while (!b->c.failed && !desc_accept(&b->c, "}"))
		one_type(b, class, nclass, from, on);
}

/* Reads `NAME from GROUP = TYPE, …;` after the word `event`. If an extension of this description
 * gives the channels, some types have no slot and are not in the table. The event leaves out such
 * types. */
static void event(struct build *b)
{
	VEC(uint32_t) v = { 0 };
	struct proto_event e = { 0 };
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = name(b, &s, "the name of an event");

	lay_out(b);
	if (!b->c.failed)
		e.name = copy_name(b, "", 0, s, n);
	for (size_t i = 0; !b->c.failed && i < b->events.n; i++)
		if (strcmp(b->events.at[i].name, e.name) == 0)
			desc_error(&b->c, at, "event '%s' is already defined", e.name);
	for (size_t i = 0; !b->c.failed && i < b->types.n; i++)
		if (strcmp(b->types.at[i], e.name) == 0)
			desc_error(&b->c, at, "'%s' is a type", e.name);
	desc_expect(&b->c, "from");
	at = b->c.range;
	n = name(b, &s, "a group");
	int g = b->c.failed ? 0 : proto_find_group(b->p, s, n);
	if (g < 0)
		desc_error(&b->c, at, "no group '%.*s'", (int)n, s);
	e.group = (uint16_t)g;
	desc_expect(&b->c, "=");
	do {
		at = b->c.range;
		n = name(b, &s, "a type");
		size_t i = 0;
		while (!b->c.failed && i < b->types.n &&
		       !(strlen(b->types.at[i]) == n && memcmp(b->types.at[i], s, n) == 0))
			i++;
		if (i == b->types.n && !b->fixed_channels)
			desc_error(&b->c, at, "no type '%.*s'", (int)n, s);
		for (size_t k = 0; k < v.n && !b->c.failed; k++)
			if (v.at[k] == i)
				desc_error(&b->c, at, "this type is already listed");
		if (!b->c.failed && i < b->types.n && !vec_push(&v, (uint32_t)i))
			no_memory(b);
	} while (desc_accept(&b->c, ","));
	uint32_t *t = arena_array(&b->p->arena, v.n, sizeof *t);
	if (t != NULL && v.n != 0)
		memcpy(t, v.at, v.n * sizeof *t);
	e.types = t;
	e.ntypes = (uint32_t)v.n;
	vec_free(&v);
	if (!b->c.failed && (t == NULL || !vec_push(&b->events, e)))
		no_memory(b);
	desc_expect(&b->c, ";");
}

/* Records in b->seen that the statement at the cursor was read, if it may stand only once. Reports
 * an error if such a statement was read before. */
static void once(struct build *b)
{
	static const char *const words[] = { "header",  "opcode", "idle",
					     "address", "groups", "channels" };

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (!desc_is(&b->c, words[i]))
			continue;
		if ((b->seen >> i & 1) != 0)
			desc_error(&b->c, b->c.range, "second '%s'", words[i]);
		b->seen |= 1u << i;
	}
}

static void statement(struct build *b)
{
	struct desc *c = &b->c;
	struct diag_range at = c->range;

	if (desc_accept(c, "types")) {
		types(b);
		return;
	}
	if (desc_accept(c, "event")) {
		event(b);
		return;
	}
	if (b->laid_out)
		desc_error(c, at, "fields, groups and channels come before types and events");
	once(b);
	if (desc_accept(c, "header"))
		b->p->header_bits =
			(uint32_t)desc_number(c, "the header's bits", PROTO_LEAST_header_bits,
					      PROTO_MOST_header_bits);
	else if (desc_accept(c, "opcode"))
		bit_range(b, &b->p->op_lsb, &b->p->op_bits, PROTO_MOST_op_bits);
	else if (desc_accept(c, "idle"))
		b->p->idle =
			(int32_t)desc_number(c, "the idle opcode", 0, (1 << PROTO_OP_BITS) - 1);
	else if (desc_accept(c, "address"))
		address(b);
	else if (desc_accept(c, "groups"))
		groups(b);
	else if (desc_accept(c, "channels"))
		channels(b);
	else
		desc_error(
			c, at,
			"expected header, opcode, idle, address, groups, channels, types or event");
	desc_expect(c, ";");
}

/* Finds the description of protocol `name` (n bytes) in the folders or among the shipped ones, and
 * adds it to the sources of d. Returns NFART_OK and its number in *source; NFART_NO if there is
 * none; or NFART_SYSTEM if memory is short or the file can't be read, which is reported. */
static enum nfart_status find_source(struct diags *d, const char *const *dirs, size_t ndirs,
				     const char *name, size_t n, uint32_t *source)
{
	const char *text = builtin_find(builtin_protocols, name, n);
	struct buf path = { 0 }, file = { 0 };
	int error = ENOENT;

	for (size_t i = 0; i < ndirs && error == ENOENT && memchr(name, '/', n) == NULL; i++) {
		path.n = 0;
		buf_addf(&path, "%s/%.*s.proto", dirs[i], (int)n, name);
		error = path.failed ? ENOMEM : buf_read_file(&file, path.at, MOST_FILE);
	}
	*source = DIAG_NO_SOURCE;
	if (error == 0) {
		*source = diag_add_source(d, path.at, file.at, file.n);
	} else if (error != ENOENT) {
		diag_report(d, DIAG_ERROR, "io", (struct diag_range){ DIAG_NO_SOURCE, 0, 0 },
			    "can't read %s: %s", path.failed ? "a description" : path.at,
			    strerror(error));
	} else if (text != NULL) {
		path.n = 0;
		buf_addf(&path, "<%.*s.proto>", (int)n, name);
		if (!path.failed)
			*source = diag_add_source(d, path.at, text, strlen(text));
	}
	buf_free(&path);
	buf_free(&file);
	if (*source != DIAG_NO_SOURCE)
		return NFART_OK;
	return error == ENOENT && text == NULL ? NFART_NO : NFART_SYSTEM;
}

/* Reads the heading `protocol NAME;` or `protocol NAME extends BASE; [channels A..B;]`. After the
 * second form the cursor moves into the description of BASE, to the end of its heading. */
static void heading(struct build *b, struct diags *d)
{
	const char *s;
	size_t n;

	desc_expect(&b->c, "protocol");
	n = desc_word(&b->c, &s, "the name of the protocol");
	if (!b->c.failed && n > 60)
		desc_error(&b->c, b->c.range, "this name is too long");
	b->p->name = b->c.failed ? "" : copy_name(b, "", 0, s, n);
	for (int depth = 0; desc_accept(&b->c, "extends"); depth++) {
		struct diag_range at = b->c.range;
		n = desc_word(&b->c, &s, "the name of a protocol");
		desc_expect(&b->c, ";");
		if (desc_accept(&b->c, "channels")) {
			channels(b);
			b->fixed_channels = true;
			desc_expect(&b->c, ";");
		}
		if (b->c.kind != DESC_END)
			desc_error(&b->c, b->c.range, "an extension can only have 'channels'");
		if (b->c.failed)
			return;
		uint32_t source;
		enum nfart_status status = find_source(d, b->dirs, b->ndirs, s, n, &source);
		if (status == NFART_SYSTEM) {
			no_memory(b);
			return;
		}
		if (status == NFART_NO || depth == 8) {
			desc_error(&b->c, at,
				   depth == 8 ? "extended too often" : "no protocol '%.*s'", (int)n,
				   s);
			return;
		}
		desc_init(&b->c, d, source);
		desc_expect(&b->c, "protocol");
		desc_word(&b->c, &s, "the name of the protocol");
	}
	desc_expect(&b->c, ";");
}

/* Copies the types and events that were collected into the table and completes it. False: out of
 * memory. */
static bool finish(struct build *b)
{
	struct nfart_proto *p = b->p;

	p->ntypes = (uint32_t)b->types.n;
	p->nevents = (uint32_t)b->events.n;
	p->types = arena_array(&p->arena, b->types.n, sizeof *p->types);
	p->events = arena_array(&p->arena, b->events.n, sizeof *p->events);
	if (p->types == NULL || p->events == NULL)
		return false;
	if (b->types.n != 0)
		memcpy(p->types, b->types.at, b->types.n * sizeof *p->types);
	if (b->events.n != 0)
		memcpy(p->events, b->events.at, b->events.n * sizeof *p->events);
	return proto_finish(p);
}

/* Parses a source of d into *out. The description must be of the protocol `wanted` (n bytes). If
 * `wanted` is NULL, it may be of any protocol. Returns what proto_parse() does. */
static enum nfart_status parse(struct diags *d, const char *const *dirs, size_t ndirs,
			       uint32_t source, const char *wanted, size_t n,
			       struct nfart_proto **out)
{
	struct build b = { .p = proto_new(), .dirs = dirs, .ndirs = ndirs };
	struct diag_range at;

	*out = NULL;
	if (b.p == NULL)
		return NFART_SYSTEM;
	desc_init(&b.c, d, source);
	at = b.c.range;
	heading(&b, d);
	if (!b.c.failed && wanted != NULL &&
	    (strlen(b.p->name) != n || memcmp(b.p->name, wanted, n) != 0))
		desc_error(&b.c, at,
			   "this describes protocol '%s', but its file is called '%.*s.proto'",
			   b.p->name, (int)n, wanted);
	while (!b.c.failed && b.c.kind != DESC_END)
		statement(&b);
	lay_out(&b);
	if (!b.c.failed && !finish(&b))
		no_memory(&b);
	if (!b.c.failed)
		*out = b.p;
	else
		proto_free(b.p);
	vec_free(&b.types);
	vec_free(&b.events);
	return !b.c.failed ? NFART_OK : b.memory || d->failed ? NFART_SYSTEM : NFART_INPUT;
}

enum nfart_status proto_parse(struct diags *d, const char *const *dirs, size_t ndirs,
			      const char *file, const char *text, size_t n,
			      struct nfart_proto **out)
{
	uint32_t source = diag_add_source(d, file, text, n);

	*out = NULL;
	return source == DIAG_NO_SOURCE ? NFART_SYSTEM
					: parse(d, dirs, ndirs, source, NULL, 0, out);
}

enum nfart_status proto_find(struct diags *d, const char *const *dirs, size_t ndirs,
			     const char *name, size_t n, struct nfart_proto **out)
{
	uint32_t source;
	enum nfart_status status = find_source(d, dirs, ndirs, name, n, &source);

	*out = NULL;
	return status != NFART_OK ? status : parse(d, dirs, ndirs, source, name, n, out);
}
