/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the changes of a VCD, word by word, in the buffer of the input. See Note [two ways through
 * the changes] in vcd.h.
 */
#include "runtime/wave/vcd.h"

#include <stdlib.h>

/* Between two scans at least LEAST_PLAIN bytes are read word by word. This doubles, up to
 * MOST_PLAIN, as long as scans find nothing that they can go over. Of a window of SCAN_WINDOW bytes
 * a scan goes over whole lines. Above MOST_SCANNED codes, most lines are of interest, and a scan
 * saves nothing. */
enum { LEAST_PLAIN = 64, MOST_PLAIN = 1 << 16, SCAN_WINDOW = 1 << 16, MOST_SCANNED = 256 };

/* What became of a part of the input. */
enum outcome {
	MORE,  /* it was taken; what follows needs more input */
	STEP,  /* a time stamp ended a step */
	FAILED
};

static inline bool is_white(unsigned char c)
{
	return c <= ' ';
}

/* ---- time stamps ---- */

/* Values before the first time stamp are those of time 0. */
static void begin(struct vcd *v)
{
	if (!v->begun) {
		v->begun = true;
		v->w->time = 0;
	}
}

/* Reads the n digits of a time stamp. False: *e says why. */
static bool read_time(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
		      uint64_t *time, struct nfart_error *e)
{
	uint64_t x = 0;
	size_t i = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
		uint64_t digit = (uint64_t)(s[i] - '0');
		if (x > (UINT64_MAX - digit) / 10)
			return wave_fail(v->w, e, line, "a time stamp above 2^64 - 1: '#%.*s'",
					 n < 64 ? (int)n : 64, (const char *)s);
		x = x * 10 + digit;
	}
	if (i != 0 && i < n && s[i] == '.') {
		size_t fraction = ++i;
		while (i < n && s[i] >= '0' && s[i] <= '9')
			i++;
		for (size_t k = fraction; k < i; k++)
			if (s[k] != '0') {
				wave_note(v->w, WAVE_NOTE_FRACTION, line, (const char *)s, n);
				break;
			}
	}
	if (i == 0 || i < n)
		return wave_fail(v->w, e, line, "expected a time stamp, found '#%.*s'",
				 n < 64 ? (int)n : 64, (const char *)s);
	*time = x;
	return true;
}

/* Takes a time stamp. STEP: the changes before it make a step. */
static enum outcome take_time(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
			      struct nfart_error *e)
{
	struct wave *w = v->w;
	uint64_t time = 0;

	if (!read_time(v, s, n, line, &time, e))
		return FAILED;
	if (!v->begun) {
		v->begun = true;
		w->time = time;
	}
	if (time == w->time)
		return MORE;
	if (time < w->time) {
		wave_fail(w, e, line, "time goes back from %llu to %llu",
			  (unsigned long long)w->time, (unsigned long long)time);
		return FAILED;
	}
	v->after = time;
	if (w->every || w->nchanged != 0 || w->lost || w->resumed)
		return STEP;
	w->time = time;
	return MORE;
}

/* ---- changes ---- */

/* Takes a change: n digits, and a code of nc bytes. */
static inline bool take_change(struct vcd *v, const unsigned char *s, size_t n,
			       const unsigned char *code, size_t nc, uint64_t line,
			       struct nfart_error *e)
{
	struct wave *w = v->w;
	uint32_t value = vcd_code_find(&v->codes, code, nc), chosen;

	if (value == UINT32_MAX) {
		wave_note(w, WAVE_NOTE_CODE, line, (const char *)code, nc);
		return true;
	}
	chosen = w->values.at[value].chosen;
	if (chosen == WAVE_NOT_CHOSEN || wave_set_digits(w, chosen, s, n))
		return true;
	return wave_fail(w, e, line, "expected digits such as 0, 1, x and z for the code '%.*s', "
			 "found '%.*s'", nc < 64 ? (int)nc : 64, (const char *)code,
			 n < 64 ? (int)n : 64, (const char *)s);
}

