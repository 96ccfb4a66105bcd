/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes batches for people: a message a line, in columns, with its fields by name.
 *
 *         17  [miss]  cpu.MREQ_RLDX@6:0x8080         rreqid=7 dmask=15
 *                     fpga.MRSP_PEMD@4:0x8180        rreqid=3
 *         18  []      !lost 3
 *
 * Fields that are 0 are left out, unless a rule for pairs has them as a key. Bits of a header that
 * neither opcode nor address nor fields explain are shown as `header=0x…`, the whole header.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

enum { LEAST_TIME = 10, MOST_LABELS = 24, MOST_MESSAGE = 40, GROUP_COLOURS = 4 };

#define DIM "\033[2m"
#define LABEL "\033[1;32m"
#define LOSS "\033[1;31m"
#define PLAIN "\033[0m"

struct pretty {
	size_t time, labels, message; /* widths of these columns; that of times may grow */
	bool begun;             /* a record was written */
	uint64_t first, last;   /* the times of the first and the last record written */
	uint32_t nfields;
	bool is_key[];          /* [nfields]: a rule for pairs has the field as a key */
};

static const char *const group_colours[GROUP_COLOURS] = { "\033[36m", "\033[33m", "\033[35m",
							   "\033[34m" };

static void blanks(struct buf *b, size_t n)
{
	for (; n != 0; n--)
		buf_add(b, " ", 1);
}

/* Appends text that stands in the output from `from` on up to the width of its column. */
static void fill_up(struct buf *b, size_t from, size_t width)
{
	if (b->n - from < width)
		blanks(b, width - (b->n - from));
}

static void colour(struct nfart_writer *w, const char *s)
{
	if (w->o.colour)
		text_string(&w->out, s);
}

/* ---- columns ---- */

static void add_time(struct nfart_writer *w, uint64_t time)
{
	struct pretty *p = w->state;
	char text[24];
	int n;

	if (!p->begun && w->o.times != NFART_TIMES_ABSOLUTE)
		buf_addf(&w->out, "# times count from %" PRIu64 "\n", time);
	if (!p->begun)
		p->first = p->last = time;
	p->begun = true;
	if (w->o.times == NFART_TIMES_ABSOLUTE)
		n = snprintf(text, sizeof text, "%" PRIu64, time);
	else
		n = snprintf(text, sizeof text, "+%" PRIu64,
			     time - (w->o.times == NFART_TIMES_DELTA ? p->last : p->first));
	p->last = time;
	if (n > 0 && (size_t)n > p->time)
		p->time = (size_t)n;
	blanks(&w->out, p->time - (size_t)n);
	colour(w, DIM);
	text_string(&w->out, text);
	colour(w, PLAIN);
	text_string(&w->out, "  ");
}

/* Adds the labels. Without a result, as for a loss record, the column is empty. */
static void add_labels(struct nfart_writer *w, const struct nfart_result *r)
{
	const struct pretty *p = w->state;
	size_t from = w->out.n, painted;

	if (!w->o.with_labels)
		return;
	if (r != NULL) {
		colour(w, r->accepted ? LABEL : DIM);
		painted = w->out.n - from;
		text_string(&w->out, "[");
		text_labels(&w->out, w, r);
		text_string(&w->out, "]");
		fill_up(&w->out, from + painted, p->labels);
		colour(w, PLAIN);
	} else {
		blanks(&w->out, p->labels);
	}
	text_string(&w->out, "  ");
}

static void add_fields(struct nfart_writer *w, uint32_t slot, uint64_t header)
{
	const struct nfart_proto *proto = w->proto;
	const struct pretty *p = w->state;
	uint32_t code = proto_code(proto, slot, header);
	uint64_t shown = proto_opcode_mask(proto);

	if (bits_get(proto->codes.has_addr, code))
		shown |= proto_addr_mask(proto);
	for (uint32_t i = 0; i < p->nfields; i++) {
		const struct proto_place *x = proto_field_place(proto, i, code);
		if (x == NULL)
			continue;
		shown |= (((uint64_t)1 << x->bits) - 1) << x->lsb;
		if (proto_place_value(x, header) == 0 && !p->is_key[i])
			continue;
		buf_addf(&w->out, " %s=%" PRIu64, proto->names.fields[i].name,
			 proto_place_value(x, header));
	}
	if ((header & ~shown) != 0 && proto->codes.type_of[code] != 0) {
		text_string(&w->out, " header=");
		text_hex(&w->out, header, text_header_digits(proto));
	}
}

