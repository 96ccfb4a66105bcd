/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the record form as a plain stream. Without chunks the reader can't find its place again
 * after damage, so an impossible record is an error. If the stream ends inside a record, that is a
 * loss.
 */
#include "runtime/trace/format.h"

/* Handles an input that has no more whole record: it has ended, maybe inside a record, or there was
 * an error. Returns what nfart_reader_next() is to return. */
static int cut_off(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	if (r->in.error != 0)
		return reader_fail_input(r, e);
	if (r->in.n == 0 || r->in.follow.stopped)
		return reader_end(r, b, e);
	if (r->o.strict)
		return reader_fail(r, e, "the trace ends inside the record at byte %llu",
				   (unsigned long long)r->in.offset);
	r->stats.bad_chunks++;
	r->end_told = true;
	input_take(&r->in, r->in.n);
	return reader_loss(b, r->clock.last, NFART_LOST_UNKNOWN);
}

/* Takes the headers of a record, which begin at p, and the payload after them. */
static bool take_messages(struct nfart_reader *r, struct nfart_batch *b, const unsigned char *p)
{
	size_t words = bits_count(b->mask) * r->payload.words;
	bool ok = true;

	for (uint64_t m = b->mask; m != 0; m &= m - 1, p += 8) {
		uint64_t header = get_le64(p);
		b->header[__builtin_ctzll(m)] = header;
		ok &= trace_header_ok(r->proto, header);
	}
	for (size_t i = 0; i < words; i++)
		r->payload.at[i] = get_le64(p + 8 * i);
	return ok;
}

/* next_record() returns AGAIN after a record of a batch without messages, which is skipped, or what
 * nfart_reader_next() is to return. */
enum { AGAIN = 2 };

static int next_record(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	unsigned mark;
	size_t head = 16 + (size_t)r->label_words * 8, size;
	const unsigned char *p;

	if (!input_need(&r->in, head))
		return cut_off(r, b, e);
	b->mask = get_le64(r->in.at + 8);
	size = head + 8 * record_body_words(b->mask, 64 * r->payload.words);
	if (!input_need(&r->in, size))
		return cut_off(r, b, e);
	p = r->in.at;
	b->time = get_le64(p);
	b->lost = b->mask == 0 ? get_le64(p + head) : 0;
	b->damaged = false;
	if (r->proto->nslots < 64 && b->mask >> r->proto->nslots != 0)
		return reader_fail(r, e, "the record at byte %llu has slots the protocol lacks",
				   (unsigned long long)r->in.offset);
	if (!take_messages(r, b, p + head))
		return reader_fail(r, e, "the record at byte %llu has a header that can't be",
				   (unsigned long long)r->in.offset);
	mark = b->mask == 0 ? trace_mark(b->lost) : 0;
	if (mark != 0 ? !trace_clock_empty(&r->clock, b->time, (mark & NFART_END) != 0)
		      : !trace_clock_step(&r->clock, b->time, b->mask == 0))
		return reader_fail(r, e, "the record at byte %llu: time must rise: %llu after %llu",
				   (unsigned long long)r->in.offset, (unsigned long long)b->time,
				   (unsigned long long)r->clock.last);
	input_take(&r->in, size);
	return mark != 0 ? AGAIN : 1;
}

static int records_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	int got;

	do
		got = next_record(r, b, e);
	while (got == AGAIN);
	return got;
}

bool read_records_open(struct nfart_reader *r, struct nfart_error *e)
{
	r->next = records_next;
	return trace_head_read(r, TRACE_RECORDS, e);
}
