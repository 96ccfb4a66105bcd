/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads compact and dense traces (binary.h, Note [binary traces]).
 *
 * A whole chunk is checked before its first record is delivered. Its records are decoded in the
 * input's buffer. Each damaged place becomes a loss record. If only the payload of a chunk is
 * damaged, its header says how many messages it had. If a header is damaged, the reader skips to
 * the next good one, and the number of lost messages is unknown. Nothing goes missing silently:
 * chunks are numbered, and a file without its trailer was cut off.
 *
 * Note [rows in the page cache]
 * If the caller allows it (nfart_reader_options.mapping), dense rows are filtered in the page
 * cache, without a copy; only the chunk's header is copied. Another process may change the rows
 * after they were checked. So code that handles a row must be safe whatever the row holds. Records
 * can't be handled so, because a record's content says where it ends.
 *
 * If a row in the page cache fails the check, the chunk is read again in the ordinary way, which
 * reports what is wrong. If the file is cut off after the check, its rows may turn to zeros. But
 * then the trailer, which is read later, is gone too, and that is reported as a loss.
 *
 * Note [damage before a part]
 * If only a part of the trace is wanted (reader.h, Note [parts]), chunks that end before it are
 * skipped without a check. A damaged place before the part is not reported. But where it reaches up
 * to isn't known before the next good chunk header. If that chunk begins after the beginning of the
 * part, the part may have lost messages, and the loss is reported there. Until then it is owed.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/border.h"
#include "runtime/trace/format.h"

enum { STEP = 1 << 12 }; /* bytes of dense rows that are checked at a time */

struct chunks {
	bool dense;
	/* The current chunk. */
	struct {
		const unsigned char *at; /* where its next record begins */
		uint32_t left;      /* how many of its records begin at `at` or later */
		size_t size;        /* its bytes, to be taken after its delivery */
		bool viewed;        /* it is in the page cache, not in the input's buffer */
		uint32_t type;
		uint64_t messages;  /* how many messages it has, as its header says */
		bool whole;         /* no record of it was delivered yet */
		bool inside;        /* all its records are in the part */
	} now;
	uint32_t sequence;       /* the number of the chunk that should come next */
	bool closed;             /* the trailer was seen */
	struct {
		bool scanning;      /* the reader is looking for the next good chunk header */
		bool vague;         /* the last loss covers all up to the next good chunk */
		bool owed;          /* the last loss began before the part, and was not told */
	} loss;
	uint64_t until;          /* no chunk is begun at or after this offset */
	uint64_t part_until;     /* `until` is never beyond this offset, where the part has ended */
};

/* ---- a chunk's content ---- */

/* Checks a payload of `count` records in n bytes. The clock moves over the records. */
static bool check_records(const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count)
{
	size_t head = 16 + (size_t)r->label_words * 8;
	uint64_t all = UINT64_MAX >> (64 - r->proto->nslots);
	bool ok = true;

	for (; count > 0 && ok; count--) {
		uint64_t mask, slots, rest;
		unsigned mark;
		if (n < head)
			return false;
		mask = get_le64(p + 8);
		slots = bits_count(mask);
		rest = record_body_words(mask, 64 * r->payload.words);
		if ((mask & ~all) != 0 || (n - head) / 8 < rest)
			return false;
		mark = mask == 0 ? trace_mark(get_le64(p + head)) : 0;
		ok = mark != 0 ? trace_clock_empty(clock, get_le64(p), (mark & NFART_END) != 0)
			       : trace_clock_next(clock, get_le64(p), mask == 0);
		p += head;
		n -= head;
		for (uint64_t i = 0; i < slots; i++)
			ok &= trace_header_ok(r->proto, get_le64(p + 8 * i));
		p += 8 * rest;
		n -= 8 * rest;
	}
	return ok && n == 0;
}

