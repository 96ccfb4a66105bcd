/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Opens a VCD, and goes through its changes by scanning or word by word, until a step ends. See
 * Note [two ways through the changes] in vcd.h.
 */
#include "runtime/wave/vcd_ahead.h"

#include <stdlib.h>

/* Between two scans at least LEAST_PLAIN bytes are read word by word. This doubles, up to
 * MOST_PLAIN, as long as scans find nothing that they can go over. Of a window of SCAN_WINDOW bytes
 * a scan goes over whole lines. Above MOST_SCANNED codes, most lines are of interest, and a scan
 * saves nothing. */
enum { LEAST_PLAIN = 64, MOST_PLAIN = 1 << 16, SCAN_WINDOW = 1 << 16, MOST_SCANNED = 256 };

/* ---- by scanning ---- */

/* The line of a byte after those at in->at, which begin line v->line. */
static uint64_t line_of(const struct vcd *v, const unsigned char *s)
{
	uint64_t line = v->line;

	for (const unsigned char *p = v->w->in->at; p < s; p++)
		line += *p == '\n';
	return line;
}

/* Takes the change whose code, of n bytes, is at s, if the code is that of a chosen value. Its line
 * begins at `base` or later. */
static enum vcd_outcome take_found_change(struct vcd *v, const unsigned char *base,
					  const unsigned char *s, size_t n, struct nfart_error *e)
{
	uint32_t chosen = vcd_code_find(&v->chosen, s, n);
	const unsigned char *line = s - 1, *digits;
	size_t ndigits = 1;

	if (chosen == UINT32_MAX)
		return VCD_MORE;
	while (line > base && line[-1] != '\n')
		line--;
	digits = line;
	if (vcd_change_begins[*line] == 2) {
		digits = line + 1;
		ndigits = (size_t)(s - digits) - 1;
	} else if (vcd_change_begins[*line] != 1) {
		return VCD_MORE;
	}
	if (wave_set_digits(v->w, chosen, digits, ndigits))
		return VCD_MORE;
	vcd_fail_digits(v, digits, ndigits, s, n, 0, e);
	return VCD_FAILED;
}

/* Takes the time stamp, or perhaps the change, that was found at s. */
static enum vcd_outcome take_place(struct vcd *v, const unsigned char *s, struct nfart_error *e)
{
	const unsigned char *base = v->w->in->at;
	struct wave_note *fraction = &v->w->notes[WAVE_NOTE_FRACTION];
	bool time = s == base || s[-1] == '\n';
	const unsigned char *end = memchr(s, '\n', v->scanned.taken - (size_t)(s - base));
	enum vcd_outcome got = time ? vcd_take_time(v, s + 1, (size_t)(end - s) - 1, 0, e)
				    : take_found_change(v, base, s, (size_t)(end - s), e);

	if (got == VCD_FAILED && e != NULL)
		e->line = line_of(v, s);
	if (fraction->count != 0 && fraction->line == 0)
		fraction->line = line_of(v, s);
	return got;
}

/* Takes the changes and time stamps that were found in the bytes at in->at. */
static enum vcd_outcome take_found(struct vcd *v, struct nfart_error *e)
{
	struct vcd_scanned *x = &v->scanned;

	for (; v->next_found < x->n; v->next_found++) {
		struct vcd_found *f = &x->found[v->next_found];
		while (f->places != 0) {
			size_t at = f->at + (size_t)__builtin_ctzll(f->places);
			enum vcd_outcome got = VCD_MORE;
			f->places &= f->places - 1;
			if (at < x->taken)
				got = take_place(v, v->w->in->at + at, e);
			if (got != VCD_MORE)
				return got;
		}
	}
	v->line += x->lines;
	input_take(v->w->in, x->taken);
	x->taken = 0;
	return VCD_MORE;
}

