/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Opens an FST, finds its blocks, and goes through its time stamps. See Note [layout of an FST] in
 * fst.h.
 */
#include "runtime/wave/fst.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	HEADER = 321,     /* bytes of a header without the length */
	HEADER_UNIT = 64, /* where the time scale is in it */
	BLOCK_HEAD = 9
};

bool fst_fail(struct fst *f, struct nfart_error *e, uint64_t at, const char *what)
{
	return wave_fail(f->w, e, 0, "byte %llu: %s", (unsigned long long)at, what);
}

bool fst_signed_varint(const unsigned char **p, const unsigned char *end, int64_t *x)
{
	const unsigned char *q = *p;
	uint64_t sum = 0;
	unsigned bits = 0;

	for (; q < end && bits < 64; q++) {
		sum |= (uint64_t)(*q & 0x7f) << bits;
		bits += 7;
		if ((*q & 0x80) != 0)
			continue;
		if (bits < 64 && (*q & 0x40) != 0)
			sum |= UINT64_MAX << bits;
		*p = q + 1;
		*x = (int64_t)sum;
		return true;
	}
	return false;
}

/* ---- blocks ---- */

static bool is_kind(unsigned kind)
{
	return kind <= FST_VALUES_ALIAS2 || kind == FST_WRAPPER || kind == FST_SKIP;
}

/* Where a block ends that was never finished, whose length is 0: after its frame. A simulator that
 * ended without a change wrote the other blocks behind that. Returns the end of the file if the
 * frame is cut. */
static uint64_t end_of_unfinished(struct fst *f, uint64_t at)
{
	unsigned char buffer[24 + 3 * 10];
	const unsigned char *p = buffer + 24;
	size_t n = f->file.size - at < sizeof buffer ? (size_t)(f->file.size - at) : sizeof buffer;
	uint64_t unpacked, packed, handles;

	if (n < 24 || !fst_read(f, at, buffer, n, NULL) ||
	    !fst_varint(&p, buffer + n, &unpacked) || !fst_varint(&p, buffer + n, &packed) ||
	    !fst_varint(&p, buffer + n, &handles) ||
	    packed > f->file.size - at - (uint64_t)(p - buffer))
		return f->file.size;
	return at + (uint64_t)(p - buffer) + packed;
}

/* Lists the blocks. What is cut at the end is left out, and noted. What comes after an unfinished
 * block is used only if it is blocks up to the end. */
static bool find_blocks(struct fst *f, struct nfart_error *e)
{
	uint64_t at = 0;
	size_t good = 0;

	while (f->file.size - at >= BLOCK_HEAD) {
		unsigned char head[BLOCK_HEAD];
		struct fst_block b = { .at = at + BLOCK_HEAD };
		uint64_t n;
		if (!fst_read(f, at, head, sizeof head, e))
			return false;
		n = fst_number(head + 1);
		b.kind = head[0];
		if (b.kind == FST_SKIP && n == 0) {
			if (!f->unfinished)
				good = f->blocks.n;
			f->unfinished = true;
			at = end_of_unfinished(f, b.at);
			continue;
		}
		if (!is_kind(head[0]) && !f->unfinished)
			return fst_fail(f, e, at, "a block of an unknown kind (fst2vcd may read "
					"it)");
		if (n < 8 && !f->unfinished)
			return fst_fail(f, e, at, "a block that is shorter than its length");
		if (!is_kind(head[0]) || n < 8 || n - 8 > f->file.size - b.at)
			break;
		b.n = n - 8;
		if (!vec_push(&f->blocks, b))
			return wave_fail_memory(f->w, e);
		at = b.at + b.n;
	}
	if (at != f->file.size && f->unfinished)
		f->blocks.n = good;
	if (at != f->file.size && !f->unfinished) {
		char text[64];
		int n = snprintf(text, sizeof text, "the file ends within the block at byte %llu",
				 (unsigned long long)at);
		wave_note(f->w, WAVE_NOTE_CUT, 0, text, (size_t)n);
		f->w->damaged = true;
	}
	return true;
}

