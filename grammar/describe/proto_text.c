/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Parses protocol descriptions: headings, and the statements about headers.
 */
#include "grammar/describe/proto_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/etm/etm_text.h"
#include "contract/image/record.h"
#include "contract/proto/reserved.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_build.h"

enum { MOST_FILE = 1 << 20 };

void build_no_memory(struct build *b)
{
	b->memory = b->c.failed = true;
}

char *build_copy(struct build *b, const char *prefix, size_t m, const char *s, size_t n)
{
	char *t = arena_alloc(b->arena, m + n + 2);

	if (t == NULL) {
		build_no_memory(b);
		return NULL;
	}
	memcpy(t, prefix, m);
	if (m != 0)
		t[m++] = '_';
	memcpy(t + m, s, n);
	return t;
}

size_t build_name(struct build *b, const char **s, const char *what)
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

void build_bits(struct build *b, uint32_t *lsb, uint32_t *bits, uint32_t most)
{
	struct diag_range at = b->c.range;
	uint64_t lo = desc_number(&b->c, "a bit", 0, b->p->header.bits - 1), hi = lo;

	if (desc_accept(&b->c, ".."))
		hi = desc_number(&b->c, "a bit", 0, b->p->header.bits - 1);
	if (hi < lo || hi - lo >= most)
		desc_error(&b->c, at, "a field has its lowest bit first and at most %u bits", most);
	*lsb = (uint32_t)lo;
	*bits = (uint32_t)(hi - lo + 1);
}

static void address(struct build *b)
{
	struct diag_range at;
	uint64_t line = 1;

	build_bits(b, &b->p->header.addr_lsb, &b->p->header.addr_bits, PROTO_MOST_addr_bits);
	if (desc_accept(&b->c, "line")) {
		at = b->c.range;
		line = desc_number(&b->c, "the size of a line", 1, 1 << 30);
		if ((line & (line - 1)) != 0)
			desc_error(&b->c, at, "the size of a line is a power of two");
	}
	while (!b->c.failed && line >> b->p->header.line_shift > 1)
		b->p->header.line_shift++;
	if (b->p->header.addr_bits + b->p->header.line_shift > 63)
		desc_error(&b->c, b->c.range, "addresses have at most 63 bits");
}

/* Records in b->seen that the statement at the cursor was read, if it may stand only once. Reports
 * an error if such a statement was read before. */
static void once(struct build *b)
{
	static const char *const words[] = { "header",  "opcode", "idle",
					     "address", "groups", "channels",
					     "payload" };

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (!desc_is(&b->c, words[i]))
			continue;
		if ((b->seen >> i & 1) != 0)
			desc_error(&b->c, b->c.range, "second '%s'", words[i]);
		b->seen |= 1u << i;
	}
}

/* Reads `opcode`, `idle` or `address` with `auto`. False: that word does not come next. Numbers by
 * hand and automatic ones are not mixed. */
static bool automatic(struct build *b, void (*rest)(struct build *b))
{
	struct diag_range at = b->c.range;
	bool on = desc_accept(&b->c, "auto");

	if (on && b->channels.fixed)
		desc_error(&b->c, at, "one that is extended is laid out by hand");
	if (on && (b->by_hand || b->uses.n != 0))
		desc_error(&b->c, at, "numbers by hand and automatic ones are not mixed");
	b->by_hand |= !on;
	if (!on && b->automatic.on)
		desc_error(&b->c, at, "a protocol with 'opcode auto' has no numbers by hand");
	if (on && !b->automatic.on)
		b->automatic.at = at;
	b->automatic.on |= on;
	if (on && rest != NULL)
		rest(b);
	return on;
}

static void header(struct build *b)
{
	if (b->automatic.on)
		desc_error(&b->c, b->c.range,
			   "a protocol with 'opcode auto' has no numbers by hand");
	b->by_hand = true;
	b->p->header.bits = (uint32_t)desc_number(&b->c, "the header's bits",
						  PROTO_LEAST_header_bits, PROTO_MOST_header_bits);
}

