/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/counterexample.h"

#include <inttypes.h>

static void print_item(const struct spec *s, uint32_t code, struct buf *b)
{
	const struct nfart_proto *p = s->proto;
	uint32_t slot = code >> p->op_bits;
	uint64_t op = code & ((1u << p->op_bits) - 1);
	char name[80];

	if (p->type_of[code] == 0) {
		proto_slot_name(p, slot, name);
		buf_addf(b, " %s=0x%0*" PRIx64, name, (int)((p->header_bits + 3) / 4),
			 op << p->op_lsb);
		return;
	}
	buf_addf(b, " %s.%s", p->groups[p->slots[slot].group], p->types[p->type_of[code] - 1]);
	if (p->slots[slot].channel != PROTO_NO_CHANNEL)
		buf_addf(b, "@%d", p->slots[slot].channel);
	if (bits_get(p->has_addr, code))
		buf_addf(b, ":0x%" PRIx64, (s->by_line ? s->ranges.at[0].first : 0) << p->line_shift);
}

void counterexample_print(const struct spec *s, const struct decide_stream *w, struct buf *b)
{
	for (size_t i = 0; i < w->n; i++) {
		buf_addf(b, "%zu", i + 1);
		for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++)
			print_item(s, w->code[k], b);
		buf_addf(b, "\n");
	}
}
