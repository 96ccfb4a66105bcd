/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/sparse/pack_option.h"

#include <string.h>

static void letters(const struct alphabet *a, struct buf *b)
{
	for (uint32_t i = 0; i < a->nguards; i++)
		for (uint32_t k = 1; k < a->guards[i].nclasses; k++)
			buf_le32(b, a->guards[i].code);
}

static void guards(const struct alphabet *a, struct buf *b)
{
	for (uint32_t i = 0; i < a->nguards; i++) {
		buf_le32(b, a->guards[i].code);
		buf_le32(b, a->guards[i].first_test);
	}
}

static void tests(const struct alphabet *a, struct buf *b)
{
	for (uint32_t i = 0; i < a->ntests; i++) {
		const struct image_test *t = &a->tests[i];
		buf_le64(b, t->mask);
		buf_le64(b, t->value);
		buf_le32(b, t->at_most | t->word << 8);
		buf_le32(b, t->no);
		buf_le32(b, t->yes);
	}
}

static void clock(const struct spec *s, struct buf *b)
{
	if (s->stream.tick == 0 && !s->stream.end)
		return;
	buf_le32(b, (uint32_t)s->stream.tick);
	buf_le32(b, s->stream.end);
}

static void key(const struct spec *s, struct buf *b)
{
	const struct nfart_proto *p = s->proto;
	int field = s->substreams.field == NULL
			    ? -1
			    : proto_find_field(p, s->substreams.field, strlen(s->substreams.field));

	for (uint32_t c = 0; field >= 0 && c < p->codes.n; c++) {
		const struct proto_place *at = proto_field_place(p, (uint32_t)field, c);
		if (at == NULL || !bits_get(p->codes.valid, c))
			continue;
		buf_le32(b, c);
		buf_le32(b, at->lsb);
		buf_le32(b, at->bits);
	}
}

static void ranges(const struct spec *s, struct buf *b)
{
	for (size_t i = 1; i < s->substreams.ranges.n; i++) {
		buf_le64(b, s->substreams.ranges.at[i].first);
		buf_le64(b, s->substreams.ranges.at[i].count);
	}
}

void pack_option(const struct target_job *job, enum element_id id, struct buf *b)
{
	const struct spec *s = job->spec;

	switch (id) {
	case EL_letters:
		letters(&s->preds.alphabet, b);
		break;
	case EL_guards:
		guards(&s->preds.alphabet, b);
		break;
	case EL_tests:
		tests(&s->preds.alphabet, b);
		break;
	case EL_clock:
		clock(s, b);
		break;
	case EL_key:
		key(s, b);
		break;
	case EL_ranges:
		ranges(s, b);
		break;
	case EL_after:
		if (s->window.after != s->window.before)
			buf_le64(b, s->window.after);
		break;
	default:
		break;
	}
}
