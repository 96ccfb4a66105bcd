/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes keys of records that lie in memory as they stand in a trace. For a record of at most FEW
 * messages no branch depends on the data.
 *
 * Where a record begins depends on the mask of the record before it, so each record waits for a
 * load. A *run* is a series of records with equally many messages. In a run it is known beforehand
 * where each record begins, so that the processor works on several records at once. The decoder
 * tries a run now and then, and more rarely after short runs.
 */
#include "runtime/engine/fast/decode_keys.h"
#include "runtime/engine/fast/look_up.h"

/* Does what row_again() does, for a record with messages in the slots m, whose headers are at p. */
static uint64_t record_again(const struct key_table *t, uint64_t key, uint64_t m,
			     const unsigned char *p)
{
	if ((key & KEY_GUARDED) == 0)
		return key;
	for (key = 0; m != 0; m &= m - 1, p += 8)
		key |= key_of_message(t, (uint32_t)__builtin_ctzll(m), key_load(p));
	return key;
}

enum { RUN_LONG = 32, RUN_PAUSE = 16, RUN_MOST_PAUSE = 512 };

/* How far the decoding of a payload has come. */
struct walk {
	const struct key_table *t;
	const struct nfart_reader *r;
	struct trace_clock clock;
	const unsigned char *begin, *p, *end;
	size_t head;        /* how many bytes of a record come before its headers */
	uint32_t done,      /* how many records were decoded so far */
		 count;     /* how many records the payload has */
	uint64_t seen;      /* the OR of all keys made without a check for idle messages */
};

/* Decodes one record of any kind. False: it is malformed. */
static bool decode_record(struct walk *w, struct record_keys *out)
{
	const struct nfart_proto *proto = w->r->proto;
	uint64_t m, slots, k = 0;
	unsigned mark = 0;

	if ((size_t)(w->end - w->p) < w->head)
		return false;
	m = key_load(w->p + 8);
	slots = (uint64_t)__builtin_popcountll(m) + (m == 0);
	if ((m & ~(UINT64_MAX >> (64 - proto->nslots))) != 0 ||
	    ((size_t)(w->end - w->p) - (size_t)w->head) / 8 < slots)
		return false;
	if (m == 0)
		mark = trace_mark(key_load(w->p + w->head));
	if (mark != 0 ? !trace_clock_empty(&w->clock, key_load(w->p), (mark & NFART_END) != 0)
		      : !trace_clock_next(&w->clock, key_load(w->p), m == 0))
		return false;
	out->plain &= m != 0;
	for (const unsigned char *h = w->p + w->head; m != 0; m &= m - 1, h += 8) {
		if (!trace_header_ok(proto, key_load(h)))
			return false;
		k |= key_of_message(w->t, (uint32_t)__builtin_ctzll(m), key_load(h));
	}
	out->offset[w->done] = (uint32_t)(w->p - w->begin);
	out->key[w->done++] = k;
	w->p += w->head + 8 * slots;
	return true;
}

/* Decodes at most `most` records of at most FEW messages each, without a branch that depends on the
 * data of a record. Stops before the first record that is of another kind or close to the payload's
 * end. */
INLINE void mixed(struct walk *w, const struct record_keys *out, uint32_t most, look_up *one,
		  bool tests)
{
	uint64_t past = (uint64_t)1 << (w->r->proto->nslots & 63), last = w->clock.last;
	size_t head = w->head, need = head + 8 * FEW, ahead = (size_t)(w->end - w->begin);
	uint32_t i = w->done, to = w->count - i < most ? w->count : i + most;
	const unsigned char *begin = w->begin, *end = w->end, *p = w->p;
	const struct lookup l = lookup(w->t);
	uint64_t *key = out->key, seen = 0;
	uint32_t *offset = out->offset;

	for (; i < to && (size_t)(end - p) >= need; i++) {
		uint64_t time = key_load(p), m = key_load(p + 8), k = 0;
		unsigned n = (unsigned)__builtin_popcountll(m);
		const unsigned char *h = p + head;
		__builtin_prefetch(p + ahead, 0, 2); /* a place in the next chunk */
		if (m - 1 >= past - 1 || n > FEW || time <= last)
			break;
		last = time;
		offset[i] = (uint32_t)(p - begin);
		for (int j = 0; j < FEW; j++) {
			k |= one(&l, (uint32_t)__builtin_ctzll(m | past), h + 8 * j);
			m &= m - 1;
		}
		if (tests)
			k = record_again(w->t, k, key_load(p + 8), h);
		seen |= k;
		key[i] = k;
		p += head + 8 * (size_t)n;
	}
	w->done = i;
	w->p = p;
	w->seen |= seen;
	w->clock.last = w->clock.last_batch = last;
}

