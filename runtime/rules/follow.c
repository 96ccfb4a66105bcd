/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/follow.h"

#include <string.h>

#include "support/bits.h"

/* ---- making ---- */

/* Sorts the messages that the checker sees by code. False: out of memory. */
static bool follow_sort(struct follow *f)
{
	const struct kept *k = f->kept;
	size_t ncodes = f->proto->codes.n, n = 0;

	f->first = calloc(ncodes + 2, sizeof *f->first);
	for (uint32_t i = 0; i < k->events.n && f->first != NULL; i++)
		for (uint32_t j = 0; j < k->events.at[i].messages.n; j++)
			if ((f->checker->seen >> i & 1) != 0) {
				f->first[k->events.at[i].messages.at[j].code + 2]++;
				n++;
			}
	f->messages = calloc(n + 1, sizeof *f->messages);
	if (f->first == NULL || f->messages == NULL)
		return false;
	for (size_t i = 2; i < ncodes + 2; i++)
		f->first[i] += f->first[i - 1];
	/* first[code + 1] is where the next one of the code goes, and then the first of the next
	 * code. */
	for (uint32_t i = 0; i < k->events.n; i++)
		for (uint32_t j = 0; j < k->events.at[i].messages.n; j++) {
			const struct kept_messages *m = &k->events.at[i].messages.at[j];

			if ((f->checker->seen >> i & 1) != 0)
				f->messages[f->first[m->code + 1]++] =
					(struct follow_event){ m, i };
		}
	return true;
}

struct follow *follow_new(const struct kept *kept, const struct kept_checker *checker,
			  const struct nfart_proto *p)
{
	struct follow *f = calloc(1, sizeof *f);

	if (f == NULL)
		return NULL;
	f->kept = kept;
	f->checker = checker;
	f->proto = p;
	if (!know_init(&f->know, kept, checker->seen, KEPT_NONE) || !follow_sort(f)) {
		follow_free(f);
		return NULL;
	}
	f->begin = (checker->how & KEPT_KNOWN) != 0 ? know_start(&f->know) : KNOW_ALL;
	return f;
}

static void follow_free_line(struct follow_line *l)
{
	if (l == NULL)
		return;
	vec_free(&l->beliefs);
	free(l->recent);
	free(l);
}

void follow_reset(struct follow *f)
{
	for (size_t i = 0; i < f->lines.n; i++) {
		follow_free_line(f->lines.at[i]);
	}
	vec_free(&f->lines);
	hash_free(&f->hash);
	memset(&f->hash, 0, sizeof f->hash);
}

void follow_free(struct follow *f)
{
	if (f == NULL)
		return;
	follow_reset(f);
	know_free(&f->know);
	free(f->first);
	free(f->messages);
	free(f);
}

/* ---- lines ---- */

static uint64_t follow_hash(const void *follow, uint32_t id)
{
	const struct follow *f = follow;

	return hash_add(0, f->lines.at[id]->number);
}

static bool follow_same(const void *follow, uint32_t id, const void *key)
{
	const struct follow *f = follow;

	return f->lines.at[id]->number == *(const uint64_t *)key;
}

struct follow_line *follow_find(const struct follow *f, uint64_t line)
{
	uint32_t id = HASH_NONE;

	if (f->lines.n != 0)
		id = hash_id(&f->hash, hash_find(&f->hash, hash_add(0, line), follow_same, f,
						 &line));
	return id != HASH_NONE ? f->lines.at[id] : NULL;
}

static struct follow_line *follow_add(struct follow *f, uint64_t line, uint64_t like)
{
	const struct follow_line *from = follow_find(f, like);
	struct follow_line *l = calloc(1, sizeof *l);
	bool ok = l != NULL && hash_room(&f->hash, follow_hash, f) && vec_reserve(&f->lines, 1);

	if (ok && from != NULL) {
		*l = *from;
		memset(&l->beliefs, 0, sizeof l->beliefs);
		l->recent = NULL;
		for (size_t i = 0; ok && i < from->beliefs.n; i++)
			ok = vec_push(&l->beliefs, from->beliefs.at[i]);
	} else if (ok) {
		ok = vec_push(&l->beliefs, f->begin);
	}
	if (ok && f->recalls) {
		l->recent = calloc(FOLLOW_RECENT, sizeof *l->recent);
		ok = l->recent != NULL;
		if (ok && from != NULL)
			memcpy(l->recent, from->recent, FOLLOW_RECENT * sizeof *l->recent);
	}
	if (!ok) {
		follow_free_line(l);
		return NULL;
	}
	l->number = line;
	l->id = (uint32_t)f->lines.n;
	hash_put(&f->hash, hash_find(&f->hash, hash_add(0, line), follow_same, f, &line),
		 (uint32_t)f->lines.n);
	f->lines.at[f->lines.n++] = l;
	return l;
}

uint32_t follow_find_event(const struct follow *f, uint32_t code, uint64_t header)
{
	for (uint32_t i = f->first[code]; i < f->first[code + 1]; i++)
		if (kept_passes(f->kept, f->messages[i].messages, header))
			return f->messages[i].event;
	return KEPT_NONE;
}

