/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Opens traces: finds out the format, and does what all formats have in common.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/codec/codec.h"
#include "runtime/trace/codec/decompress.h"
#include "runtime/trace/format.h"

/* ---- errors ---- */

static void name_file(const struct nfart_reader *r, struct nfart_error *e)
{
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", r->name);
}

int reader_fail(struct nfart_reader *r, struct nfart_error *e, const char *format, ...)
{
	char what[sizeof e->what];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	nfart_fail(e, NFART_INPUT, "%s", what);
	name_file(r, e);
	return -1;
}

int reader_fail_input(struct nfart_reader *r, struct nfart_error *e)
{
	if (r->in.error == EINTR)
		nfart_fail(e, NFART_PARTIAL, "interrupted");
	else if (r->in.error == ENOTSUP)
		nfart_fail(e, NFART_INPUT, "decompressing this takes a window above %d MiB",
			   CODEC_MOST_WINDOW >> 20);
	else
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(r->in.error));
	name_file(r, e);
	errno = r->in.error;
	return -1;
}

int reader_line_fail(const struct reader_line *l, const char *p, const char *format, ...)
{
	struct nfart_error *e = l->e;
	char what[sizeof e->what];
	size_t n = l->n;
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	reader_fail(l->r, e, "%s", what);
	if (e == NULL)
		return -1;
	e->line = l->number;
	e->column = (uint64_t)(p - l->at) + 1;
	if (n >= sizeof e->source)
		n = sizeof e->source - 1;
	/* If the caret would stand beyond the part of the line that fits, no part is shown. */
	if (e->column > n + 1)
		n = 0;
	for (size_t i = 0; i < n; i++)
		e->source[i] = l->at[i] != 0 ? l->at[i] : '?';
	e->source[n] = 0;
	return -1;
}

int reader_line_take(struct reader_line *l)
{
	int got = input_line(&l->r->in, &l->at, &l->n);

	if (got >= 0)
		return got;
	if (l->r->in.error != EFBIG)
		return reader_fail_input(l->r, l->e);
	l->at = "";
	l->n = 0;
	return reader_line_fail(l, l->at, "a line of more than %d bytes", INPUT_MOST_LINE);
}

int reader_loss(struct nfart_batch *b, uint64_t time, uint64_t lost)
{
	b->time = time;
	b->mask = 0;
	b->lost = trace_lost(lost);
	b->damaged = false;
	b->when = 0;
	b->payload_words = 0;
	return 1;
}

bool reader_payload(struct nfart_reader *r, uint32_t words)
{
	if (words == 0)
		return true;
	r->payload.at = calloc((size_t)r->proto->nslots * words, sizeof *r->payload.at);
	r->payload.words = r->payload.at != NULL ? words : 0;
	return r->payload.at != NULL;
}

void reader_give_payload(struct nfart_reader *r, uint64_t mask,
			 uint64_t (*of)[NFART_PAYLOAD_WORDS])
{
	uint64_t *out = r->payload.at;

	for (uint64_t m = r->payload.words != 0 ? mask : 0; m != 0; m &= m - 1) {
		memcpy(out, of[__builtin_ctzll(m)], r->payload.words * sizeof *out);
		out += r->payload.words;
	}
}

int reader_end(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	if (r->in.damage == NULL || r->end_told)
		return 0;
	if (r->o.strict)
		return reader_fail(r, e, "%s", r->in.damage);
	r->end_told = true;
	r->stats.bad_chunks++;
	return reader_loss(b, r->clock.last, NFART_LOST_UNKNOWN);
}

/* ---- finding out the format ---- */

/* A pipe may deliver slowly, so this function must not wait for more than that. */
void reader_peek(struct input *in)
{
	while (in->n < FORMAT_PEEK && (in->n == 0 || memchr(in->at, '\n', in->n) == NULL))
		if (!input_more(in))
			return;
}

static bool reader_detect(struct nfart_reader *r, struct nfart_error *e)
{
	const struct trace_format *format;

	reader_peek(&r->in);
	if (r->in.error != 0) {
		reader_fail_input(r, e);
		return false;
	}
	if (r->in.n == 0 && r->in.damage != NULL) {
		reader_fail(r, e, "%s", r->in.damage);
		return false;
	}
	r->o.format = trace_format_detect(r->in.at, r->in.n < FORMAT_PEEK ? r->in.n : FORMAT_PEEK);
	format = trace_format(r->o.format);
	if (format->read != NULL)
		return true;
	if (r->o.format == NFART_FORMAT_AUTO)
		reader_fail(r, e, "the first bytes don't tell the format: name it (--from)");
	else
		reader_fail(r, e, "this looks like format '%s', which is for output only",
			    format->name);
	return false;
}

