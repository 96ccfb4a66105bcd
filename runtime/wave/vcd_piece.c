/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a piece of a VCD into a log, and replays logs. See Note [pieces of a VCD].
 */
#include "runtime/wave/vcd_ahead.h"

#include <stdlib.h>

/* A log is steps. A step is its time, lowest word first, the number of its changes, and these. A
 * change is CHANGE * the index of the chosen value, plus its lowest bit, plus KNOWN if that is
 * known. A value of more bits has its words behind that, first those of `value`. */
enum { STEP_WORDS = 3, CHANGE = 4, KNOWN = 2, VALUE = 1, AHEAD = 1 << 14,
	MOST_LOG = 4 /* words of a log for each byte of its piece */ };

/* ---- reading ---- */

bool vcd_piece_reader_open(struct vcd_piece_reader *r, const struct vcd *v)
{
	const struct wave *of = v->w;
	struct wave_now *now = &r->wave.now;

	/* Names, codes and values are those of `of`, and are only read. */
	r->wave = *of;
	r->fresh = r->vcd = *v;
	r->fresh.w = &r->wave;
	r->fresh.line = r->fresh.after = 0;
	r->fresh.newline = true;
	r->fresh.begun = r->fresh.ended = r->fresh.finished = false;
	r->fresh.mode = VCD_CHANGES;
	r->wave.state = &r->vcd;
	r->wave.in = &r->wave.own;
	memset(&r->wave.own, 0, sizeof r->wave.own);
	*now = (struct wave_now){ .nchosen = of->now.nchosen, .every = of->now.every };
	input_share(&r->file, of->in);
	now->bits = calloc(now->nchosen + 1, sizeof *now->bits);
	for (size_t i = 0; now->bits != NULL && i < now->nchosen; i++)
		now->bits[i].width = of->now.bits[i].width;
	return now->bits != NULL && wave_now_open(now);
}

void vcd_piece_reader_close(struct vcd_piece_reader *r)
{
	wave_now_close(&r->wave.now);
	input_close(&r->file);
}

/* Returns the first # behind a newline among n bytes, or NULL. */
static const unsigned char *find_hash(const unsigned char *p, size_t n)
{
	const unsigned char *end = p + n, *q = p;

	while (q + 1 < end && (q = memchr(q + 1, '#', (size_t)(end - q - 1))) != NULL)
		if (q[-1] == '\n')
			return q;
	return NULL;
}

/* Looks for a line that begins with a time stamp, behind a newline among the n bytes from `from`
 * on. Reads as much of the file as that needs. Returns its place in the buffer, or 0. */
static size_t find_time(struct input *in, size_t from, size_t n)
{
	size_t seen = from;

	for (;;) {
		size_t end = in->n < from + n + 1 ? in->n : from + n + 1;
		const unsigned char *p = end > seen ? find_hash(in->at + seen, end - seen) : NULL;
		if (p != NULL)
			return (size_t)(p - in->at);
		if (end == from + n + 1)
			return 0;
		seen = end > from ? end - 1 : from;
		if (in->buffer.until < in->offset + in->n + AHEAD)
			in->buffer.until = in->offset + in->n + AHEAD;
		if (!input_more(in))
			return 0;
	}
}

/* False: out of memory, or the log has more than `most` words. */
static bool log_step(struct vcd_piece *p, const struct wave *w, const struct wave_step *s,
		     size_t most)
{
	const uint32_t head[STEP_WORDS] = { (uint32_t)s->time, (uint32_t)(s->time >> 32),
					    (uint32_t)s->n };
	size_t room = STEP_WORDS;
	uint32_t *to;

	for (size_t i = 0; i < s->n; i++)
		room += 1 + 4 * wave_words(w->now.bits[s->changed[i]].width);
	if (p->log.n + room > most || !vec_reserve(&p->log, room))
		return false;
	to = p->log.at + p->log.n;
	memcpy(to, head, sizeof head);
	to += STEP_WORDS;
	for (size_t i = 0; i < s->n; i++) {
		const struct wave_bits *b = &w->now.bits[s->changed[i]];
		size_t bytes = 16 * wave_words(b->width);
		*to++ = s->changed[i] * CHANGE | (uint32_t)(*b->known & 1) * KNOWN |
			(uint32_t)(*b->value & 1) * VALUE;
		if (b->width == 1)
			continue;
		if (bytes == 16) {
			memcpy(to, b->value, 8);
			memcpy(to + 2, b->known, 8);
		} else {
			memcpy(to, b->value, bytes);
		}
		to += bytes / sizeof *to;
	}
	p->log.n = (size_t)(to - p->log.at);
	return true;
}