/* ---- a batch ---- */

/* Adds to the sum of f->know the states after the events from number `done` on, in every order. */
static void follow_orders(struct follow *f, uint32_t belief, uint32_t *events, uint32_t done,
			  uint32_t n)
{
	if (done == n) {
		know_sum_add(&f->know, belief);
		return;
	}
	for (uint32_t i = done; i < n; i++) {
		uint32_t event = events[i], next = know_after(&f->know, belief, event);

		events[i] = events[done];
		events[done] = event;
		if (next != KEPT_NONE)
			follow_orders(f, next, events, done + 1, n);
		events[done] = events[i];
		events[i] = event;
	}
}

/* Returns the belief after the events of a line's batch, in any order; KEPT_NONE: in no order does
 * a run explain them. */
static uint32_t follow_after(struct follow *f, struct follow_line *l, uint32_t belief)
{
	if (l->n == 1)
		return know_after(&f->know, belief, l->events[0]);
	know_sum_begin(&f->know);
	follow_orders(f, belief, l->events, 0, l->n);
	return know_sum(&f->know);
}

/* Steps a checker that has one belief at a time. */
static void follow_one(struct follow *f, struct follow_line *l, uint64_t time)
{
	uint32_t next = follow_after(f, l, l->beliefs.at[0]);

	l->before = l->beliefs.at[0];
	l->verdict = next != KEPT_NONE ? FOLLOW_FINE : FOLLOW_WRONG;
	if (next == KEPT_NONE) {
		l->dead = (f->checker->how & KEPT_ANEW) == 0;
		l->died = time;
		next = follow_after(f, l, KNOW_ALL);
	}
	l->beliefs.at[0] = next != KEPT_NONE ? next : KNOW_ALL;
}

/* Steps a checker that also knows what it would know if it had begun later. */
static bool follow_always(struct follow *f, struct follow_line *l, uint64_t time)
{
	size_t n = 0;

	l->before = l->beliefs.at[0];
	l->verdict = FOLLOW_FINE;
	for (size_t i = 0; i < l->beliefs.n; i++) {
		uint32_t next = follow_after(f, l, l->beliefs.at[i]);

		if (next != KEPT_NONE) {
			if (n == 0 || l->beliefs.at[n - 1] != next)
				l->beliefs.at[n++] = next;
		} else if (l->verdict == FOLLOW_FINE) {
			l->verdict = FOLLOW_WRONG;
			l->before = l->beliefs.at[i];
			l->dead = (f->checker->how & KEPT_ANEW) == 0;
			l->died = time;
		}
	}
	l->beliefs.n = n;
	return (n != 0 && l->beliefs.at[n - 1] == KNOW_ALL) || vec_push(&l->beliefs, KNOW_ALL);
}

static bool follow_step(struct follow *f, struct follow_line *l, uint64_t time, uint32_t n)
{
	if (l->dead) {
		l->verdict = FOLLOW_AFTER;
		return true;
	}
	if (n > FOLLOW_ORDERS) {
		l->verdict = FOLLOW_MANY;
		l->before = KNOW_ALL;
		l->beliefs.n = 1;
		l->beliefs.at[0] = KNOW_ALL;
		return true;
	}
	if ((f->checker->how & KEPT_ALWAYS) != 0)
		return follow_always(f, l, time);
	follow_one(f, l, time);
	return true;
}

struct follow_line *follow_put(struct follow *f, uint64_t line, uint64_t like, uint64_t time,
			       uint64_t slots, const uint64_t *header)
{
	struct follow_line *l = follow_find(f, line);
	uint64_t first;
	uint32_t n = 0;

	if (l == NULL)
		l = follow_add(f, line, like);
	if (l == NULL)
		return NULL;
	first = l->nmessages;
	l->verdict = FOLLOW_NOTHING;
	for (size_t s = bits_next(&slots, f->proto->nslots, 0); s < f->proto->nslots;
	     s = bits_next(&slots, f->proto->nslots, s + 1)) {
		uint32_t code = proto_code(f->proto, (uint32_t)s, header[s]);
		uint32_t event = follow_find_event(f, code, header[s]);

		if (event == KEPT_NONE)
			continue;
		if (f->recalls)
			l->recent[l->nmessages % FOLLOW_RECENT] =
				(struct follow_message){ time, code, event, false };
		l->nmessages++;
		if (n < FOLLOW_ORDERS)
			l->events[n] = event;
		n++;
	}
	l->now = n;
	l->before = l->beliefs.at[0];
	l->n = n < FOLLOW_ORDERS ? n : FOLLOW_ORDERS;
	if (n != 0 && !follow_step(f, l, time, n))
		return NULL;
	for (uint64_t i = first; f->recalls && i < l->nmessages && l->verdict == FOLLOW_WRONG; i++)
		l->recent[i % FOLLOW_RECENT].wrong = true;
	return f->know.failed ? NULL : l;
}
