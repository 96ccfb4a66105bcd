/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the changes of a VCD word by word, in the buffer of the input.
 */
#include "runtime/wave/vcd.h"

/* ---- time stamps ---- */

/* Values before the first time stamp are those of time 0. */
static void begin(struct vcd *v)
{
	if (!v->begun) {
		v->begun = true;
		v->w->now.time = 0;
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

enum vcd_outcome vcd_take_time(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
			      struct nfart_error *e)
{
	uint64_t time = 0;

	return read_time(v, s, n, line, &time, e) ? vcd_pass_time(v, time, line, e) : VCD_FAILED;
}

enum vcd_outcome vcd_pass_time(struct vcd *v, uint64_t time, uint64_t line, struct nfart_error *e)
{
	struct wave *w = v->w;

	if (!v->begun) {
		v->begun = true;
		w->now.time = time;
	}
	if (time == w->now.time)
		return VCD_MORE;
	if (time < w->now.time) {
		wave_fail(w, e, line, "time goes back from %llu to %llu",
			  (unsigned long long)w->now.time, (unsigned long long)time);
		return VCD_FAILED;
	}
	v->after = time;
	if (w->now.every || w->now.nchanged != 0 || w->now.lost || w->now.resumed)
		return VCD_STEP;
	w->now.time = time;
	return VCD_MORE;
}

/* ---- changes ---- */

bool vcd_fail_digits(struct vcd *v, const unsigned char *s, size_t n, const unsigned char *code,
		     size_t nc, uint64_t line, struct nfart_error *e)
{
	return wave_fail(v->w, e, line, "expected digits such as 0, 1, x and z for the code '%.*s', "
			 "found '%.*s'", nc < 64 ? (int)nc : 64, (const char *)code,
			 n < 64 ? (int)n : 64, (const char *)s);
}

/* Takes a change: n digits, and a code of nc bytes. False: *e says why. */
static bool take_change(struct vcd *v, const unsigned char *s, size_t n,
			const unsigned char *code, size_t nc, uint64_t line, struct nfart_error *e)
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
	return vcd_fail_digits(v, s, n, code, nc, line, e);
}

static bool section_is(const unsigned char *s, size_t n, const char *what)
{
	return n == strlen(what) && memcmp(s, what, n) == 0;
}

static bool take_command(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
			 struct nfart_error *e)
{
	static const char *const sections[] = { "$dumpvars", "$dumpall", "$end" };
	static const char *const skipped[] = { "$comment", "$vcdclose", "$date", "$version" };

	if (section_is(s, n, "$dumpon")) {
		v->w->now.resumed = true;
		return true;
	}
	if (section_is(s, n, "$dumpoff")) {
		wave_lose(v->w);
		v->mode = VCD_SKIP;
		return true;
	}
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
		if (section_is(s, n, sections[i]))
			return true;
	for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
		if (section_is(s, n, skipped[i])) {
			v->mode = VCD_SKIP;
			return true;
		}
	return wave_fail(v->w, e, line, "expected a change, a time stamp or a command such as "
			 "$dumpoff, found '%.*s'", n < 64 ? (int)n : 64, (const char *)s);
}

/* ---- word by word ---- */

const unsigned char vcd_change_begins[256] = {
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
	while (at->p < at->end && vcd_is_white(*at->p))
		at->line += *at->p++ == '\n';
	return at->p < at->end;
}

static inline size_t word_length(const struct place *at)
{
	const unsigned char *q = at->p;

	while (q < at->end && !vcd_is_white(*q))
		q++;
	return (size_t)(q - at->p);
}

/* Takes a change whose first word, of n bytes, is at *at. VCD_MORE with *done false: its code is
 * not in the buffer. */
static inline enum vcd_outcome change_at(struct vcd *v, struct place *at, size_t n, bool *done,
				     struct nfart_error *e)
{
	const unsigned char *s = at->p, *code;
	unsigned kind = vcd_change_begins[*s];
	struct place next = { s + n, at->end, at->line };
	size_t nc;

	*done = true;
	if (kind == 1 && n > 1) {
		at->p += n;
		return take_change(v, s, 1, s + 1, n - 1, at->line, e) ? VCD_MORE : VCD_FAILED;
	}
	*done = to_word(&next);
	if (!*done)
		return VCD_MORE;
	code = next.p;
	nc = word_length(&next);
	next.p += nc;
	if (kind == 1 && next.line != at->line) {
		wave_fail(v->w, e, at->line, "a change '%c' without a code", *s);
		return VCD_FAILED;
	}
	*at = next;
	if (kind == 3)
		return VCD_MORE;
	if (kind == 2) {
		s++;
		n--;
	}
	return take_change(v, s, n, code, nc, at->line, e) ? VCD_MORE : VCD_FAILED;
}

static enum vcd_outcome bad_word(struct vcd *v, const struct place *at, size_t n,
				 struct nfart_error *e)
{
	if (*at->p == 'p')
		wave_fail(v->w, e, at->line, "this is an extended VCD ($dumpports), which is not "
			  "read: dump with $dumpvars");
	else
		wave_fail(v->w, e, at->line, "expected a change or a time stamp, found '%.*s'",
			  n < 64 ? (int)n : 64, (const char *)at->p);
	return VCD_FAILED;
}

enum vcd_outcome vcd_read_words(struct vcd *v, const unsigned char *end, size_t most,
			       struct nfart_error *e)
{
	struct input *in = v->w->in;
	struct place at = { in->at, end, v->line };
	const unsigned char *stop = (size_t)(end - in->at) > most ? in->at + most : end;
	enum vcd_outcome got = VCD_MORE;
	bool done = true;

	while (got == VCD_MORE && done && at.p < stop && to_word(&at)) {
		size_t n = word_length(&at);
		const unsigned char *s = at.p;
		if (v->mode == VCD_SKIP) {
			if (section_is(s, n, "$end"))
				v->mode = VCD_CHANGES;
			at.p += n;
		} else if (*s == '#') {
			at.p += n;
			got = vcd_take_time(v, s + 1, n - 1, at.line, e);
		} else if (vcd_change_begins[*s] != 0) {
			begin(v);
			got = change_at(v, &at, n, &done, e);
		} else if (*s == '$') {
			begin(v);
			at.p += n;
			got = take_command(v, s, n, at.line, e) ? VCD_MORE : VCD_FAILED;
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
