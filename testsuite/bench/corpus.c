/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/corpus.h"

const char *const corpus_names[CORPUS_KINDS] = { "words", "gaps", "coherence", "sequences" };

/* Returns a random number below n, from SplitMix64 (Steele, Lea, Flood 2014). */
static uint32_t corpus_below(uint64_t *state, uint32_t n)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

/* ---- files for bytes ---- */

static void add_word(struct buf *b, uint64_t *seed)
{
	static const char *const heads[] = { "err", "fail", "warn", "time", "read", "write", "re" };
	static const char *const tails[] = { "ing", "ed", "s", "er", "able", "out" };
	const char *parts[2] = { heads[corpus_below(seed, 7)], tails[corpus_below(seed, 6)] };

	for (int i = 0; i < 2; i++) {
		for (const char *c = parts[i]; *c != 0; c++)
			buf_addf(b, " '%c'", *c);
		for (uint32_t k = i == 0 ? corpus_below(seed, 3) : 0; k > 0; k--)
			buf_addf(b, " '%c'", 'a' + (int)corpus_below(seed, 8));
	}
}

static void add_gaps(struct buf *b, uint64_t *seed)
{
	for (uint32_t k = 2 + corpus_below(seed, 4); k > 0; k--) {
		int c = 'a' + (int)corpus_below(seed, 10), d = 'a' + (int)corpus_below(seed, 10);
		switch (corpus_below(seed, 5)) {
		case 0:
			buf_addf(b, " '%c' None('%c')*", c, d);
			break;
		case 1:
			buf_addf(b, " ('%c' | '%c' '%c')", c, d, c);
			break;
		case 2:
			buf_addf(b, " Any('%c', '%c'){%u,%u}", c, d, corpus_below(seed, 3),
				 3 + corpus_below(seed, 3));
			break;
		case 3:
			buf_addf(b, " ('%c' '%c')+", c, d);
			break;
		default:
			buf_addf(b, " '%c'", c);
		}
	}
	buf_addf(b, " '%c'", 'a' + (int)corpus_below(seed, 10));
}

/* ---- files for the coherence protocol ---- */

static const char *const requests[] = { "R12", "R13", "R23", "Any(R12, R13)", "Any(R13, R23)",
					"Any(R12, R13, R23)" };
static const char *const answers[] = { "RA2", "RA3", "Any(RA2, RA3)" };
static const char *const calls[] = { "F21", "F31", "F32", "Any(F21, F31)", "Any(F21, F31, F32)" };
static const char *const acks[] = { "A11", "A21", "A31", "Any(A11, A21, A31)", "Any(A32, A22)" };
static const char *const gifts[] = { "V21", "V31", "V32", "Any(V21, V31)" };

#define ONE_OF(list) (list[corpus_below(seed, sizeof(list) / sizeof *(list))])

static const char *corpus_event(uint64_t *seed)
{
	switch (corpus_below(seed, 5)) {
	case 0:
		return ONE_OF(requests);
	case 1:
		return ONE_OF(answers);
	case 2:
		return ONE_OF(calls);
	case 3:
		return ONE_OF(acks);
	default:
		return ONE_OF(gifts);
	}
}

static void add_coherence(struct buf *b, uint64_t *seed)
{
	const char *r = ONE_OF(requests), *a = ONE_OF(answers), *c = ONE_OF(calls),
		   *k = ONE_OF(acks);

	switch (corpus_below(seed, 6)) {
	case 0: /* a second request before the answer */
		buf_addf(b, " %s (!%s)* %s", r, a, r);
		break;
	case 1: /* an answer to no request */
		buf_addf(b, " %s (!%s)* %s", a, r, a);
		break;
	case 2: /* a call and a request cross each other */
		buf_addf(b, " (%s (!%s)* %s | %s (!%s)* %s)", r, a, c, c, k, r);
		break;
	case 3: /* a line is given up and soon requested again */
		buf_addf(b, " %s true{0,%u} %s", ONE_OF(gifts), 1 + corpus_below(seed, 4), r);
		break;
	case 4: /* a request that waits for long */
		buf_addf(b, " %s (!%s){%u} %s", r, a, 1 + corpus_below(seed, 5), r);
		break;
	default: /* one of two answers to a call, then a request */
		buf_addf(b, " %s (!%s)* (%s | %s true) (!%s)* %s", c, k, k, ONE_OF(gifts), c, r);
	}
}

static void add_sequence(struct buf *b, uint64_t *seed)
{
	for (uint32_t k = 2 + corpus_below(seed, 3); k > 0; k--) {
		const char *e = corpus_event(seed);
		buf_addf(b, corpus_below(seed, 2) != 0 ? " %s true*" : " %s (!%s)*", e, e);
	}
	buf_addf(b, " %s", corpus_event(seed));
}

void corpus_make(struct buf *b, enum corpus kind, uint32_t n, uint64_t seed)
{
	bool bytes = kind == CORPUS_WORDS || kind == CORPUS_GAPS;

	buf_addf(b, "protocol %s;\n", bytes ? "bytes" : "eci");
	if (!bytes)
		buf_addf(b, "substream cl from 0 count 4;\n");
	for (uint32_t i = 0; i < n; i++) {
		buf_addf(b, "filter f%u = true*", i);
		if (kind == CORPUS_WORDS)
			add_word(b, &seed);
		else if (kind == CORPUS_GAPS)
			add_gaps(b, &seed);
		else if (kind == CORPUS_COHERENCE)
			add_coherence(b, &seed);
		else
			add_sequence(b, &seed);
		buf_addf(b, ";\n");
	}
}
