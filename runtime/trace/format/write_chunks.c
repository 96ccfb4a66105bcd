/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes compact and dense traces (binary.h, Note [binary traces]). The current chunk grows in
 * w->out, after room for its header.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "support/vec.h"

struct entry {
	uint64_t offset, first, records;
};

struct chunks {
	bool dense;
	uint64_t offset;                /* where the next chunk will begin in the file */
	uint32_t sequence;
	/* The type, count, times and messages of the current chunk. There is none if count is 0. */
	enum chunk_type type;
	uint32_t count;
	uint64_t first, last, messages;
	VEC(struct entry) index;
};

static void add_messages(struct chunks *c, uint64_t n)
{
	c->messages = n >= NFART_LOST_UNKNOWN - c->messages ? NFART_LOST_UNKNOWN : c->messages + n;
}

static void begin_chunk(struct nfart_writer *w, enum chunk_type type, uint64_t first)
{
	struct chunks *c = w->state;
	static const char room[CHUNK_HEAD] = { 0 };

	c->type = type;
	c->first = first;
	c->messages = 0;
	w->out.n = 0;
	buf_add(&w->out, room, sizeof room);
}

static void fill_header(const struct chunks *c, unsigned char *h, size_t payload)
{
	memcpy(h, CHUNK_MAGIC, 8);
	put_le32(h + CHUNK_TYPE, c->type);
	put_le32(h + CHUNK_BYTES, (uint32_t)payload);
	put_le32(h + CHUNK_COUNT, c->count);
	put_le32(h + CHUNK_CRC, crc32c(0, h + CHUNK_HEAD, payload));
	put_le64(h + CHUNK_FIRST, c->first);
	put_le64(h + CHUNK_LAST, c->last);
	put_le64(h + CHUNK_MESSAGES, c->messages);
	put_le32(h + CHUNK_SEQUENCE, c->sequence);
	put_le32(h + CHUNK_HEAD_CRC, crc32c(0, h, CHUNK_HEAD_CRC));
}

/* Writes the current chunk, if there is one. False: see w->error. */
static bool end_chunk(struct nfart_writer *w)
{
	struct chunks *c = w->state;
	size_t size = w->out.n;

	if (c->count == 0)
		return w->error == 0;
	if (!w->out.failed)
		fill_header(c, (unsigned char *)w->out.at, size - CHUNK_HEAD);
	if (c->type != CHUNK_INDEX &&
	    !vec_push(&c->index, ((struct entry){ c->offset, c->first, c->count })))
		w->error = ENOMEM;
	c->offset += size;
	c->sequence++;
	c->count = 0;
	return writer_flush(w);
}

/* Makes room for a record of `size` bytes and this time in a chunk of this type, and counts it
 * there. Ends the current chunk and begins another if its type differs or it has no room. The
 * caller then appends the record's bytes. False: the current chunk can't be written. */
static bool reserve(struct nfart_writer *w, enum chunk_type type, uint64_t time, size_t size)
{
	struct chunks *c = w->state;

	if (c->count > 0 && (c->type != type || w->out.n - CHUNK_HEAD + size > w->chunk) &&
	    !end_chunk(w))
		return false;
	if (c->count == 0)
		begin_chunk(w, type, time);
	c->count++;
	c->last = time;
	return true;
}

static bool compact_put(struct nfart_writer *w, const struct nfart_batch *b,
			const struct nfart_result *r)
{
	uint64_t n = (uint64_t)__builtin_popcountll(b->mask);
	uint32_t payload = w->o.payload_words;

	if (!reserve(w, payload != 0 ? CHUNK_PAYLOAD : CHUNK_RECORDS, b->time,
		     16 + 8 * (w->label_words + w->name_words +
			       record_body_words(b->mask, 64 * payload))))
		return false;
	writer_record(w, b, r);
	add_messages(w->state, batch_is_loss(b) ? b->lost : n);
	return !w->out.failed;
}

static bool dense_put(struct nfart_writer *w, const struct nfart_batch *b,
		      const struct nfart_result *r)
{
	uint64_t absent = trace_absent(w->proto);

	(void)r;
	if (batch_is_loss(b)) {
		if (!reserve(w, CHUNK_LOSS, b->time, 16))
			return false;
		buf_le64(&w->out, b->time);
		buf_le64(&w->out, b->lost);
		add_messages(w->state, b->lost);
		return !w->out.failed;
	}
	/* A row of a batch without messages is skipped when it is read, but its time must rise. */
	if (b->mask == 0 && b->time == UINT64_MAX)
		return true;
	if (!reserve(w, CHUNK_DENSE, b->time, 8 + 8 * (size_t)w->proto->nslots))
		return false;
	buf_le64(&w->out, b->time);
	for (uint32_t s = 0; s < w->proto->nslots; s++)
		buf_le64(&w->out, b->mask >> s & 1 ? b->header[s] : absent);
	add_messages(w->state, (uint64_t)__builtin_popcountll(b->mask));
	return !w->out.failed;
}

static bool chunks_finish(struct nfart_writer *w)
{
	struct chunks *c = w->state;
	uint64_t index;

	end_chunk(w);
	index = c->offset;
	for (size_t i = 0; i < c->index.n && reserve(w, CHUNK_INDEX, 0, INDEX_ENTRY); i++) {
		c->last = w->until;
		buf_le64(&w->out, c->index.at[i].offset);
		buf_le64(&w->out, c->index.at[i].first);
		buf_le64(&w->out, c->index.at[i].records);
	}
	end_chunk(w);
	buf_add(&w->out, TRAILER_MAGIC, 8);
	buf_le64(&w->out, index);
	buf_le64(&w->out, c->index.n);
	buf_le32(&w->out, c->sequence);
	if (!w->out.failed)
		buf_le32(&w->out, crc32c(0, w->out.at, w->out.n));
	vec_free(&c->index);
	return writer_flush(w);
}

bool write_chunks_open(struct nfart_writer *w, struct nfart_error *e)
{
	bool dense = w->o.format == NFART_FORMAT_DENSE;
	struct chunks *c;

	if (dense && w->proto->header.idle == PROTO_NO_IDLE) {
		nfart_fail(e, NFART_USAGE, "protocol %s has no idle opcode, so no dense form",
			   w->proto->name);
		return false;
	}
	if (!writer_head(w, dense ? TRACE_DENSE : TRACE_COMPACT, e))
		return false;
	c = w->state = calloc(1, sizeof *c);
	if (c == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	c->offset = w->out.n;
	w->form.put = dense ? dense_put : compact_put;
	w->form.finish = chunks_finish;
	w->form.show = end_chunk;
	writer_flush(w);
	return true;
}
