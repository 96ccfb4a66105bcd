/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the section `guards`: the guards of predicates as the filters have them. The runtime reads
 * it with runtime/explain/guards.c. It is text, of these lines:
 *
 *   codes A..B,C..D      a set of codes; the sets are numbered from 0
 *   nodes N M …          the predicate of these nodes has the terms that follow
 *   term S               a term: messages whose codes are in set S, and that pass the next tests
 *   test NAME LSB BITS SHIFT MASK LO HI NOT
 *                        the field NAME is BITS bits from LSB on, shifted to the left by SHIFT; its
 *                        value under MASK is LO … HI, or with NOT 1, it is not; bits from 64 on
 *                        are those of the payload, from its bit 0 on
 *
 * All numbers are decimal.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/image/pack.h"

enum { MOST_TESTS = 64 }; /* a term with more than this is left out */

/* Where a field is in headers, or from bit 64 on in payload. */
struct place {
	uint32_t lsb, bits, shift;
};

struct packer {
	const struct nfart_proto *proto;
	struct buf *b;
	VEC(uint64_t *) sets; /* the sets of codes that were written */
	size_t words;         /* of a set */
	uint64_t *left, *set; /* scratch: codes of a term without a place yet; those with one */
	struct buf body;      /* the lines that come after those of the sets */
	bool failed;
};

/* Finds what is tested in messages with the code. False: they lack it. */
static bool find_place(const struct nfart_proto *p, const struct spec_test *t, uint32_t code,
		       struct place *out)
{
	const struct proto_place *at;

	if (t->field == PROTO_PAYLOAD) {
		*out = (struct place){ 64 + t->lsb, t->bits, 0 };
		return true;
	}
	if (t->field == PROTO_ADDR) {
		*out = (struct place){ p->header.addr_lsb, p->header.addr_bits,
				       p->header.line_shift };
		return bits_get(p->codes.has_addr, code);
	}
	at = proto_field_place(p, t->field, code);
	if (at != NULL)
		*out = (struct place){ at->lsb, at->bits, 0 };
	return at != NULL;
}

static bool find_places(const struct packer *k, const struct spec_term *t, uint32_t code,
			struct place out[MOST_TESTS])
{
	for (uint32_t i = 0; i < t->ntests; i++)
		if (!find_place(k->proto, &t->tests[i], code, &out[i]))
			return false;
	return true;
}

static void print_set(struct packer *k, const uint64_t *set)
{
	uint32_t n = k->proto->codes.n;
	const char *before = "codes ";

	for (size_t c = bits_next(set, n, 0); c < n; c = bits_next(set, n, c + 1)) {
		size_t last = c;
		while (last + 1 < n && bits_get(set, last + 1))
			last++;
		buf_addf(k->b, "%s%zu..%zu", before, c, last);
		before = ",";
		c = last;
	}
	buf_addf(k->b, "\n");
}

/* Returns the number of the set k->set. Writes the set, if it is new. */
static size_t number_of_set(struct packer *k)
{
	uint64_t *copy;
	size_t i = 0;

	while (i < k->sets.n && memcmp(k->sets.at[i], k->set, k->words * 8) != 0)
		i++;
	if (i < k->sets.n)
		return i;
	copy = malloc(k->words * 8);
	if (copy == NULL || !vec_push(&k->sets, copy)) {
		free(copy);
		k->failed = true;
		return 0;
	}
	memcpy(copy, k->set, k->words * 8);
	print_set(k, copy);
	return i;
}

static void print_test(struct packer *k, const struct spec_test *t, const struct place *at)
{
	buf_addf(&k->body, "test ");
	if (t->field == PROTO_PAYLOAD && t->bits == 1)
		buf_addf(&k->body, "payload[%" PRIu32 "]", t->lsb);
	else if (t->field == PROTO_PAYLOAD)
		buf_addf(&k->body, "payload[%" PRIu32 "..%" PRIu32 "]", t->lsb + t->bits - 1,
			 t->lsb);
	else
		buf_addf(&k->body, "%s", t->field == PROTO_ADDR ? "addr" :
			 k->proto->names.fields[t->field].name);
	buf_addf(&k->body, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64
		 " %d\n", at->lsb, at->bits, at->shift, t->mask, t->lo, t->hi, t->not);
}