static bool open_format(struct nfart_reader *r, struct nfart_error *e)
{
	if (r->o.format == NFART_FORMAT_AUTO && !reader_detect(r, e))
		return false;
	if (r->o.end != 0 && r->o.end <= r->o.begin) {
		nfart_fail(e, NFART_USAGE, "no time is from %llu on and before %llu",
			   (unsigned long long)r->o.begin, (unsigned long long)r->o.end);
		return false;
	}
	if (r->in.follow.stop != NULL &&
	    (r->o.format == NFART_FORMAT_ILA || r->o.format == NFART_FORMAT_DUMP ||
	     r->o.format == NFART_FORMAT_RING_MEMORY)) {
		reader_fail(r, e, "a capture can't be followed: it is a ring");
		return false;
	}
	if (trace_format(r->o.format)->read != NULL)
		return trace_format(r->o.format)->read(r, e);
	nfart_fail(e, NFART_USAGE, "format '%s' can be written, but not read",
		   nfart_format_name(r->o.format));
	return false;
}

/* ---- the interface ---- */

static struct nfart_reader *reader_new(const char *name, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e)
{
	struct nfart_reader *r = calloc(1, sizeof *r);

	if (r != NULL) {
		r->proto = p;
		r->crc = crc32c;
		r->in.from.fd = -1;
		if (o != NULL)
			r->o = *o;
		r->name = strdup(name != NULL ? name : "-");
		if (r->name != NULL)
			return r;
	}
	free(r);
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return NULL;
}

/* Frees a reader that could not be opened. errno says why, if its input could not be read. */
static struct nfart_reader *reader_abandon(struct nfart_reader *r)
{
	int error = r->in.error;

	nfart_reader_free(r);
	errno = error;
	return NULL;
}

static struct nfart_reader *reader_start(struct nfart_reader *r, struct nfart_error *e)
{
	if (!r->o.as_is && !decompress_open(&r->in)) {
		reader_fail_input(r, e);
		return reader_abandon(r);
	}
	if (r->in.decompressor != NULL)
		r->in.mapped.guard = NULL;
	if (r->in.decompressor != NULL && r->in.follow.stop != NULL) {
		reader_fail(r, e, "a compressed trace can't be followed");
		return reader_abandon(r);
	}
	if (open_format(r, e)) {
		r->o.map = NULL;
		if (r->stats.size == 0)
			r->stats.size = r->in.size;
		return r;
	}
	return reader_abandon(r);
}

struct nfart_reader *nfart_reader_open(const char *path, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e)
{
	struct nfart_reader *r = reader_new(path, p, o, e);

	if (r == NULL)
		return NULL;
	if (!input_open(&r->in, path)) {
		reader_fail_input(r, e);
		return reader_abandon(r);
	}
	if (o != NULL && o->follow != NULL)
		input_follow(&r->in, r->name, o->follow);
	r->in.wait.call = o != NULL ? o->wait : NULL;
	r->in.wait.ctx = o != NULL ? o->wait_ctx : NULL;
	r->in.mapped.guard = o != NULL && o->follow == NULL ? o->mapping : NULL;
	return reader_start(r, e);
}

struct nfart_reader *nfart_reader_memory(const void *p, size_t n, const char *name,
					 const struct nfart_proto *proto,
					 const struct nfart_reader_options *o,
					 struct nfart_error *e)
{
	struct nfart_reader *r = reader_new(name, proto, o, e);

	if (r == NULL)
		return NULL;
	input_memory(&r->in, p, n);
	return reader_start(r, e);
}

void nfart_reader_free(struct nfart_reader *r)
{
	if (r == NULL)
		return;
	if (r->close != NULL)
		r->close(r);
	input_close(&r->in);
	free(r->state);
	free(r->payload.at);
	free(r->name);
	free(r);
}

/* Counts in the statistics what a format delivered. `got` is what the format returned; if it is 1,
 * *b is a batch or a loss record. Returns `got`. */
static int delivered(struct nfart_reader *r, struct nfart_batch *b, int got)
{
	r->stats.bytes = input_used(&r->in);
	r->stats.damage = r->in.damage;
	if (got != 1)
		return got;
	b->when = 0;
	b->payload_words = (uint8_t)r->payload.words;
	b->payload = r->payload.at;
	if (b->mask != 0) {
		r->stats.batches++;
		r->stats.messages += bits_count(b->mask);
		r->stats.damaged += b->damaged;
	} else {
		r->stats.losses++;
		if (b->lost == NFART_LOST_UNKNOWN)
			r->stats.lost_unknown = true;
		else
			r->stats.lost += b->lost;
	}
	return 1;
}