/* Logs the steps of the n bytes at `at`. False: the piece is not plain. */
static bool log_steps(struct vcd_piece *p, struct vcd_piece_reader *r, const unsigned char *at,
		      size_t n)
{
	struct wave *w = &r->wave;
	struct wave_step s;
	int got;

	input_memory(&w->own, at, n);
	r->vcd = r->fresh;
	memset(w->notes, 0, sizeof w->notes);
	w->now.time = 0;
	p->first = 0;
	for (size_t i = 1; i < n && at[i] >= '0' && at[i] <= '9'; i++)
		p->first = 10 * p->first + (uint64_t)(at[i] - '0');
	while ((got = wave_next(w, &s, NULL)) > 0)
		if (s.lost || s.resumed || !log_step(p, w, &s, MOST_LOG * n + STEP_WORDS))
			return false;
	s.n = 0;
	s.time = w->now.time;
	for (size_t i = 0; i < WAVE_NOTES; i++)
		if (w->notes[i].count != 0)
			return false;
	p->lines = r->vcd.line;
	return got == 0 && !w->now.lost && !w->now.resumed &&
	       log_step(p, w, &s, SIZE_MAX);
}

void vcd_piece_read(struct vcd_piece *p, struct vcd_piece_reader *r, uint64_t number, size_t bytes)
{
	struct input *in = &r->file;
	size_t begin, end;

	p->plain = false;
	p->log.n = 0;
	/* The newline before a time stamp that begins the bytes belongs to the piece before. */
	if (!input_seek(in, number * bytes))
		return;
	in->buffer.until = in->offset + bytes + AHEAD;
	begin = find_time(in, 0, bytes);
	end = begin == 0 ? 0 : find_time(in, bytes, bytes);
	if (end == 0)
		return;
	p->begin = in->offset + begin;
	p->end = in->offset + end;
	p->plain = log_steps(p, r, in->at + begin, end - begin);
}

/* ---- replaying ---- */

/* Replays the change at `from`. Returns how many words it has. */
static size_t replay_change(struct wave *w, const uint32_t *from)
{
	uint32_t i = *from / CHANGE;
	const struct wave_bits *b = &w->now.bits[i];
	uint64_t *to = w->now.words + (b->value - w->now.words);
	size_t bytes = 16 * wave_words(b->width);

	wave_mark(w, i);
	if (b->width == 1) {
		to[0] = *from & VALUE;
		to[1] = (*from & KNOWN) / KNOWN;
		return 1;
	}
	if (bytes == 16) {
		memcpy(to, from + 1, 8);
		memcpy(to + 1, from + 3, 8);
		return 5;
	}
	memcpy(to, from + 1, bytes);
	return 1 + bytes / sizeof *from;
}

bool vcd_piece_replay(const struct vcd_piece *p, struct vcd_replay *r, struct vcd *v)
{
	const uint32_t *log = p->log.at;

	r->begun = true;
	for (;;) {
		uint64_t time;
		for (; r->changes != 0; r->changes--)
			r->at += replay_change(v->w, log + r->at);
		if (r->at == p->log.n)
			return true;
		time = log[r->at] | (uint64_t)log[r->at + 1] << 32;
		r->changes = log[r->at + 2];
		r->at += STEP_WORDS;
		if (vcd_pass_time(v, time, 0, NULL) == VCD_STEP)
			return false;
	}
}