/* Scans the next n bytes of the buffer, which begin a line. */
static enum vcd_outcome read_scanned(struct vcd *v, size_t n, struct nfart_error *e)
{
	v->next_found = 0;
	vcd_scan(&v->scanner, v->w->in->at, n < SCAN_WINDOW ? n : SCAN_WINDOW, &v->scanned);
	if (v->scanned.taken == 0) {
		v->plain_left = v->plain_bytes;
		if (v->plain_bytes < MOST_PLAIN)
			v->plain_bytes *= 2;
		return VCD_MORE;
	}
	v->plain_bytes = LEAST_PLAIN;
	return take_found(v, e);
}

/* ---- steps ---- */

/* Behind the last whole word of the next n bytes. */
static const unsigned char *end_of_words(const struct input *in, size_t n)
{
	const unsigned char *end = in->at + n;

	while (end > in->at && !vcd_is_white(end[-1]))
		end--;
	return end;
}

/* Says what is odd about the end. */
static void note_end(struct vcd *v)
{
	struct wave *w = v->w;
	const struct input *in = w->in;

	if (in->damage != NULL) {
		wave_note(w, WAVE_NOTE_CUT, v->line, in->damage, strlen(in->damage));
		w->damaged = true;
	} else if (in->n != 0 || v->mode == VCD_SKIP) {
		static const char cut[] = "the file ends in the middle of a change or a command";
		wave_note(w, WAVE_NOTE_CUT, v->line, cut, sizeof cut - 1);
		w->damaged = true;
	}
}

/* Takes the words that are left when the input has ended. */
static enum vcd_outcome read_end(struct vcd *v, struct nfart_error *e)
{
	struct input *in = v->w->in;
	const unsigned char *end = in->at + in->n, *last = end;
	enum vcd_outcome got = VCD_MORE;
	size_t before;

	/* A word without a line end may have lost bytes. In a damaged input it is not used. */
	while (last > in->at && !vcd_is_white(last[-1]))
		last--;
	if (in->damage != NULL)
		end = last;
	else if (last != end && !v->ended)
		wave_note(v->w, WAVE_NOTE_LAST, v->line, (const char *)last, (size_t)(end - last));
	v->ended = true;
	do {
		before = in->n;
		got = vcd_read_words(v, end, SIZE_MAX, e);
	} while (got == VCD_MORE && in->n != before && in->at < end);
	if (got == VCD_MORE)
		note_end(v);
	return got;
}

/* Reads some of the next n bytes of the buffer, by a scan or word by word. If it takes nothing,
 * more are needed. */
static enum vcd_outcome read_buffer(struct vcd *v, size_t n, struct nfart_error *e)
{
	struct input *in = v->w->in;
	bool scan = v->scanner.way != VCD_SCAN_NOT;
	size_t before = in->n;
	enum vcd_outcome got;

	if (scan && v->begun && v->newline && v->mode == VCD_CHANGES && v->plain_left == 0) {
		got = read_scanned(v, n, e);
		if (got != VCD_MORE || in->n != before)
			return got;
	}
	got = vcd_read_words(v, end_of_words(in, n),
			     scan && v->plain_left != 0 ? v->plain_left : SIZE_MAX, e);
	before -= in->n;
	v->plain_left -= before < v->plain_left ? before : v->plain_left;
	return got;
}

/* Reads more bytes into the buffer. If there are none, *ended becomes true, and what is left in the
 * buffer was read. */
static enum vcd_outcome read_more(struct vcd *v, bool *ended, struct nfart_error *e)
{
	struct input *in = v->w->in;

	if (in->n >= INPUT_MOST / 2) {
		wave_fail(v->w, e, v->line, "a change of more than %d bytes", INPUT_MOST / 2);
		return VCD_FAILED;
	}
	if (!in->ended && input_more(in))
		return VCD_MORE;
	if (in->error != 0) {
		wave_fail_input(v->w, e);
		return VCD_FAILED;
	}
	*ended = true;
	return in->ended ? read_end(v, e) : VCD_MORE;
}

/* Reads on until a step, an error or the end of the input. */
static enum vcd_outcome read_on(struct vcd *v, struct nfart_error *e)
{
	struct input *in = v->w->in;
	enum vcd_outcome got = v->scanned.taken != 0 ? take_found(v, e) : VCD_MORE;
	bool ended = false;

