/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/list_types.h"

#include <inttypes.h>

#include "runtime/trace/format/text.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/table.h"

/* How wide the columns of text are at least. */
enum { SLOTS = -14, TYPE = -14, OPCODE = 6, ADDRESS = -9, FIELDS = -61, PAIRS = -8 };

static const struct column columns[] = { { "slots", SLOTS },     { "type", TYPE },
					 { "opcode", OPCODE },   { "address", ADDRESS },
					 { "fields", FIELDS },   { "pairs", PAIRS } };

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* Returns a cell with the text in b, or an empty one if there is no text. */
static struct cell filled(struct buf *b)
{
	if (b->n == 0)
		return cell_none();
	buf_add(b, "", 1);
	return cell_text(b->failed ? "" : b->at);
}

/* Does a slot before this one, of the same group, have the type of this code with its opcode? */
static bool was_listed(const struct nfart_proto *p, uint32_t slot, uint32_t op)
{
	for (uint32_t s = slot; s-- > 0 && p->slots[s].group == p->slots[slot].group;)
		if (p->codes.type_of[s << p->header.op_bits | op] ==
		    p->codes.type_of[slot << p->header.op_bits | op])
			return true;
	return false;
}

/* Appends the slots of this slot's group that have the type: `cpu@6,7`, or `mem`. */
static void add_slots(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint32_t op)
{
	uint32_t type = p->codes.type_of[slot << p->header.op_bits | op];
	const char *before = "@";

	text_string(b, p->names.groups[p->slots[slot].group]);
	for (uint32_t s = slot; s < p->nslots && p->slots[s].group == p->slots[slot].group; s++) {
		if (p->codes.type_of[s << p->header.op_bits | op] != type ||
		    p->slots[s].channel == PROTO_NO_CHANNEL)
			continue;
		buf_addf(b, "%s%d", before, p->slots[s].channel);
		before = ",";
	}
}

static void add_fields(struct buf *b, const struct nfart_proto *p, uint32_t code)
{
	for (uint32_t i = 0; i < p->names.nfields; i++) {
		const struct proto_place *x = proto_field_place(p, i, code);
		if (x == NULL)
			continue;
		buf_addf(b, "%s%s %" PRIu32, b->n != 0 ? ", " : "", p->names.fields[i].name,
			 x->lsb);
		if (x->bits > 1)
			buf_addf(b, "..%" PRIu32, x->lsb + x->bits - 1);
	}
}

static void add_pairs(struct buf *b, const struct nfart_proto *p, uint32_t code)
{
	for (uint32_t i = 0; i < p->names.npairs; i++) {
		const struct proto_pair *r = &p->names.pairs[i];
		bool request = bits_get(r->requests, code);
		if (request || bits_get(r->answers, code))
			buf_addf(b, "%s%s %s", b->n != 0 ? ", " : "", r->name,
				 request ? "request" : "answer");
	}
}

/* Writes the row of a type in the slots of one group. */
static void row(struct table *t, const struct nfart_proto *p, uint32_t slot, uint32_t op)
{
	uint32_t code = slot << p->header.op_bits | op;
	struct buf slots = { 0 }, fields = { 0 }, pairs = { 0 };
	struct cell cells[COLUMNS];

	add_slots(&slots, p, slot, op);
	add_fields(&fields, p, code);
	add_pairs(&pairs, p, code);
	cells[0] = filled(&slots);
	cells[1] = cell_text(p->names.types[p->codes.type_of[code] - 1]);
	cells[2] = cell_number(op);
	cells[3] = bits_get(p->codes.has_addr, code)    ? cell_text("line")
		   : bits_get(p->codes.broadcast, code) ? cell_text("broadcast")
						  : cell_none();
	cells[4] = filled(&fields);
	cells[5] = filled(&pairs);
	table_row(t, cells);
	t->out.failed |= slots.failed || fields.failed || pairs.failed;
	buf_free(&slots);
	buf_free(&fields);
	buf_free(&pairs);
}

/* Writes the table. False: out of memory. */
static bool list(struct table *t, const struct nfart_proto *p)
{
	table_begin(t, columns, COLUMNS);
	for (uint32_t s = 0; s < p->nslots; s++)
		for (uint32_t op = 0; op < 1u << p->header.op_bits; op++)
			if (p->codes.type_of[s << p->header.op_bits | op] != 0 &&
			    !was_listed(p, s, op))
				row(t, p, s, op);
	return table_flush(t);
}

int list_types_run(const struct nfarun_options *o)
{
	struct table t = { .form = o->output.form };
	struct protocol x;
	struct outfile out;
	struct nfart_error e;
	int code = protocol_open_with(&x, "nfarun", o->output.when_colour,
				      o->protocol != NULL ? o->protocol : "eci", &o->dirs,
				      &o->params);

	if (code != NFART_OK)
		return code;
	if (output_open(&out, o->output.out, &e) != NFART_OK) {
		code = process_report(&e);
	} else {
		t.f = out.f;
		if (!list(&t, x.p))
			code = (int)nfart_fail(&e, NFART_SYSTEM, "out of memory");
		if (code != NFART_OK || outfile_commit(&out, &e) != NFART_OK)
			code = process_report(&e);
		outfile_abort(&out);
	}
	table_free(&t);
	protocol_close(&x);
	return code;
}