/* Adds a message: what it is, its fields and its payload. */
static void add_message(struct nfart_writer *w, const struct nfart_batch *b, uint32_t slot)
{
	uint64_t header = b->header[slot];
	const struct nfart_proto *proto = w->proto;
	const struct pretty *p = w->state;
	bool named = proto->codes.type_of[proto_code(proto, slot, header)] != 0;
	size_t from, end, padded;
	uint64_t address;

	colour(w, group_colours[proto->slots[slot].group % GROUP_COLOURS]);
	from = w->out.n;
	(named ? text_typed : text_item)(&w->out, proto, slot, header);
	padded = w->out.n - from;
	colour(w, PLAIN);
	end = w->out.n;
	blanks(&w->out, padded < p->message ? p->message - padded : 0);
	padded = w->out.n;
	if (w->o.unhash && nfart_proto_address(proto, slot, header, &address)) {
		text_string(&w->out, " physical=");
		text_hex(&w->out, nfart_eci_unhash(address), 1);
	}
	add_fields(w, slot, header);
	if (w->o.payload_words != 0) {
		text_string(&w->out, " payload=0x");
		text_payload(&w->out, w, b, slot);
	}
	if (w->out.n == padded) /* nothing follows, so no blanks are needed */
		w->out.n = end;
}

/* Fills the columns of time and labels in a line that has neither. */
static void skip_columns(struct nfart_writer *w)
{
	const struct pretty *p = w->state;

	blanks(&w->out, p->time + 2 + (w->o.with_labels ? p->labels + 2 : 0));
}

static void add_mark(struct nfart_writer *w, const char *mark, bool *first)
{
	if (!*first)
		skip_columns(w);
	text_string(&w->out, mark);
	text_string(&w->out, "\n");
	*first = false;
}

static void add_loss(struct nfart_writer *w, uint64_t lost)
{
	colour(w, LOSS);
	text_string(&w->out, "!lost ");
	if (lost == NFART_LOST_UNKNOWN)
		text_string(&w->out, "?");
	else
		text_decimal(&w->out, lost);
	colour(w, PLAIN);
	text_string(&w->out, "\n");
}

static bool pretty_put(struct nfart_writer *w, const struct nfart_batch *b,
		       const struct nfart_result *r)
{
	bool first = true;

	add_time(w, b->time);
	add_labels(w, batch_is_loss(b) ? NULL : r);
	if (batch_is_loss(b))
		add_loss(w, b->lost);
	if ((b->when & NFART_TICK) != 0)
		add_mark(w, "tick", &first);
	if ((b->when & NFART_END) != 0)
		add_mark(w, "end", &first);
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		if (!first)
			skip_columns(w);
		first = false;
		add_message(w, b, slot);
		text_string(&w->out, b->damaged ? " # damaged\n" : "\n");
	}
	return writer_flush(w);
}

/* ---- before the first record ---- */

/* Returns the width of the column of messages: the longest of a type, with a short address. */
static size_t message_width(const struct nfart_proto *p)
{
	size_t group = 0, type = 0, n;

	for (uint32_t i = 0; i < p->names.ngroups; i++)
		group = strlen(p->names.groups[i]) > group ? strlen(p->names.groups[i]) : group;
	for (uint32_t i = 0; i < p->names.ntypes; i++)
		type = strlen(p->names.types[i]) > type ? strlen(p->names.types[i]) : type;
	n = group + 1 + type + 3 + (p->header.addr_bits != 0 ? 9 : 0);
	return n < MOST_MESSAGE ? n : MOST_MESSAGE;
}

static size_t label_width(const struct nfart_writer *w)
{
	size_t widest = 2;

	for (uint32_t i = 0; i < w->o.nlabels; i++)
		if (strlen(w->o.labels[i]) + 2 > widest)
			widest = strlen(w->o.labels[i]) + 2;
	return widest < MOST_LABELS ? widest : MOST_LABELS;
}

static void find_keys(struct pretty *p, const struct nfart_proto *proto)
{
	for (uint32_t i = 0; i < proto->names.npairs; i++)
		for (uint32_t k = 0; k < proto->names.pairs[i].nkeys; k++) {
			const char *key = proto->names.pairs[i].keys[k].name;
			int field = proto_find_field(proto, key, strlen(key));
			if (field >= 0)
				p->is_key[field] = true;
		}
}

static void pretty_begin(struct nfart_writer *w)
{
	((struct pretty *)w->state)->begun = false;
	text_note(&w->out, "trace", w->trace);
	writer_flush(w);
}

bool write_pretty_open(struct nfart_writer *w, struct nfart_error *e)
{
	struct pretty *p = calloc(1, sizeof *p + w->proto->names.nfields * sizeof p->is_key[0]);

	if (p == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	p->nfields = w->proto->names.nfields;
	p->time = LEAST_TIME;
	p->labels = label_width(w);
	p->message = message_width(w->proto);
	find_keys(p, w->proto);
	w->state = p;
	w->form.put = pretty_put;
	w->form.begin = pretty_begin;
	text_notes(&w->out, w);
	writer_flush(w);
	return true;
}
