/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/streams.h"

#include <math.h>
#include <stdlib.h>

#include "grammar/describe/builtin.h"
#include "testsuite/bench/measure.h"
#include "tools/nfagen/blocks/block_streams.h"

/* A request and its answer. */
struct load {
	uint64_t begin, end;
	uint64_t address;  /* in the header */
	uint32_t core;
	uint32_t before;   /* requests in flight before it */
};

struct loads {
	struct load *at; /* [n]: in order of their ends, then of their beginnings */
	size_t n, room;
	const struct nfart_proto *proto;
};

static bool take_pair(void *ctx, const struct nfart_pair *pair)
{
	struct loads *a = ctx;
	struct load *l = &a->at[a->n];

	if (pair->outcome != NFART_PAIR_ANSWERED || a->n == a->room ||
	    !nfart_proto_address(a->proto, pair->slot, pair->header, &l->address))
		die("a load of the model has no answer");
	l->begin = pair->time;
	l->end = pair->answer_time;
	l->core = (uint32_t)(nfart_eci_unhash(l->address) / STREAM_BYTES);
	a->n++;
	return true;
}

static void streams_once(struct loads *a, uint64_t seed, uint32_t cores, uint32_t rounds)
{
	struct block_streams *s = calloc(1, sizeof *s);
	struct gen_blocks *g = calloc(1, sizeof *g);
	struct gen_blocks_options o = { .seed = seed };
	struct nfart_pairs *pairs = nfart_pairs_new(a->proto, take_pair, a, NULL);
	struct nfart_batch b;

	if (s == NULL || g == NULL || pairs == NULL)
		die("out of memory");
	s->random.state = seed;
	s->cores = cores;
	s->rounds = rounds;
	s->proto = a->proto;
	struct block_traffic traffic = block_streams_init(s);
	if (!gen_blocks_begin(g, a->proto, &o, &traffic))
		die("out of memory");
	while (gen_blocks_next(g, &b))
		if (!nfart_pairs_put(pairs, &b))
			die("out of memory");
	nfart_pairs_free(pairs);
	gen_blocks_end(g);
	free(g);
	free(s);
}

static int by_begin(const void *x, const void *y)
{
	const struct load *a = x, *b = y;

	return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin) :
				      (a->core > b->core) - (a->core < b->core);
}

/* Returns how many of the first n loads are in flight at a time; with `core` below STREAM_CORES,
 * only those of that core. A core's loads don't overlap for long, so the last ones suffice. */
static uint32_t in_flight(const struct loads *a, size_t n, uint64_t time, uint32_t core)
{
	uint32_t count = 0;

	for (size_t i = n; i-- > 0 && i + 64 * STREAM_CORES > n;)
		count += a->at[i].end > time && (core == STREAM_CORES || a->at[i].core == core);
	return count;
}

