/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the rules for pairs of a protocol description (contract/proto/proto.h, Note [pairs]). If an
 * extension of the description leaves types out, rules leave them out, too, and a rule without
 * requests or without answers is left out itself.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

/* A rule while it is read. The sets belong to the protocol's arena. */
struct rule {
	const char *name;
	uint64_t *requests, *answers;
	bool in_order;
	uint32_t nkeys;
	struct proto_field keys[PROTO_PAIR_KEYS];
	uint32_t bits; /* of all keys together */
};

static bool is_in_rule(const struct rule *r, uint32_t code)
{
	return bits_get(r->requests, code) || bits_get(r->answers, code);
}

/* ---- lists of types ---- */

/* The context of next_type(): which name comes next. */
struct type_names {
	const struct build *b;
	size_t next;
};

static const char *next_type(void *ctx)
{
	struct type_names *x = ctx;
	size_t i = x->next++, ntypes = x->b->tables.types.n;

	return i < ntypes ? x->b->tables.types.at[i].name
	       : i - ntypes < x->b->tables.classes.n ? x->b->tables.classes.at[i - ntypes]
						     : NULL;
}

void build_unknown(struct build *b, struct diag_range at, const char *what,
		   const char *(*next)(void *ctx), void *ctx)
{
	const struct diag_source *source = &b->c.diags->sources.at[at.source];
	size_t n = at.end - at.begin, record;
	const char *s = source->text + at.begin, *near;

	if (b->c.failed)
		return;
	near = diag_nearest(s, n, next, ctx);
	record = diag_report(b->c.diags, DIAG_ERROR, "description", at, "no %s '%.*s'", what,
			     (int)n, s);
	if (near != NULL)
		diag_fixit(b->c.diags, record, at, near, "did you mean '%s'?", near);
	desc_fail(&b->c);
}

/* What the name of a TYPE stands for. */
struct named {
	const char *s;
	size_t n;
	bool glob;   /* types whose names begin with the n letters at s, and no others */
	size_t type; /* build.types.n: no type has this name */
	size_t class;
};

static struct named find_named(const struct build *b, const char *s, size_t n, bool glob)
{
	return (struct named){ s, n, glob, build_find_type(b, s, n), build_find_class(b, s, n) };
}

static bool stands_for(const struct build *b, const struct named *x, uint32_t type)
{
	const struct build_type *t = &b->tables.types.at[type];

	if (x->glob)
		return strncmp(t->name, x->s, x->n) == 0;
	return x->type == type || (x->type == b->tables.types.n && x->class == t->class);
}

/* Reads one TYPE of a list, such as `MREQ_RLDX`, `MREQ` or `MREQ_RLD*`, and adds its codes to
 * `set`, which with `other` has those that the rule already has. */
static void one_of(struct build *b, const uint64_t *other, uint64_t *set)
{
	struct diag_range at = b->c.range;
	struct type_names names = { b, 0 };
	struct named named;
	const char *s;
	size_t n = build_name(b, &s, "a type or a class");
	bool glob = desc_is(&b->c, "*") && b->c.range.begin == at.end, found = false, twice = false;

	if (glob) {
		at.end = b->c.range.end;
		desc_advance(&b->c);
	}
	if (b->c.failed)
		return;
	named = find_named(b, s, n, glob);
	for (uint32_t c = 0; c < b->p->codes.n; c++) {
		uint32_t type = b->p->codes.type_of[c];
		if (type == 0 || !build_in_unit(b, c) || !stands_for(b, &named, type - 1))
			continue;
		found = true;
		twice = twice || bits_get(other, c) || bits_get(set, c);
		bits_set(set, c);
	}
	if (!found && !b->channels.fixed && glob)
		desc_error(&b->c, at, "no type begins with '%.*s'", (int)n, s);
	else if (!found && !b->channels.fixed)
		build_unknown(b, at, "type or class", next_type, &names);
	else if (twice)
		desc_error(&b->c, at, "the rule already has messages of '%.*s%s'", (int)n, s,
			   glob ? "*" : "");
}

void build_type_list(struct build *b, const uint64_t *other, uint64_t *set)
{
	do
		one_of(b, other, set);
	while (!b->c.failed && desc_accept(&b->c, ","));
}

/* ---- keys ---- */

/* The places of one key. Each place stands once, with the codes of its messages. */
struct places {
	VEC(struct proto_place) at;
	VEC(uint64_t *) codes;
};

/* Finds the place of a key in messages with this code. `field` is an index in b->fields; their
 * number stands for the index of the line. False: the messages lack the key. */
bool build_find_place(const struct build *b, size_t field, uint32_t code, struct proto_place *x)
{
	*x = (struct proto_place){ b->p->header.addr_lsb, b->p->header.addr_bits, NULL };
	if (field == b->tables.fields.n)
		return bits_get(b->p->codes.has_addr, code);
	for (size_t i = 0; i < b->tables.places.n; i++) {
		const struct build_place *p = &b->tables.places.at[i];
		bool has = p->place.codes == NULL || bits_get(p->place.codes, code);
		if (p->field != field || !has)
			continue;
		x->lsb = p->place.lsb;
		x->bits = p->place.bits;
		return true;
	}
	return false;
}

/* Adds a code to the place x. False: out of memory. */
static bool add_code(struct build *b, struct places *v, struct proto_place x, uint32_t code)
{
	size_t i = 0;

	while (i < v->at.n && (v->at.at[i].lsb != x.lsb || v->at.at[i].bits != x.bits))
		i++;
	if (i == v->at.n) {
		uint64_t *codes = arena_array(b->arena, bits_words(b->p->codes.n), 8);
		x.codes = codes;
		if (codes == NULL || !vec_push(&v->codes, codes) || !vec_push(&v->at, x))
			return false;
	}
	bits_set(v->codes.at[i], code);
	return true;
}

