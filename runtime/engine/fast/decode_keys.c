/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes keys of batches that lie in memory as they stand in a trace. All levels of instructions
 * share one source. They differ in how they find the slots of a dense row that have a message, and
 * in how many of these slots they look up at once. For a batch of at most FEW messages no branch
 * depends on the data.
 */
#include "runtime/engine/fast/decode_keys.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { FEW = 4 }; /* the most messages that are looked up without a branch */

/* The part of the key table that a look-up needs. Loops use a local copy, which stays in registers.
 * The members of the key table itself would be loaded again after every key that a loop writes,
 * because the compiler can't know that the key is not written into the table. */
struct lookup {
	uint64_t *const *of_slot;
	uint64_t op_mask;
	uint32_t op_lsb, op_bits;
	const uint64_t *place, *of_tests; /* only for images with tests */
	const struct key_tests *tests;
};

INLINE struct lookup lookup(const struct key_table *t)
{
	return (struct lookup){ t->of_slot, t->op.mask, t->op.lsb, t->op.bits,
				t->tested.place, t->tested.keys, t->tested.tests };
}

/* The key of the message in slot s, whose header is at p. */
typedef uint64_t look_up(const struct lookup *l, uint32_t s, const unsigned char *p);

INLINE uint64_t look_up_portable(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	return l->of_slot[s][(key_load(p) & l->op_mask) >> l->op_lsb];
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define AVX512 \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,lzcnt")))

AVX2 INLINE uint64_t look_up_bmi(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	return l->of_slot[s][_bextr_u64(key_load(p), l->op_lsb, l->op_bits)];
}

/* Makes all tests of the message's code at once (keys.h, Note [tests at once]). */
AVX2 INLINE uint64_t look_up_tests(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	uint64_t header = key_load(p);
	size_t code = (size_t)s << l->op_bits | _bextr_u64(header, l->op_lsb, l->op_bits);
	uint64_t place = l->place[code];
	const struct key_tests *t = &l->tests[place >> 32];
	__m256i x = _mm256_set1_epi64x((long long)header);

	x = _mm256_and_si256(x, _mm256_load_si256((const __m256i *)(const void *)t->mask));
	x = _mm256_sub_epi64(x, _mm256_load_si256((const __m256i *)(const void *)t->low));
	x = _mm256_cmpgt_epi64(x, _mm256_load_si256((const __m256i *)(const void *)t->most));
	return l->of_tests[(uint32_t)place + (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(x))];
}
#endif

/* ---- dense rows ---- */

/* Finds the slots that are not idle in the row of n headers at p. */
typedef uint64_t find_slots(const struct key_table *t, const unsigned char *p, uint32_t n);

/* The OR of the keys of all n headers at p. */
typedef uint64_t look_up_all(const struct key_table *t, const unsigned char *p, uint32_t n);

INLINE uint64_t each_slot(const struct key_table *t, const unsigned char *p, uint32_t n,
			  look_up *one)
{
	const struct lookup l = lookup(t);
	uint64_t a = 0, b = 0;
	uint32_t s = 0;

	for (; s + 1 < n; s += 2) {
		a |= one(&l, s, p + 8 * (size_t)s);
		b |= one(&l, s + 1, p + 8 * (size_t)s + 8);
	}
	return s < n ? a | b | one(&l, s, p + 8 * (size_t)s) : a | b;
}

INLINE uint64_t all_slots(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	return each_slot(t, p, n, look_up_portable);
}

/* Makes the key of the row of n headers at p again, if it depends on more tests than could be made
 * at once. */
static uint64_t row_again(const struct key_table *t, uint64_t key, const unsigned char *p,
			  uint32_t n)
{
	if ((key & KEY_GUARDED) == 0)
		return key;
	key = 0;
	for (uint32_t s = 0; s < n; s++)
		key |= key_of_message(t, s, key_load(p + 8 * (size_t)s));
	return key & ~KEY_IDLE;
}

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

/* Makes the keys of n rows of `slots` < 64 headers. If a row has fewer than FEW messages, the slot
 * after the last slot is looked up as well. The key of that slot is 0 whatever its header is, but
 * its header lies beyond the row. So the caller must leave out the last row of a block. */
INLINE void decode_rows_of(const struct key_table *t, const unsigned char *p, size_t n,
			   size_t ahead, uint32_t slots, uint64_t *key, find_slots *find,
			   look_up *one, look_up_all *all, bool tests)
{
	size_t size = 8 + 8 * (size_t)slots;
	const struct lookup l = lookup(t);

	for (size_t i = 0; i < n; i++, p += size) {
		const unsigned char *h = p + 8;
		uint64_t m, end = (uint64_t)1 << slots, k = 0;
		for (size_t at = 0; at < size; at += 64)
			__builtin_prefetch(p + ahead + at, 0, 2);
		m = find(t, h, slots);
		if (__builtin_popcountll(m) > FEW) {
			k = all(t, h, slots) & ~KEY_IDLE;
			key[i] = tests ? row_again(t, k, h, slots) : k;
			continue;
		}
		for (int j = 0; j < FEW; j++) {
			uint32_t s = (uint32_t)__builtin_ctzll(m | end);
			k |= one(&l, s, h + 8 * (size_t)s);
			m &= m - 1;
		}
		key[i] = tests ? row_again(t, k, h, slots) : k;
	}
}

/* Calls decode_rows_of() for the slots of the protocol. The numbers of slots of the shipped
 * protocols are given as constants, so that the compiler unrolls loops over slots. */
INLINE void rows_of(const struct key_table *t, const unsigned char *p, size_t n, size_t ahead,
		    uint64_t *key, find_slots *find, look_up *one, look_up_all *all, bool tests)
{
	uint32_t slots = t->nslots;

	if (slots == 28)
		decode_rows_of(t, p, n, ahead, 28, key, find, one, all, tests);
	else if (slots == 20)
		decode_rows_of(t, p, n, ahead, 20, key, find, one, all, tests);
	else
		decode_rows_of(t, p, n, ahead, slots, key, find, one, all, tests);
}

static void rows_portable(const struct key_table *t, const unsigned char *p, size_t n,
			  uint64_t *key)
{
	uint32_t slots = t->nslots;

	for (size_t i = 0; i < n; i++, p += 8 + 8 * (size_t)slots) {
		key[i] = all_slots(t, p + 8, slots) & ~KEY_IDLE;
		if (t->tested.any)
			key[i] = row_again(t, key[i], p + 8, slots);
	}
}

#if defined(__x86_64__)
AVX2 INLINE uint64_t find_avx2(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	__m256i op = _mm256_set1_epi64x((long long)t->op.mask);
	__m256i idle = _mm256_set1_epi64x((long long)t->op.idle);
	uint64_t m = 0;
	uint32_t s = 0;

	for (; s + 4 <= n; s += 4) {
		__m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8 * (size_t)s));
		x = _mm256_cmpeq_epi64(_mm256_and_si256(x, op), idle);
		m |= (uint64_t)(~_mm256_movemask_pd(_mm256_castsi256_pd(x)) & 15) << s;
	}
	for (; s < n; s++)
		m |= (uint64_t)((key_load(p + 8 * (size_t)s) & t->op.mask) != t->op.idle) << s;
	return m;
}