/* Reads a statement that stands before the first type. */
static void first_statement(struct build *b)
{
	struct desc *c = &b->c;
	struct diag_range at = c->range;

	if (b->laid_out)
		desc_error(c, at, "header, groups and channels come before types, events, "
			   "fields and pairs");
	once(b);
	if (desc_accept(c, "header")) {
		header(b);
	} else if (desc_accept(c, "opcode")) {
		if (!automatic(b, NULL))
			build_bits(b, &b->p->header.op_lsb, &b->p->header.op_bits,
				   PROTO_MOST_op_bits);
	} else if (desc_accept(c, "idle")) {
		if (!automatic(b, NULL))
			b->p->header.idle = (int32_t)desc_number(c, "the idle opcode", 0,
								 (1 << PROTO_OP_BITS) - 1);
	} else if (desc_accept(c, "address")) {
		if (!automatic(b, build_auto_address))
			address(b);
	} else if (desc_accept(c, "groups")) {
		build_groups(b);
	} else if (desc_accept(c, "channels")) {
		build_channels(b);
	} else {
		desc_error(c, at,
			   "expected header, opcode, idle, address, groups, channels, payload, "
			   "types, event, field, pair, join, misses, param, use, clock, reset, "
			   "signal, register, queue or tap");
	}
	desc_expect(c, ";");
}

/* Reads `payload BITS;` if it comes next. A description has it once; of those that extend each
 * other, that of the outermost one holds. */
static bool payload(struct build *b)
{
	struct diag_range at = b->c.range;
	uint32_t bits;

	if (!desc_accept(&b->c, "payload"))
		return false;
	bits = (uint32_t)desc_number(&b->c, "the payload's bits", 0, 64 * RECORD_MOST_PAYLOAD);
	if (bits % 64 != 0)
		desc_error(&b->c, at, "a payload has a multiple of 64 bits");
	if (!b->own.has_payload)
		b->p->payload = bits;
	b->own.has_payload = true;
	desc_expect(&b->c, ";");
	return true;
}

static void statement(struct build *b)
{
	struct desc *c = &b->c;

	if (desc_is(c, "payload"))
		once(b);
	if (payload(b))
		return;
	if (desc_accept(c, "param")) {
		build_param(b);
	} else if (desc_accept(c, "use")) {
		build_use(b);
	} else if (b->automatic.on && (desc_is(c, "event") || desc_is(c, "pair") ||
				       desc_is(c, "join") || desc_is(c, "misses"))) {
		struct build_later later;
		build_put_off(b, &later, false, false);
		if (!b->c.failed && !vec_push(&b->unit->rules, later))
			build_no_memory(b);
	} else if (desc_accept(c, "types")) {
		(b->automatic.on ? build_auto_types : build_types)(b);
	} else if (desc_accept(c, "event")) {
		build_event(b);
	} else if (desc_accept(c, "field")) {
		(b->automatic.on ? build_auto_field : build_field)(b);
	} else if (desc_accept(c, "pair")) {
		build_pair(b);
	} else if (desc_accept(c, "join")) {
		build_join(b);
	} else if (desc_accept(c, "misses")) {
		build_misses(b);
	} else if (!build_tap_statement(b)) {
		first_statement(b);
	}
}

void build_put_off(struct build *b, struct build_later *later, bool braces, bool taps)
{
	int depth = 0;

	later->c = b->c;
	desc_taps(&b->c, taps);
	while (!b->c.failed && b->c.kind != DESC_END) {
		bool closes = desc_is(&b->c, "}"), ends = braces ? closes && depth == 1
								 : desc_is(&b->c, ";");
		depth += desc_is(&b->c, "{") - closes;
		if (ends)
			break;
		desc_skip(&b->c); /* errors are reported when the statement is read */
	}
	desc_taps(&b->c, false);
	if (!b->c.failed && b->c.kind == DESC_END)
		desc_error(&b->c, later->c.range, "this statement has no '%s' at its end",
			   braces ? "}" : ";");
	desc_advance(&b->c);
}

/* Makes the description of protocol `name` (n bytes), which is that of a core's events, and adds it
 * to the sources of d. Returns what find_source() does, or NFART_INPUT if the core's description
 * has errors, which are reported. */
