/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/proto/proto_form.h"

#include <string.h>

#include "support/buf.h"

enum { MOST_NAME = 64 };

void proto_write_set(const struct nfart_proto *p, const uint64_t *set, struct buf *b)
{
	for (size_t i = 0; i < bits_words(p->codes.n); i++)
		buf_le64(b, set[i]);
}

void proto_write_name(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	buf_le32(b, (uint32_t)n);
	buf_add(b, s, n);
}

void proto_in_no_memory(struct proto_in *in)
{
	in->bad = in->memory = true;
}

uint32_t proto_in_word(struct proto_in *in)
{
	if (in->n < 4) {
		in->bad = true;
		return 0;
	}
	in->at += 4;
	in->n -= 4;
	return get_le32(in->at - 4);
}

uint32_t proto_in_below(struct proto_in *in, uint32_t limit)
{
	uint32_t v = proto_in_word(in);

	if (v >= limit)
		in->bad = true;
	return in->bad ? 0 : v;
}

const char *proto_in_name(struct proto_in *in, struct arena *a)
{
	uint32_t n = proto_in_below(in, MOST_NAME + 1);
	const char *s;

	if (in->bad || n == 0 || in->n < n || !buf_is_name((const char *)in->at, n)) {
		in->bad = true;
		return "";
	}
	s = arena_strndup(a, (const char *)in->at, n);
	in->at += n;
	in->n -= n;
	if (s == NULL)
		proto_in_no_memory(in);
	return in->bad ? "" : s;
}

void proto_in_set(struct proto_in *in, const struct nfart_proto *p, uint64_t *set)
{
	for (size_t i = 0; i < bits_words(p->codes.n); i++) {
		uint64_t lo = proto_in_word(in);
		set[i] = lo | (uint64_t)proto_in_word(in) << 32;
	}
	if (p->codes.n % 64 != 0 && set[p->codes.n / 64] >> p->codes.n % 64 != 0)
		in->bad = true;
}