static bool is(const unsigned char *s, size_t n, const char *what)
{
	return n == strlen(what) && memcmp(s, what, n) == 0;
}

static bool take_command(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
			 struct nfart_error *e)
{
	static const char *const sections[] = { "$dumpvars", "$dumpall", "$end" };
	static const char *const skipped[] = { "$comment", "$vcdclose", "$date", "$version" };

	if (is(s, n, "$dumpon")) {
		v->w->resumed = true;
		return true;
	}
	if (is(s, n, "$dumpoff")) {
		wave_lose(v->w);
		v->mode = VCD_SKIP;
		return true;
	}
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
		if (is(s, n, sections[i]))
			return true;
	for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
		if (is(s, n, skipped[i])) {
			v->mode = VCD_SKIP;
			return true;
		}
	return wave_fail(v->w, e, line, "expected a change, a time stamp or a command such as "
			 "$dumpoff, found '%.*s'", n < 64 ? (int)n : 64, (const char *)s);
}

/* ---- word by word ---- */

/* How a change begins: 0 no change, 1 a digit, 2 a vector, 3 a real number or a string. */
static const unsigned char change_begins[256] = {
	['0'] = 1, ['1'] = 1, ['x'] = 1, ['X'] = 1, ['z'] = 1, ['Z'] = 1, ['u'] = 1, ['U'] = 1,
	['w'] = 1, ['W'] = 1, ['l'] = 1, ['L'] = 1, ['h'] = 1, ['H'] = 1, ['-'] = 1,
	['b'] = 2, ['B'] = 2, ['r'] = 3, ['R'] = 3, ['s'] = 3, ['S'] = 3,
};

/* Where reading is in the buffer. `end` is behind the last whole word. */
struct place {
	const unsigned char *p, *end;
	uint64_t line;
};

static inline bool to_word(struct place *at)
{
	while (at->p < at->end && is_white(*at->p))
		at->line += *at->p++ == '\n';
	return at->p < at->end;
}

static inline size_t word_length(const struct place *at)
{
	const unsigned char *q = at->p;

	while (q < at->end && !is_white(*q))
		q++;
	return (size_t)(q - at->p);
}

/* Takes a change whose first word, of n bytes, is at *at. MORE with *done false: its code is not
 * in the buffer. */
static inline enum outcome change_at(struct vcd *v, struct place *at, size_t n, bool *done,
				     struct nfart_error *e)
{
	const unsigned char *s = at->p, *code;
	unsigned kind = change_begins[*s];
	struct place next = { s + n, at->end, at->line };
	size_t nc;

	*done = true;
	if (kind == 1 && n > 1) {
		at->p += n;
		return take_change(v, s, 1, s + 1, n - 1, at->line, e) ? MORE : FAILED;
	}
	*done = to_word(&next);
	if (!*done)
		return MORE;
	code = next.p;
	nc = word_length(&next);
	next.p += nc;
	if (kind == 1 && next.line != at->line) {
		wave_fail(v->w, e, at->line, "a change '%c' without a code", *s);
		return FAILED;
	}
	*at = next;
	if (kind == 3)
		return MORE;
	if (kind == 2) {
		s++;
		n--;
	}
	return take_change(v, s, n, code, nc, at->line, e) ? MORE : FAILED;
}

static enum outcome bad_word(struct vcd *v, const struct place *at, size_t n, struct nfart_error *e)
{
	if (*at->p == 'p')
		wave_fail(v->w, e, at->line, "this is an extended VCD ($dumpports), which is not "
			  "read: dump with $dumpvars");
	else
		wave_fail(v->w, e, at->line, "expected a change or a time stamp, found '%.*s'",
			  n < 64 ? (int)n : 64, (const char *)at->p);
	return FAILED;
}

/* Takes whole words of the input, about `most` bytes, and stops behind a time stamp that ends a
 * step. */
