/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/fuzz/damage.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/binary.h"
#include "support/vec.h"
#include "testsuite/property/chunks.h"

/* The most damaged places, and the most bytes of a piece of garbage. */
enum { MOST_PLACES = 64, MOST_GARBAGE = 64 };

/* A part of the trace. */
struct part {
	uint8_t *p;   /* n bytes, with room for 8 more */
	size_t n;
	bool indexed; /* the index has an entry for it */
};

struct parts {
	VEC(struct part) part;
	struct buf head; /* the file header */
	bool failed;
};

/* What happens to a part. */
enum harm {
	HARM_DROP,
	HARM_DOUBLE,
	HARM_SWAP,       /* with the part after it */
	HARM_WORD,       /* a word of the payload changes; checksums are repaired */
	HARM_TIMES,      /* so do the header's first and last time */
	HARM_FIELD,      /* a field of the header changes; its checksum is repaired */
	HARM_BYTE,       /* a byte changes; no checksum is repaired */
	HARM_GROW,       /* a word is put into the payload */
	HARM_SHRINK,     /* a word is taken out of the payload */
	HARM_GARBAGE,    /* bytes before it that are no chunk */
	HARM_TRAILER,    /* a trailer before it */
	HARM_INDEX,      /* an index chunk before it, which the index does not name */
	HARM_HIDE,       /* the index has no entry for it, or again has one */
	HARM_NUMBER,     /* it and the parts after it are numbered from another number */
	HARM_MESSAGES,   /* its header says that the number of messages is unknown */
	HARM_CUT,        /* the part ends early */
	HARMS
};

static bool is_chunk(const struct part *x)
{
	return x->n >= CHUNK_HEAD && memcmp(x->p, CHUNK_MAGIC, 8) == 0 &&
	       get_le32(x->p + CHUNK_BYTES) == x->n - CHUNK_HEAD;
}

/* Puts a copy of n bytes between the parts, before part i. */
static void insert(struct parts *v, size_t i, const void *p, size_t n, bool indexed)
{
	struct part x = { malloc(n + 8), n, indexed };

	if (x.p == NULL || !vec_push(&v->part, x)) {
		free(x.p);
		v->failed = true;
		return;
	}
	memcpy(x.p, p, n);
	memmove(v->part.at + i + 1, v->part.at + i, (v->part.n - 1 - i) * sizeof x);
	v->part.at[i] = x;
}

/* Takes the trace apart; index and trailer are left out. */
static void take_apart(struct parts *v, const struct buf *trace)
{
	const unsigned char *at = (const unsigned char *)trace->at;
	size_t end = get_le64(at + trace->n - TRAILER_SIZE + TRAILER_OFFSET);
	size_t i = get_le32(at + HEAD_SIZE), n;

	buf_add(&v->head, at, i);
	for (; i < end; i += n) {
		n = CHUNK_HEAD + get_le32(at + i + CHUNK_BYTES);
		insert(v, v->part.n, at + i, n, true);
	}
}

static uint64_t changed(struct bytes *in, uint64_t x)
{
	uint8_t how = bytes_next(in);

	switch (how % 4) {
	case 0:
		return x + how / 4 + 1;
	case 1:
		return x - how / 4 - 1;
	case 2:
		return x ^ (uint64_t)1 << how / 4;
	default:
		return how / 4 == 63 ? UINT64_MAX : how / 4;
	}
}

static void change_word(struct bytes *in, struct part *x, bool times)
{
	size_t words = (x->n - CHUNK_HEAD) / 8, i = bytes_next(in);
	uint8_t *at;

	if (words == 0)
		return;
	at = x->p + CHUNK_HEAD + i % words * 8;
	put_le64(at, changed(in, get_le64(at)));
	if (times) {
		put_le64(x->p + CHUNK_FIRST, get_le64(x->p + CHUNK_HEAD));
		put_le64(x->p + CHUNK_LAST, changed(in, get_le64(x->p + CHUNK_LAST)));
	}
	chunk_seal_all(x->p);
}

static void change_field(struct bytes *in, struct part *x)
{
	static const uint8_t narrow[] = { CHUNK_TYPE, CHUNK_BYTES, CHUNK_COUNT, CHUNK_CRC,
					  CHUNK_SEQUENCE };
	static const uint8_t wide[] = { CHUNK_FIRST, CHUNK_LAST, CHUNK_MESSAGES };
	uint32_t which = bytes_next(in) % 8;
	uint8_t *at = x->p + (which < 5 ? narrow[which] : wide[which - 5]);

	if (which < 5)
		put_le32(at, (uint32_t)changed(in, get_le32(at)));
	else
		put_le64(at, changed(in, get_le64(at)));
	chunk_seal(x->p);
}

/* Makes the payload one word longer or shorter, at a word that `in` names. */
static void change_size(struct bytes *in, struct part *x, bool grow)
{
	size_t words = (x->n - CHUNK_HEAD) / 8, i = bytes_next(in) % (words + 1);
	uint8_t *at = x->p + CHUNK_HEAD + i * 8, *end = x->p + x->n;
	uint8_t *p;

	if (grow) {
		memmove(at + 8, at, (size_t)(end - at));
		put_le64(at, bytes_next(in));
		x->n += 8;
	} else if (i < words) {
		memmove(at, at + 8, (size_t)(end - at) - 8);
		x->n -= 8;
	}
	put_le32(x->p + CHUNK_BYTES, (uint32_t)(x->n - CHUNK_HEAD));
	chunk_seal_all(x->p);
	p = realloc(x->p, x->n + 8); /* there is again room for a word */
	x->p = p != NULL ? p : x->p;
}