/* Checks `count` rows of n bytes each, at p. */
static bool check_rows(const struct nfart_proto *proto, struct trace_clock *clock,
		       const unsigned char *p, size_t n, uint32_t count, size_t ahead)
{
	for (; count > 0; count--, p += n) {
		if (ahead != 0)
			__builtin_prefetch(p + ahead, 0, 2);
		if (!trace_clock_next(clock, get_le64(p), false))
			return false;
		for (uint32_t s = 0; proto->header.bits < 64 && s < proto->nslots; s++) {
			uint64_t header = get_le64(p + 8 + 8 * s);
			if ((int32_t)proto_opcode(proto, header) != proto->header.idle &&
			    !trace_header_ok(proto, header))
				return false;
		}
	}
	return true;
}

/* Checks a payload of `count` rows in n bytes, and its CRC. It does so by steps whose bytes stay in
 * the nearest cache. The first to read a step reads it in order, without gaps: then the processor
 * fetches memory ahead better than instructions do. */
static bool check_dense(const struct nfart_reader *r, struct trace_clock *clock,
			const unsigned char *p, size_t n, uint32_t count, uint32_t crc)
{
	size_t row = 8 + (size_t)r->proto->nslots * 8, at = 0;
	uint32_t sum = 0, from = 0, to;

	if (n != count * row)
		return false;
	for (size_t step; at < n; at += step, from = to) {
		step = r->o.unchecked || n - at < 2 * STEP ? n - at : STEP;
		to = (uint32_t)((at + step) / row);
		if (!r->o.unchecked)
			sum = r->crc(sum, p + at, step);
		if (!check_rows(r->proto, clock, p + from * row, row, to - from,
				r->o.unchecked ? n : 0) ||
		    (r->rows != NULL && !r->rows(r->check_ctx, p, from, to, count)))
			return false;
	}
	return r->o.unchecked || sum == crc;
}

static bool check_losses(struct trace_clock *clock, const unsigned char *p, size_t n,
			 uint32_t count)
{
	if (n != (size_t)count * 16)
		return false;
	for (; count > 0; count--, p += 16)
		if (!trace_clock_step(clock, get_le64(p), true))
			return false;
	return true;
}

/* Is the payload p valid, and is it what the chunk header h says? If so, r->clock moves over its
 * records. */
static bool check_payload(struct nfart_reader *r, const unsigned char *h, const unsigned char *p)
{
	const struct chunks *c = r->state;
	size_t n = get_le32(h + CHUNK_BYTES);
	uint32_t count = get_le32(h + CHUNK_COUNT), type = get_le32(h + CHUNK_TYPE);
	uint32_t crc = get_le32(h + CHUNK_CRC);
	bool ok, dense = type == CHUNK_DENSE && c->dense;
	struct trace_clock clock = r->clock;

	if (!dense && !r->o.unchecked && crc != r->crc(0, p, n))
		return false;
	if (type == CHUNK_INDEX)
		return n == (size_t)count * INDEX_ENTRY;
	if (type == CHUNK_RECORDS && !c->dense && r->payload.words == 0 && r->check != NULL)
		ok = r->check(r->check_ctx, r, &clock, p, n, count);
	else if (type == (r->payload.words != 0 ? CHUNK_PAYLOAD : CHUNK_RECORDS) && !c->dense)
		ok = check_records(r, &clock, p, n, count);
	else if (dense)
		ok = check_dense(r, &clock, p, n, count, crc);
	else
		ok = type == CHUNK_LOSS && c->dense && check_losses(&clock, p, n, count);
	if (!ok || count == 0 || get_le64(p) != get_le64(h + CHUNK_FIRST) ||
	    clock.last != get_le64(h + CHUNK_LAST))
		return false;
	r->clock = clock;
	return true;
}

/* ---- delivering records ---- */

static void take_record(struct nfart_reader *r, struct chunks *c, struct nfart_batch *b)
{
	const unsigned char *p = c->now.at + 16 + (size_t)r->label_words * 8;

	b->time = get_le64(c->now.at);
	b->mask = get_le64(c->now.at + 8);
	b->lost = 0;
	for (uint64_t m = b->mask; m != 0; m &= m - 1, p += 8)
		b->header[__builtin_ctzll(m)] = get_le64(p);
	if (b->mask == 0) {
		b->lost = get_le64(p);
		p += 8;
	} else {
		size_t words = bits_count(b->mask) * r->payload.words;
		for (size_t i = 0; i < words; i++, p += 8)
			r->payload.at[i] = get_le64(p);
	}
	c->now.at = p;
}

