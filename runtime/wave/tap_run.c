/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Samples the signals of taps at the edges of clocks, and makes batches of the rows that hold.
 *
 * Note [before the edge]. A sample has the values that stood before the time stamp of its edge. So
 * the registers of an interface are brought up to date after its sample was taken, not before. An
 * interface without a clock has a sample at the end of each time stamp, and it is the other way
 * round.
 */
#include "runtime/wave/tap_run.h"

#include <stdlib.h>
#include <string.h>

#include "support/order.h"

static uint64_t mask(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* ---- opening ---- */

static void source_free(struct tap_source *s)
{
	free(s->parts);
	*s = (struct tap_source){ .used = false };
}

void tap_side_forget(struct tap_side *s)
{
	for (uint32_t i = 0; s->sources != NULL && i < s->x->nsignals; i++)
		source_free(&s->sources[i]);
	source_free(&s->clock);
	s->reset = NULL;
}

/* Is the clock of two interfaces the same, and the edge? */
static bool same_clock(const struct tap_side *a, const struct tap_side *b)
{
	if (a->clock.nparts != b->clock.nparts)
		return false;
	for (uint32_t i = 0; i < a->clock.nparts; i++)
		if (a->clock.parts[i].value != b->clock.parts[i].value)
			return false;
	return a->clock.nparts == 0 || a->x->falling == b->x->falling;
}

/* Gives each interface its cycle. */
static enum nfart_status find_cycles(struct tap_run *r, struct nfart_error *e)
{
	for (uint32_t i = 0; i < r->nsides; i++) {
		struct tap_side *s = &r->sides[i];
		uint32_t k = 0;
		while (k < i && !same_clock(s, &r->sides[k]))
			k++;
		s->cycle = k < i ? r->sides[k].cycle : (uint32_t)r->cycles.n;
		if (k == i && !vec_push(&r->cycles, ((struct tap_cycle){ 0, false })))
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
		r->every = r->every || s->clock.nparts == 0;
	}
	if (r->cycles.n > 1 && !r->o->wave_time)
		return nfart_fail(e, NFART_USAGE, "taps on different clocks need --time=wave: "
				  "they have no cycles in common");
	return NFART_OK;
}

/* A chosen value and what depends on it. */
struct use {
	uint32_t value, user;
	struct tap_part *part;
};

static int by_value(const void *x, const void *y)
{
	const struct use *a = x, *b = y;

	return order_2(a->value, b->value, a->user, b->user);
}

/* Users that are the clocks of interfaces: they are read at each step. */
#define CLOCK_USER UINT32_MAX

typedef VEC(struct use) use_list;

static bool add_uses(use_list *list, struct tap_source *s, uint32_t user)
{
	for (uint32_t i = 0; i < s->nparts; i++) {
		struct use u = { s->parts[i].value, user, &s->parts[i] };
		if (!vec_push(list, u))
			return false;
	}
	return true;
}

/* Turns the sorted uses into chosen values, and into the list of users of each. */
static enum nfart_status choose(struct tap_run *r, const use_list *list, struct nfart_error *e)
{
	uint32_t *values = calloc(list->n + 1, sizeof *values), n = 0;
	enum nfart_status status = NFART_OK;

	r->users.first = calloc(list->n + 2, sizeof *r->users.first);
	if (values == NULL || r->users.first == NULL)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (size_t i = 0; i < list->n && status == NFART_OK; i++) {
		const struct use *u = &list->at[i];
		if (n == 0 || values[n - 1] != u->value) {
			r->users.first[n] = (uint32_t)r->users.all.n;
			values[n++] = u->value;
		}
		u->part->value = n - 1;
		if (u->user != CLOCK_USER && !vec_push(&r->users.all, u->user))
			status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	if (status == NFART_OK)
		r->users.first[n] = (uint32_t)r->users.all.n;
	if (status == NFART_OK && !wave_choose(r->wave, values, n, r->every, e))
		status = e != NULL ? e->status : NFART_SYSTEM;
	if (status == NFART_OK)
		r->bits = wave_bits(r->wave);
	free(values);
	return status;
}

static enum nfart_status choose_values(struct tap_run *r, struct nfart_error *e)
{
	use_list list = { 0 };
	enum nfart_status status = NFART_OK;

	for (uint32_t i = 0; i < r->nsides && status == NFART_OK; i++) {
		struct tap_side *s = &r->sides[i];
		bool ok = add_uses(&list, &s->clock, CLOCK_USER);
		for (uint32_t k = 0; k < s->x->nsignals && ok; k++)
			ok = add_uses(&list, &s->sources[k], i << 16 | k);
		if (!ok)
			status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	if (list.n != 0)
		qsort(list.at, list.n, sizeof *list.at, by_value);
	if (status == NFART_OK)
		status = choose(r, &list, e);
	vec_free(&list);
	return status;
}

/* Gives signals that the waveform lacks their usual values. */
static void set_usual(struct tap_side *s)
{
	for (uint32_t i = 0; i < s->x->nsignals; i++) {
		uint32_t bits = s->x->signals[i].bits, at = s->code.place[i];
		if (!s->sources[i].used || s->sources[i].nparts != 0)
			continue;
		s->code.value[at] = s->x->signals[i].usual;
		for (uint32_t k = 0; k * 64 < bits; k++)
			s->code.known[at + k] = mask(bits - k * 64);
	}
}

/* The next sample has none before it. */
static void forget(struct tap_side *s)
{
	tap_code_keep(&s->code, false);
	tap_memory_clear(s->queues, &s->code, s->x);
	s->quiet = false;
}

enum nfart_status tap_run_open(struct tap_run *r, const struct nfart_proto *p,
			       const struct nfart_wave *o, struct wave *w, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	*r = (struct tap_run){ .p = p, .form = p->taps, .o = o, .wave = w };
	r->sides = calloc(r->form->ninterfaces, sizeof *r->sides);
	if (r->sides == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (; r->nsides < r->form->ninterfaces && status == NFART_OK; r->nsides++) {
		struct tap_side *s = &r->sides[r->nsides];
		s->x = &r->form->interfaces[r->nsides];
		s->level = -1;
		s->sources = calloc(s->x->nsignals + 1, sizeof *s->sources);
		s->queues = tap_memory_new(s->x);
		if (s->sources == NULL || !tap_code_prepare(&s->code, s->x) || s->queues == NULL)
			status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	if (status == NFART_OK)
		status = tap_place(r, e);
	if (status == NFART_OK)
		status = find_cycles(r, e);
	if (status == NFART_OK)
		status = choose_values(r, e);
	for (uint32_t i = 0; i < r->nsides && status == NFART_OK; i++) {
		set_usual(&r->sides[i]);
		forget(&r->sides[i]);
	}
	return status;
}

void tap_run_free(struct tap_run *r)
{
	for (uint32_t i = 0; i < r->nsides; i++) {
		struct tap_side *s = &r->sides[i];
		tap_side_forget(s);
		free(s->sources);
		tap_code_free(&s->code);
		tap_memory_free(s->queues, s->x);
		for (size_t k = 0; k < s->counters.n; k++)
			free(s->counters.at[k].signals);
		vec_free(&s->counters);
	}
	free(r->sides);
	vec_free(&r->cycles);
	free(r->users.first);
	vec_free(&r->users.all);
}

/* ---- signals ---- */

/* Returns the bits of a part that are not 0, from bit `from` of the part on, as far as they are 1
 * or unknown; only whether there are any counts. */
static uint64_t above(const struct wave_bits *x, uint32_t width, uint32_t from)
{
	uint64_t any = 0;

	for (uint32_t i = from / 64; i < (width + 63) / 64; i++) {
		uint64_t w = (x->value[i] | ~x->known[i]) & mask(width - i * 64);
		any |= i == from / 64 ? w >> from % 64 : w;
	}
	return any;
}

/* Adds a word to a rail of `words` words, from bit `at` on. What is above the rail is lost. */
static void add_bits(uint64_t *rail, uint32_t words, uint32_t at, uint64_t bits)
{
	if (at / 64 < words)
		rail[at / 64] |= bits << at % 64;
	if (at % 64 != 0 && at / 64 + 1 < words)
		rail[at / 64 + 1] |= bits >> (64 - at % 64);
}

/* Brings the registers of a signal up to date. */
static void update(const struct tap_run *r, struct tap_side *s, uint32_t signal)
{
	struct tap_source *source = &s->sources[signal];
	uint32_t bits = s->x->signals[signal].bits, words = (bits + 63) / 64, at = 0;
	uint64_t v[TAP_MOST_BITS / 64], k[TAP_MOST_BITS / 64];
	uint64_t *value = &s->code.value[s->code.place[signal]],
		 *known = &s->code.known[s->code.place[signal]];

	memset(v, 0, words * sizeof *v);
	memset(k, 0, words * sizeof *k);
	source->cut = 0;
	for (uint32_t i = source->nparts; i-- > 0;) {
		const struct tap_part *part = &source->parts[i];
		const struct wave_bits *x = &r->bits[part->value];
		for (uint32_t n = 0; n < part->width && at + n < bits; n += 64) {
			add_bits(v, words, at + n, x->value[n / 64] & mask(part->width - n));
			add_bits(k, words, at + n, x->known[n / 64] & mask(part->width - n));
		}
		if (at + part->width > bits)
			source->cut |= above(x, part->width, at < bits ? bits - at : 0);
		at += part->width;
	}
	/* Bits that the variable lacks are 0. */
	for (uint32_t i = source->width / 64; i < words; i++)
		k[i] |= i * 64 < source->width ? ~mask(source->width - i * 64) : UINT64_MAX;
	v[words - 1] &= mask(bits - (words - 1) * 64);
	k[words - 1] &= mask(bits - (words - 1) * 64);
	if (memcmp(value, v, words * sizeof *v) == 0 && memcmp(known, k, words * sizeof *k) == 0 &&
	    source->cut == 0)
		return;
	memcpy(value, v, words * sizeof *v);
	memcpy(known, k, words * sizeof *k);
	s->changed = true;
}

static void update_user(const struct tap_run *r, uint32_t user)
{
	update(r, &r->sides[user >> 16], user & 0xffff);
}

/* Brings all registers up to date that a step changed. */
static void update_changed(struct tap_run *r, const struct wave_step *step)
{
	if (step->lost) {
		for (size_t i = 0; i < r->users.all.n; i++)
			update_user(r, r->users.all.at[i]);
		return;
	}
	for (size_t i = 0; i < step->n; i++) {
		uint32_t value = step->changed[i];
		for (uint32_t k = r->users.first[value]; k < r->users.first[value + 1]; k++)
			update_user(r, r->users.all.at[k]);
	}
}

/* Returns the level of the clock of an interface. */
static int level_of(const struct tap_run *r, const struct tap_side *s)
{
	const struct wave_bits *x = &r->bits[s->clock.parts[s->clock.nparts - 1].value];

	return (x->known[0] & 1) == 0 ? -1 : (int)(x->value[0] & 1);
}

/* ---- samples ---- */

/* Puts a value into the payload of a message; unknown bits are 0. */
static void fill_payload(struct tap_run *r, const struct tap_side *s, const struct tap_field *f,
			 uint32_t slot)
{
	memcpy(r->payload[slot], &s->code.value[s->code.place[f->value.result]],
	       (f->bits + 63) / 64 * sizeof r->payload[slot][0]);
}

/* Puts the message of a row that holds into the batch. False: out of memory. */
static bool message(struct tap_run *r, struct tap_side *s, const struct tap *tap,
		    const struct tap_row *row, uint64_t cycle)
{
	uint64_t header = row->header;
	bool dim = false, cut = false;

	if (r->p->payload != 0)
		memset(r->payload[tap->slot], 0, sizeof r->payload[tap->slot]);
	for (uint32_t i = 0; i < row->nfields; i++) {
		const struct tap_field *f = &row->fields[i];
		tap_code_run(&s->code, &f->value);
		if (f->payload)
			fill_payload(r, s, f, tap->slot);
		else
			header |= (s->code.value[s->code.place[f->value.result]] >> f->from &
				   mask(f->bits)) << f->lsb;
		dim = dim || tap_is_dim(s, &f->value);
		for (uint32_t k = 0; k < f->value.nsignals && !cut; k++)
			cut = s->sources[f->value.signals[k]].cut != 0;
	}
	r->ahead.batch.mask |= (uint64_t)1 << tap->slot;
	r->ahead.batch.header[tap->slot] = header;
	return (!dim || tap_count(s, tap, row, TAP_UNKNOWN_BITS, cycle)) &&
	       (!cut || tap_count(s, tap, row, TAP_CUT_BITS, cycle));
}

/* Tries the rows of a tap. *quiet becomes false if something came of it. False: out of memory. */
static bool try_rows(struct tap_run *r, struct tap_side *s, const struct tap *tap, uint64_t cycle,
		     bool *quiet)
{
	for (uint32_t i = 0; i < tap->nrows; i++) {
		const struct tap_row *row = &tap->rows[i];
		enum tap_truth t = tap_code_truth(&s->code, &row->when);
		if (t == TAP_FALSE || (t == TAP_UNTOLD && row->when.looks_back && !s->code.past))
			continue;
		*quiet = false;
		if (t == TAP_TRUE)
			return message(r, s, tap, row, cycle);
		if (!tap_count(s, tap, row, TAP_UNKNOWN_CONDITION, cycle))
			return false;
	}
	return true;
}

/* Takes a sample of an interface. False: out of memory. */
static bool sample(struct tap_run *r, struct tap_side *s)
{
	uint64_t cycle = r->cycles.at[s->cycle].n;
	bool quiet = !s->changed && s->code.past;

	if (s->quiet && !s->changed)
		return true;
	if (s->reset != NULL && tap_code_truth(&s->code, s->reset) != TAP_FALSE) {
		forget(s);
		return true;
	}
	tap_memory_look(s->queues, &s->code, s->x);
	for (uint32_t i = 0; i < s->x->ntaps; i++)
		if (!try_rows(r, s, &s->x->taps[i], cycle, &quiet))
			return false;
	tap_code_keep(&s->code, true);
	s->changed = tap_memory_step(s->queues, &s->code, s->x, cycle);
	s->quiet = quiet;
	return true;
}

/* Finds out which cycles have a sample at this step, which is NULL for the end of the waveform. */
static void find_edges(struct tap_run *r, const struct wave_step *step)
{
	for (uint32_t i = 0; i < r->nsides; i++) {
		struct tap_side *s = &r->sides[i];
		bool *ticks = &r->cycles.at[s->cycle].ticks;
		int level;
		if (s->clock.nparts == 0 || step == NULL) {
			*ticks = (s->clock.nparts == 0) == (step != NULL);
			continue;
		}
		level = level_of(r, s);
		*ticks = s->level >= 0 && level >= 0 && s->level != level &&
			 (level == 0) == s->x->falling;
		s->level = level;
	}
}

/* Samples the interfaces that have a clock, or those that have none. False: out of memory. */
static bool sample_all(struct tap_run *r, bool with_clock)
{
	for (uint32_t i = 0; i < r->nsides; i++) {
		struct tap_side *s = &r->sides[i];
		if (r->cycles.at[s->cycle].ticks && (s->clock.nparts != 0) == with_clock &&
		    !sample(r, s))
			return false;
	}
	return true;
}

/* Counts the cycles of a step. Returns the time of its batch, and whether there was a sample. */
static uint64_t count_cycles(struct tap_run *r, uint64_t time, bool *any)
{
	uint64_t cycle = 0;

	*any = false;
	for (size_t i = 0; i < r->cycles.n; i++) {
		struct tap_cycle *c = &r->cycles.at[i];
		if (!c->ticks)
			continue;
		*any = true;
		cycle = c->n++;
	}
	if (!r->o->wave_time)
		return cycle;
	/* The sample of --end may come after one at the same time stamp. */
	return r->last.any && time <= r->last.time ? r->last.time + 1 : time;
}

/* Handles a step. Returns 1 if a record was made, 0 if not, -1: out of memory. */
static int take_step(struct tap_run *r, const struct wave_step *step, uint64_t time,
		     struct nfart_batch *b)
{
	bool any, ok;

	if (step != NULL && step->lost) {
		r->is.lost = true;
		for (uint32_t i = 0; i < r->nsides; i++) {
			r->sides[i].level = -1;
			forget(&r->sides[i]);
		}
	}
	r->ahead.batch.mask = 0;
	find_edges(r, step);
	ok = sample_all(r, true);
	if (step != NULL)
		update_changed(r, step);
	ok = ok && sample_all(r, false);
	if (!ok)
		return -1;
	time = count_cycles(r, time, &any);
	if (!any || (!r->is.lost && r->ahead.batch.mask == 0))
		return 0;
	r->ahead.batch.time = time;
	if (r->ahead.batch.mask != 0) {
		r->last.any = true;
		r->last.time = time;
	}
	*b = r->ahead.batch;
	if (r->is.lost) {
		r->ahead.has_batch = r->ahead.batch.mask != 0;
		b->mask = 0;
		b->lost = NFART_LOST_UNKNOWN;
		r->is.lost = false;
	}
	return 1;
}

/* Goes to the next step. Before the first one, an interface without a clock has a sample at time 0,
 * as the values of a waveform are there from then on. Returns what take_step() does, and sets
 * r->ended at the end. */
static int next_step(struct tap_run *r, struct nfart_batch *b, struct nfart_error *e)
{
	static const struct wave_step first = { 0 };
	int got = r->ahead.has_step ? 1 : r->is.done ? 0 : wave_next(r->wave, &r->ahead.step, e);

	r->ahead.has_step = false;
	r->is.done = r->is.done || got == 0;
	if (!r->is.begun) {
		r->is.begun = true;
		if (got >= 0 && r->every && (got == 0 || r->ahead.step.time != 0)) {
			r->ahead.has_step = got == 1;
			r->is.ended = got == 0 && !r->o->end;
			return take_step(r, &first, 0, b);
		}
	}
	if (got < 0) {
		r->is.ended = true;
		return -2;
	}
	if (got == 1)
		return take_step(r, &r->ahead.step, r->ahead.step.time, b);
	r->is.ended = true;
	return r->o->end ? take_step(r, NULL, wave_time(r->wave), b) : 0;
}

int tap_run_next(struct tap_run *r, struct nfart_batch *b, struct nfart_error *e)
{
	int got = 0;

	if (r->ahead.has_batch) {
		*b = r->ahead.batch;
		r->ahead.has_batch = false;
		return 1;
	}
	while (got == 0 && !r->is.ended)
		got = next_step(r, b, e);
	if (got == -1)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return got < 0 ? -1 : got;
}