/* Fills the places of a key. A key that has one place has it in all messages of the rule. */
static void fill_key(struct build *b, const struct rule *r, struct diag_range at, size_t field,
		     struct proto_field *key)
{
	struct places v = { 0 };
	struct proto_place x, *places;

	for (uint32_t c = 0; c < b->p->codes.n && !b->c.failed; c++) {
		if (!is_in_rule(r, c))
			continue;
		if (!build_find_place(b, field, c, &x))
			desc_error(&b->c, at, "'%s' lacks '%s'",
				   b->tables.types.at[b->p->codes.type_of[c] - 1].name, key->name);
		else if (!add_code(b, &v, x, c))
			build_no_memory(b);
	}
	places = arena_array(b->arena, v.at.n, sizeof *places);
	if (places == NULL)
		build_no_memory(b);
	for (size_t i = 0; i < v.at.n && !b->c.failed; i++)
		places[i] = v.at.at[i];
	if (v.at.n == 1 && !b->c.failed)
		places[0].codes = NULL;
	key->nplaces = (uint32_t)v.at.n;
	key->places = places;
	vec_free(&v.at);
	vec_free(&v.codes);
}

/* Reads one key: `line` or the name of a field. */
static void one_key(struct build *b, struct rule *r)
{
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "'line' or a field"), field;
	bool line = n == 4 && strncmp(s, "line", 4) == 0;
	struct proto_field *key = &r->keys[r->nkeys];

	if (b->c.failed)
		return;
	if (r->nkeys == PROTO_PAIR_KEYS) {
		desc_error(&b->c, at, "a pair has at most %d keys", PROTO_PAIR_KEYS);
		return;
	}
	field = line ? b->tables.fields.n : build_find_field(b, s, n);
	if (!line && field == b->tables.fields.n)
		desc_error(&b->c, at, "no field '%.*s'", (int)n, s);
	for (uint32_t k = 0; k < r->nkeys; k++)
		if (strlen(r->keys[k].name) == n && memcmp(r->keys[k].name, s, n) == 0)
			desc_error(&b->c, at, "this key is already listed");
	if (b->c.failed)
		return;
	key->name = build_copy(b, "", 0, s, n);
	fill_key(b, r, at, field, key);
	r->bits += b->c.failed ? 0 : proto_key_bits(key);
	if (r->bits > 64)
		desc_error(&b->c, at, "the keys of a pair have at most 64 bits together");
	r->nkeys++;
}

/* ---- rules ---- */

/* Copies the rule into the protocol's arena and adds it to b->pairs. */
static void add_rule(struct build *b, const struct rule *r)
{
	struct proto_field *keys = arena_array(b->arena, r->nkeys, sizeof *keys);
	struct proto_pair pair = { r->name, r->requests, r->answers, r->in_order, r->nkeys, keys };

	for (uint32_t k = 0; keys != NULL && k < r->nkeys; k++)
		keys[k] = r->keys[k];
	if (keys == NULL || !vec_push(&b->tables.pairs, pair))
		build_no_memory(b);
}

const char *build_rule_name(struct build *b, const char *s, size_t n)
{
	struct buf name = { 0 };
	const char *t;

	buf_addf(&name, "%s%s%.*s", b->unit->name != NULL ? b->unit->name : "",
		 b->unit->name != NULL ? "." : "", (int)n, s);
	t = name.failed ? NULL : build_copy(b, "", 0, name.at, name.n);
	if (name.failed)
		build_no_memory(b);
	buf_free(&name);
	return t;
}

/* Reads what says which request an answer belongs to: `by KEY, ...`, `in order`, or both. */
static void matching(struct build *b, struct rule *r)
{
	if (!desc_is(&b->c, "by") && !desc_is(&b->c, "in"))
		desc_error(&b->c, b->c.range, "expected 'by' or 'in order'");
	if (desc_accept(&b->c, "by"))
		do
			one_key(b, r);
		while (!b->c.failed && desc_accept(&b->c, ","));
	if (desc_accept(&b->c, "in")) {
		desc_expect(&b->c, "order");
		r->in_order = true;
	}
}

void build_pair(struct build *b)
{
	struct diag_range at = b->c.range;
	struct rule r = { .name = "" };
	const char *s;
	size_t n = build_name(b, &s, "the name of a pair"), words;

	build_slots(b);
	words = bits_words(b->p->codes.n);
	r.requests = arena_array(b->arena, words, 8);
	r.answers = arena_array(b->arena, words, 8);
	r.name = b->c.failed ? "" : build_rule_name(b, s, n);
	if (r.requests == NULL || r.answers == NULL || r.name == NULL) {
		build_no_memory(b);
		return;
	}
	for (size_t i = 0; i < b->tables.pairs.n; i++)
		if (strcmp(b->tables.pairs.at[i].name, r.name) == 0)
			desc_error(&b->c, at, "pair '%s' is already defined", r.name);
	if (b->tables.pairs.n == PROTO_PAIRS)
		desc_error(&b->c, at, "a protocol has at most %d pairs", PROTO_PAIRS);
	desc_expect(&b->c, ":");
	build_type_list(b, r.answers, r.requests);
	desc_expect(&b->c, "->");
	build_type_list(b, r.requests, r.answers);
	matching(b, &r);
	desc_expect(&b->c, ";");
	if (!b->c.failed && bits_any(r.requests, words) && bits_any(r.answers, words))
		add_rule(b, &r);
}