static int by_value(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Returns the number of cycles in which as many loads as there are cores are in flight. */
static uint64_t full_cycles(const struct loads *a, uint32_t cores)
{
	uint64_t *ends = malloc(a->n * sizeof *ends), sum = 0;
	uint64_t from = 0;
	size_t open = 0;

	if (ends == NULL)
		die("out of memory");
	for (size_t i = 0; i < a->n; i++)
		ends[i] = a->at[i].end;
	qsort(ends, a->n, sizeof *ends, by_value);
	for (size_t i = 0, k = 0; k < a->n;) {
		bool begins = i < a->n && a->at[i].begin < ends[k];
		uint64_t time = begins ? a->at[i++].begin : ends[k++];
		if (open == cores)
			sum += time - from;
		open += begins ? 1 : (size_t)-1;
		from = time;
	}
	free(ends);
	return sum;
}

/* Numbers of single cores, from their loads in order: those of core c and round r are the
 * STREAM_LINES ones from index (c * rounds + r) * STREAM_LINES on. */
static void look_at_cores(struct streams_numbers *x, const struct load *of, uint32_t cores,
			  uint32_t rounds)
{
	uint64_t waiting = 0, pauses = 0, steps = 0, most = 0, barrier = 0;
	uint64_t inverted = 0, pairs = 0;

	for (uint32_t c = 0; c < cores; c++)
		for (uint32_t r = 0; r < rounds; r++) {
			const struct load *l = &of[(c * rounds + r) * STREAM_LINES];
			uint32_t falls = 0;
			for (uint32_t i = 0; i < STREAM_LINES; i++) {
				waiting += l[i].end - l[i].begin;
				if (i == 0)
					continue;
				pauses += l[i].begin - l[i - 1].end;
				steps++;
				falls += l[i].address < l[i - 1].address;
			}
			if (c == 0 || c == 7)
				x->falling[c == 7] += falls / (STREAM_LINES - 1.0) / rounds;
			if (r + 1 == rounds)
				continue;
			uint64_t rest = l[STREAM_LINES].begin - l[STREAM_LINES - 1].end;
			uint64_t both = l[2 * STREAM_LINES - 1].end - l[0].begin;
			barrier += rest;
			if (rest * 1000 / both > most)
				most = rest * 1000 / both;
			for (uint32_t d = 0; d < c; d++) {
				const struct load *m = &of[(d * rounds + r) * STREAM_LINES];
				bool later = l[STREAM_LINES - 1].end > m[STREAM_LINES - 1].end;
				bool first = l[STREAM_LINES].begin < m[STREAM_LINES].begin;
				inverted += later == first;
				pairs++;
			}
		}
	x->waiting = (double)waiting / (double)(waiting + pauses);
	x->pause = (double)pauses / (double)steps;
	x->barrier = (double)barrier / (double)x->cycles / cores;
	x->barrier_most = (double)most / 1000;
	x->reversed = pairs == 0 ? 0 : (double)inverted / (double)pairs;
}

static double correlation(const struct loads *a)
{
	double n = (double)a->n, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < a->n; i++) {
		double u = a->at[i].before, v = (double)(a->at[i].end - a->at[i].begin);
		x += u;
		y += v;
		xx += u * u;
		yy += v * v;
		xy += u * v;
	}
	double spread = (n * xx - x * x) * (n * yy - y * y);
	return spread > 0 ? (n * xy - x * y) / sqrt(spread) : 0;
}

struct streams_numbers streams_run(const char *protocol, uint64_t seed, uint32_t cores,
				   uint32_t rounds)
{
	struct nfart_proto *p = proto_builtin(protocol);
	struct loads a = { .room = (size_t)cores * rounds * STREAM_LINES + 1, .proto = p };
	struct streams_numbers x = {0};
	uint64_t sum = 0, end = 0;

	a.at = calloc(a.room, sizeof *a.at);
	struct load *of = calloc(a.room, sizeof *of);
	uint32_t *taken = calloc(cores, sizeof *taken);
	if (p == NULL || a.at == NULL || of == NULL || taken == NULL)
		die("out of memory");
	streams_once(&a, seed, cores, rounds);
	qsort(a.at, a.n, sizeof *a.at, by_begin);
	for (size_t i = 0; i < a.n; i++) {
		struct load *l = &a.at[i];
		l->before = in_flight(&a, i, l->begin, STREAM_CORES);
		uint32_t own = in_flight(&a, i, l->begin, l->core) + 1;
		x.most = l->before + 1 > x.most ? l->before + 1 : x.most;
		x.most_of_core = own > x.most_of_core ? own : x.most_of_core;
		sum += l->end - l->begin;
		end = l->end > end ? l->end : end;
		if (l->core >= cores || taken[l->core] == rounds * STREAM_LINES)
			die("the model loads lines that no core streams");
		of[l->core * rounds * STREAM_LINES + taken[l->core]++] = *l;
	}
	x.requests = (uint32_t)a.n;
	if (x.requests != cores * rounds * STREAM_LINES)
		die("the model loads too few lines");
	x.cycles = end - a.at[0].begin;
	x.latency = (double)sum / (double)a.n;
	x.full = (double)full_cycles(&a, cores) / (double)x.cycles;
	x.correlation = correlation(&a);
	look_at_cores(&x, of, cores, rounds);
	free(taken);
	free(of);
	free(a.at);
	proto_free(p);
	return x;
}
