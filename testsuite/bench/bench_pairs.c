/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_pairs: what joining requests to their answers takes, by how many requests are open: in
 * nanoseconds of processor time a message, beside the same reading without pairs. The trace is
 * compact and lies in memory. Each line has one request at a time, and is asked for and answered in
 * an order that the processor can't predict.
 *
 *   bench_pairs
 */
#include "contract/proto/proto.h"
#include "grammar/describe/builtin.h"
#include "runtime/pairs/pairs.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

enum { MESSAGES = 1 << 22, RUNS = 7, REQUEST_SLOT = 6, ANSWER_SLOT = 14 + 4 };

/* Writes a trace in which `open` requests are open once as many lines were asked for. Returns its
 * bytes, and *n how many there are. */
static char *trace_of(const struct nfart_proto *p, uint64_t open, size_t *n)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT };
	char *at = NULL;
	FILE *f = open_memstream(&at, n);
	struct nfart_error e;
	struct nfart_writer *w = f != NULL ? nfart_writer_new(f, p, &o, &e) : NULL;
	bool ok = w != NULL;

	/* A multiplier that is odd makes each of 2^24 lines come once. */
	for (uint64_t i = 0; i < MESSAGES && ok; i++) {
		bool answer = i > open && (i - open) % 2 != 0;
		uint64_t nth = i < open ? i : answer ? (i - open) / 2 : open + (i - open) / 2;
		uint32_t slot = answer ? ANSWER_SLOT : REQUEST_SLOT;
		struct nfart_batch b = { .time = i + 1, .mask = (uint64_t)1 << slot };
		b.header[slot] = (answer ? 10ull : 5ull) << 59 |
				 (nth * 0x9e3779b1u & 0xffffff) << 7;
		ok = nfart_writer_put(w, &b, NULL);
	}
	if (!ok || nfart_writer_close(w, &e) != NFART_OK || fclose(f) != 0)
		die("out of memory");
	return at;
}

static bool count_pairs(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	uint64_t *answered = ctx;

	for (size_t i = 0; i < n; i++)
		*answered += pairs[i].outcome == NFART_PAIR_ANSWERED;
	return true;
}

static bool go_on(void *ctx)
{
	(void)ctx;
	return true;
}

/* Returns the seconds that reading takes: with pairs, or without. */
static double read_trace(const struct nfart_proto *p, const char *at, size_t n, bool pairs,
			 uint64_t *answered)
{
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_memory(at, n, "bench", p, NULL, &e);
	struct nfart_pairs *q =
		pairs_new(p, (struct pairs_want){ .asked = false }, count_pairs, answered, &e);
	struct nfart_batch b;
	double begin = clock_cpu_seconds();
	int got = 1;

	*answered = 0;
	if (r == NULL || q == NULL)
		die("out of memory");
	if (pairs)
		got = pairs_read(q, r, go_on, NULL, &e);
	while (!pairs && got == 1)
		got = nfart_reader_next(r, &b, &e);
	if (got != 0)
		die(e.what);
	begin = clock_cpu_seconds() - begin;
	nfart_pairs_free(q);
	nfart_reader_free(r);
	return begin;
}

int main(void)
{
	static const uint64_t open[] = { 8, 1000, 1 << 16, 1 << 20 };
	struct nfart_proto *p = proto_builtin("eci");

	if (p == NULL)
		die("out of memory");
	printf("\njoining %d messages to pairs, in ns a message, by how many requests are open\n\n"
	       "%9s %9s %9s %9s\n", MESSAGES, "open", "joined", "read", "answered");
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		double with[RUNS], without[RUNS];
		uint64_t answered = 0, none;
		size_t n;
		char *at = trace_of(p, open[i], &n);
		for (int k = 0; k < RUNS; k++) {
			with[k] = read_trace(p, at, n, true, &answered);
			without[k] = read_trace(p, at, n, false, &none);
		}
		printf("%9llu %9.1f %9.1f %9llu\n", (unsigned long long)open[i],
		       median(with, RUNS) * 1e9 / MESSAGES, median(without, RUNS) * 1e9 / MESSAGES,
		       (unsigned long long)answered);
		fflush(stdout);
		free(at);
	}
	proto_free(p);
	return NFART_OK;
}
