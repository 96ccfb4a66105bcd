/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/in_flight.h"

#include <stdlib.h>

#include "runtime/pairs/pairs.h"
#include "support/vec.h"

/* What is known of one rule, or of all together. */
struct level {
	/* n and `since` change together, and each is needed at once by the next change. They are
	 * not neighbours, so that no compiler joins them to one store, for which both would
	 * wait. */
	uint64_t n;      /* how many are open now */
	uint64_t most, most_time;
	uint64_t since;  /* the time from which on n are open; cycles before it are counted */
	VEC(uint64_t) cycles; /* cycles.at[n]: for how many cycles n were open */
};

struct in_flight {
	uint32_t rules;
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

/* Makes room for the cycles in which n were open. False: out of memory. */
static bool make_room_for(struct level *x, uint64_t n)
{
	while (x->cycles.n <= n)
		if (!vec_push(&x->cycles, 0))
			return false;
	return true;
}

/* Makes room for the cycles in which x->n were open. False: out of memory. */
static bool make_room(struct level *x)
{
	return make_room_for(x, x->n);
}

/* From `time` on, one more request is open if `more` is true, or else one less. There is room for
 * the cycles before. */
static inline void level_change(struct level *x, uint64_t time, bool more)
{
	x->cycles.at[x->n] += time - x->since;
	x->since = time;
	x->n += 2 * (uint64_t)more - 1; /* without a branch: which comes next is not known */
	if (x->n > x->most) {
		x->most = x->n;
		x->most_time = time;
	}
}

bool in_flight_take(struct in_flight *f, const struct nfart_pair *pairs, size_t n)
{
	struct level *total = &f->level[f->rules], all = *total; /* a copy, to stay in registers */
	bool ok = true;

	/* A request is told when it comes, and each outcome but an answer without a request ends
	 * one. Answers come before the requests of their batch, and a request before the one that
	 * replaces it. So no level is too high within a batch. */
	for (size_t i = 0; i < n && ok; i++) {
		bool more = pairs[i].outcome == PAIRS_ASKED;
		struct level *x = &f->level[pairs[i].rule];
		if (pairs[i].outcome == NFART_PAIR_UNASKED)
			continue;
		if (all.cycles.n <= all.n || x->cycles.n <= x->n) {
			*total = all;
			ok = make_room(total) && make_room(x);
			all = *total;
		}
		if (ok) {
			level_change(x, pairs[i].answer_time, more);
			level_change(&all, pairs[i].answer_time, more);
		}
	}
	*total = all;
	return ok;
}

bool in_flight_end(struct in_flight *f, uint64_t first, uint64_t last)
{
	if (!in_flight_count(f, last))
		return false;
	for (uint32_t i = 0; i <= f->rules; i++)
		f->level[i].cycles.at[0] -= first;
	return true;
}

/* ---- stretches of a trace ---- */

bool in_flight_count(struct in_flight *f, uint64_t time)
{
	for (uint32_t i = 0; i <= f->rules; i++) {
		struct level *x = &f->level[i];
		if (!make_room(x))
			return false;
		x->cycles.at[x->n] += time - x->since;
		x->since = time;
	}
	return true;
}

void in_flight_begin(struct in_flight *f)
{
	for (uint32_t i = 0; i <= f->rules; i++) {
		struct level *x = &f->level[i];
		x->cycles.n = 0;
		x->most = x->n;
		x->most_time = x->since;
	}
}

bool in_flight_drop(struct in_flight *f, uint64_t time)
{
	if (!in_flight_count(f, time))
		return false;
	for (uint32_t i = 0; i <= f->rules; i++)
		f->level[i].n = 0;
	return true;
}

struct in_flight_stretch in_flight_now(const struct in_flight *f, uint32_t rule)
{
	const struct level *x = &f->level[rule];

	return (struct in_flight_stretch){ x->n, x->since, x->most, x->most_time };
}

bool in_flight_add(struct in_flight *f, uint32_t rule, uint64_t n, uint64_t cycles)
{
	if (!make_room_for(&f->level[rule], n))
		return false;
	f->level[rule].cycles.at[n] += cycles;
	return true;
}

void in_flight_go_on(struct in_flight *f, uint32_t rule, const struct in_flight_stretch *end)
{
	struct level *x = &f->level[rule];

	x->n = end->level;
	x->since = end->time;
	if (end->most > x->most) {
		x->most = end->most;
		x->most_time = end->most_time;
	}
}

/* ---- what is known ---- */

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