	while (got == VCD_MORE && !ended) {
		uint64_t most = v->ahead != NULL ? vcd_ahead_distance(v) : UINT64_MAX;
		size_t before = in->n;
		if (most == 0) {
			got = vcd_ahead_replay(v);
			continue;
		}
		got = read_buffer(v, before < most ? before : (size_t)most, e);
		if (got != VCD_MORE || in->n != before)
			continue;
		if (most <= before)
			vcd_ahead_drop(v->ahead);
		else
			got = read_more(v, &ended, e);
	}
	return got;
}

static int next_vcd(struct wave *w, struct nfart_error *e)
{
	struct vcd *v = w->state;

	if (v->finished)
		return 0;
	if (v->after > w->now.time)
		w->now.time = v->after;
	switch (read_on(v, e)) {
	case VCD_FAILED:
		return -1;
	case VCD_STEP:
		return 1;
	case VCD_MORE:
		break;
	}
	/* The last time stamp has a step, too. */
	v->finished = true;
	return v->begun && (w->now.every || w->now.nchanged != 0 || w->now.lost || w->now.resumed);
}

/* ---- opening ---- */

static bool detect_vcd_file(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && (vcd_is_white(p[i]) && p[i] != 0))
		i++;
	return i + 1 < n && p[i] == '$' && p[i + 1] >= 'a' && p[i + 1] <= 'z';
}

static void close_vcd(void *state)
{
	struct vcd *v = state;

	vcd_ahead_free(v->ahead);
	vcd_codes_free(&v->codes);
	vcd_codes_free(&v->chosen);
	free(v);
}

static bool open_vcd(struct wave *w, struct nfart_error *e)
{
	struct vcd *v = calloc(1, sizeof *v);

	if (v == NULL)
		return wave_fail_memory(w, e);
	w->state = v;
	v->w = w;
	v->plain_bytes = v->plain_left = LEAST_PLAIN;
	return vcd_read_header(v, e);
}

static bool choose_vcd(struct wave *w, struct nfart_error *e)
{
	struct vcd *v = w->state;
	size_t group = 0;

	if (vcd_scan_best() == VCD_SCAN_NOT || w->now.nchosen > MOST_SCANNED)
		return true;
	v->scanner.way = vcd_scan_best();
	for (size_t i = 0; i < v->codes.size; i++) {
		const struct vcd_code *c = &v->codes.at[i];
		uint32_t chosen = c->n == 0 ? WAVE_NOT_CHOSEN : w->values.at[c->value].chosen;
		if (chosen == WAVE_NOT_CHOSEN)
			continue;
		if (!vcd_code_add(&v->chosen, &w->names, c->text, c->n, chosen))
			return wave_fail_memory(w, e);
		if (!vcd_scan_add(&v->scanner, group++, (const unsigned char *)c->text, c->n))
			v->scanner.way = VCD_SCAN_NOT;
	}
	return true;
}

void vcd_limit_scan(struct wave *w, enum vcd_scan_way most)
{
	struct vcd_scan *s = &((struct vcd *)w->state)->scanner;

	if (s->way > most)
		s->way = most;
}

void vcd_read_ahead(struct wave *w, unsigned jobs, size_t piece)
{
	struct vcd *v = w->state;

	if (v->ahead == NULL)
		v->ahead = vcd_ahead_start(v, jobs, piece);
}

static void read_ahead_vcd(struct wave *w, unsigned jobs)
{
	vcd_read_ahead(w, jobs, 0);
}

static uint64_t used_vcd(const struct wave *w)
{
	return input_used(w->in);
}

const struct wave_reader wave_vcd = {
	.format = WAVE_VCD, .name = "vcd", .detect = detect_vcd_file, .open = open_vcd,
	.choose = choose_vcd, .read_ahead = read_ahead_vcd, .next = next_vcd,
	.used = used_vcd, .close = close_vcd,
};
