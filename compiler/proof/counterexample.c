/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/counterexample.h"

#include <inttypes.h>
#include <string.h>

/* Appends a message of a code without guards: its type, and the first line or value that is
 * observed. */
static void print_type(const struct spec *s, uint32_t code, struct buf *b)
{
	const struct nfart_proto *p = s->proto;
	uint32_t slot = code >> p->header.op_bits;
	uint64_t line = s->substreams.by_line && s->substreams.field == NULL
				? s->substreams.ranges.at[0].first
				: 0;

	buf_addf(b, " %s.%s", p->names.groups[p->slots[slot].group],
		 p->names.types[p->codes.type_of[code] - 1]);
	if (p->slots[slot].channel != PROTO_NO_CHANNEL)
		buf_addf(b, "@%d", p->slots[slot].channel);
	if (bits_get(p->codes.has_addr, code))
		buf_addf(b, ":0x%" PRIx64, line << p->header.line_shift);
}

/* Appends a message of a letter. Where the type does not say all, its header is printed: a message
 * that passes the guards that it must pass, or that has the first value observed. */
static void print_item(const struct spec *s, uint32_t letter, struct buf *b)
{
	const struct nfart_proto *p = s->proto;
	const struct alphabet *a = &s->preds.alphabet;
	uint32_t code = alphabet_code(a, letter);
	struct record_message m = alphabet_message(a, letter);
	uint64_t header = m.word[0];
	int words = RECORD_MOST_PAYLOAD;
	int field = s->substreams.field == NULL
			    ? -1
			    : proto_find_field(p, s->substreams.field, strlen(s->substreams.field));
	const struct proto_place *at =
		field < 0 ? NULL : proto_field_place(p, (uint32_t)field, code);
	bool guarded = alphabet_guard(a, code) != NULL;
	char name[80];

	if (p->codes.type_of[code] != 0 && !guarded && at == NULL) {
		print_type(s, code, b);
		return;
	}
	if (at != NULL && !guarded)
		header |= s->substreams.ranges.at[0].first << at->lsb;
	proto_slot_name(p, code >> p->header.op_bits, name);
	buf_addf(b, " %s=0x%0*" PRIx64, name, (int)((p->header.bits + 3) / 4), header);
	while (words > 0 && m.word[words] == 0)
		words--;
	if (words == 0)
		return;
	buf_addf(b, "{");
	for (int i = words; i > 0; i--)
		buf_addf(b, "%016" PRIx64, m.word[i]);
	buf_addf(b, "}");
}

void counterexample_begin(const struct spec *s, struct buf *b)
{
	if (s->proto->payload != 0)
		buf_addf(b, "# payload: %" PRIu32 "\n", s->proto->payload);
}

void counterexample_print(const struct spec *s, const struct decide_stream *w, struct buf *b)
{
	uint32_t time = s->preds.alphabet.time;

	for (size_t i = 0; i < w->n; i++) {
		uint32_t first = w->first[i], end = w->first[i + 1], times = 0;
		/* The time slot is the last one. */
		if (end != first && w->letter[end - 1] >= time)
			times = w->letter[--end] - time;
		buf_addf(b, "%zu", i + 1);
		if ((times & IMAGE_TICK) != 0)
			buf_addf(b, " tick");
		if ((times & IMAGE_END) != 0)
			buf_addf(b, " end");
		for (uint32_t k = first; k < end; k++)
			print_item(s, w->letter[k], b);
		buf_addf(b, "\n");
	}
}
