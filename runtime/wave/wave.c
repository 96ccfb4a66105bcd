/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/wave/wave_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/trace/codec/codec.h"
#include "runtime/trace/codec/decompress.h"
#include "support/buf.h"

static const struct wave_reader *const readers[] = { &wave_vcd, &wave_fst };
enum { READERS = sizeof readers / sizeof readers[0], PEEK = 64 };

static const struct wave_reader *find_reader(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < READERS; i++)
		if (readers[i]->detect(p, n))
			return readers[i];
	return NULL;
}

enum wave_format wave_detect(const unsigned char *p, size_t n)
{
	const struct wave_reader *r = find_reader(p, n);

	return r == NULL ? WAVE_NONE : r->format;
}

/* ---- errors and notes ---- */

bool wave_fail(struct wave *w, struct nfart_error *e, uint64_t line, const char *format, ...)
{
	struct nfart_error local, *to = e != NULL ? e : &local;
	struct buf shown = { 0 };
	char what[sizeof to->what];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	buf_add_shown(&shown, what, strlen(what));
	nfart_fail(to, NFART_INPUT, "%s",
		   shown.failed || shown.n == 0 ? "out of memory" : shown.at);
	buf_free(&shown);
	snprintf(to->file, sizeof to->file, "%s", w->name);
	to->line = line;
	return false;
}

bool wave_fail_memory(struct wave *w, struct nfart_error *e)
{
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", w->name == NULL ? "" : w->name);
	return false;
}

bool wave_fail_input(struct wave *w, struct nfart_error *e)
{
	int error = w->in->error;

	if (error == ENOMEM)
		return wave_fail_memory(w, e);
	if (error == ENOTSUP) {
		return wave_fail(w, e, 0, "decompressing this takes a window above %d MiB",
				 CODEC_MOST_WINDOW >> 20);
	}
	if (error == EINTR)
		nfart_fail(e, NFART_PARTIAL, "interrupted");
	else
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(error));
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", w->name);
	errno = error;
	return false;
}

void wave_note(struct wave *w, enum wave_note_kind kind, uint64_t line, const char *text, size_t n)
{
	struct wave_note *note = &w->notes[kind];

	if (note->count++ != 0)
		return;
	note->line = line;
	if (n >= sizeof note->text)
		n = sizeof note->text - 1;
	memcpy(note->text, text, n);
	note->text[n] = 0;
}

const struct nfart_error *wave_notes(const struct wave *w, size_t *n, bool *damaged)
{
	/* Each has the text of the first and the count, in this order. */
	static const char *const format[WAVE_NOTES] = {
		[WAVE_NOTE_CODE] = "no variable has the code '%s': values that belong to none: "
				   "%llu",
		[WAVE_NOTE_FRACTION] = "fractions of time stamps were cut off, first that of '%s': "
				       "%llu",
		[WAVE_NOTE_UNIT] = "the time scale '%s' can't be read: %llu",
		[WAVE_NOTE_CUT] = "%s: what comes after it is missing",
		[WAVE_NOTE_LAST] = "the last line, '%s', has no end: it may be cut",
		[WAVE_NOTE_UNFINISHED] = "%s",
	};
	struct nfart_error *told = ((struct wave *)(uintptr_t)w)->told;

	*n = 0;
	*damaged = w->damaged;
	for (size_t k = 0; k < WAVE_NOTES; k++) {
		const struct wave_note *note = &w->notes[k];
		if (note->count == 0)
			continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		wave_fail((struct wave *)(uintptr_t)w, &told[*n], note->line, format[k], note->text,
			  (unsigned long long)note->count);
#pragma GCC diagnostic pop
		++*n;
	}
	return told;
}

/* ---- opening ---- */

static struct wave *fresh(const char *name)
{
	struct wave *w = calloc(1, sizeof *w);

	if (w == NULL)
		return NULL;
	w->names.limit = WAVE_MOST_NAMES;
	w->unit = -9;
	w->own.from.fd = -1;
	w->name = strdup(name);
	if (w->name != NULL)
		return w;
	free(w);
	return NULL;
}

/* Reads the header of w->in, which is open. Closes w if that fails. */
static struct wave *read_header(struct wave *w, struct nfart_error *e)
{
	struct input *in = w->in;
	bool ok = false;

	if (!decompress_open(in)) {
		wave_fail_input(w, e);
		goto out;
	}
	if (!input_need(in, PEEK) && in->error != 0) {
		wave_fail_input(w, e);
		goto out;
	}
	w->reader = find_reader(in->at, in->n < PEEK ? in->n : PEEK);
	if (w->reader == NULL)
		wave_fail(w, e, 0, "this is no waveform: neither VCD nor FST");
	else
		ok = w->reader->open(w, e);
out:
	if (ok)
		return w;
	wave_close(w);
	return NULL;
}