static void take_loss(struct chunks *c, struct nfart_batch *b)
{
	reader_loss(b, get_le64(c->now.at), get_le64(c->now.at + 8));
	c->now.at += 16;
}

/* Takes the next record of the current chunk and makes *b of it. False: the record was a dense row
 * without messages, or one of a tick or the end alone. These are skipped. */
static bool deliver(struct nfart_reader *r, struct chunks *c, struct nfart_batch *b)
{
	c->now.left--;
	b->damaged = false;
	if (c->now.type == CHUNK_RECORDS || c->now.type == CHUNK_PAYLOAD) {
		take_record(r, c, b);
		return b->mask != 0 || trace_mark(b->lost) == 0;
	}
	if (c->now.type == CHUNK_LOSS) {
		take_loss(c, b);
		return true;
	}
	b->time = get_le64(c->now.at);
	b->mask = trace_slots(r->proto, c->now.at + 8, b->header);
	b->lost = 0;
	c->now.at += 8 + (size_t)r->proto->nslots * 8;
	return b->mask != 0;
}

/* ---- from chunk to chunk ---- */

/* next_chunk() and the functions it calls return AGAIN if there is nothing to deliver yet, or a
 * value that nfart_reader_next() can return. */
enum { AGAIN = 2 };

/* Reports a damaged place of the trace: makes *b a loss record of `lost` messages, at `time` or
 * later, and returns 1. If this is before the part that is wanted, nothing is told, and it returns
 * AGAIN; if it is after the part, it returns 0. With options.strict it fills in *e instead, where
 * `what` names the damage, and returns -1. */
static int damaged(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e,
		   uint64_t time, uint64_t lost, const char *what)
{
	struct chunks *c = r->state;

	if (r->o.strict)
		return reader_fail(r, e, "at byte %llu: %s", (unsigned long long)r->in.offset,
				   what);
	c->loss.vague = lost == NFART_LOST_UNKNOWN;
	if (r->clock.any && time < r->clock.last)
		time = r->clock.last;
	if (r->o.end != 0 && time >= r->o.end)
		return 0;
	trace_clock_step(&r->clock, time, true);
	if (time < r->o.begin) {
		c->loss.owed = true;
		return AGAIN;
	}
	r->stats.bad_chunks++;
	return reader_loss(b, time, lost);
}

/* Tells a loss that is owed, at the beginning of the part. Returns 1. */
static int tell_owed(struct nfart_reader *r, struct nfart_batch *b)
{
	struct chunks *c = r->state;

	c->loss.owed = false;
	r->stats.bad_chunks++;
	trace_clock_step(&r->clock, r->o.begin, true);
	return reader_loss(b, r->o.begin, NFART_LOST_UNKNOWN);
}

static bool header_is_good(const unsigned char *h)
{
	return memcmp(h, CHUNK_MAGIC, 8) == 0 &&
	       crc32c(0, h, CHUNK_HEAD_CRC) == get_le32(h + CHUNK_HEAD_CRC) &&
	       get_le32(h + CHUNK_BYTES) <= TRACE_MOST_CHUNK;
}

/* Does the magic of the trailer come next? The trailer is shorter than the header of a chunk: at
 * the end of a file that is followed there are not more bytes to wait for. */
static bool may_be_trailer(struct input *in)
{
	return input_need(in, 8) && memcmp(in->at, TRAILER_MAGIC, 8) == 0;
}

static bool trailer_is_good(struct input *in)
{
	return input_need(in, TRAILER_SIZE) && memcmp(in->at, TRAILER_MAGIC, 8) == 0 &&
	       crc32c(0, in->at, TRAILER_CRC) == get_le32(in->at + TRAILER_CRC);
}

