/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/text.h"

#include <inttypes.h>
#include <string.h>

#include "contract/image/image.h"
#include "support/escape.h"

void text_decimal(struct buf *b, uint64_t x)
{
	char digits[20], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + x % 10);
	while ((x /= 10) != 0);
	buf_add(b, p, (size_t)(digits + sizeof digits - p));
}

void text_hex(struct buf *b, uint64_t x, unsigned digits)
{
	char text[2 + 16], *end = text + sizeof text, *p = end;

	do
		*--p = "0123456789abcdef"[x & 15];
	while ((x >>= 4) != 0 || (unsigned)(end - p) < digits);
	*--p = 'x';
	*--p = '0';
	buf_add(b, p, (size_t)(end - p));
}

void text_payload(struct buf *b, const struct nfart_writer *w, const struct nfart_batch *batch,
		  uint32_t slot)
{
	uint64_t words[NFART_PAYLOAD_WORDS];

	writer_payload(w, batch, slot, words);
	for (uint32_t i = w->o.payload_words; i-- > 0;)
		buf_addf(b, "%016" PRIx64, words[i]);
}

void text_string(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void text_json(struct buf *b, const char *s)
{
	escape_json(b, s, strlen(s));
}

void text_csv(struct buf *b, const char *s)
{
	if (strpbrk(s, ",\"\r\n") == NULL) {
		text_string(b, s);
		return;
	}
	buf_add(b, "\"", 1);
	for (; *s != 0; s++)
		buf_add(b, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
	buf_add(b, "\"", 1);
}

void text_copy(struct buf *b, const char *key, uint64_t shown)
{
	if (key == NULL) {
		text_hex(b, shown, 1);
		return;
	}
	text_string(b, key);
	buf_add(b, "=", 1);
	text_decimal(b, shown);
}

/* Appends the name of a label or output. `before` is the name that stands before it in the list, or
 * NULL. Returns the name. Outputs are a list of their own, whose first name keeps its '|'. */
static const char *text_label(struct buf *b, const char *name, const char *before)
{
	bool first = before == NULL;

	text_string(b, first ? "" : ",");
	text_string(b, name + (*name == IMAGE_OUTPUT && !first));
	return name;
}

/* Has one of the lines this label? */
static bool has_line(const struct nfart_result *r, size_t label)
{
	for (size_t i = 0; i < r->nlines; i++)
		if (r->lines[i].label == label)
			return true;
	return false;
}

/* Appends what is known of the lines that a result does not name: labels without a line, then dots.
 * Returns as add_lines(). */
static bool add_more(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r,
		     const char *before, bool outputs)
{
	bool others = false;

	for (size_t l = bits_next(r->labels, r->nlabels, 0); l < r->nlabels;
	     l = bits_next(r->labels, r->nlabels, l + 1)) {
		if (has_line(r, l))
			continue;
		if ((w->o.labels[l][0] == IMAGE_OUTPUT) != outputs)
			others = true;
		else
			before = text_label(b, w->o.labels[l], before);
	}
	text_string(b, before != NULL ? ",..." : "");
	return others;
}

/* Appends the lines that accept, or with `outputs` those with an output that is on. Returns whether
 * some of the others were left out. */
static bool add_lines(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r,
		      bool outputs)
{
	const char *before = NULL;
	bool others = false;

	for (size_t i = 0; i < r->nlines; i++) {
		const char *name = w->o.labels[r->lines[i].label];

		if ((*name == IMAGE_OUTPUT) != outputs) {
			others = true;
			continue;
		}
		before = text_label(b, name, before);
		buf_add(b, "@", 1);
		text_copy(b, w->key, r->lines[i].address);
	}
	if (r->more_lines)
		others |= add_more(b, w, r, before, outputs);
	return others;
}

/* Appends the labels, or with `outputs` the outputs. Returns as add_lines(). */
static bool add_labels(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r,
		       bool outputs)
{
	const char *before = NULL;
	bool others = false;

	for (size_t l = bits_next(r->labels, r->nlabels, 0); l < r->nlabels;
	     l = bits_next(r->labels, r->nlabels, l + 1)) {
		if ((w->o.labels[l][0] == IMAGE_OUTPUT) != outputs)
			others = true;
		else
			before = text_label(b, w->o.labels[l], before);
	}
	return others;
}

void text_labels(struct buf *b, const struct nfart_writer *w, const struct nfart_result *r)
{
	bool (*add)(struct buf *, const struct nfart_writer *, const struct nfart_result *, bool) =
		r != NULL && r->by_line ? add_lines : add_labels;

	if (r != NULL && add(b, w, r, false))
		add(b, w, r, true);
}

unsigned text_header_digits(const struct nfart_proto *p)
{
	return (p->header.bits + 3) / 4;
}

void text_typed(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	uint32_t code = proto_code(p, slot, header);

	text_string(b, p->names.groups[p->slots[slot].group]);
	buf_add(b, ".", 1);
	text_string(b, p->names.types[p->codes.type_of[code] - 1]);
	if (p->slots[slot].channel != PROTO_NO_CHANNEL) {
		buf_add(b, "@", 1);
		text_decimal(b, (uint64_t)p->slots[slot].channel);
	}
	if (bits_get(p->codes.has_addr, code)) {
		buf_add(b, ":", 1);
		text_hex(b, proto_line(p, header) << p->header.line_shift, 1);
	}
}

void text_item(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	uint32_t code = proto_code(p, slot, header);
	bool named = p->codes.type_of[code] != 0;
	uint64_t kept = (uint64_t)proto_opcode(p, header) << p->header.op_lsb;
	char name[80];

	if (bits_get(p->codes.has_addr, code))
		kept |= header & proto_addr_mask(p);
	if (named && header == kept) {
		text_typed(b, p, slot, header);
		return;
	}
	proto_slot_name(p, slot, name);
	text_string(b, name);
	buf_add(b, "=", 1);
	text_hex(b, header, text_header_digits(p));
	if (named) {
		buf_add(b, "(", 1);
		text_typed(b, p, slot, header);
		buf_add(b, ")", 1);
	}
}

void text_note(struct buf *b, const char *name, const char *value)
{
	text_string(b, "# ");
	text_string(b, name);
	text_string(b, ": ");
	for (size_t n; *value != 0; value += n + (value[n] == '\n')) {
		n = strcspn(value, "\n");
		buf_add_shown(b, value, n);
		if (value[n] == '\n' && value[n + 1] != 0)
			text_string(b, "\n#   ");
	}
	text_string(b, "\n");
}

void text_notes(struct buf *b, const struct nfart_writer *w)
{
	for (uint32_t i = 0; w->o.provenance && i < w->o.nnotes; i++)
		text_note(b, w->o.notes[i].name, w->o.notes[i].value);
}
