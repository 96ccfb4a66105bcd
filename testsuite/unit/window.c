/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the window controller against the rule of nfacc-filter(5), section Window and limit, on
 * every short sequence of records.
 */
#include <string.h>

#include "include/nfart.h"
#include "testsuite/unit/unit.h"

enum { NOTHING, LOGGED, ACCEPTED, BOTH, LOSS, KINDS };
enum { LONGEST = 8, LONGEST_LIMITED = 6, WINDOWS = 4, LIMITS = 3 };

struct sequence {
	uint32_t n;
	uint8_t kind[LONGEST];
};

static bool accepted(const struct sequence *s, uint32_t i)
{
	return s->kind[i] == ACCEPTED || s->kind[i] == BOTH;
}

static bool window_counts(const struct sequence *s, uint32_t i)
{
	return accepted(s, i) || s->kind[i] == LOGGED;
}

/* Returns how many logged or accepted batches are between batch i and the nearest accepted batch in
 * direction `step`. Returns a large number if no batch in this direction is accepted. */
static uint32_t window_between(const struct sequence *s, uint32_t i, int step)
{
	uint32_t n = 0;

	for (int k = (int)i + step; k >= 0 && k < (int)s->n; k += step) {
		if (accepted(s, (uint32_t)k))
			return n;
		n += window_counts(s, (uint32_t)k);
	}
	return 1000;
}

/* The sizes of a window before and after an accepted batch. */
struct sizes {
	uint32_t before, after;
};

static bool is_output(const struct sequence *s, uint32_t i, struct sizes window)
{
	if (accepted(s, i) || s->kind[i] == LOSS)
		return true;
	return s->kind[i] == LOGGED && (window_between(s, i, -1) + 1 <= window.after ||
					window_between(s, i, 1) + 1 <= window.before);
}

/* What the window put out: the numbers of the records, in order. */
struct out {
	const struct sequence *s;
	uint32_t n;
	uint8_t at[LONGEST + 1];
	bool wrong;
};

static bool window_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct out *o = ctx;
	uint32_t i = (uint32_t)b->time - 1;

	if (o->n > LONGEST || i >= o->s->n) {
		o->wrong = true;
		return true;
	}
	o->at[o->n++] = (uint8_t)i;
	if (o->s->kind[i] == LOSS)
		o->wrong |= b->mask != 0 || b->lost != i;
	else
		o->wrong |= b->mask != 5 || b->header[0] != i * 3 || b->header[2] != i * 7 ||
			    b->damaged != (i % 2 == 0) || r->accepted != accepted(o->s, i);
	return true;
}

static void window_run(const struct sequence *s, struct sizes window, uint32_t limit,
		       struct out *out)
{
	struct nfart_window *w = window.before == window.after ?
		nfart_window_new(window.before, limit, window_sink, out) :
		nfart_window_new_sides(window.before, window.after, limit, window_sink, out);
	struct nfart_batch b = { .time = 0 };
	bool ok = w != NULL;

	out->s = s;
	out->n = 0;
	out->wrong = false;
	for (uint32_t i = 0; i < s->n && ok; i++) {
		struct nfart_result r = { .accepted = accepted(s, i),
					  .logged = s->kind[i] == LOGGED || s->kind[i] == BOTH };
		bool loss = s->kind[i] == LOSS;
		b.time = i + 1;
		b.mask = loss ? 0 : 5;
		b.lost = loss ? i : 0;
		b.damaged = !loss && i % 2 == 0;
		b.header[0] = i * 3;
		b.header[2] = i * 7;
		ok = nfart_window_put(w, &b, &r);
	}
	ok = ok && nfart_window_end(w);
	nfart_window_free(w);
	out->wrong |= !ok;
}

/* *all is what comes out without a limit. Returns how many of its records come out with the limit:
 * those up to the batch that reaches the limit. A limit of 0 means no limit. */
static uint32_t window_cut(const struct sequence *s, const struct out *all, uint32_t limit)
{
	uint32_t batches = 0, n = 0;

	while (n < all->n && (limit == 0 || batches < limit))
		batches += s->kind[all->at[n++]] != LOSS;
	return n;
}

static void complain(const struct sequence *s, struct sizes window, uint32_t limit,
		     const struct out *got)
{
	char in[LONGEST + 1] = "", out[2 * LONGEST + 3] = "";

	for (uint32_t i = 0; i < s->n; i++)
		in[i] = "-labx"[s->kind[i]];
	for (uint32_t i = 0; i < got->n; i++)
		sprintf(out + 2 * i, "%u ", got->at[i] % 10u);
	unit_fail("%s (l logged, a accepted, b both, x loss), window %u, %u, limit %u: output %s",
		  in, window.before, window.after, limit, out);
}

