/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wave.h: reads waveforms of simulators: VCD and FST, also compressed by gzip or zstd, and VCD from
 * a pipe. It lists the variables, and delivers the changes of chosen values, time stamp by time
 * stamp. It knows nothing of taps, clocks or messages.
 *
 *   w = wave_open(path, &e);              the header is read, and all variables are known
 *   wave_choose(w, values, n, false, &e); which values to deliver
 *   while (wave_next(w, &s, &e) > 0)      s.time, s.changed; the bits are in wave_bits(w)
 *   wave_notes(w, &n)                     what was odd, but no error
 *   wave_close(w)
 *
 * Note [variables and values]
 * A variable is a name in a scope. What changes is its value. Variables that are one net share a
 * value (in VCD the same code, in FST the same handle). A value is as wide as its widest variable;
 * a narrower one has the lowest bits of it.
 *
 * Note [four states in two planes]
 * A value of n bits is two rows of (n + 63) / 64 words, lowest bit first. A bit of `known` is 1 if
 * the bit is 0 or 1, and then it stands in `value`. All other states (x, z, and U W - of VHDL) are
 * 0 in both. L is 0, and H is 1. Bits from n on are 0. Before its first change nothing is known of
 * a value.
 */
#ifndef NFART_WAVE_H
#define NFART_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"

struct input;
struct wave;

enum wave_format { WAVE_NONE, WAVE_VCD, WAVE_FST };

/* What a file that begins with these n bytes (64 are enough) looks like. */
enum wave_format wave_detect(const unsigned char *p, size_t n);

/* Only values of the kind WAVE_LOGIC can be chosen. */
enum wave_kind { WAVE_LOGIC, WAVE_REAL, WAVE_STRING, WAVE_EVENT };

#define WAVE_NO_SCOPE UINT32_MAX

struct wave_scope {
	const char *path; /* the names of this scope and those around it, joined by dots */
	uint32_t name;    /* its own name begins at path + name */
	uint32_t parent;  /* the scope around it, or WAVE_NO_SCOPE */
};

struct wave_variable {
	/* The names of its scopes and its own, joined by dots. The names are as they stand in the
	 * file, so there may be blanks, dots, slashes and brackets in them; only the backslash
	 * before an escaped name is left out. */
	const char *path;
	uint32_t name;  /* its own name begins at path + name */
	uint32_t stem;  /* bytes of `path` without the range or index at its end, such as ` [7:0]`
			 * or `[3]`, and the blanks before that */
	uint32_t scope; /* a number in wave_scopes(), or WAVE_NO_SCOPE */
	uint32_t value; /* which value it has; below wave_n_values() */
	uint32_t width; /* bits; at least 1 if it is WAVE_LOGIC */
	/* The range [msb:lsb] at the end of the name, if there is one; an index [3] is 3:3. Else
	 * width - 1 and 0. */
	bool has_range;
	int32_t msb, lsb;
	enum wave_kind kind;
};

/* Opens a file ("-": standard input) and reads what stands before the changes. NULL: *e says why,
 * with the file and the line (VCD). */
struct wave *wave_open(const char *path, struct nfart_error *e);

/* The same for an input that is open (input_open()), and of which nothing was taken. It may have
 * been decompressed (decompress_open()), or not. It is borrowed until wave_close(). `name` is for
 * messages, and is copied; the hierarchy of an unfinished FST is looked for in the file
 * `name`.hier. */
struct wave *wave_open_input(struct input *in, const char *name, struct nfart_error *e);

/* The same for n bytes of memory, which must outlive the result. */
struct wave *wave_open_memory(const void *p, size_t n, const char *name, struct nfart_error *e);

void wave_close(struct wave *w);

enum wave_format wave_format(const struct wave *w);

/* The variables and scopes, in the order of the file. They live until wave_close(). */
const struct wave_variable *wave_variables(const struct wave *w, size_t *n);
const struct wave_scope *wave_scopes(const struct wave *w, size_t *n);

/* How many values there are, and how wide one is. */
size_t wave_n_values(const struct wave *w);
uint32_t wave_width(const struct wave *w, uint32_t value);

/* A unit of time is 10^result seconds: -9 for nanoseconds, -8 for 10 ns. *said is false if the file
 * has no unit; the result is then -9, which is what readers of VCD assume. */
int wave_unit(const struct wave *w, bool *said);

/* Lets `jobs` threads, of which the caller of wave_next() is one, read a VCD that is a plain file. All
 * else is read by the caller alone. What wave_next() gives is the same. It is called after
 * wave_choose(), before the first wave_next(). */
void wave_read_ahead(struct wave *w, unsigned jobs);

/* The current bits of a chosen value. See Note [four states in two planes]. */
struct wave_bits {
	const uint64_t *value, *known;
	uint32_t width;
};

/* Says which n values wave_next() delivers. They are different, and of variables that are
 * WAVE_LOGIC. With `every`, each time stamp of the file is a step; without, only those at which a
 * chosen value changes or a blackout begins or ends, which is faster. It is called once, before the
 * first wave_next(). False: *e says why (memory is short, or a value can't be chosen). */
bool wave_choose(struct wave *w, const uint32_t *values, size_t n, bool every,
		 struct nfart_error *e);

/* The bits of the n chosen values, in the order of wave_choose(). The array and its words stay
 * where they are until wave_close(); wave_next() writes to the words. */
const struct wave_bits *wave_bits(const struct wave *w);

/* A step: all changes at one time stamp. Times rise from step to step; a time stamp that is
 * repeated in the file is one step. What stands in a VCD before the first time stamp is at time 0.
 */
struct wave_step {
	uint64_t time;
	/* A blackout began ($dumpoff): at this time stamp the chosen values became unknown. What
	 * `changed` lists came after that, but at the same time stamp. */
	bool lost;
	bool resumed;            /* a blackout ended ($dumpon) */
	size_t n;                /* how many chosen values were written */
	const uint32_t *changed; /* which, as indices of wave_bits(), each once, in no order. Their
				  * bits may be what they were. Valid until the next call */
};

/* Goes to the next step, after which wave_bits() has the values at its end. Returns 1 for a step, 0
 * at the end, and -1 after an error: *e says what, and where. After 0 and -1, it must not be called
 * again. A step costs the bytes of the file that it goes over. */
int wave_next(struct wave *w, struct wave_step *s, struct nfart_error *e);

/* The last time stamp that was seen: after wave_next() returned 0, that of the end of the file. */
uint64_t wave_time(const struct wave *w);

/* How many bytes of the file were used so far. */
uint64_t wave_used(const struct wave *w);

/* What was odd without being an error, such as values of unknown codes, or a last line that is cut.
 * There are few, each with a place and, in its text, how often. `damaged` says whether changes are
 * missing, because the file is cut or was never finished. Complete after wave_next() returned 0. */
const struct nfart_error *wave_notes(const struct wave *w, size_t *n, bool *damaged);

#endif
