/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * One way: nfart_pairs_put() for each record, and latency_add() for each pair. The other: as a
 * question does, pairs_read() with pairs_count().
 */
#include "testsuite/property/counted.h"

#include <stdlib.h>

#include "grammar/describe/proto_text.h"
#include "support/diag.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { RECORDS = 30000 };

static const char description[] =
	"protocol counted; header 40; opcode 36..39; idle 15; address 8..19 line 64;\n"
	"groups a, b; channels 0..1;\n"
	"types REQ { READ 0 address; WRITE 1 address; SYNC 2; }\n"
	"types ANS { DATA 3 address; OK 4 address; DONE 5; }\n"
	"field id 0..3 of REQ, ANS;\n"
	"field tag 4..5 of REQ;\n"
	"field tag 6..7 of ANS;\n"
	"pair read: REQ_READ -> ANS_DATA by line, id;\n"
	"pair some: REQ -> ANS by id;\n"
	"pair parts: REQ_READ, REQ_WRITE -> ANS_OK by line, tag;\n"
	"pair late: REQ_WRITE -> ANS_DONE by tag;\n";

/* How the stream is drawn. */
struct how {
	uint32_t lines; /* so many lines are named */
	uint32_t step;  /* the most cycles between records; now and then there are far more */
};

static void counted_draw(struct gen_random *r, const struct how *how, struct nfart_batch *b)
{
	uint32_t messages = gen_random_below(r, 10) == 0 ? 4 : 1;

	b->time += 1 + gen_random_below(r, how->step);
	if (gen_random_below(r, 500) == 0)
		b->time += 5000;
	b->mask = 0;
	b->lost = 0;
	if (gen_random_below(r, 8000) == 0)
		b->lost = 3;
	for (uint32_t i = 0; i < messages && b->lost == 0; i++) {
		uint32_t slot = (uint32_t)gen_random_below(r, 4);
		uint64_t line = gen_random_below(r, how->lines), low = gen_random(r) & 0xff;
		if (how->lines > 10)
			low &= 0x33;
		b->mask |= (uint64_t)1 << slot;
		b->header[slot] = (uint64_t)gen_random_below(r, 7) << 36 | line << 8 | low;
	}
}

static bool counted_write(const struct nfart_proto *p, uint64_t seed, enum nfart_format format,
			  char **at, size_t *n)
{
	struct gen_random r = { .state = seed };
	struct how how = { seed % 2 == 0 ? 2000 : 5, seed % 3 == 0 ? 40 : 3 };
	struct nfart_writer_options o = { .format = format };
	struct nfart_batch b = { .time = 0 };
	struct nfart_error e;
	FILE *f = open_memstream(at, n);
	struct nfart_writer *w = f != NULL ? nfart_writer_new(f, p, &o, &e) : NULL;
	bool ok = w != NULL;

	for (int i = 0; i < RECORDS && ok; i++) {
		counted_draw(&r, &how, &b);
		ok = nfart_writer_put(w, &b, NULL);
	}
	ok = w != NULL && nfart_writer_close(w, &e) == NFART_OK && ok;
	return f != NULL && fclose(f) == 0 && ok;
}

/* What became of requests and answers, and the latencies. */
struct outcomes {
	struct latency *latency;
	uint64_t n[NFART_PAIR_UNASKED + 1];
};

static bool each_told(void *ctx, const struct nfart_pair *pair)
{
	struct outcomes *x = ctx;

	x->n[pair->outcome]++;
	return pair->outcome != NFART_PAIR_ANSWERED || latency_add(x->latency, pair);
}

/* No answered pair may come here. */
static bool others_told(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct outcomes *x = ctx;
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		x->n[pairs[i].outcome]++;
		ok &= pairs[i].outcome != NFART_PAIR_ANSWERED;
	}
	return ok;
}

static bool go_on(void *ctx)
{
	(void)ctx;
	return true;
}

static bool read_told(const struct nfart_proto *p, struct nfart_reader *r, struct outcomes *x)
{
	struct nfart_error e;
	struct nfart_pairs *q = nfart_pairs_new(p, each_told, x, &e);
	struct nfart_batch b;
	bool ok = q != NULL;
	int got = 1;

	while (ok && (got = nfart_reader_next(r, &b, &e)) == 1)
		ok = nfart_pairs_put(q, &b);
	ok = ok && got == 0 && nfart_pairs_end(q) && latency_finish(x->latency);
	nfart_pairs_free(q);
	return ok;
}

static bool read_counted(const struct nfart_proto *p, struct nfart_reader *r, struct outcomes *x)
{
	struct nfart_error e;
	struct nfart_pairs *q = pairs_new(p, (struct pairs_want){ .details = true }, others_told,
					  x, &e);
	struct pairs_counts c;
	bool ok = q != NULL && latency_counting(x->latency, &c) && pairs_count(q, &c) &&
		  pairs_read(q, r, go_on, NULL, &e) == 0 && nfart_pairs_end(q) &&
		  latency_finish(x->latency);

	if (ok)
		x->n[NFART_PAIR_ANSWERED] = pairs_counted(q);
	nfart_pairs_free(q);
	return ok;
}

static bool same_group(const struct latency *x, const struct latency_group *a,
		       const struct latency *y, const struct latency_group *b)
{
	size_t n, m;
	const struct latency_count *c = latency_counts(x, a, &n), *d = latency_counts(y, b, &m);
	bool ok = n == m && a->rule == b->rule && a->request == b->request &&
		  a->answer == b->answer && a->address == b->address && a->n == b->n &&
		  a->least == b->least && a->most == b->most;

	for (size_t i = 0; i < n && ok; i++)
		ok = c[i].latency == d[i].latency && c[i].n == d[i].n;
	return ok;
}

static bool counted_same(const struct outcomes *a, const struct outcomes *b)
{
	size_t n, m;
	const struct latency_group *x = latency_groups(a->latency, &n),
				   *y = latency_groups(b->latency, &m);
	bool ok = n == m && n != 0 && a->n[NFART_PAIR_ANSWERED] > RECORDS / 100;

	for (int i = 0; i <= NFART_PAIR_UNASKED; i++)
		ok = ok && a->n[i] == b->n[i];
	for (size_t i = 0; i < n && ok; i++)
		ok = same_group(a->latency, &x[i], b->latency, &y[i]);
	return ok;
}

bool counted_pairs(uint64_t seed, enum latency_by by)
{
	struct nfart_proto *p = NULL;
	struct nfart_reader *r[2] = { NULL, NULL };
	struct outcomes x[2] = { { NULL, { 0 } }, { NULL, { 0 } } };
	struct nfart_error e;
	struct diags d = { 0 };
	char *at = NULL;
	size_t n = 0;
	bool ok = proto_parse(&d, NULL, 0, "counted.proto", description, sizeof description - 1,
			      &p) == NFART_OK &&
		  counted_write(p, seed, seed % 5 == 4 ? NFART_FORMAT_DENSE : NFART_FORMAT_COMPACT,
				&at, &n);

	for (int i = 0; i < 2 && ok; i++) {
		r[i] = nfart_reader_memory(at, n, "counted", p, NULL, &e);
		x[i].latency = latency_new(p, by, 0);
		ok = r[i] != NULL && x[i].latency != NULL;
	}
	ok = ok && read_told(p, r[0], &x[0]) && read_counted(p, r[1], &x[1]) &&
	     counted_same(&x[0], &x[1]);
	for (int i = 0; i < 2; i++) {
		nfart_reader_free(r[i]);
		latency_free(x[i].latency);
	}
	free(at);
	proto_free(p);
	diag_free(&d);
	return ok;
}
