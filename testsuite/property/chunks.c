/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/chunks.h"

#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/binary.h"
#include "support/vec.h"

struct maker {
	struct gen *g;
	struct buf out;
	/* The offsets in `out` of the chunks that come from the trace. */
	VEC(uint64_t) index;
	uint32_t sequence;    /* the number of the next chunk if all chunks are numbered in order */
	bool renumber;        /* chunks get new numbers, in the order in which they are added */
};

static uint32_t chunk_size(const unsigned char *h)
{
	return CHUNK_HEAD + get_le32(h + CHUNK_BYTES);
}

void chunk_seal(unsigned char *h)
{
	put_le32(h + CHUNK_HEAD_CRC, crc32c(0, h, CHUNK_HEAD_CRC));
}

void chunk_seal_all(unsigned char *h)
{
	put_le32(h + CHUNK_CRC, crc32c(0, h + CHUNK_HEAD, get_le32(h + CHUNK_BYTES)));
	chunk_seal(h);
}

void chunks_add_trailer(struct buf *out, uint64_t index, uint64_t entries, uint32_t sequence)
{
	unsigned char t[TRAILER_SIZE];

	memcpy(t, TRAILER_MAGIC, 8);
	put_le64(t + TRAILER_OFFSET, index);
	put_le64(t + TRAILER_ENTRIES, entries);
	put_le32(t + TRAILER_SEQUENCE, sequence);
	put_le32(t + TRAILER_CRC, crc32c(0, t, TRAILER_CRC));
	buf_add(out, (const char *)t, sizeof t);
}

size_t chunks_add_index(struct buf *out, const uint64_t *offset, size_t n, uint32_t sequence)
{
	unsigned char h[CHUNK_HEAD] = { 0 };
	size_t at = out->n;

	memcpy(h, CHUNK_MAGIC, 8);
	put_le32(h + CHUNK_TYPE, CHUNK_INDEX);
	put_le32(h + CHUNK_BYTES, (uint32_t)(n * INDEX_ENTRY));
	put_le32(h + CHUNK_COUNT, (uint32_t)n);
	put_le32(h + CHUNK_SEQUENCE, sequence);
	buf_add(out, (const char *)h, sizeof h);
	for (size_t i = 0; i < n; i++) {
		buf_le64(out, offset[i]);
		buf_le64(out, 0);
		buf_le64(out, 1);
	}
	if (!out->failed)
		chunk_seal_all((unsigned char *)out->at + at);
	return at;
}

static void add_trailer(struct maker *m, uint64_t index, uint32_t sequence)
{
	chunks_add_trailer(&m->out, index, m->index.n, sequence);
}

/* Adds an index chunk with an entry for each chunk of the trace so far. Returns its offset. */
static size_t add_index(struct maker *m)
{
	return chunks_add_index(&m->out, m->index.at, m->index.n, m->sequence++);
}

/* Changes the last byte of the chunk at `at`, so that its payload does not fit its checksum. The
 * chunk must be the last one. */
static void spoil_payload(struct maker *m, size_t at)
{
	if (m->out.n > at + CHUNK_HEAD)
		m->out.at[m->out.n - 1] ^= 1;
}

/* Adds something that may not stand between two chunks: a trailer, which a reader takes for the
 * end, an index chunk with a wrong checksum, or garbage. */
static void add_between(struct maker *m)
{
	switch (gen_below(m->g, 3)) {
	case 0:
		add_trailer(m, 0, m->sequence - gen_chance(m->g, 20));
		break;
	case 1:
		spoil_payload(m, add_index(m));
		break;
	default:
		buf_add(&m->out, CHUNK_MAGIC "garbage", 8 + gen_below(m->g, 2) * 7);
	}
}

enum harm { HARM_UNKNOWN, HARM_PAYLOAD, HARM_HEADER, HARM_NUMBER, HARM_TIME, HARMS, NO_HARM };

/* Damages the chunk at `at`, which must be the last one. */
static void harm(struct maker *m, size_t at, enum harm how)
{
	unsigned char *p = (unsigned char *)m->out.at + at;

	switch (how) {
	case HARM_UNKNOWN: /* the payload is damaged, and its number of messages is unknown */
		put_le64(p + CHUNK_MESSAGES, NFART_LOST_UNKNOWN);
		spoil_payload(m, at);
		break;
	case HARM_PAYLOAD:
		spoil_payload(m, at);
		break;
	case HARM_HEADER: /* the first byte stays, so this still looks like a header */
		p[1 + gen_below(m->g, CHUNK_HEAD_CRC - 1)] ^= 16;
		return;
	case HARM_NUMBER: /* the chunk gets the number of the chunk before it or after it */
		put_le32(p + CHUNK_SEQUENCE,
			 get_le32(p + CHUNK_SEQUENCE) - 1 + gen_below(m->g, 2) * 2);
		break;
	case HARM_TIME: /* the header says a later last time than the payload has */
		put_le64(p + CHUNK_LAST, get_le64(p + CHUNK_LAST) + 1);
		break;
	default:
		break;
	}
	chunk_seal(p);
}

/* Adds a chunk of the trace, which the index will name. */
static void add_chunk(struct maker *m, const unsigned char *h, enum harm how)
{
	size_t at = m->out.n;

	if (!vec_push(&m->index, at))
		return;
	buf_add(&m->out, (const char *)h, chunk_size(h));
	if (m->out.failed)
		return;
	if (m->renumber)
		put_le32((unsigned char *)m->out.at + at + CHUNK_SEQUENCE, m->sequence);
	m->sequence++;
	harm(m, at, how);
}

