/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the header of a VCD: scopes, variables and the time scale.
 */
#include "runtime/wave/vcd.h"

#include "support/buf.h"

enum { MOST_WORD = 1 << 20 };

struct header {
	struct vcd *v;
	struct nfart_error *e;
	size_t taken;     /* the word that was returned last is this long, and not yet taken */
	uint32_t scope;
	struct buf words; /* the words up to $end, with one blank between them */
};

/* Takes the next word, which is valid until the next call. False: the header ends in the middle, or
 * there was an error. */
static bool next_word(struct header *h, const char **word, size_t *n)
{
	struct vcd *v = h->v;
	struct input *in = v->w->in;
	size_t end = 0;

	input_take(in, h->taken);
	h->taken = 0;
	while (input_need(in, 1) && vcd_is_white(in->at[0])) {
		v->line += in->at[0] == '\n';
		input_take(in, 1);
	}
	while (input_need(in, end + 1) && !vcd_is_white(in->at[end]) && end <= MOST_WORD)
		end++;
	if (in->error != 0)
		return wave_fail_input(v->w, h->e);
	if (end > MOST_WORD)
		return wave_fail(v->w, h->e, v->line, "a word of more than %d bytes", MOST_WORD);
	if (end == 0)
		return wave_fail(v->w, h->e, v->line, "the file ends before $enddefinitions%s%s",
				 in->damage != NULL ? ": " : "",
				 in->damage != NULL ? in->damage : "");
	*word = (const char *)in->at;
	*n = h->taken = end;
	return true;
}

static bool word_is(const char *word, size_t n, const char *what)
{
	return n == strlen(what) && memcmp(word, what, n) == 0;
}

/* Takes the words up to $end. They are in h->words. */
static bool words_to_end(struct header *h)
{
	const char *word;
	size_t n;

	h->words.n = 0;
	while (next_word(h, &word, &n)) {
		if (word_is(word, n, "$end"))
			return true;
		if (h->words.n + n > MOST_WORD)
			return wave_fail(h->v->w, h->e, h->v->line,
					 "a name of more than %d bytes", MOST_WORD);
		if (h->words.n != 0)
			buf_add(&h->words, " ", 1);
		buf_add(&h->words, word, n);
		if (h->words.failed)
			return wave_fail_memory(h->v->w, h->e);
	}
	return false;
}

static bool skip_to_end(struct header *h)
{
	const char *word;
	size_t n;

	while (next_word(h, &word, &n))
		if (word_is(word, n, "$end"))
			return true;
	return false;
}

/* A scope: its kind, then its name, which may have blanks. */
static bool read_scope(struct header *h)
{
	const char *word;
	size_t n;

	if (!next_word(h, &word, &n))
		return false;
	if (word_is(word, n, "$end"))
		return wave_fail(h->v->w, h->e, h->v->line, "a scope has no kind");
	if (!words_to_end(h))
		return false;
	h->scope = wave_add_scope(h->v->w, h->scope, h->words.n == 0 ? "" : h->words.at,
				  h->words.n);
	return h->scope != WAVE_NO_SCOPE || wave_fail_memory(h->v->w, h->e);
}

static bool read_upscope(struct header *h)
{
	if (h->scope == WAVE_NO_SCOPE)
		return wave_fail(h->v->w, h->e, h->v->line, "$upscope, but no scope is open");
	h->scope = h->v->w->scopes.at[h->scope].parent;
	return skip_to_end(h);
}

static enum wave_kind kind_of(const char *word, size_t n)
{
	if (word_is(word, n, "real") || word_is(word, n, "realtime") ||
	    word_is(word, n, "real_parameter") || word_is(word, n, "shortreal"))
		return WAVE_REAL;
	if (word_is(word, n, "string"))
		return WAVE_STRING;
	return word_is(word, n, "event") ? WAVE_EVENT : WAVE_LOGIC;
}

