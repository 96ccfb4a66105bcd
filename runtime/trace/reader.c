/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Opening a trace: which format it is, and what all formats have in common.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/trace.h"

enum { PEEK = 64 };

static const char *const format_names[] = {
	[NFART_FORMAT_AUTO] = "auto",       [NFART_FORMAT_TEXT] = "text",
	[NFART_FORMAT_RECORDS] = "records", [NFART_FORMAT_COMPACT] = "compact",
	[NFART_FORMAT_DENSE] = "dense",     [NFART_FORMAT_ILA] = "ila",
	[NFART_FORMAT_DUMP] = "dump",       [NFART_FORMAT_RAW] = "raw",
	[NFART_FORMAT_JSON] = "json",       [NFART_FORMAT_CSV] = "csv",
};

const char *nfart_format_name(enum nfart_format f)
{
	return format_names[f];
}

bool nfart_format_parse(const char *name, enum nfart_format *f)
{
	for (size_t i = 1; i < sizeof format_names / sizeof *format_names; i++)
		if (strcmp(format_names[i], name) == 0) {
			*f = (enum nfart_format)i;
			return true;
		}
	return false;
}

bool trace_clock_step(struct trace_clock *c, uint64_t time, bool loss)
{
	if (c->any && (loss || c->after_loss ? time < c->last : time <= c->last))
		return false;
	if (!loss && c->any_batch && time <= c->last_batch)
		return false;
	if (!c->any) {
		c->first = time;
		c->first_loss = loss;
	}
	c->any = true;
	c->after_loss = loss;
	c->last = time;
	if (!loss) {
		if (!c->any_batch)
			c->first_batch = time;
		c->any_batch = true;
		c->last_batch = time;
	}
	return true;
}

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
	else
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(r->in.error));
	name_file(r, e);
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
	if (e->column > n + 1) /* the caret would stand beyond what fits */
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
	b->lost = lost;
	b->damaged = false;
	return 1;
}

/* ---- which format ---- */

bool trace_is_bytes(const struct nfart_proto *p)
{
	return p->nslots == 1 && p->header_bits == 8 && p->op_lsb == 0 && p->op_bits == 8 &&
	       p->idle == PROTO_NO_IDLE;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Bytes that batch text can have; comments may be UTF-8. */
static bool is_printable(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((s[i] < ' ' && !is_blank(s[i]) && s[i] != '\n') || s[i] == 127)
			return false;
	return true;
}

/* A magic with up to two wrong bytes is a damaged binary trace, not something else. */
static bool is_binary(const unsigned char *s, size_t n)
{
	unsigned same = 0;

	for (size_t i = 0; i < 8 && i < n; i++)
		same += s[i] == (unsigned char)TRACE_MAGIC[i];
	return same >= 6;
}

/* Waits for no more bytes than a short line of text has: a pipe may deliver slowly. */
static void peek(struct input *in)
{
	while (in->n < PEEK && (in->n == 0 || memchr(in->at, '\n', in->n) == NULL))
		if (!input_more(in))
			return;
}

static bool detect(struct nfart_reader *r, struct nfart_error *e)
{
	static const char ila[] = "Sample in Buffer,";
	const unsigned char *s;
	uint32_t kind;
	size_t n;

	peek(&r->in);
	s = r->in.at;
	n = r->in.n < PEEK ? r->in.n : PEEK;
	if (r->in.error != 0) {
		reader_fail_input(r, e);
		return false;
	}
	if (is_binary(s, n)) {
		kind = trace_head_kind(r);
		r->o.format = kind == TRACE_RECORDS ? NFART_FORMAT_RECORDS :
			      kind == TRACE_DENSE   ? NFART_FORMAT_DENSE :
						      NFART_FORMAT_COMPACT;
	} else if (n >= sizeof ila - 1 && memcmp(s, ila, sizeof ila - 1) == 0) {
		r->o.format = NFART_FORMAT_ILA;
	} else if (n != 0 && (s[0] == '{' || (n >= 5 && memcmp(s, "time,", 5) == 0))) {
		reader_fail(r, e, "JSON lines and CSV are for output only");
		return false;
	} else if (is_printable(s, n)) {
		r->o.format = NFART_FORMAT_TEXT;
	} else {
		reader_fail(r, e, "the first bytes don't tell the format: name it (--from)");
		return false;
	}
	return true;
}

static bool open_format(struct nfart_reader *r, struct nfart_error *e)
{
	if (r->o.format == NFART_FORMAT_AUTO && !detect(r, e))
		return false;
	switch (r->o.format) {
	case NFART_FORMAT_TEXT:
		return read_text_open(r, e);
	case NFART_FORMAT_RECORDS:
		return read_records_open(r, e);
	case NFART_FORMAT_COMPACT:
	case NFART_FORMAT_DENSE:
		return read_chunks_open(r, e);
	case NFART_FORMAT_ILA:
		return read_ila_open(r, e);
	case NFART_FORMAT_DUMP:
		return read_dump_open(r, e);
	case NFART_FORMAT_RAW:
		return read_raw_open(r, e);
	default:
		nfart_fail(e, NFART_USAGE, "format '%s' can be written, but not read",
			   nfart_format_name(r->o.format));
		return false;
	}
}

/* ---- the interface ---- */

static struct nfart_reader *reader_new(const char *name, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e)
{
	struct nfart_reader *r = calloc(1, sizeof *r);

	if (r != NULL) {
		r->proto = p;
		r->in.fd = -1;
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

static struct nfart_reader *reader_start(struct nfart_reader *r, struct nfart_error *e)
{
	if (open_format(r, e)) {
		r->o.map = NULL;
		r->stats.size = r->in.size;
		return r;
	}
	nfart_reader_free(r);
	return NULL;
}

struct nfart_reader *nfart_reader_open(const char *path, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e)
{
	struct nfart_reader *r = reader_new(path, p, o, e);

	if (r == NULL)
		return NULL;
	if (!input_open(&r->in, path)) {
		reader_fail_input(r, e);
		nfart_reader_free(r);
		return NULL;
	}
	r->in.wait = o != NULL ? o->wait : NULL;
	r->in.wait_ctx = o != NULL ? o->wait_ctx : NULL;
	r->in.mapped.guard = o != NULL ? o->mapping : NULL;
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
	input_close(&r->in);
	free(r->state);
	free(r->name);
	free(r);
}

/* Counts what was answered. */
static int delivered(struct nfart_reader *r, const struct nfart_batch *b, int got)
{
	r->stats.bytes = r->in.taken;
	if (got != 1)
		return got;
	if (b->mask != 0) {
		r->stats.batches++;
		r->stats.messages += (unsigned)__builtin_popcountll(b->mask);
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

int nfart_reader_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	return delivered(r, b, r->next(r, b, e));
}

int reader_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		 struct nfart_batch *b, struct nfart_error *e)
{
	switch (r->o.format) {
	case NFART_FORMAT_COMPACT:
	case NFART_FORMAT_DENSE:
		return delivered(r, b, read_chunks_block(r, block, plain, b, e));
	case NFART_FORMAT_RAW:
		return delivered(r, b, read_raw_block(r, block, e));
	default:
		return nfart_reader_next(r, b, e);
	}
}

void reader_delivered(struct nfart_reader *r, uint64_t batches, uint64_t messages)
{
	r->stats.batches += batches;
	r->stats.messages += messages;
}

const struct nfart_reader_stats *nfart_reader_stats(const struct nfart_reader *r)
{
	return &r->stats;
}

enum nfart_format nfart_reader_format(const struct nfart_reader *r)
{
	return r->o.format;
}