static enum nfart_status core_source(struct diags *d, const char *const *dirs, size_t ndirs,
				     const char *name, size_t n, uint32_t *source)
{
	const size_t prefix = strlen(ETM_PROTO_PREFIX);
	struct etm_core core;
	struct buf text = { 0 }, file = { 0 };
	enum nfart_status status = NFART_NO;

	if (n > prefix && memcmp(name, ETM_PROTO_PREFIX, prefix) == 0)
		status = etm_core_find(d, dirs, ndirs, name + prefix, n - prefix, &core);
	if (status != NFART_OK)
		return status;
	etm_core_protocol(&core, &text);
	buf_addf(&file, "<%.*s.proto, of the core>", (int)n, name);
	if (!text.failed && !file.failed)
		*source = diag_add_source(d, file.at, text.at, text.n);
	buf_free(&text);
	buf_free(&file);
	return *source != DIAG_NO_SOURCE ? NFART_OK : NFART_SYSTEM;
}

/* Finds the description of protocol `name` (n bytes) in the folders or among the shipped ones, and
 * adds it to the sources of d. Returns NFART_OK and its number in *source; NFART_NO if there is
 * none; NFART_INPUT if it is made of a description with errors, which are reported; or NFART_SYSTEM
 * if memory is short or the file can't be read, which is reported. */
enum nfart_status build_source(struct diags *d, const char *const *dirs, size_t ndirs,
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
	return error == ENOENT && text == NULL ? core_source(d, dirs, ndirs, name, n, source)
					       : NFART_SYSTEM;
}

/* Reads the heading `protocol NAME;` or
 * `protocol NAME extends BASE; [channels A..B;] [param NAME = N;]... [payload N;]`. After the
 * second form the cursor moves into the description of BASE, to the end of its heading. */
static void heading(struct build *b, struct diags *d)
{
	const char *s;
	size_t n;

	desc_expect(&b->c, "protocol");
	n = desc_word(&b->c, &s, "the name of the protocol");
	if (!b->c.failed && n > 60)
		desc_error(&b->c, b->c.range, "this name is too long");
	b->p->name = b->c.failed ? "" : build_copy(b, "", 0, s, n);
	for (int depth = 0; desc_accept(&b->c, "extends"); depth++) {
		struct diag_range at = b->c.range;
		size_t first = b->others.n;
		n = desc_word(&b->c, &s, "the name of a protocol");
		desc_expect(&b->c, ";");
		if (desc_accept(&b->c, "channels")) {
			build_channels(b);
			b->channels.fixed = true;
			desc_expect(&b->c, ";");
		}
		while (!b->c.failed && desc_accept(&b->c, "param"))
			build_param_other(b, first);
		payload(b);
		if (b->c.kind != DESC_END)
			desc_error(&b->c, b->c.range, "an extension can only have 'channels', "
				   "'param' and 'payload', in this order");
		if (b->c.failed)
			return;
		uint32_t source;
		enum nfart_status status =
			build_source(d, b->outside.dirs, b->outside.ndirs, s, n, &source);
		if (status == NFART_SYSTEM || status == NFART_INPUT) {
			b->memory = status == NFART_SYSTEM;
			b->c.failed = true;
			return;
		}
		if (status == NFART_NO || depth == 8) {
			desc_error(&b->c, at,
				   depth == 8 ? "extended too often" : "no protocol '%.*s'", (int)n,
				   s);
			return;
		}
		desc_init(&b->c, d, source);
		b->c.params = &b->own.params;
		desc_expect(&b->c, "protocol");
		desc_word(&b->c, &s, "the name of the protocol");
	}
	desc_expect(&b->c, ";");
}

void build_description(struct build *b, struct diags *d)
{
	b->unit = &b->own;
	b->own.slots = UINT64_MAX;
	b->own.prefix = "";
	b->c.params = &b->own.params;
	heading(b, d);
	while (!b->c.failed && b->c.kind != DESC_END)
		statement(b);
	build_check_others(b);
	build_slots(b);
}

/* Reads the events, pairs, joins and misses of a unit that were put off. One with an error does not
 * hide those of the others. Returns whether there was an error. */
static bool read_rules(struct build *b, struct build_unit *u)
{
	bool failed = false;

	b->unit = u;
	for (size_t i = 0; i < u->rules.n && !b->memory; i++) {
		b->c = u->rules.at[i].c;
		b->c.params = &u->params;
		if (desc_accept(&b->c, "event"))
			build_event(b);
		else if (desc_accept(&b->c, "pair"))
			build_pair(b);
		else if (desc_accept(&b->c, "join"))
			build_join(b);
		else if (desc_accept(&b->c, "misses"))
			build_misses(b);
		failed = failed || b->c.failed;
	}
	return failed;
}