/* The width of a variable. False: it is no number, or too large. */
static bool read_width(struct header *h, uint32_t *width)
{
	const char *word;
	size_t n;
	uint64_t x = 0;

	if (!next_word(h, &word, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (word[i] < '0' || word[i] > '9')
			return wave_fail(h->v->w, h->e, h->v->line,
					 "expected the width of a variable, found '%.*s'",
					 n < 64 ? (int)n : 64, word);
		x = x * 10 + (uint64_t)(word[i] - '0');
		if (x > WAVE_MOST_WIDTH)
			return wave_fail(h->v->w, h->e, h->v->line,
					 "a variable of more than %d bits", WAVE_MOST_WIDTH);
	}
	*width = (uint32_t)x;
	return true;
}

/* A variable: kind, width, code, and its name with a range. */
static bool read_variable(struct header *h)
{
	struct vcd *v = h->v;
	struct wave *w = v->w;
	struct wave_variable x = { .scope = h->scope };
	const char *word;
	size_t n, before = w->values.n;

	if (!next_word(h, &word, &n))
		return false;
	x.kind = kind_of(word, n);
	if (!read_width(h, &x.width) || !next_word(h, &word, &n))
		return false;
	if (x.kind == WAVE_LOGIC && x.width == 0)
		x.width = 1;
	x.value = vcd_code_find(&v->codes, (const unsigned char *)word, n);
	if (x.value == UINT32_MAX) {
		x.value = (uint32_t)before;
		if (before >= UINT32_MAX - 1 ||
		    !vcd_code_add(&v->codes, &w->names, word, n, x.value))
			return wave_fail_memory(w, h->e);
	}
	if (!words_to_end(h))
		return false;
	if (h->words.n == 0)
		return wave_fail(w, h->e, v->line, "a variable has no name");
	return wave_add_variable(w, x, h->words.at, h->words.n) || wave_fail_memory(w, h->e);
}

/* The time scale: 1, 10 or 100, and a unit, perhaps with a blank between them. */
static bool read_timescale(struct header *h)
{
	static const char units[][3] = { "s", "ms", "us", "ns", "ps", "fs", "as", "zs" };
	struct wave *w = h->v->w;
	const char *s;
	int zeros = 0;

	if (!words_to_end(h))
		return false;
	s = h->words.n == 0 ? "" : h->words.at;
	if (*s == '1') {
		while (s[1 + zeros] == '0')
			zeros++;
		s += 1 + zeros;
		while (*s == ' ')
			s++;
		for (int k = 0; zeros <= 2 && k < (int)(sizeof units / sizeof units[0]); k++)
			if (strcmp(s, units[k]) == 0) {
				w->unit = zeros - 3 * k;
				w->unit_said = true;
				return true;
			}
	}
	wave_note(w, WAVE_NOTE_UNIT, h->v->line, h->words.n == 0 ? "" : h->words.at, h->words.n);
	return true;
}

static bool read_commands(struct header *h)
{
	const char *word;
	size_t n;
	bool ok = true;

	while (ok && next_word(h, &word, &n)) {
		if (word_is(word, n, "$var"))
			ok = read_variable(h);
		else if (word_is(word, n, "$scope"))
			ok = read_scope(h);
		else if (word_is(word, n, "$upscope"))
			ok = read_upscope(h);
		else if (word_is(word, n, "$timescale"))
			ok = read_timescale(h);
		else if (word_is(word, n, "$enddefinitions"))
			return skip_to_end(h);
		else if (word[0] == '$')
			ok = word_is(word, n, "$end") || skip_to_end(h);
		else
			ok = wave_fail(h->v->w, h->e, h->v->line,
				       "expected a command such as $var, found '%.*s'",
				       n < 64 ? (int)n : 64, word);
	}
	return false;
}

bool vcd_read_header(struct vcd *v, struct nfart_error *e)
{
	struct header h = { .v = v, .e = e, .scope = WAVE_NO_SCOPE };
	bool ok;

	v->line = 1;
	ok = read_commands(&h);
	input_take(v->w->in, h.taken);
	buf_free(&h.words);
	return ok;
}