/* Takes at least one byte, and more up to the next byte that may begin a chunk or the trailer. */
static void skip_to_magic(struct input *in)
{
	const unsigned char *p;

	input_take(in, 1);
	while (input_need(in, 1)) {
		p = memchr(in->at, (unsigned char)CHUNK_MAGIC[0], in->n);
		input_take(in, p != NULL ? (size_t)(p - in->at) : in->n);
		if (p != NULL)
			return;
	}
}

static int end_of_file(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct chunks *c = r->state;

	if (r->in.error != 0)
		return reader_fail_input(r, e);
	if (c->loss.owed)
		return tell_owed(r, b);
	if (c->loss.vague)
		return 0;
	if (c->closed || r->in.follow.stopped)
		return reader_end(r, b, e);
	r->end_told = true;
	return damaged(r, b, e, r->clock.last, NFART_LOST_UNKNOWN, "the trace was cut off");
}

/* Reports the payload after the chunk header h as damaged or, if not `whole`, as cut off. The
 * reader looks for the next chunk from the end of this header on, because the header may be wrong
 * about the payload's size. Returns what next_chunk() does. */
static int bad_payload(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e,
		       const unsigned char *h, bool whole)
{
	struct chunks *c = r->state;
	uint64_t first = get_le64(h + CHUNK_FIRST), lost = get_le64(h + CHUNK_MESSAGES);
	bool index = get_le32(h + CHUNK_TYPE) == CHUNK_INDEX;
	int got = AGAIN;

	if (!index && (first < r->o.begin || !reader_wants(r, get_le64(h + CHUNK_LAST)))) {
		first = first < r->o.begin ? r->o.begin : first;
		lost = NFART_LOST_UNKNOWN;
	}
	if (!whole)
		got = damaged(r, b, e, first, NFART_LOST_UNKNOWN, "the trace was cut off");
	else if (!index || r->o.strict)
		got = damaged(r, b, e, first, lost, "the chunk is damaged");
	else
		r->stats.bad_chunks++;
	c->loss.scanning = true;
	c->sequence++;
	input_take(&r->in, CHUNK_HEAD);
	return got;
}

/* Begins a chunk whose header h and payload p are good: its records come next. */
static void begin_chunk(const struct nfart_reader *r, const unsigned char *h,
			const unsigned char *p, bool viewed)
{
	struct chunks *c = r->state;

	c->loss.scanning = c->loss.vague = false;
	c->sequence++;
	c->now.type = get_le32(h + CHUNK_TYPE);
	c->now.size = CHUNK_HEAD + (size_t)get_le32(h + CHUNK_BYTES);
	c->now.viewed = viewed;
	c->now.at = p;
	c->now.left = c->now.type == CHUNK_INDEX ? 0 : get_le32(h + CHUNK_COUNT);
	c->now.messages = get_le64(h + CHUNK_MESSAGES);
	c->now.whole = true;
	c->now.inside = reader_wants(r, get_le64(h + CHUNK_FIRST)) &&
		    reader_wants(r, get_le64(h + CHUNK_LAST));
}

/* Begins a chunk of rows in the page cache (Note [rows in the page cache]). False: nothing was
 * changed. */
static bool view_chunk(struct nfart_reader *r)
{
	struct chunks *c = r->state;
	unsigned char h[CHUNK_HEAD];
	const unsigned char *p = input_view(&r->in, CHUNK_HEAD);
	size_t size;

	if (p == NULL)
		return false;
	memcpy(h, p, CHUNK_HEAD);
	if (!header_is_good(h) || get_le32(h + CHUNK_TYPE) != CHUNK_DENSE || c->loss.owed ||
	    get_le32(h + CHUNK_SEQUENCE) != c->sequence ||
	    !reader_wants(r, get_le64(h + CHUNK_FIRST)) ||
	    !reader_wants(r, get_le64(h + CHUNK_LAST)))
		return false;
	size = CHUNK_HEAD + (size_t)get_le32(h + CHUNK_BYTES);
	p = r->in.n < size ? input_view(&r->in, size) : NULL;
	if (p == NULL || !check_payload(r, h, p + CHUNK_HEAD))
		return false;
	begin_chunk(r, h, p + CHUNK_HEAD, true);
	return true;
}

