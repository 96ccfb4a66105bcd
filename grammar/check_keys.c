/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks substream statements (nfacc-filter(5), Substreams): the key and the ranges.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/check.h"

/* ---- the key -------------------------------------------------------------------------------- */

/* Returns the index in proto->fields of the key of a substream statement; PROTO_ADDR for `cl`;
 * AST_NIL: there is no such field. */
static uint32_t key_of(const struct check *c, const struct ast_stmt *s)
{
	const struct ast_sym *name;
	int field;

	if (s->sub.key.sym == AST_NIL)
		return PROTO_ADDR;
	name = &c->ast->syms.at[s->sub.key.sym];
	field = proto_find_field(c->proto, name->text, name->n);
	return field >= 0 ? (uint32_t)field : AST_NIL;
}

const uint64_t *check_visible(struct check *c)
{
	const struct nfart_proto *p = c->proto;
	uint64_t *set = arena_array(&c->arena, c->words, sizeof *set);
	uint32_t key = key_of(c, &c->ast->stmts.at[c->sees.substream]);

	if (set == NULL || key == AST_NIL)
		return set;
	for (uint32_t code = 0; code < p->codes.n; code++)
		if (bits_get(p->codes.broadcast, code) || proto_is_joined(p, code) ||
		    (key == PROTO_ADDR ? bits_get(p->codes.has_addr, code) :
		     bits_get(p->codes.valid, code) && proto_field_place(p, key, code) != NULL))
			bits_set(set, code);
	return set;
}

/* ---- the ranges ----------------------------------------------------------------------------- */

/* The first and last line or value of a range, and the index of the range. */
struct span {
	uint64_t first, last;
	uint32_t index;
};

static int compare_spans(const void *x, const void *y)
{
	const struct span *s = x, *t = y;

	if (s->first != t->first)
		return s->first < t->first ? -1 : 1;
	return s->index < t->index ? -1 : 1;
}

/* Reports that the later one of two ranges overlaps the other one. */
static void report_overlap(struct check *c, const struct ast_stmt *s, uint32_t i, uint32_t k)
{
	const struct ast_range *ranges = &c->ast->ranges.at[s->sub.first_range];
	size_t at = front_error(c->front, "overlap", ranges[i > k ? i : k].first.range,
				"this range overlaps another one");

	diag_note(c->front->diags, at, ranges[i < k ? i : k].first.range, "the other one is here");
}

/* Reports the first pair of ranges that overlap, if there is one. The ranges have no other errors.
 * The cost is that of sorting the ranges. */
static void check_overlaps(struct check *c, const struct ast_stmt *s)
{
	uint32_t shift = s->sub.key.sym == AST_NIL ? c->proto->header.line_shift : 0;
	struct span *spans = arena_array(&c->arena, s->sub.nranges, sizeof *spans);

	if (spans == NULL) {
		c->failed = true;
		return;
	}
	for (uint32_t i = 0; i < s->sub.nranges; i++) {
		const struct ast_range *r = &c->ast->ranges.at[s->sub.first_range + i];
		uint64_t first = r->first.value >> shift, more = r->count.value - 1;

		spans[i] = (struct span){ first, more > UINT64_MAX - first ? UINT64_MAX :
					  first + more, i };
	}
	qsort(spans, s->sub.nranges, sizeof *spans, compare_spans);
	for (uint32_t i = 1; i < s->sub.nranges; i++) {
		if (spans[i].first > spans[i - 1].last)
			continue;
		report_overlap(c, s, spans[i].index, spans[i - 1].index);
		return;
	}
}

/* Checks a range whose lines or values are numbered up to `highest`. */
static bool check_range(struct check *c, const struct ast_stmt *s, const struct ast_range *r,
			uint64_t highest)
{
	bool by_line = s->sub.key.sym == AST_NIL;

	if (!check_number(c, &r->first, by_line ? "the address" : "the value", 0, highest) ||
	    !check_number(c, &r->count, by_line ? "the number of lines" : "the number of values", 1,
			  UINT64_MAX))
		return false;
	if (by_line || r->count.value - 1 <= highest - r->first.value)
		return true;
	front_error(c->front, "number", r->count.range, "the values of field '%s' end at %" PRIu64,
		    ast_text(c->ast, s->sub.key.sym), highest);
	return false;
}

void check_substream(struct check *c, struct ast_stmt *s)
{
	bool by_line = s->sub.key.sym == AST_NIL, ok = true;
	uint32_t bits;

	check_once(c, s, "substream");
	s->sub.field = key_of(c, s);
	if (s->sub.field == AST_NIL) {
		size_t at = front_error(c->front, "unknown-name", s->sub.key.range,
					"expected 'cl' or a field of protocol '%s', found '%s'",
					c->proto->name, ast_text(c->ast, s->sub.key.sym));
		front_suggest_field(c->front, at, s->sub.key.sym, s->sub.key.range, false);
		return;
	}
	if (by_line && c->proto->header.addr_bits == 0)
		diag_report(c->front->diags, DIAG_WARNING, "no-addresses", s->range,
			    "protocol '%s' has no addresses: nothing is observed", c->proto->name);
	bits = check_field_bits(c, s->sub.field, c->proto->codes.valid);
	if (by_line)
		bits = c->proto->header.addr_bits == 0
			       ? 64
			       : c->proto->header.addr_bits + c->proto->header.line_shift;
	for (uint32_t i = 0; i < s->sub.nranges; i++)
		ok &= check_range(c, s, &c->ast->ranges.at[s->sub.first_range + i],
				  bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1);
	if (ok)
		check_overlaps(c, s);
}