struct wave *wave_open(const char *path, struct nfart_error *e)
{
	struct wave *w = fresh(path);

	if (w == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	w->in = &w->own;
	if (!input_open(w->in, path)) {
		wave_fail_input(w, e);
		wave_close(w);
		return NULL;
	}
	return read_header(w, e);
}

struct wave *wave_open_memory(const void *p, size_t n, const char *name, struct nfart_error *e)
{
	struct wave *w = fresh(name);

	if (w == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	w->in = &w->own;
	input_memory(w->in, p, n);
	return read_header(w, e);
}

struct wave *wave_open_input(struct input *in, const char *name, struct nfart_error *e)
{
	struct wave *w = fresh(name);

	if (w == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	w->in = in;
	return read_header(w, e);
}

void wave_close(struct wave *w)
{
	if (w == NULL)
		return;
	if (w->state != NULL)
		w->reader->close(w->state);
	if (w->in == &w->own)
		input_close(&w->own);
	arena_free(&w->names);
	vec_free(&w->scopes);
	vec_free(&w->variables);
	vec_free(&w->values);
	wave_now_close(&w->now);
	free(w->name);
	free(w);
}

/* ---- what is in it ---- */

enum wave_format wave_format(const struct wave *w)
{
	return w->reader->format;
}

const struct wave_variable *wave_variables(const struct wave *w, size_t *n)
{
	*n = w->variables.n;
	return w->variables.at;
}

const struct wave_scope *wave_scopes(const struct wave *w, size_t *n)
{
	*n = w->scopes.n;
	return w->scopes.at;
}

size_t wave_n_values(const struct wave *w)
{
	return w->values.n;
}

uint32_t wave_width(const struct wave *w, uint32_t value)
{
	return w->values.at[value].width;
}

int wave_unit(const struct wave *w, bool *said)
{
	*said = w->unit_said;
	return w->unit;
}

uint64_t wave_time(const struct wave *w)
{
	return w->now.time;
}

uint64_t wave_used(const struct wave *w)
{
	return w->reader->used(w);
}

/* ---- chosen values ---- */

bool wave_now_open(struct wave_now *now)
{
	size_t total = 0;

	for (size_t i = 0; i < now->nchosen; i++)
		total += 2 * wave_words(now->bits[i].width);
	now->step = 1;
	now->words = calloc(total + 1, sizeof *now->words);
	now->changed = calloc(now->nchosen + 1, sizeof *now->changed);
	now->mark = calloc(now->nchosen + 1, sizeof *now->mark);
	if (now->words == NULL || now->changed == NULL || now->mark == NULL)
		return false;
	total = 0;
	for (size_t i = 0; i < now->nchosen; i++) {
		struct wave_bits *b = &now->bits[i];
		b->value = now->words + total;
		b->known = b->value + wave_words(b->width);
		total += 2 * wave_words(b->width);
	}
	return true;
}

void wave_now_close(struct wave_now *now)
{
	free(now->bits);
	free(now->words);
	free(now->changed);
	free(now->mark);
}

bool wave_choose(struct wave *w, const uint32_t *values, size_t n, bool every,
		 struct nfart_error *e)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++) {
		struct wave_value *v = values[i] < w->values.n ? &w->values.at[values[i]] : NULL;
		if (v == NULL || !v->logic || v->chosen != WAVE_NOT_CHOSEN) {
			nfart_fail(e, NFART_USAGE, "value %u can't be chosen", values[i]);
			return false;
		}
		v->chosen = (uint32_t)i;
		total += wave_words(v->width);
		if (total > WAVE_MOST_WORDS) {
			wave_fail(w, e, 0, "the chosen signals have more than 2^33 bits together");
			return false;
		}
	}
	w->now.nchosen = n;
	w->now.every = every;
	w->now.bits = calloc(n + 1, sizeof *w->now.bits);
	for (size_t i = 0; w->now.bits != NULL && i < n; i++)
		w->now.bits[i].width = w->values.at[values[i]].width;
	if (w->now.bits == NULL || !wave_now_open(&w->now))
		return wave_fail_memory(w, e);
	return w->reader->choose == NULL || w->reader->choose(w, e);
}

void wave_read_ahead(struct wave *w, unsigned jobs)
{
	if (w->reader->read_ahead != NULL)
		w->reader->read_ahead(w, jobs);
}

const struct wave_bits *wave_bits(const struct wave *w)
{
	return w->now.bits;
}

int wave_next(struct wave *w, struct wave_step *s, struct nfart_error *e)
{
	int got;

	w->now.step++;
	w->now.nchanged = 0;
	w->now.lost = w->now.resumed = false;
	got = w->reader->next(w, e);
	*s = (struct wave_step){ .time = w->now.time, .lost = w->now.lost,
				 .resumed = w->now.resumed, .n = w->now.nchanged,
				 .changed = w->now.changed };
	return got;
}