AVX2 static void rows_avx2(const struct key_table *t, const unsigned char *p, size_t n,
			   size_t ahead, uint64_t *key)
{
	rows_of(t, p, n, ahead, key, find_avx2, look_up_bmi, all_slots, false);
}

AVX2 INLINE uint64_t all_tests(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	return each_slot(t, p, n, look_up_tests);
}

AVX2 static void rows_tests(const struct key_table *t, const unsigned char *p, size_t n,
			    size_t ahead, uint64_t *key)
{
	rows_of(t, p, n, ahead, key, find_avx2, look_up_tests, all_tests, true);
}

/* Loads slots s … s + 7 of the row of n headers at p. *there becomes the set of those slots that
 * exist. The others are not loaded, and are 0 in the result. */
AVX512 INLINE __m512i load_avx512(const unsigned char *p, uint32_t s, uint32_t n, __mmask8 *there)
{
	*there = (__mmask8)(n - s >= 8 ? 255 : (1u << (n - s)) - 1);
	return _mm512_maskz_loadu_epi64(*there, p + 8 * (size_t)s);
}

AVX512 INLINE uint64_t find_avx512(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	__m512i op = _mm512_set1_epi64((long long)t->op.mask);
	__m512i idle = _mm512_set1_epi64((long long)t->op.idle);
	uint64_t m = 0;

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_and_si512(x, op);
		m |= (uint64_t)_mm512_mask_cmpneq_epi64_mask(there, x, idle) << s;
	}
	return m;
}

/* The OR of the keys of all n headers at p. It gathers eight keys at once. */
AVX512 INLINE uint64_t all_avx512(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	__m128i shift = _mm_cvtsi32_si128((int)t->op.lsb);
	__m512i slot = _mm512_sll_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
					_mm_cvtsi32_si128((int)t->op.bits));
	__m512i op = _mm512_set1_epi64((long long)t->op.mask), k = _mm512_setzero_si512();

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_srl_epi64(_mm512_and_si512(x, op), shift);
		x = _mm512_add_epi64(x, slot);
		k = _mm512_or_si512(
			k, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, x,
						       t->of_code + ((size_t)s << t->op.bits), 8));
	}
	return (uint64_t)_mm512_reduce_or_epi64(k);
}

AVX512 static void rows_avx512(const struct key_table *t, const unsigned char *p, size_t n,
			       size_t ahead, uint64_t *key)
{
	rows_of(t, p, n, ahead, key, find_avx512, look_up_bmi, all_avx512, false);
}
#endif

void decode_rows(const struct key_table *t, const unsigned char *p, size_t n, size_t ahead,
		      uint64_t *key)
{
	size_t done = 0;

#if defined(__x86_64__)
	if (n > 1 && t->nslots < 64 &&
	    t->level != NFART_SIMD_PORTABLE) {
		done = n - 1;
		if (t->tested.any)
			rows_tests(t, p, done, ahead, key);
		else if (t->level == NFART_SIMD_AVX512)
			rows_avx512(t, p, done, ahead, key);
		else
			rows_avx2(t, p, done, ahead, key);
	}
#endif
	rows_portable(t, p + done * row_bytes(t), n - done, key + done);
}

/* ---- records ----
 *
 * Where a record begins depends on the mask of the record before it, so each record waits for a
 * load. A *run* is a series of records with equally many messages. In a run it is known beforehand
 * where each record begins, so that the processor works on several records at once. The decoder
 * tries a run now and then, and more rarely after short runs. */

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