static void add_garbage(struct bytes *in, struct parts *v, size_t i)
{
	uint8_t garbage[MOST_GARBAGE];
	size_t n = bytes_next(in) % (MOST_GARBAGE - 8);

	memcpy(garbage, CHUNK_MAGIC, 8); /* a false beginning, which is sometimes cut off */
	for (size_t k = 0; k < n; k++)
		garbage[8 + k] = bytes_next(in);
	insert(v, i, garbage, n % 8 == 1 ? n : n + 8, false);
}

/* Puts a trailer or an index chunk of two entries before part i. */
static void add_made(struct bytes *in, struct parts *v, size_t i, bool trailer)
{
	const uint64_t offset[2] = { bytes_next(in), bytes_next16(in) };
	uint32_t sequence = (uint32_t)changed(in, i);
	struct buf b = { 0 };

	if (trailer)
		chunks_add_trailer(&b, offset[1], offset[0], sequence);
	else
		chunks_add_index(&b, offset, 2, sequence);
	if (!b.failed)
		insert(v, i, b.at, b.n, false);
	v->failed |= b.failed;
	buf_free(&b);
}

static void number_from(struct parts *v, size_t i, uint32_t number)
{
	for (; i < v->part.n; i++) {
		struct part *x = &v->part.at[i];
		if (!is_chunk(x))
			continue;
		put_le32(x->p + CHUNK_SEQUENCE, number++);
		chunk_seal(x->p);
	}
}

/* Does one harm to part i that changes how many parts there are, or their order. */
static void harm_parts(struct bytes *in, struct parts *v, enum harm how, size_t i)
{
	struct part *x = &v->part.at[i], other = *x;

	switch (how) {
	case HARM_DROP:
		free(x->p);
		memmove(x, x + 1, (v->part.n - i - 1) * sizeof *x);
		v->part.n--;
		break;
	case HARM_DOUBLE:
		insert(v, bytes_next(in) % (v->part.n + 1), other.p, other.n, other.indexed);
		break;
	case HARM_SWAP:
		if (i + 1 < v->part.n) {
			*x = x[1];
			x[1] = other;
		}
		break;
	case HARM_GARBAGE:
		add_garbage(in, v, i);
		break;
	default:
		add_made(in, v, i, how == HARM_TRAILER);
	}
}

/* Does one harm inside part i, which is a chunk. */
static void harm_chunk(struct bytes *in, struct parts *v, enum harm how, size_t i)
{
	struct part *x = &v->part.at[i];

	switch (how) {
	case HARM_WORD:
	case HARM_TIMES:
		change_word(in, x, how == HARM_TIMES);
		break;
	case HARM_FIELD:
		change_field(in, x);
		break;
	case HARM_GROW:
	case HARM_SHRINK:
		change_size(in, x, how == HARM_GROW);
		break;
	case HARM_NUMBER:
		number_from(v, i, (uint32_t)changed(in, get_le32(x->p + CHUNK_SEQUENCE)));
		break;
	default:
		put_le64(x->p + CHUNK_MESSAGES, NFART_LOST_UNKNOWN);
		chunk_seal(x->p);
	}
}

static void harm(struct bytes *in, struct parts *v)
{
	enum harm how = (enum harm)(bytes_next(in) % HARMS);
	size_t i = bytes_next(in) % v->part.n;
	struct part *x = &v->part.at[i];

	switch (how) {
	case HARM_DROP:
	case HARM_DOUBLE:
	case HARM_SWAP:
	case HARM_GARBAGE:
	case HARM_TRAILER:
	case HARM_INDEX:
		harm_parts(in, v, how, i);
		break;
	case HARM_HIDE:
		x->indexed = !x->indexed;
		break;
	case HARM_BYTE:
		i = bytes_next16(in) % (x->n + 1);
		if (i < x->n)
			x->p[i] ^= (uint8_t)(1 + bytes_next(in));
		break;
	case HARM_CUT:
		x->n -= bytes_next16(in) % (x->n + 1);
		break;
	default:
		if (is_chunk(x))
			harm_chunk(in, v, how, i);
	}
}

/* Puts the trace together again, with an index of the parts that are indexed, and a trailer. The
 * bytes may ask for wrong ones. */
static void put_together(struct bytes *in, struct parts *v, struct buf *trace)
{
	uint8_t wrong = bytes_next(in);
	VEC(uint64_t) offset = { 0 };
	size_t index;

	trace->n = 0;
	buf_add(trace, v->head.at, v->head.n);
	for (size_t i = 0; i < v->part.n; i++) {
		if (v->part.at[i].indexed && !vec_push(&offset, trace->n))
			v->failed = true;
		buf_add(trace, v->part.at[i].p, v->part.at[i].n);
	}
	if ((wrong & 1) != 0 && offset.n != 0) {
		uint64_t *at = &offset.at[bytes_next(in) % offset.n];
		*at = changed(in, *at);
	}
	index = chunks_add_index(trace, offset.at, offset.n, (uint32_t)v->part.n);
	if ((wrong & 2) != 0)
		index = changed(in, index);
	chunks_add_trailer(trace, index, offset.n, (uint32_t)v->part.n + 1 + (wrong >> 2 & 1));
	if ((wrong & 8) != 0)
		trace->n -= bytes_next16(in) % (trace->n - v->head.n);
	trace->failed |= v->failed;
	vec_free(&offset);
}

void fuzz_damage(struct bytes *in, struct buf *trace)
{
	struct parts v = { .failed = false };

	take_apart(&v, trace);
	for (int i = 0; i < MOST_PLACES && in->n > 4 && v.part.n != 0 && !v.failed; i++)
		harm(in, &v);
	put_together(in, &v, trace);
	for (size_t i = 0; i < v.part.n; i++)
		free(v.part.at[i].p);
	vec_free(&v.part);
	buf_free(&v.head);
}
