/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wave_priv.h: what the readers of VCD and FST share: an open waveform, its variables, the chosen
 * values and notes. wave.c owns all of it except `state`, which belongs to the format.
 */
#ifndef NFART_WAVE_PRIV_H
#define NFART_WAVE_PRIV_H

#include <string.h>

#include "runtime/trace/input.h"
#include "runtime/wave/wave.h"
#include "support/arena.h"
#include "support/vec.h"

/* WAVE_MOST_NAMES bounds the memory of names: a small file can have many long paths, as each path
 * repeats those around it. WAVE_MOST_WIDTH bounds the bits of a value. WAVE_MOST_WORDS bounds the
 * words of all chosen values, and WAVE_MOST_BLOCK what is unpacked of an FST at one time. */
enum {
	WAVE_MOST_NAMES = 1 << 30, WAVE_MOST_WIDTH = 1 << 24, WAVE_MOST_WORDS = 1 << 27,
	WAVE_MOST_BLOCK = 1 << 30
};
#define WAVE_NOT_CHOSEN UINT32_MAX

struct wave_value {
	uint32_t width;
	uint32_t chosen; /* index of the chosen value, or WAVE_NOT_CHOSEN */
	bool logic;      /* it has a variable that is WAVE_LOGIC */
};

/* The notes, each kept once: how often, where first, and a word of text, such as a code. */
enum wave_note_kind {
	WAVE_NOTE_CODE,       /* VCD: a value of a code that no variable has */
	WAVE_NOTE_FRACTION,   /* VCD: a time stamp with a fraction, which was cut off */
	WAVE_NOTE_UNIT,       /* VCD: the time scale can't be read */
	WAVE_NOTE_CUT,        /* the file ends within its last change, block or compressed frame */
	WAVE_NOTE_LAST,       /* VCD: the last line has no end, so it may be cut */
	WAVE_NOTE_UNFINISHED, /* FST: it was never closed */
	WAVE_NOTES
};

struct wave_note {
	uint64_t count, line;
	char text[128];
};

/* The chosen values, and the step that is read. */
struct wave_now {
	size_t nchosen;
	struct wave_bits *bits; /* [nchosen]; the words are those of `words` */
	uint64_t *words;
	uint32_t *changed;      /* [nchosen]: the first nchanged were written */
	size_t nchanged;
	uint64_t *mark;         /* [nchosen]: the step in which it was written last */
	uint64_t step;          /* a number that no earlier step has */
	bool every, lost, resumed; /* as in wave_choose() and struct wave_step */
	uint64_t time;
};

struct wave_reader;

struct wave {
	const struct wave_reader *reader; /* the row of the format */
	void *state;                      /* belongs to the format; NULL: not there yet */
	char *name;
	struct input *in, own;            /* `own` is used by wave_open() and wave_open_memory() */

	struct arena names;
	VEC(struct wave_scope) scopes;
	VEC(struct wave_variable) variables;
	VEC(struct wave_value) values;
	int unit;
	bool unit_said;

	struct wave_now now;
	struct wave_note notes[WAVE_NOTES];
	struct nfart_error told[WAVE_NOTES];
	bool damaged;
};

/* A row of the table in wave.c. */
struct wave_reader {
	enum wave_format format;
	const char *name;
	bool (*detect)(const unsigned char *p, size_t n);
	/* Reads up to the changes, and sets w->state. False: *e says why. */
	bool (*open)(struct wave *w, struct nfart_error *e);
	/* Called by wave_choose(), when all else is done; may be NULL. */
	bool (*choose)(struct wave *w, struct nfart_error *e);
	/* wave_read_ahead(); NULL: only the caller reads. */
	void (*read_ahead)(struct wave *w, unsigned jobs);
	/* Reads changes until the time after w->now.time begins. Returns 1 if that is a step, 0 at
	 * the end, -1 after an error. It may return 1 and no more changes at the end. */
	int (*next)(struct wave *w, struct nfart_error *e);
	uint64_t (*used)(const struct wave *w);
	void (*close)(void *state);
};

extern const struct wave_reader wave_vcd, wave_fst;

/* ---- errors ---- */

/* Fills *e with the file, a line (0: none) and a text. Returns false. Bytes of the file may stand
 * in the text: those that can't be shown become `?`. */
bool wave_fail(struct wave *w, struct nfart_error *e, uint64_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
bool wave_fail_memory(struct wave *w, struct nfart_error *e);
bool wave_fail_input(struct wave *w, struct nfart_error *e); /* w->in->error is set */

/* Counts a note. Line and text are kept from the first. */
void wave_note(struct wave *w, enum wave_note_kind kind, uint64_t line, const char *text, size_t n);

/* ---- names ---- */

/* Adds a scope in the scope `parent`, and returns its number. WAVE_NO_SCOPE: out of memory. */
uint32_t wave_add_scope(struct wave *w, uint32_t parent, const char *name, size_t n);

/* Adds a variable, whose value has the number v->value. The caller has set all fields of *v except
 * the path, the range and what belongs to them. A value not below w->values.n adds values up to it.
 * False: out of memory. */
bool wave_add_variable(struct wave *w, struct wave_variable v, const char *name, size_t n);

/* ---- bits ---- */

/* Makes room for the bits of the now->nchosen values, whose widths are in now->bits. False: out of
 * memory. wave_now_close() frees it, and now->bits, in either case. */
bool wave_now_open(struct wave_now *now);
void wave_now_close(struct wave_now *now);

/* Returns how many words a value of this width has in each plane. */
static inline size_t wave_words(uint32_t width)
{
	return ((size_t)width + 63) / 64;
}

/* Sets chosen value i to n digits, the highest first, extended or cut to its width. False: one of
 * them is no digit. */
bool wave_set_digits(struct wave *w, uint32_t i, const unsigned char *s, size_t n);

/* The same for n bits that are all known, no more than its width: p has (n + 7) / 8 bytes, the
 * highest bit first, and spare bits at the end. */
void wave_set_packed(struct wave *w, uint32_t i, const unsigned char *p, uint32_t n);

/* All chosen values become unknown, and none counts as written at this time stamp. */
void wave_lose(struct wave *w);

/* The digits of nine states: bit 0 the value, bit 1 known, bit 2 a digit at all. */
extern const unsigned char wave_digit[256];

static inline void wave_mark(struct wave *w, uint32_t i)
{
	if (w->now.mark[i] != w->now.step) {
		w->now.mark[i] = w->now.step;
		w->now.changed[w->now.nchanged++] = i;
	}
}

#endif
