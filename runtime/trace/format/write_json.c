/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes JSON lines: one object for each batch or loss record. Times and counts are numbers;
 * headers and addresses are hexadecimal strings.
 *
 *   {"time":17,"labels":["miss"],"lines":[{"label":"miss","address":"0x8080"}],"messages":[
 *    {"slot":"cpu@6","group":"cpu","channel":6,"type":"MREQ_RLDD","opcode":0,"address":"0x8080",
 *     "header":"0x0000000000008080"}]}
 *   {"time":18,"lost":3}
 *
 * Some members are left out. `labels` is only in the output of a filter, and `lines` only if it
 * names lines. A message has `channel`, `type` and `address` only if these exist. "damaged":true is
 * only in a damaged batch, and "tick":true and "end":true only in a batch that has a tick, or is
 * the end. Where substreams are of a field, the members of `lines` have its name and value in place
 * of `address`. The value of `lost` is null if the number is not known. On request a message has an
 * object `fields` with the number that each field has, and `physical`, the address before ECI
 * hashed it. Where messages have a payload, each has `payload`, all its bits in hexadecimal. In the
 * output of several traces an object begins with `trace`, its name. With provenance the first line
 * is an object with one member, `provenance`, whose value has the notes. */
#include "contract/image/image.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

static void add_hex(struct buf *b, uint64_t x, unsigned digits)
{
	buf_add(b, "\"", 1);
	text_hex(b, x, digits);
	buf_add(b, "\"", 1);
}

/* Adds the fields that the message has. */
static void add_fields(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	const char *comma = "";
	uint64_t v;

	text_string(b, ",\"fields\":{");
	for (uint32_t i = 0; i < p->names.nfields; i++) {
		if (!nfart_proto_field(p, i, slot, header, &v))
			continue;
		text_string(b, comma);
		text_json(b, p->names.fields[i].name);
		buf_add(b, ":", 1);
		text_decimal(b, v);
		comma = ",";
	}
	buf_add(b, "}", 1);
}

static void add_message(struct buf *b, const struct nfart_writer *w,
			const struct nfart_batch *batch, uint32_t slot)
{
	uint64_t header = batch->header[slot];
	const struct nfart_proto *p = w->proto;
	uint32_t code = proto_code(p, slot, header);
	char name[80];

	proto_slot_name(p, slot, name);
	text_string(b, "{\"slot\":");
	text_json(b, name);
	text_string(b, ",\"group\":");
	text_json(b, p->names.groups[p->slots[slot].group]);
	if (p->slots[slot].channel != PROTO_NO_CHANNEL) {
		text_string(b, ",\"channel\":");
		text_decimal(b, (uint64_t)p->slots[slot].channel);
	}
	if (p->codes.type_of[code] != 0) {
		text_string(b, ",\"type\":");
		text_json(b, p->names.types[p->codes.type_of[code] - 1]);
	}
	text_string(b, ",\"opcode\":");
	text_decimal(b, proto_opcode(p, header));
	if (bits_get(p->codes.has_addr, code)) {
		text_string(b, ",\"address\":");
		add_hex(b, proto_line(p, header) << p->header.line_shift, 1);
		if (w->o.unhash) {
			text_string(b, ",\"physical\":");
			add_hex(b, nfart_eci_unhash(proto_line(p, header) << p->header.line_shift),
				1);
		}
	}
	text_string(b, ",\"header\":");
	add_hex(b, header, text_header_digits(p));
	if (w->o.payload_words != 0) {
		text_string(b, ",\"payload\":\"0x");
		text_payload(b, w, batch, slot);
		text_string(b, "\"");
	}
	if (w->o.fields)
		add_fields(b, p, slot, header);
	buf_add(b, "}", 1);
}

/* Appends the labels, or with `outputs` the outputs, as a list of strings. Returns whether some of
 * the others were left out. */
static bool add_labels(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r,
		       bool outputs)
{
	const char *comma = "";
	bool others = false;

	buf_add(b, "[", 1);
	for (size_t l = bits_next(r->labels, r->nlabels, 0); l < r->nlabels;
	     l = bits_next(r->labels, r->nlabels, l + 1)) {
		if ((w->o.labels[l][0] == IMAGE_OUTPUT) != outputs) {
			others = true;
			continue;
		}
		text_string(b, comma);
		text_json(b, w->o.labels[l] + outputs);
		comma = ",";
	}
	buf_add(b, "]", 1);
	return others;
}

static void add_result(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r)
{
	text_string(b, ",\"labels\":");
	if (add_labels(b, w, r, false)) {
		text_string(b, ",\"outputs\":");
		add_labels(b, w, r, true);
	}
	if (!r->by_line)
		return;
	text_string(b, ",\"lines\":[");
	for (size_t i = 0; i < r->nlines; i++) {
		const char *name = w->o.labels[r->lines[i].label];
		bool output = *name == IMAGE_OUTPUT;

		text_string(b, i == 0 ? "{" : ",{");
		text_string(b, output ? "\"output\":" : "\"label\":");
		text_json(b, name + output);
		if (w->key == NULL) {
			text_string(b, ",\"address\":");
			add_hex(b, r->lines[i].address, 1);
		} else {
			buf_add(b, ",", 1);
			text_json(b, w->key);
			buf_add(b, ":", 1);
			text_decimal(b, r->lines[i].address);
		}
		buf_add(b, "}", 1);
	}
	text_string(b, r->more_lines ? "],\"more_lines\":true" : "]");
}

static void add_messages(struct buf *b, const struct nfart_writer *w,
			 const struct nfart_batch *batch)
{
	text_string(b, ",\"messages\":[");
	for (uint64_t m = batch->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		if (m != batch->mask)
			buf_add(b, ",", 1);
		add_message(b, w, batch, slot);
	}
	buf_add(b, "]", 1);
}

static bool json_put(struct nfart_writer *w, const struct nfart_batch *b,
		     const struct nfart_result *r)
{
	struct buf *out = &w->out;

	text_string(out, "{");
	if (w->o.several) {
		text_string(out, "\"trace\":");
		text_json(out, w->trace != NULL ? w->trace : "");
		text_string(out, ",");
	}
	text_string(out, "\"time\":");
	text_decimal(out, b->time);
	if (!batch_is_loss(b)) {
		if (r != NULL && w->o.with_labels)
			add_result(out, w, r);
		if ((b->when & NFART_TICK) != 0)
			text_string(out, ",\"tick\":true");
		if ((b->when & NFART_END) != 0)
			text_string(out, ",\"end\":true");
		add_messages(out, w, b);
	} else if (b->lost == NFART_LOST_UNKNOWN) {
		text_string(out, ",\"lost\":null");
	} else {
		text_string(out, ",\"lost\":");
		text_decimal(out, b->lost);
	}
	if (b->damaged)
		text_string(out, ",\"damaged\":true");
	text_string(out, "}\n");
	return writer_flush(w);
}

bool detect_json(const unsigned char *p, size_t n)
{
	return n != 0 && p[0] == '{';
}

static void add_notes(struct buf *b, const struct nfart_writer *w)
{
	text_string(b, "{\"provenance\":{");
	for (uint32_t i = 0; i < w->o.nnotes; i++) {
		text_string(b, i != 0 ? "," : "");
		text_json(b, w->o.notes[i].name);
		text_string(b, ":");
		text_json(b, w->o.notes[i].value);
	}
	text_string(b, "}}\n");
}

bool write_json_open(struct nfart_writer *w, struct nfart_error *e)
{
	(void)e;
	w->form.put = json_put;
	if (w->o.provenance) {
		add_notes(&w->out, w);
		writer_flush(w);
	}
	return true;
}