/* Decodes records of n messages each. Stops before the first record that has another number of
 * messages. */
INLINE void decode_run(struct walk *w, const struct record_keys *out, size_t head, unsigned n,
		       look_up *one, bool tests)
{
	uint64_t past = (uint64_t)1 << (w->r->proto->nslots & 63), last = w->clock.last;
	size_t size = head + 8 * (size_t)n, fit = (size_t)(w->end - w->p) / size;
	size_t ahead = (size_t)(w->end - w->begin), at = (size_t)(w->p - w->begin);
	uint32_t i = w->done, to = fit < w->count - i ? i + (uint32_t)fit : w->count;
	const unsigned char *begin = w->begin;
	const struct lookup l = lookup(w->t);
	uint64_t *key = out->key, seen = 0;
	uint32_t *offset = out->offset;

	for (; i < to; i++, at += size) {
		const unsigned char *p = begin + at;
		uint64_t time = key_load(p), m = key_load(p + 8), k = 0;
		__builtin_prefetch(p + ahead, 0, 2);
		if (m >= past || (unsigned)__builtin_popcountll(m) != n || time <= last)
			break;
		last = time;
		offset[i] = (uint32_t)at;
		for (unsigned j = 0; j < n; j++, m &= m - 1)
			k |= one(&l, (uint32_t)__builtin_ctzll(m), p + head + 8 * j);
		if (tests)
			k = record_again(w->t, k, key_load(p + 8), p + head);
		seen |= k;
		key[i] = k;
	}
	w->done = i;
	w->p = begin + at;
	w->seen |= seen;
	w->clock.last = w->clock.last_batch = last;
}

/* Decodes a run of records with as many messages as the next record has. */
INLINE void any_run(struct walk *w, const struct record_keys *out, size_t head, look_up *one,
		    bool tests)
{
	switch (w->end - w->p < 16 ? 0 : __builtin_popcountll(key_load(w->p + 8))) {
	case 1:
		decode_run(w, out, head, 1, one, tests);
		break;
	case 2:
		decode_run(w, out, head, 2, one, tests);
		break;
	case 3:
		decode_run(w, out, head, 3, one, tests);
		break;
	case 4:
		decode_run(w, out, head, 4, one, tests);
		break;
	}
}

INLINE bool records(struct walk *w, struct record_keys *out, look_up *one, bool tests)
{
	bool easy = w->r->proto->nslots < 64 && w->r->proto->header.bits == 64;
	uint32_t pause = RUN_PAUSE;

	while (w->done < w->count) {
		/* In this state of the clock, a time is in order if it is above the last one. */
		while (easy && w->clock.any_batch && !w->clock.after_loss) {
			uint32_t before = w->done;
			if (w->head == 16) /* no labels: the usual case, so a constant helps */
				any_run(w, out, 16, one, tests);
			else
				any_run(w, out, w->head, one, tests);
			pause = w->done - before >= RUN_LONG ? RUN_PAUSE :
				pause < RUN_MOST_PAUSE	     ? 2 * pause : pause;
			mixed(w, out, pause, one, tests);
			if (w->done == before)
				break;
		}
		if (w->done < w->count && !decode_record(w, out))
			return false;
	}
	return (w->seen & KEY_IDLE) == 0 && w->p == w->end;
}

static bool records_portable(struct walk *w, struct record_keys *out)
{
	return w->t->tested.any ? records(w, out, look_up_portable, true) :
			       records(w, out, look_up_portable, false);
}

#if defined(__x86_64__)
AVX2 static bool records_avx2(struct walk *w, struct record_keys *out)
{
	return records(w, out, look_up_bmi, false);
}

AVX2 static bool records_tests(struct walk *w, struct record_keys *out)
{
	return records(w, out, look_up_tests, true);
}
#endif

bool decode_records(const struct key_table *t, const struct nfart_reader *r,
			 struct trace_clock *clock, const unsigned char *p, size_t n,
			 uint32_t count, struct record_keys *out)
{
	struct walk w = { .t = t, .r = r, .clock = *clock, .begin = p, .p = p, .end = p + n,
			  .head = 16 + (size_t)r->label_words * 8, .count = count };
	bool ok;

#if defined(__x86_64__)
	if (t->level != NFART_SIMD_PORTABLE)
		ok = t->tested.any ? records_tests(&w, out) : records_avx2(&w, out);
	else
#endif
		ok = records_portable(&w, out);
	*clock = w.clock;
	return ok;
}
