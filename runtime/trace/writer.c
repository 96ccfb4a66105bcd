/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes traces: what all formats have in common.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format.h"

bool writer_emit(struct nfart_writer *w, const void *p, size_t n)
{
	if (w->error == 0 && n != 0) {
		errno = 0;
		if (fwrite(p, 1, n, w->f) != n)
			w->error = errno != 0 ? errno : EIO;
		w->part += n;
	}
	return w->error == 0;
}

bool writer_flush(struct nfart_writer *w)
{
	if (w->out.failed && w->error == 0)
		w->error = ENOMEM;
	writer_emit(w, w->out.at, w->out.n);
	w->out.n = 0;
	return w->error == 0;
}

void writer_save(struct nfart_writer *w, FILE *f, const char *name, const char *dump)
{
	w->save.f = f;
	w->save.name = name;
	w->save.of = dump;
}

uint64_t writer_nanoseconds(const struct nfart_writer *w, uint64_t time)
{
	unsigned __int128 ns = time;

	if (w->o.clock != 0)
		ns = ns * 1000000000u / w->o.clock;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

void writer_payload(const struct nfart_writer *w, const struct nfart_batch *b, uint32_t slot,
		    uint64_t words[NFART_PAYLOAD_WORDS])
{
	const uint64_t *payload = nfart_batch_payload(b, slot);

	for (uint32_t i = 0; i < w->o.payload_words; i++)
		words[i] = i < b->payload_words && payload != NULL ? payload[i] : 0;
}

/* Ends the current part and goes on in the next. False: see w->error. */
static bool next_part(struct nfart_writer *w)
{
	FILE *f = NULL;

	if (!w->form.end_part(w))
		return false;
	errno = 0;
	if (fflush(w->f) == 0)
		f = w->o.next_part(w->o.next_part_ctx);
	if (f == NULL) {
		w->error = errno != 0 ? errno : EIO;
		return false;
	}
	w->f = f;
	w->part = 0;
	return true;
}

/* Can an output in this format tell apart the batches of several traces? */
static bool tells_traces(enum nfart_format f)
{
	return f == NFART_FORMAT_TEXT || f == NFART_FORMAT_PRETTY || f == NFART_FORMAT_JSON ||
	       f == NFART_FORMAT_CSV;
}

static bool open_format(struct nfart_writer *w, struct nfart_error *e)
{
	if (w->o.format == NFART_FORMAT_AUTO)
		w->o.format = NFART_FORMAT_TEXT;
	if (w->o.several && !tells_traces(w->o.format)) {
		nfart_fail(e, NFART_USAGE, "format '%s' holds one trace, not several",
			   nfart_format_name(w->o.format));
		return false;
	}
	if (w->o.payload_words > NFART_PAYLOAD_WORDS ||
	    (w->o.payload_words != 0 && !nfart_format_payload(w->o.format))) {
		nfart_fail(e, NFART_USAGE, "format '%s' can't have %u bits of payload a message",
			   nfart_format_name(w->o.format), 64 * w->o.payload_words);
		return false;
	}
	if (trace_format(w->o.format)->write != NULL)
		return trace_format(w->o.format)->write(w, e);
	nfart_fail(e, NFART_USAGE, "format '%s' can be read, but not written",
		   nfart_format_name(w->o.format));
	return false;
}

struct nfart_writer *nfart_writer_new(FILE *f, const struct nfart_proto *p,
				      const struct nfart_writer_options *o, struct nfart_error *e)
{
	struct nfart_writer *w = calloc(1, sizeof *w);

	if (w == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	w->f = f;
	w->proto = p;
	w->o = *o;
	w->label_words = (uint32_t)bits_words(o->nlabels);
	w->chunk = TRACE_CHUNK;
	if (open_format(w, e)) {
		if (o->part_bytes == 0 || w->form.end_part != NULL)
			return w;
		nfart_fail(e, NFART_USAGE, "format '%s' is written to one file",
			   nfart_format_name(w->o.format));
		if (w->form.finish != NULL)
			w->form.finish(w);
	}
	buf_free(&w->out);
	free(w->state);
	free(w);
	return NULL;
}

void nfart_writer_name_key(struct nfart_writer *w, const char *key)
{
	w->key = key;
}

void nfart_writer_trace(struct nfart_writer *w, const char *name)
{
	w->trace = name;
	if (w->form.begin != NULL)
		w->form.begin(w);
}

void nfart_writer_until(struct nfart_writer *w, uint64_t time)
{
	w->until = time;
}

bool nfart_writer_put(struct nfart_writer *w, const struct nfart_batch *b,
		      const struct nfart_result *r)
{
	if (w->error == 0 && w->o.part_bytes != 0 && w->part >= w->o.part_bytes && !next_part(w))
		return false;
	return w->error == 0 && w->form.put(w, b, r);
}

bool writer_show(struct nfart_writer *w)
{
	if (w->error == 0 && w->form.show != NULL)
		w->form.show(w);
	if (w->error == 0 && fflush(w->f) != 0)
		w->error = errno != 0 ? errno : EIO;
	return w->error == 0;
}

enum nfart_status nfart_writer_close(struct nfart_writer *w, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (w == NULL)
		return NFART_OK;
	if (w->form.finish != NULL)
		w->form.finish(w);
	if (w->error == 0 && fflush(w->f) != 0)
		w->error = errno != 0 ? errno : EIO;
	if (w->error != 0)
		status = nfart_fail(e, NFART_SYSTEM, "can't write: %s", strerror(w->error));
	buf_free(&w->out);
	free(w->state);
	free(w);
	return status;
}