/* Adds the chunks at [i, end), some of them damaged, missing or twice. */
static void add_chunks(struct maker *m, const unsigned char *at, size_t i, size_t end)
{
	uint32_t calm = gen_below(m->g, 3) * 45; /* percentage of chunks that stay unchanged */

	for (; i < end; i += chunk_size(at + i)) {
		bool leave = gen_chance(m->g, calm);
		uint32_t times = leave || gen_chance(m->g, 80) ? 1 : gen_chance(m->g, 50) ? 2 : 0;
		if (!leave && gen_chance(m->g, 10))
			add_between(m);
		for (; times > 0; times--)
			add_chunk(m, at + i, leave || gen_chance(m->g, 50) ?
						     NO_HARM : (enum harm)gen_below(m->g, HARMS));
	}
}

/*
 * Adds the first three chunks of the trace, damaged so that a loss comes before any batch. This is
 * hard for a reader that begins in the middle of a trace. It does not know the current time. A loss
 * at its beginning therefore gets the time 0, which is wrong. Later times reveal this mistake,
 * unless the trace itself begins at time 0 with a loss. The payload of the first chunk is damaged,
 * then the header of the second chunk, then the number of the third. Returns the offset in `at` at
 * which these chunks end.
 */
static size_t add_early_loss(struct maker *m, const unsigned char *at, size_t i, size_t end)
{
	static const enum harm how[] = { HARM_PAYLOAD, HARM_HEADER, HARM_NUMBER };

	for (size_t k = 0; k < 3 && i < end; k++) {
		add_chunk(m, at + i, k == 0 && gen_chance(m->g, 50) ? HARM_UNKNOWN : how[k]);
		i += chunk_size(at + i);
	}
	return i;
}

void chunks_damage(struct gen *g, struct buf *trace)
{
	const unsigned char *at = (const unsigned char *)trace->at;
	struct maker m = { .g = g, .renumber = gen_chance(g, 30) };
	size_t end, i;

	if (trace->n < HEAD_TEXT + TRAILER_SIZE ||
	    memcmp(at + trace->n - TRAILER_SIZE, TRAILER_MAGIC, 8) != 0)
		return;
	end = get_le64(at + trace->n - TRAILER_SIZE + TRAILER_OFFSET);
	i = get_le32(at + HEAD_SIZE);
	buf_add(&m.out, trace->at, i);
	if (gen_chance(g, 50))
		i = add_early_loss(&m, at, i, end);
	add_chunks(&m, at, i, end);
	end = add_index(&m);
	add_trailer(&m, end, m.sequence);
	buf_free(trace);
	*trace = m.out;
	vec_free(&m.index);
}

uint64_t chunks_change(struct gen *g, struct buf *trace)
{
	unsigned char *at = (unsigned char *)trace->at, *p = NULL;
	size_t end = get_le64(at + trace->n - TRAILER_SIZE + TRAILER_OFFSET), i, n = 0;

	for (i = get_le32(at + HEAD_SIZE); i < end; i += chunk_size(at + i))
		if (gen_below(g, (uint32_t)++n) == 0)
			p = at + i;
	if (p == NULL)
		return 0;
	i = get_le32(p + CHUNK_BYTES);
	p[CHUNK_HEAD + gen_below(g, (uint32_t)i)] ^= (unsigned char)(1u << gen_below(g, 8));
	chunk_seal_all(p);
	return (uint64_t)(p - at);
}

void chunks_tie_times(struct gen *g, struct nfart_batch *b, size_t n)
{
	for (size_t i = 1; i + 1 < n; i++)
		if (gen_chance(g, b[i].mask == 0 ? 60 : 6)) {
			if (b[i].mask != 0)
				b[i] = (struct nfart_batch){ .lost = 1 };
			b[i].time = b[i - 1].time;
			if (gen_chance(g, 50))
				b[i + 1].time = b[i].time;
		}
}

/* Removes all messages of a row of a dense trace, so that the row is no batch. Returns how many
 * messages there were. */
static uint32_t empty_row(const struct nfart_proto *p, unsigned char *row)
{
	uint64_t header[NFART_SLOTS];
	uint64_t mask = trace_slots(p, row + 8, header);

	for (uint32_t s = 0; s < p->nslots; s++)
		put_le64(row + 8 + 8 * s, trace_absent(p));
	return (uint32_t)__builtin_popcountll(mask);
}

void chunks_empty_rows(const struct nfart_proto *p, struct buf *trace)
{
	unsigned char *at = (unsigned char *)trace->at;
	size_t size = 8 + 8 * (size_t)p->nslots, i = get_le32(at + HEAD_SIZE);

	for (; i + CHUNK_HEAD <= trace->n && memcmp(at + i, CHUNK_MAGIC, 8) == 0;
	     i += chunk_size(at + i)) {
		unsigned char *h = at + i;
		uint64_t lost = 0;
		if (get_le32(h + CHUNK_TYPE) != CHUNK_DENSE)
			continue;
		for (uint32_t row = 2; row < get_le32(h + CHUNK_COUNT); row += 3)
			lost += empty_row(p, h + CHUNK_HEAD + row * size);
		put_le64(h + CHUNK_MESSAGES, get_le64(h + CHUNK_MESSAGES) - lost);
		chunk_seal_all(h);
	}
}