/* Writes a term: once for all codes in whose messages its fields are in the same places. */
static void pack_term(struct packer *k, const struct spec_term *t)
{
	uint32_t n = k->proto->codes.n;
	struct place first[MOST_TESTS], other[MOST_TESTS];

	if (t->ntests == 0 || t->ntests > MOST_TESTS)
		return;
	memcpy(k->left, t->codes, k->words * 8);
	for (size_t c = bits_next(k->left, n, 0); c < n && !k->failed;
	     c = bits_next(k->left, n, c + 1)) {
		if (!find_places(k, t, (uint32_t)c, first))
			continue;
		memset(k->set, 0, k->words * 8);
		for (size_t d = c; d < n; d = bits_next(k->left, n, d + 1)) {
			if (!find_places(k, t, (uint32_t)d, other) ||
			    memcmp(first, other, t->ntests * sizeof *first) != 0)
				continue;
			bits_set(k->set, d);
			k->left[d / 64] &= ~((uint64_t)1 << d % 64);
		}
		buf_addf(&k->body, "term %zu\n", number_of_set(k));
		for (uint32_t i = 0; i < t->ntests; i++)
			print_test(k, &t->tests[i], &first[i]);
	}
}

/* The states of each predicate, as linked lists: of[p] is 1 + the last state of predicate p, and
 * next[s] is 1 + the one before state s; 0 ends the list. */
struct states {
	uint32_t *of, *next;
};

static bool find_states(struct states *s, const struct nfa *a)
{
	size_t n = a->preds->preds.n;

	s->of = calloc(n + 1, sizeof *s->of);
	s->next = calloc(a->states.n + 1, sizeof *s->next);
	if (s->of == NULL || s->next == NULL)
		return false;
	for (size_t i = a->states.n; i-- != 0;) {
		pred_id_t pred = a->states.at[i].pred;
		if (pred >= n)
			continue;
		s->next[i] = s->of[pred];
		s->of[pred] = (uint32_t)i + 1;
	}
	return true;
}

static void pack_guarded(struct packer *k, const struct target_job *job, const struct states *s,
			 const struct spec_guarded *g)
{
	uint32_t i = s->of[g->pred];

	if (i == 0)
		return;
	buf_addf(&k->body, "nodes");
	for (; i != 0; i = s->next[i - 1])
		buf_addf(&k->body, " %" PRIu32,
			 job->made.ste != NULL ? job->made.ste[i - 1] : i - 1);
	buf_addf(&k->body, "\n");
	for (uint32_t t = 0; t < g->nterms && !k->failed; t++)
		pack_term(k, &g->terms[t]);
}

void pack_guards(const struct target_job *job, struct buf *b)
{
	const struct spec *spec = job->spec;
	struct packer k = { .proto = spec->proto, .b = b,
			    .words = bits_words(spec->proto->codes.n) };
	struct states s = { NULL, NULL };

	k.left = calloc(k.words, 8);
	k.set = calloc(k.words, 8);
	k.failed = k.left == NULL || k.set == NULL || !find_states(&s, job->nfa);
	for (size_t i = 0; i < spec->guards.guarded.n && !k.failed; i++)
		pack_guarded(&k, job, &s, &spec->guards.guarded.at[i]);
	buf_add(b, k.body.at, k.body.n);
	b->failed |= k.failed || k.body.failed;
	for (size_t i = 0; i < k.sets.n; i++)
		free(k.sets.at[i]);
	vec_free(&k.sets);
	buf_free(&k.body);
	free(k.left);
	free(k.set);
	free(s.of);
	free(s.next);
}