/* Checks and begins a chunk. The input is at its header, which is good. A chunk that ends before
 * the part that is wanted is skipped, and the first one after the part is not begun. Returns what
 * next_chunk() does. */
static int open_chunk(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct chunks *c = r->state;
	uint32_t sequence = get_le32(r->in.at + CHUNK_SEQUENCE);
	size_t size = CHUNK_HEAD + (size_t)get_le32(r->in.at + CHUNK_BYTES);
	uint64_t first = get_le64(r->in.at + CHUNK_FIRST), last = get_le64(r->in.at + CHUNK_LAST);
	bool data = get_le32(r->in.at + CHUNK_TYPE) != CHUNK_INDEX, whole;

	if (sequence != c->sequence) {
		c->sequence = sequence;
		if (!c->loss.vague)
			return damaged(r, b, e, r->clock.last, NFART_LOST_UNKNOWN,
				       "chunks are missing");
	}
	if (c->loss.owed && data) {
		if (first > r->o.begin)
			return tell_owed(r, b);
		c->loss.owed = false;
	}
	if (data && r->o.end != 0 && first >= r->o.end)
		return 0;
	whole = input_need(&r->in, size);
	if (r->in.error != 0)
		return reader_fail_input(r, e);
	if (!whole && r->in.follow.stopped)
		return 0;
	if (whole && data && first <= last && last < r->o.begin) {
		begin_chunk(r, r->in.at, r->in.at + CHUNK_HEAD, false);
		c->now.left = 0;
		return AGAIN;
	}
	if (!whole || !check_payload(r, r->in.at, r->in.at + CHUNK_HEAD))
		return bad_payload(r, b, e, r->in.at, whole);
	begin_chunk(r, r->in.at, r->in.at + CHUNK_HEAD, false);
	if (!data && r->o.end == 0 && last > r->until)
		r->until = last;
	return AGAIN;
}

/* Makes one step to the next chunk. Returns AGAIN, or what nfart_reader_next() is to return. */
static int next_chunk(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct chunks *c = r->state;

	(c->now.viewed ? input_skip : input_take)(&r->in, c->now.size);
	c->now.size = 0;
	c->now.viewed = false;
	if (r->in.offset >= c->until)
		return 0;
	if (c->dense && !c->closed && view_chunk(r))
		return AGAIN;
	if (!input_need(&r->in, 1))
		return end_of_file(r, b, e);
	if (!c->closed && !may_be_trailer(&r->in) && input_need(&r->in, CHUNK_HEAD) &&
	    header_is_good(r->in.at))
		return open_chunk(r, b, e);
	if (!c->closed && trailer_is_good(&r->in)) {
		if (get_le32(r->in.at + TRAILER_SEQUENCE) != c->sequence && !c->loss.vague)
			return damaged(r, b, e, r->clock.last, NFART_LOST_UNKNOWN,
				       "chunks are missing");
		c->closed = true;
		r->in.follow.stop = NULL; /* nothing comes after the trailer */
		input_take(&r->in, TRAILER_SIZE);
		return AGAIN;
	}
	if (r->in.error != 0)
		return reader_fail_input(r, e);
	if (r->in.follow.stopped && r->in.n < CHUNK_HEAD)
		return 0;
	if (!c->loss.scanning) {
		c->loss.scanning = true;
		return damaged(r, b, e, r->clock.last, NFART_LOST_UNKNOWN,
			       c->closed ? "bytes after the end" : "the chunk header is damaged");
	}
	skip_to_magic(&r->in);
	return AGAIN;
}

static int chunks_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct chunks *c = r->state;
	int got;

	for (;;) {
		c->now.whole = false;
		while (c->now.left > 0)
			if (deliver(r, c, b))
				return 1;
		got = next_chunk(r, b, e);
		if (got != AGAIN)
			return got;
	}
}