/* ---- blackouts ---- */

static bool read_blackouts(struct fst *f, const struct fst_block *b, struct nfart_error *e)
{
	unsigned char *all = fst_load(f, b->at, b->n, e);
	const unsigned char *p = all, *end = all + b->n;
	uint64_t n = 0, time = 0, delta;
	bool ok;

	if (all == NULL)
		return false;
	ok = fst_varint(&p, end, &n);
	for (uint64_t i = 0; ok && i < n; i++) {
		struct fst_blackout x;
		ok = p < end;
		x.on = ok && *p++ != 0;
		ok = ok && fst_varint(&p, end, &delta) && delta <= UINT64_MAX - time;
		if (ok) {
			x.time = time += delta;
			if (!vec_push(&f->blackouts, x)) {
				free(all);
				return wave_fail_memory(f->w, e);
			}
		}
	}
	free(all);
	return ok || fst_fail(f, e, b->at, "the list of blackouts is damaged");
}

/* ---- opening ---- */

static bool read_head(struct fst *f, struct nfart_error *e)
{
	unsigned char header[HEADER];

	if (f->blocks.n == 0 || f->blocks.at[0].kind != FST_HEADER || f->blocks.at[0].n < HEADER)
		return fst_fail(f, e, 0, "an FST begins with a header of 330 bytes, which this has "
				"not");
	if (!fst_read(f, f->blocks.at[0].at, header, sizeof header, e))
		return false;
	f->w->unit = (signed char)header[HEADER_UNIT];
	f->w->unit_said = true;
	return true;
}

static bool read_all(struct fst *f, struct nfart_error *e)
{
	if (!find_blocks(f, e))
		return false;
	if (f->blocks.n != 0 && f->blocks.at[0].kind == FST_WRAPPER) {
		struct fst_block wrapper = f->blocks.at[0];
		if (!fst_unwrap(f, &wrapper, e) || !find_blocks(f, e))
			return false;
	}
	if (!read_head(f, e))
		return false;
	for (size_t i = 0; i < f->blocks.n; i++)
		if (f->blocks.at[i].kind == FST_BLACKOUTS &&
		    !read_blackouts(f, &f->blocks.at[i], e))
			return false;
	if (!fst_read_hierarchy(f, e))
		return false;
	if (f->unfinished) {
		static const char text[] = "this FST was never closed: what its last block should "
					   "have had is missing";
		wave_note(f->w, WAVE_NOTE_UNFINISHED, 0, text, sizeof text - 1);
		f->w->damaged = true;
	}
	return true;
}

static bool open_fst(struct wave *w, struct nfart_error *e)
{
	struct fst *f = calloc(1, sizeof *f);

	if (f == NULL)
		return wave_fail_memory(w, e);
	w->state = f;
	f->w = w;
	return fst_open_file(f, e) && read_all(f, e);
}

static bool choose_fst(struct wave *w, struct nfart_error *e)
{
	struct fst *f = w->state;

	f->handle_of = calloc(w->now.nchosen + 1, sizeof *f->handle_of);
	if (f->handle_of == NULL)
		return wave_fail_memory(w, e);
	for (size_t i = 0; i < w->values.n; i++)
		if (w->values.at[i].chosen != WAVE_NOT_CHOSEN)
			f->handle_of[w->values.at[i].chosen] = (uint32_t)i;
	return true;
}

/* ---- time stamps ---- */

/* The next time at which something stands in the file. False: there is none in this block. */
static bool next_time(const struct fst *f, uint64_t *time)
{
	const struct fst_values *v = &f->now.values;
	bool any = false;

	if (f->now.frame) {
		*time = f->now.begin;
		any = true;
	} else if (v->time < v->ntimes) {
		*time = v->times[v->time];
		any = true;
	}
	if (f->next_blackout < f->blackouts.n) {
		uint64_t blackout = f->blackouts.at[f->next_blackout].time;
		if (any ? blackout < *time : blackout <= f->now.end) {
			*time = blackout;
			any = true;
		}
	}
	return any;
}