static enum outcome read_plain(struct vcd *v, const unsigned char *end, size_t most,
			       struct nfart_error *e)
{
	struct input *in = v->w->in;
	struct place at = { in->at, end, v->line };
	const unsigned char *stop = (size_t)(end - in->at) > most ? in->at + most : end;
	enum outcome got = MORE;
	bool done = true;

	while (got == MORE && done && at.p < stop && to_word(&at)) {
		size_t n = word_length(&at);
		const unsigned char *s = at.p;
		if (v->mode == VCD_SKIP) {
			if (is(s, n, "$end"))
				v->mode = VCD_CHANGES;
			at.p += n;
		} else if (*s == '#') {
			at.p += n;
			got = take_time(v, s + 1, n - 1, at.line, e);
		} else if (change_begins[*s] != 0) {
			begin(v);
			got = change_at(v, &at, n, &done, e);
		} else if (*s == '$') {
			begin(v);
			at.p += n;
			got = take_command(v, s, n, at.line, e) ? MORE : FAILED;
		} else {
			got = bad_word(v, &at, n, e);
		}
	}
	/* A scan begins at a line's first byte. */
	if (at.p < end && *at.p == '\n') {
		at.p++;
		at.line++;
	}
	v->line = at.line;
	if (at.p != in->at)
		v->newline = at.p[-1] == '\n';
	input_take(in, (size_t)(at.p - in->at));
	return got;
}

/* ---- by scanning ---- */

/* Takes the changes and time stamps that were found in the bytes at in->at. */
static enum outcome take_found(struct vcd *v, struct nfart_error *e)
{
	const unsigned char *base = v->w->in->at;
	struct vcd_scanned *x = &v->scanned;

	while (v->next_found < x->n) {
		struct vcd_found f = x->found[v->next_found++];
		const unsigned char *s = base + f.at, *line = s - 1;
		size_t n = (size_t)((const unsigned char *)memchr(s, '\n', x->taken - f.at) - s);
		uint32_t value;
		enum outcome got = MORE;
		if (f.time) {
			got = take_time(v, s, n, 0, e);
		} else {
			value = vcd_code_find(&v->codes, s, n);
			if (value == UINT32_MAX ||
			    v->w->values.at[value].chosen == WAVE_NOT_CHOSEN)
				continue;
			while (line > base && line[-1] != '\n')
				line--;
			if (change_begins[*line] == 1)
				got = take_change(v, line, 1, s, n, 0, e) ? MORE : FAILED;
			else if (change_begins[*line] == 2)
				got = take_change(v, line + 1, (size_t)(s - line) - 2, s, n, 0, e)
					      ? MORE : FAILED;
		}
		if (got == FAILED && e != NULL) {
			e->line = v->line;
			for (const unsigned char *q = base; q < s; q++)
				e->line += *q == '\n';
		}
		if (got != MORE)
			return got;
	}
	v->line += x->lines;
	input_take(v->w->in, x->taken);
	x->taken = 0;
	return MORE;
}

/* Scans what is in the buffer, if it begins a line. */
static enum outcome read_scanned(struct vcd *v, struct nfart_error *e)
{
	struct input *in = v->w->in;

	v->next_found = 0;
	vcd_scan(&v->scanner, in->at, in->n < SCAN_WINDOW ? in->n : SCAN_WINDOW, &v->scanned);
	if (v->scanned.taken == 0) {
		v->plain_left = v->plain_bytes;
		if (v->plain_bytes < MOST_PLAIN)
			v->plain_bytes *= 2;
		return MORE;
	}
	v->plain_bytes = LEAST_PLAIN;
	return take_found(v, e);
}

/* ---- steps ---- */