int read_chunks_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		      struct nfart_batch *b, struct nfart_error *e)
{
	struct chunks *c = r->state;
	int got;

	for (;;) {
		if (c->now.left > 0 && c->now.whole && c->now.inside && c->now.type != CHUNK_LOSS &&
		    c->now.type != CHUNK_PAYLOAD && *plain) {
			*block = (struct trace_block){ c->now.at, c->now.size - CHUNK_HEAD,
						       c->now.left, c->now.messages, 0 };
			c->now.left = 0;
			return READER_BLOCK;
		}
		c->now.whole = false;
		while (c->now.left > 0)
			if (deliver(r, c, b))
				return 1;
		got = next_chunk(r, b, e);
		if (got != AGAIN)
			return got;
	}
}

/* Goes to the part that is wanted. */
static void go_to_part(struct nfart_reader *r)
{
	struct chunks *c = r->state;
	struct trace_border entry;

	if (r->o.begin == 0 && r->o.end == 0)
		return;
	trace_part_find(r, r->in.offset, &entry, &c->part_until);
	if (r->in.seekable && c->part_until != UINT64_MAX)
		r->stats.size = c->part_until - entry.offset;
	else if (r->in.size > entry.offset)
		r->stats.size = r->in.size - entry.offset;
	if (entry.offset != r->in.offset)
		input_seek(&r->in, entry.offset);
	c->sequence = entry.sequence;
	c->until = c->part_until;
	r->in.buffer.until = c->until != UINT64_MAX ? c->until : 0;
}

bool read_chunks_open(struct nfart_reader *r, struct nfart_error *e)
{
	bool dense = r->o.format == NFART_FORMAT_DENSE;
	struct chunks *c = calloc(1, sizeof *c);

	if (c == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	c->dense = dense;
	c->until = c->part_until = UINT64_MAX;
	r->state = c;
	r->next = chunks_next;
	if (dense && r->proto->header.idle == PROTO_NO_IDLE) {
		nfart_fail(e, NFART_USAGE, "protocol %s has no idle opcode, so no dense form",
			   r->proto->name);
		return false;
	}
	if (!trace_head_read(r, dense ? TRACE_DENSE : TRACE_COMPACT, e))
		return false;
	go_to_part(r);
	return true;
}

/* ---- pieces of the trace ---- */

void reader_border(const struct nfart_reader *r, struct trace_border *b)
{
	const struct chunks *c = r->state;

	*b = (struct trace_border){ r->in.offset, c->sequence, c->closed, c->loss.scanning,
				    c->loss.vague, r->clock, c->loss.owed };
}

struct nfart_reader *reader_another(const struct nfart_reader *r)
{
	struct nfart_reader *x = calloc(1, sizeof *x);
	struct chunks *c = calloc(1, sizeof *c);

	if (x != NULL && c != NULL)
		x->name = strdup(r->name);
	if (x == NULL || c == NULL || x->name == NULL) {
		free(c);
		free(x);
		return NULL;
	}
	input_share(&x->in, &r->in);
	x->proto = r->proto;
	x->crc = r->crc;
	x->o = r->o;
	x->o.map = NULL;
	x->label_words = r->label_words;
	x->next = r->next;
	x->state = c;
	c->dense = ((const struct chunks *)r->state)->dense;
	c->part_until = ((const struct chunks *)r->state)->part_until;
	if (reader_payload(x, r->payload.words))
		return x;
	nfart_reader_free(x);
	return NULL;
}

void reader_enter(struct nfart_reader *r, const struct trace_border *b, uint64_t until)
{
	struct chunks *c = r->state;

	if (until > c->part_until)
		until = c->part_until;
	input_seek(&r->in, b->offset);
	r->in.buffer.until = until != UINT64_MAX ? until : 0;
	r->in.taken = 0;
	r->in.error = 0;
	r->clock = b->clock;
	memset(&r->stats, 0, sizeof r->stats);
	c->now.left = 0;
	c->now.size = 0;
	c->now.viewed = false;
	c->sequence = b->sequence;
	c->closed = b->closed;
	c->loss.scanning = b->scanning;
	c->loss.vague = b->vague;
	c->loss.owed = b->owed;
	c->until = until;
}
