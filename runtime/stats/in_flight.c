/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/in_flight.h"

#include <stdlib.h>

#include "runtime/pairs/pairs.h"
#include "support/vec.h"

/* What is known of one rule, or of all together. */
struct level {
	uint64_t n;      /* how many are open now */
	uint64_t most, most_time;
	VEC(uint64_t) cycles; /* cycles.at[n]: for how many cycles n were open */
};

struct in_flight {
	uint32_t rules;
	bool begun;
	uint64_t last;        /* the last time that is known of, up to which cycles are counted */
	struct level level[]; /* [rules + 1]: the last is of all together */
};

struct in_flight *in_flight_new(uint32_t rules)
{
	struct in_flight *f = calloc(1, sizeof *f + ((size_t)rules + 1) * sizeof f->level[0]);

	if (f != NULL)
		f->rules = rules;
	return f;
}

void in_flight_free(struct in_flight *f)
{
	if (f == NULL)
		return;
	for (uint32_t i = 0; i <= f->rules; i++)
		vec_free(&f->level[i].cycles);
	free(f);
}

/* Makes room for the cycles in which x->n were open. False: out of memory. */
static bool make_room(struct level *x)
{
	while (x->cycles.n <= x->n)
		if (!vec_push(&x->cycles, 0))
			return false;
	return true;
}

/* Counts cycles in which x->n were open. False: out of memory. */
static inline bool level_count(struct level *x, uint64_t cycles)
{
	if (x->cycles.n <= x->n && !make_room(x))
		return false;
	x->cycles.at[x->n] += cycles;
	return true;
}

static inline void level_set(struct level *x, uint64_t n, uint64_t time)
{
	x->n = n;
	if (n <= x->most)
		return;
	x->most = n;
	x->most_time = time;
}

bool in_flight_at(struct in_flight *f, const struct nfart_pairs *q, uint64_t time)
{
	const uint64_t *open = pairs_open(q);
	uint64_t all = 0, cycles = f->begun ? time - f->last : 0;

	/* All levels are counted, because which of them changed is hard to predict. */
	for (uint32_t i = 0; i <= f->rules; i++) {
		uint64_t n = i < f->rules ? open[i] : all;
		all += n;
		if (!level_count(&f->level[i], cycles))
			return false;
		level_set(&f->level[i], n, time);
	}
	f->begun = true;
	f->last = time;
	return true;
}

bool in_flight_end(struct in_flight *f)
{
	for (uint32_t i = 0; i <= f->rules; i++)
		if (!make_room(&f->level[i]))
			return false;
	return true;
}

const uint64_t *in_flight_cycles(const struct in_flight *f, uint32_t rule, size_t *size)
{
	*size = f->level[rule].cycles.n;
	return f->level[rule].cycles.at;
}

uint64_t in_flight_most(const struct in_flight *f, uint32_t rule, uint64_t *time)
{
	*time = f->level[rule].most_time;
	return f->level[rule].most;
}

double in_flight_mean(const struct in_flight *f, uint32_t rule)
{
	const struct level *x = &f->level[rule];
	double sum = 0, cycles = 0;

	for (size_t n = 0; n < x->cycles.n; n++) {
		sum += (double)n * (double)x->cycles.at[n];
		cycles += (double)x->cycles.at[n];
	}
	return cycles == 0 ? 0 : sum / cycles;
}