static bool is_chunked(const struct nfart_reader *r)
{
	return r->o.format == NFART_FORMAT_COMPACT || r->o.format == NFART_FORMAT_DENSE;
}

/* Is *b, which a format delivered, to be dropped because it is not in the part that is wanted? A
 * loss at the end of the trace stays: the part may have lost messages by it. In chunked traces the
 * format finds the end of the part, at a border between chunks. */
static bool drops(struct nfart_reader *r, struct nfart_batch *b)
{
	if (reader_wants(r, b->time))
		return false;
	if (b->time < r->o.begin && r->end_told) {
		b->time = r->o.begin;
		return false;
	}
	r->past = b->time >= r->o.begin && !is_chunked(r);
	return true;
}

/* Does what nfart_reader_next() does, of a part of the trace. */
static int next_of_part(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	int got;

	do
		got = r->past ? 0 : r->next(r, b, e);
	while (got == 1 && drops(r, b));
	return delivered(r, b, got);
}

int nfart_reader_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	if (r->o.begin != 0 || r->o.end != 0)
		return next_of_part(r, b, e);
	return delivered(r, b, r->next(r, b, e));
}

int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e)
{
	const struct trace_format *format = trace_format(r->o.format);
	int got;

	if (format->block == NULL)
		return nfart_reader_next(r, b, e);
	do
		got = format->block(r, block, plain, b, e);
	while (got == 1 && drops(r, b));
	return delivered(r, b, got);
}

void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages)
{
	r->stats.batches += batches;
	r->stats.messages += messages;
}

/* Decodes the record at p. Returns where the next record begins. *skip says whether it is a record
 * of a tick or the end alone. */
static const unsigned char *decode_record(const struct nfart_reader *r, const unsigned char *p,
					  struct nfart_batch *b, bool *skip)
{
	const unsigned char *headers = p + 16 + (size_t)r->label_words * 8;

	trace_record(p, r->label_words, b);
	*skip = false;
	if (b->mask != 0)
		return headers + 8 * bits_count(b->mask);
	*skip = trace_mark(get_le64(headers)) != 0;
	reader_loss(b, b->time, get_le64(headers));
	return headers + 8;
}

/* Hands the batches of a block to `take`. Returns what reader_each() does. */
static int each_of_block(struct nfart_reader *r, const struct trace_block *block, reader_sink *take,
			 void *ctx)
{
	struct nfart_batch b = { .lost = 0 };
	const unsigned char *p = block->at;
	uint64_t batches = 0, messages = 0;
	bool more = true, skip;

	for (uint32_t i = 0; i < block->count && more; i++) {
		if (r->o.format == NFART_FORMAT_DENSE) {
			trace_row(r->proto, p, &b);
			p += 8 + (size_t)r->proto->nslots * 8;
			skip = b.mask == 0;
		} else {
			p = decode_record(r, p, &b, &skip);
		}
		if (skip)
			continue;
		if (b.mask == 0)
			delivered(r, &b, 1);
		batches += b.mask != 0;
		messages += bits_count(b.mask);
		more = take(ctx, &b);
		b.lost = 0;
	}
	reader_delivered(r, batches, messages);
	return more ? 0 : 1;
}

int reader_each(struct nfart_reader *r, reader_sink *take, void *ctx, struct nfart_error *e)
{
	bool chunked = is_chunked(r);
	struct trace_block block;
	struct nfart_batch b;
	int got;

	do {
		got = chunked ? reader_block(r, &block, &chunked, &b, e)
			      : nfart_reader_next(r, &b, e);
		if (got == READER_BLOCK)
			got = each_of_block(r, &block, take, ctx) == 0;
		else if (got == 1)
			got = take(ctx, &b);
		else
			return got;
	} while (got == 1);
	return 1;
}

uint64_t nfart_reader_until(const struct nfart_reader *r)
{
	return r->until;
}

uint32_t nfart_reader_payload(const struct nfart_reader *r)
{
	return r->payload.words;
}

const struct nfart_reader_stats *nfart_reader_stats(const struct nfart_reader *r)
{
	return &r->stats;
}

enum nfart_format nfart_reader_format(const struct nfart_reader *r)
{
	return r->o.format;
}

void reader_stats_add(struct nfart_reader_stats *sum, const struct nfart_reader_stats *s)
{
	sum->batches += s->batches;
	sum->messages += s->messages;
	sum->losses += s->losses;
	sum->lost += s->lost;
	sum->lost_unknown |= s->lost_unknown;
	sum->damaged += s->damaged;
	sum->bad_chunks += s->bad_chunks;
	if (s->damage != NULL)
		sum->damage = s->damage;
}