/* Makes the table of a description that was read. */
static void make_table(struct build *b)
{
	bool failed = false;

	if (b->automatic.on && !b->c.failed)
		build_layout(b);
	if (b->c.failed)
		return;
	failed = read_rules(b, &b->own);
	for (size_t i = 0; i < b->uses.n; i++)
		failed |= read_rules(b, b->uses.at[i]);
	b->unit = &b->own;
	if (!b->memory) {
		b->c.failed = false;
		build_taps(b);
	}
	b->c.failed = b->c.failed || failed;
	if (!b->c.failed && (!build_tables(b) || !proto_finish(b->p)))
		build_no_memory(b);
}

static void free_unit(struct build_unit *u)
{
	vec_free(&u->params.all);
	vec_free(&u->fields);
	vec_free(&u->rules);
	vec_free(&u->resets);
	vec_free(&u->taps);
	vec_free(&u->registers);
	vec_free(&u->queues);
	vec_free(&u->clocks);
	vec_free(&u->signals);
}

void build_free(struct build *b)
{
	vec_free(&b->channels.of);
	vec_free(&b->tables.classes);
	vec_free(&b->tables.types);
	vec_free(&b->tables.events);
	vec_free(&b->tables.fields);
	vec_free(&b->tables.places);
	vec_free(&b->tables.pairs);
	vec_free(&b->tables.joins);
	vec_free(&b->automatic.types);
	vec_free(&b->automatic.fields);
	free_unit(&b->own);
	for (size_t i = 0; i < b->uses.n; i++) {
		free_unit(b->uses.at[i]);
		free(b->uses.at[i]);
	}
	vec_free(&b->uses);
	vec_free(&b->others);
}

/* Parses a source of d into *out. The description must be of the protocol `wanted` (n bytes). If
 * `wanted` is NULL, it may be of any protocol. Returns what proto_parse() does. */
static enum nfart_status parse(struct diags *d, const char *const *dirs, size_t ndirs,
			       const struct proto_given *given, uint32_t source,
			       const char *wanted, size_t n, struct nfart_proto **out)
{
	struct build b = { .p = proto_new(),
			   .outside.dirs = dirs,
			   .outside.ndirs = ndirs,
			   .outside.given = given };
	struct diag_range at;

	*out = NULL;
	if (b.p == NULL)
		return NFART_SYSTEM;
	b.arena = &b.p->arena;
	desc_init(&b.c, d, source);
	at = b.c.range;
	build_description(&b, d);
	if (!b.c.failed && wanted != NULL &&
	    (strlen(b.p->name) != n || memcmp(b.p->name, wanted, n) != 0))
		desc_error(&b.c, at,
			   "this describes protocol '%s', but its file is called '%.*s.proto'",
			   b.p->name, (int)n, wanted);
	make_table(&b);
	if (!b.c.failed)
		*out = b.p;
	else
		proto_free(b.p);
	build_free(&b);
	return !b.c.failed ? NFART_OK : b.memory || d->failed ? NFART_SYSTEM : NFART_INPUT;
}

enum nfart_status proto_parse_given(struct diags *d, const char *const *dirs, size_t ndirs,
				    const struct proto_given *given, const char *file,
				    const char *text, size_t n, struct nfart_proto **out)
{
	uint32_t source = diag_add_source(d, file, text, n);

	*out = NULL;
	return source == DIAG_NO_SOURCE ? NFART_SYSTEM
					: parse(d, dirs, ndirs, given, source, NULL, 0, out);
}

enum nfart_status proto_parse(struct diags *d, const char *const *dirs, size_t ndirs,
			      const char *file, const char *text, size_t n,
			      struct nfart_proto **out)
{
	return proto_parse_given(d, dirs, ndirs, NULL, file, text, n, out);
}

enum nfart_status proto_find_given(struct diags *d, const char *const *dirs, size_t ndirs,
				   const struct proto_given *given, const char *name, size_t n,
				   struct nfart_proto **out)
{
	uint32_t source;
	enum nfart_status status = build_source(d, dirs, ndirs, name, n, &source);

	*out = NULL;
	return status != NFART_OK ? status : parse(d, dirs, ndirs, given, source, name, n, out);
}

enum nfart_status proto_find(struct diags *d, const char *const *dirs, size_t ndirs,
			     const char *name, size_t n, struct nfart_proto **out)
{
	return proto_find_given(d, dirs, ndirs, NULL, name, n, out);
}
