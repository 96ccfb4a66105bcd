/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/traffic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t traffic_draw(uint64_t *s)
{
	uint64_t z = *s += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* ---- traces of messages ---- */

/* The opcodes of each slot. Quiet opcodes are named by no predicate of the filter. Named opcodes
 * are named by at least one. */
struct codes {
	uint8_t quiet[NFART_SLOTS][256], named[NFART_SLOTS][256];
	unsigned nquiet[NFART_SLOTS], nnamed[NFART_SLOTS];
	uint32_t slots[NFART_SLOTS], nslots; /* slots[0 … nslots - 1] have a quiet opcode */
};

static void sort_codes(const struct nfart_image *im, bool address, struct codes *c)
{
	const struct nfart_proto *p = im->proto;
	static uint8_t named[NFART_SLOTS * 256];

	memset(c, 0, sizeof *c);
	memset(named, 0, sizeof named);
	for (uint32_t i = 0; i < im->nfa.npreds; i++)
		for (uint32_t k = 0; k < im->nfa.preds[i].letters.n; k++)
			if (im->nfa.preds[i].letters.at[k] < p->codes.n)
				named[im->nfa.preds[i].letters.at[k]] = 1;
	for (uint32_t code = 0; code < p->codes.n; code++) {
		uint32_t s = code >> p->header.op_bits;
		uint8_t op = (uint8_t)(code & ((1u << p->header.op_bits) - 1));
		if (!bits_get(p->codes.valid, code) ||
		    (address && !bits_get(p->codes.has_addr, code)))
			continue;
		if (named[code] != 0)
			c->named[s][c->nnamed[s]++] = op;
		else
			c->quiet[s][c->nquiet[s]++] = op;
	}
	for (uint32_t s = 0; s < p->nslots; s++)
		if (c->nquiet[s] != 0)
			c->slots[c->nslots++] = s;
}

static uint64_t traffic_message(const struct nfart_image *im, const struct traffic *t,
				const struct codes *c, uint32_t slot, uint64_t *s)
{
	const struct nfart_proto *p = im->proto;
	bool named = c->nnamed[slot] != 0 && traffic_draw(s) % t->often == 0;
	const uint8_t *ops = named ? c->named[slot] : c->quiet[slot];
	uint64_t op = ops[traffic_draw(s) % (named ? c->nnamed[slot] : c->nquiet[slot])];
	uint64_t line = t->lines != 0 ? im->substreams.first_line + traffic_draw(s) % t->lines
				      : traffic_draw(s) & 0xffffff;

	uint64_t other =
		t->fields ? traffic_draw(s) & proto_header_mask(p) & ~proto_addr_mask(p) &
				    ~((((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb)
			  : 0;

	return other | op << p->header.op_lsb | (line << p->header.addr_lsb & proto_addr_mask(p));
}

bool traffic_make(const struct nfart_image *im, const struct traffic *t, struct buf *out)
{
	struct nfart_writer_options o = { .format = t->format };
	struct codes *c = malloc(sizeof *c);
	struct nfart_writer *w = NULL;
	struct nfart_batch b = { 0 };
	struct nfart_error e;
	char *text = NULL;
	size_t size = 0;
	uint64_t s = 1;
	FILE *f = open_memstream(&text, &size);

	if (f != NULL && c != NULL)
		w = nfart_writer_new(f, im->proto, &o, &e);
	if (w == NULL)
		return false;
	sort_codes(im, t->lines != 0, c);
	for (size_t i = 0; i < t->batches; i++) {
		unsigned n = t->least + (unsigned)(traffic_draw(&s) % (t->most - t->least + 1));
		b.time += 1 + traffic_draw(&s) % 4;
		b.mask = 0;
		if (n > c->nslots)
			n = c->nslots;
		while ((unsigned)__builtin_popcountll(b.mask) < n) {
			uint32_t slot =
				c->slots[n == c->nslots ? (unsigned)__builtin_popcountll(b.mask)
							: traffic_draw(&s) % c->nslots];
			b.mask |= (uint64_t)1 << slot;
			b.header[slot] = traffic_message(im, t, c, slot, &s);
		}
		nfart_writer_put(w, &b, NULL);
	}
	free(c);
	if (nfart_writer_close(w, &e) != NFART_OK || fclose(f) != 0)
		return false;
	buf_add(out, text, size);
	free(text);
	return !out->failed;
}

/* ---- texts of letters ---- */

bool traffic_letters(size_t n, uint64_t seed, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		char c = (char)('a' + traffic_draw(&seed) % 16);
		buf_add(out, &c, 1);
	}
	return !out->failed;
}

/* ---- sets of patterns ---- */

static void traffic_add(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* Appends a class of w of the 16 letters, and the repetition `repeat`, to `pcre` as a regular
 * expression and to `re` as filter text. */
static void item(unsigned w, const char *repeat, uint64_t *s, struct buf *pcre, struct buf *re)
{
	unsigned letters = 0;
	bool first = true;

	while ((unsigned)__builtin_popcount(letters) < w)
		letters |= 1u << traffic_draw(s) % 16;
	traffic_add(pcre, "[");
	traffic_add(re, " Any(");
	for (int c = 0; c < 16; c++) {
		char name[] = { '\'', (char)('a' + c), '\'', 0 };
		if ((letters >> c & 1) == 0)
			continue;
		buf_add(pcre, name + 1, 1);
		traffic_add(re, first ? "" : ", ");
		traffic_add(re, name);
		first = false;
	}
	traffic_add(pcre, "]");
	traffic_add(pcre, repeat);
	traffic_add(re, ")");
	traffic_add(re, repeat);
}

void traffic_patterns(enum patterns kind, unsigned n, uint64_t seed, struct buf *pcre,
		      struct buf *filter)
{
	static const unsigned width[] = { 0, 3, 12, 15 };
	uint64_t s = seed;

	traffic_add(filter, "protocol bytes;\n");
	for (unsigned i = 0; i < n; i++) {
		unsigned w = width[kind], letters = 5 + (unsigned)(traffic_draw(&s) % 4);
		char head[40];
		snprintf(head, sizeof head, "filter p%u = true*", i);
		traffic_add(filter, head);
		for (unsigned k = 0; kind == PATTERNS_SIMPLE && k < letters; k++)
			item(1, "", &s, pcre, filter);
		if (kind != PATTERNS_SIMPLE) {
			item(1, "", &s, pcre, filter);
			item(w, "*", &s, pcre, filter);
			item(1, "", &s, pcre, filter);
			item(2, "{3}", &s, pcre, filter);
			item(1, "", &s, pcre, filter);
			item(w, "*", &s, pcre, filter);
			item(1, "", &s, pcre, filter);
			item(1, "", &s, pcre, filter);
		}
		buf_add(pcre, "", 1);
		traffic_add(filter, ";\n");
	}
}
