/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The trace formats vcd and fst: waveforms, read through the taps of a protocol.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format.h"
#include "runtime/wave/tap_run.h"

struct state {
	struct wave *wave;
	struct tap_run run;
	bool told;                 /* the counts were said */
};

bool detect_vcd(const unsigned char *p, size_t n)
{
	return wave_detect(p, n) == WAVE_VCD;
}

bool detect_fst(const unsigned char *p, size_t n)
{
	return wave_detect(p, n) == WAVE_FST;
}

/* Says what was odd in the waveform. Returns whether changes are missing. */
static bool say_notes(const struct nfart_reader *r, const struct state *s)
{
	bool damaged;
	size_t n;
	const struct nfart_error *notes = wave_notes(s->wave, &n, &damaged);

	for (size_t i = 0; i < n && s->run.o->say != NULL; i++) {
		char text[sizeof notes->file + sizeof notes->what + 40], place[24] = "";
		if (notes[i].line != 0)
			snprintf(place, sizeof place, ":%" PRIu64, notes[i].line);
		snprintf(text, sizeof text, "%s%s: note: %s", r->name, place, notes[i].what);
		s->run.o->say(s->run.o->say_ctx, text);
	}
	return damaged;
}

static int next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct state *s = r->state;
	int got = s->told ? 0 : tap_run_next(&s->run, b, e);

	if (got == 1) {
		r->clock.last = b->time;
		b->lost = b->mask != 0 ? 0 : b->lost;
		b->damaged = false;
		reader_give_payload(r, b->mask, s->run.payload);
		return 1;
	}
	if (got < 0)
		return -1;
	if (!s->told && say_notes(r, s) && r->in.damage == NULL)
		r->in.damage = "the waveform is cut off, or was never finished";
	if (!s->told)
		tap_say_counts(&s->run);
	s->told = true;
	return reader_end(r, b, e);
}

static void close_wave(struct nfart_reader *r)
{
	struct state *s = r->state;

	tap_run_free(&s->run);
	wave_close(s->wave);
}

/* Returns the protocol whose taps are to be used. NULL: *e says why there is none. */
static const struct nfart_proto *taps_of(const struct nfart_reader *r, const struct nfart_wave *o,
					 struct nfart_error *e)
{
	const struct nfart_proto *p = o->taps != NULL ? o->taps : r->proto;

	if (p->taps == NULL) {
		nfart_fail(e, NFART_USAGE, "this is a waveform, and there are no taps of protocol "
			   "'%s', which say what its signals mean: -p names a description, and for "
			   "an image -I the folder of its description", p->name);
		return NULL;
	}
	if (p->fp.hardware != r->proto->fp.hardware) {
		nfart_fail(e, NFART_INPUT, "the taps are of a protocol '%s' that differs from the "
			   "image's in its layout", p->name);
		return NULL;
	}
	return p;
}

bool read_wave_open(struct nfart_reader *r, struct nfart_error *e)
{
	static const struct nfart_wave none = { 0 };
	const struct nfart_wave *o = r->o.wave != NULL ? r->o.wave : &none;
	const struct nfart_proto *p = taps_of(r, o, e);
	struct state *s;

	if (p == NULL)
		return false;
	s = calloc(1, sizeof *s);
	if (s == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	r->state = s;
	s->wave = wave_open_input(&r->in, r->name, e);
	if (s->wave == NULL)
		return false;
	r->close = close_wave;
	r->next = next;
	if (!reader_payload(r, p->payload / 64)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	if (tap_run_open(&s->run, p, o, s->wave, e) == NFART_OK) {
		wave_read_ahead(s->wave, o->jobs);
		return true;
	}
	if (e != NULL && e->status == NFART_INPUT && e->file[0] == 0)
		snprintf(e->file, sizeof e->file, "%s", r->name);
	return false;
}