/* Takes all that stands at a time. */
static bool take_time(struct fst *f, uint64_t time, struct nfart_error *e)
{
	struct wave *w = f->w;
	struct fst_values *v = &f->now.values;

	if (time < w->now.time)
		return fst_fail(f, e, f->blocks.at[f->now.next - 1].at,
				"time goes back in this block");
	w->now.time = time;
	f->now.frame = f->now.frame && f->now.begin != time;
	while (f->next_blackout < f->blackouts.n &&
	       f->blackouts.at[f->next_blackout].time <= time) {
		if (f->blackouts.at[f->next_blackout++].on)
			w->now.resumed = true;
		else
			wave_lose(w);
	}
	while (v->time < v->ntimes && v->times[v->time] == time)
		if (!fst_take_changes(f, e))
			return false;
	return true;
}

/* Opens the next block of values. Returns 0 if there is none, and -1 after an error. */
static int open_next(struct fst *f, struct nfart_error *e)
{
	for (; f->now.next < f->blocks.n; f->now.next++) {
		const struct fst_block *b = &f->blocks.at[f->now.next];
		if (b->kind != FST_VALUES && b->kind != FST_VALUES_ALIAS &&
		    b->kind != FST_VALUES_ALIAS2)
			continue;
		f->now.next++;
		if (!fst_open_values(f, b, e))
			return -1;
		f->now.begun = f->now.inside = true;
		return 1;
	}
	return 0;
}

/* Finds the next time, in this block or a later one. Returns 0 at the end, -1 after an error. */
static int find_time(struct fst *f, uint64_t *time, struct nfart_error *e)
{
	int got = 1;

	while (got > 0 && (!f->now.inside || !next_time(f, time))) {
		fst_close_values(f);
		f->now.inside = false;
		got = open_next(f, e);
	}
	return got;
}

static int next_fst(struct wave *w, struct nfart_error *e)
{
	struct fst *f = w->state;
	uint64_t time;
	int got = f->found.result;

	/* The last call looked ahead, since a time may be the last of a block and the first of the
	 * next. */
	if (got < 0 && e != NULL)
		*e = f->found.error;
	if (got == 0)
		got = find_time(f, &time, e);
	else
		time = f->found.time;
	while (got > 0) {
		if (!take_time(f, time, e))
			return -1;
		got = find_time(f, &time, &f->found.error);
		f->found.result = got;
		f->found.time = time;
		if (got > 0 && time == w->now.time)
			continue;
		if (w->now.every || w->now.nchanged != 0 || w->now.lost || w->now.resumed)
			return 1;
		if (got < 0 && e != NULL)
			*e = f->found.error;
	}
	return got;
}

static bool detect_fst_file(const unsigned char *p, size_t n)
{
	static const unsigned char header[] = { FST_HEADER, 0, 0, 0, 0, 0, 0, 1, 0x49 };

	if (n < sizeof header)
		return false;
	return memcmp(p, header, sizeof header) == 0 ||
	       (p[0] == FST_WRAPPER && p[1] == 0 && p[2] == 0);
}

static void close_fst(void *state)
{
	struct fst *f = state;

	fst_close_values(f);
	fst_close_file(f);
	vec_free(&f->blocks);
	vec_free(&f->blackouts);
	free(f->shapes);
	free(f->handle_of);
	free(f);
}

static uint64_t used_fst(const struct wave *w)
{
	const struct fst *f = w->state;

	return f->now.next == 0
		       ? 0
		       : f->blocks.at[f->now.next - 1].at + f->blocks.at[f->now.next - 1].n;
}

const struct wave_reader wave_fst = {
	.format = WAVE_FST, .name = "fst", .detect = detect_fst_file, .open = open_fst,
	.choose = choose_fst, .next = next_fst, .used = used_fst, .close = close_fst,
};