static void window_check(const struct sequence *s, uint32_t limits)
{
	for (uint32_t k = 0; k < (WINDOWS + 1) * (WINDOWS + 1); k++) {
		struct sizes window = { k / (WINDOWS + 1), k % (WINDOWS + 1) };
		struct out want = { .s = s }, got;
		for (uint32_t i = 0; i < s->n; i++)
			if (is_output(s, i, window))
				want.at[want.n++] = (uint8_t)i;
		for (uint32_t limit = 0; limit <= limits; limit++) {
			uint32_t n = window_cut(s, &want, limit);
			window_run(s, window, limit, &got);
			if (got.wrong || got.n != n || memcmp(got.at, want.at, n) != 0)
				complain(s, window, limit, &got);
		}
	}
}

START_TEST(every_sequence)
{
	struct sequence s;
	uint32_t count = 1;

	for (s.n = 0; s.n <= LONGEST; s.n++, count *= KINDS)
		for (uint32_t number = 0; number < count; number++) {
			for (uint32_t i = 0, x = number; i < s.n; i++, x /= KINDS)
				s.kind[i] = (uint8_t)(x % KINDS);
			window_check(&s, s.n <= LONGEST_LIMITED ? LIMITS : 0);
		}
}
END_TEST

/* nfart_window_full() must be true as soon as the limit is reached, and not before. */
static void check_full(const struct sequence *s, uint32_t window, uint32_t limit)
{
	struct out out = { .s = s };
	struct nfart_window *w = nfart_window_new(window, limit, window_sink, &out);
	struct nfart_batch b = { .mask = 1 };
	uint32_t batches = 0;

	ck_assert_ptr_nonnull(w);
	for (uint32_t i = 0; i < s->n; i++) {
		struct nfart_result r = { .accepted = accepted(s, i),
					  .logged = s->kind[i] == LOGGED };
		unit_check(nfart_window_full(w) == (limit != 0 && batches >= limit));
		b.time = i + 1;
		b.mask = s->kind[i] == LOSS ? 0 : 1;
		unit_check(nfart_window_put(w, &b, &r));
		batches = 0;
		for (uint32_t k = 0; k < out.n; k++)
			batches += s->kind[out.at[k]] != LOSS;
		unit_check(limit == 0 || batches <= limit);
	}
	nfart_window_free(w);
}

START_TEST(full)
{
	struct sequence s = { .n = 5 };

	for (uint32_t number = 0; number < KINDS * KINDS * KINDS * KINDS * KINDS; number++) {
		for (uint32_t i = 0, x = number; i < s.n; i++, x /= KINDS)
			s.kind[i] = (uint8_t)(x % KINDS);
		for (uint32_t limit = 0; limit <= LIMITS; limit++)
			check_full(&s, 2, limit);
	}
}
END_TEST

static bool fails(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	(void)b;
	(void)r;
	++*(int *)ctx;
	return false;
}

START_TEST(failing_sink)
{
	struct nfart_batch b = { .time = 1, .mask = 1 };
	struct nfart_result logs = { .logged = true }, accepts = { .accepted = true };
	int calls = 0;
	struct nfart_window *w = nfart_window_new(3, 0, fails, &calls);

	ck_assert_ptr_nonnull(w);
	unit_check(nfart_window_put(w, &b, &logs));
	unit_eq(calls, 0);
	b.time = 2;
	unit_check(!nfart_window_put(w, &b, &accepts));
	unit_eq(calls, 1);
	nfart_window_free(w);
	nfart_window_free(NULL);
}
END_TEST

/* The sink of the next test. Checks that the batch is the next one, *ctx, and has the headers with
 * which it went in. */
static bool in_order(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	uint64_t *next = ctx;

	(void)r;
	unit_eq(b->time, *next);
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		unit_eq(b->header[__builtin_ctzll(m)], b->time * 64 + (uint64_t)__builtin_ctzll(m));
	++*next;
	return true;
}

START_TEST(long_window)
{
	uint64_t seed = 2, next = 1;
	struct nfart_window *w = nfart_window_new(UINT64_MAX, 0, in_order, &next);
	struct nfart_batch b = { .time = 0 };
	struct nfart_result logs = { .logged = true }, accepts = { .accepted = true };

	ck_assert_ptr_nonnull(w);
	for (b.time = 1; b.time <= 20000; b.time++) {
		b.mask = unit_random(&seed) | (b.time % 7 == 0 ? UINT64_MAX : 1);
		for (uint64_t m = b.mask; m != 0; m &= m - 1)
			b.header[__builtin_ctzll(m)] = b.time * 64 + (uint64_t)__builtin_ctzll(m);
		unit_check(nfart_window_put(w, &b, b.time == 20000 ? &accepts : &logs));
	}
	unit_eq(next, 20001);
	nfart_window_free(w);
}
END_TEST

Suite *suite_window(void)
{
	const TTest *const tests[] = { every_sequence, full, failing_sink, long_window, NULL };

	return unit_suite("window", tests);
}