/* Behind the last whole word of the input. */
static const unsigned char *end_of_words(const struct input *in)
{
	const unsigned char *end = in->at + in->n;

	while (end > in->at && !is_white(end[-1]))
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
static enum outcome read_end(struct vcd *v, struct nfart_error *e)
{
	struct input *in = v->w->in;
	const unsigned char *end = in->at + in->n, *last = end;
	enum outcome got = MORE;
	size_t before;

	/* A word without a line end may have lost bytes. In a damaged input it is not used. */
	while (last > in->at && !is_white(last[-1]))
		last--;
	if (in->damage != NULL)
		end = last;
	else if (last != end && !v->ended)
		wave_note(v->w, WAVE_NOTE_LAST, v->line, (const char *)last, (size_t)(end - last));
	v->ended = true;
	do {
		before = in->n;
		got = read_plain(v, end, SIZE_MAX, e);
	} while (got == MORE && in->n != before && in->at < end);
	if (got == MORE)
		note_end(v);
	return got;
}

/* Reads on until a step, an error or the end of the input. */
static enum outcome read_on(struct vcd *v, struct nfart_error *e)
{
	struct input *in = v->w->in;
	enum outcome got = v->scanned.taken != 0 ? take_found(v, e) : MORE;

	while (got == MORE) {
		const unsigned char *end;
		size_t before = in->n;
		if (v->scan && v->begun && v->newline && v->mode == VCD_CHANGES &&
		    v->plain_left == 0) {
			got = read_scanned(v, e);
			if (got != MORE || in->n != before)
				continue;
		}
		end = end_of_words(in);
		got = read_plain(v, end, v->scan && v->plain_left != 0 ? v->plain_left : SIZE_MAX,
				 e);
		before -= in->n;
		v->plain_left -= before < v->plain_left ? before : v->plain_left;
		if (got != MORE || before != 0)
			continue;
		if (in->n >= INPUT_MOST / 2) {
			wave_fail(v->w, e, v->line, "a change of more than %d bytes",
				  INPUT_MOST / 2);
			return FAILED;
		}
		if (in->ended || !input_more(in)) {
			if (in->error != 0) {
				wave_fail_input(v->w, e);
				return FAILED;
			}
			return in->ended ? read_end(v, e) : MORE;
		}
	}
	return got;
}

static int next_vcd(struct wave *w, struct nfart_error *e)
{
	struct vcd *v = w->state;

	if (v->finished)
		return 0;
	if (v->after > w->time)
		w->time = v->after;
	switch (read_on(v, e)) {
	case FAILED:
		return -1;
	case STEP:
		return 1;
	case MORE:
		break;
	}
	/* The last time stamp has a step, too. */
	v->finished = true;
	return v->begun && (w->every || w->nchanged != 0 || w->lost || w->resumed);
}

/* ---- opening ---- */

static bool detect_vcd_file(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && (is_white(p[i]) && p[i] != 0))
		i++;
	return i + 1 < n && p[i] == '$' && p[i + 1] >= 'a' && p[i + 1] <= 'z';
}

static void close_vcd(void *state)
{
	struct vcd *v = state;

	vcd_codes_free(&v->codes);
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

	(void)e;
	v->scan = vcd_scan_can() && w->nchosen <= MOST_SCANNED;
	for (size_t i = 0; v->scan && i < v->codes.size; i++) {
		const struct vcd_code *c = &v->codes.at[i];
		if (c->n != 0 && w->values.at[c->value].chosen != WAVE_NOT_CHOSEN)
			vcd_scan_add(&v->scanner, group++, (const unsigned char *)c->text, c->n);
	}
	return true;
}

void vcd_without_scan(struct wave *w)
{
	((struct vcd *)w->state)->scan = false;
}

static uint64_t used_vcd(const struct wave *w)
{
	return input_used(w->in);
}

const struct wave_reader wave_vcd = {
	.format = WAVE_VCD, .name = "vcd", .detect = detect_vcd_file, .open = open_vcd,
	.choose = choose_vcd, .next = next_vcd, .used = used_vcd, .close = close_vcd,
};
