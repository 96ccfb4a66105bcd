/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * vcd.h: what the files of the VCD reader share. IEEE 1364-2005, section 18, is the description of
 * the format.
 *
 * Note [two ways through the changes]
 * vcd_words.c reads word by word: that is the meaning of a file, and it reads every file.
 * vcd_scan.c goes over stretches of ordinary lines, 64 bytes at a time, and looks for time stamps
 * and for the codes of chosen values only. It checks that each line has the form of a change or of
 * a time stamp, and it stops where one has not: at any command, and at blanks or line ends of
 * another kind. There vcd_words.c goes on. So both give the same, except for notes about codes that
 * no variable has, which only vcd_words.c looks at.
 */
#ifndef NFART_WAVE_VCD_H
#define NFART_WAVE_VCD_H

#include "runtime/wave/wave_priv.h"

/* ---- codes ---- */

/* The codes of a VCD and their values. A code of up to 8 bytes is a number, with 0 bytes at its
 * end; of a longer one the number is a hash, and the text is compared. */
struct vcd_code {
	uint64_t number;
	uint32_t n;     /* bytes of the code; 0: the place is free */
	uint32_t value; /* the number of its value */
	const char *text;
};

struct vcd_codes {
	struct vcd_code *at;
	size_t size, n; /* a power of two, or 0; how many are in use */
};

/* Returns the value of a code, or UINT32_MAX if no variable has it. */
uint32_t vcd_code_find(const struct vcd_codes *c, const unsigned char *s, size_t n);

/* Gives a code a value. The text is kept in `names`. False: out of memory. */
bool vcd_code_add(struct vcd_codes *c, struct arena *names, const char *s, size_t n,
		  uint32_t value);
void vcd_codes_free(struct vcd_codes *c);

/* The number of a code: the bytes of a short one, the hash of a long one. */
static inline uint64_t vcd_code_number(const unsigned char *s, size_t n)
{
	uint64_t x = 0;

	if (n <= sizeof x) {
		for (size_t i = 0; i < n; i++)
			x |= (uint64_t)s[i] << 8 * i;
		return x;
	}
	for (size_t i = 0; i < n; i++)
		x = (x ^ s[i]) * UINT64_C(0x100000001b3);
	return x;
}

/* ---- scan ---- */

/* The instructions that a scan uses. */
enum vcd_scan_way { VCD_SCAN_NOT, VCD_SCAN_AVX2, VCD_SCAN_VBMI };

/* How many bytes of a code a scan looks at: its first ones, and its line end. */
enum { VCD_CODE_BYTES = 3, VCD_ASCII = 128 };

/* What a scan looks for. Bit k of an entry says that a code of group k fits: to a byte, and to the
 * low and the high half of a byte. */
struct vcd_scan {
	enum vcd_scan_way way; /* VCD_SCAN_NOT: all is read word by word */
	unsigned char fits[VCD_CODE_BYTES][VCD_ASCII];
	unsigned char low[VCD_CODE_BYTES][16], high[VCD_CODE_BYTES][16];
};

enum { VCD_MOST_FOUND = 256 };

/* Places in 64 of the scanned bytes, from `at` on: a bit is one where the line of a time stamp
 * begins, or perhaps the code of a change of a chosen value. A newline is never before a code. */
struct vcd_found {
	uint64_t places;
	size_t at;
};

struct vcd_scanned {
	size_t taken;   /* bytes of whole lines that were gone over; 0: the first is none */
	uint64_t lines; /* how many lines these are */
	size_t n;
	struct vcd_found found[VCD_MOST_FOUND]; /* may have places behind what was taken */
};

/* Adds a code. False: one of the bytes to look at is no ASCII, so there can be no scan. */
bool vcd_scan_add(struct vcd_scan *s, size_t group, const unsigned char *code, size_t n);

/* Returns the best way to scan that this processor has. */
enum vcd_scan_way vcd_scan_best(void);

/* Goes over n bytes, of which the first begins a line. Stops early if there is no more room for
 * what it finds. s->way is a way that this processor has. */
void vcd_scan(const struct vcd_scan *s, const unsigned char *p, size_t n, struct vcd_scanned *out);

/* ---- the reader ---- */

enum vcd_mode {
	VCD_CHANGES,
	VCD_SKIP /* in a comment or a blackout: up to $end */
};

struct vcd {
	struct wave *w;
	struct vcd_codes codes;
	uint64_t line;       /* of the next byte of the input */
	bool newline;        /* the byte before that was a newline */
	enum vcd_mode mode;
	bool begun;          /* a word of the changes was read, so there is a time */
	uint64_t after;      /* the time stamp that ended the last step */
	bool ended, finished; /* the input has ended; the last step was returned */

	struct vcd_scan scanner;
	struct vcd_codes chosen; /* the codes that are scanned for; the index of the chosen value */
	struct vcd_scanned scanned;
	size_t next_found;   /* the first of scanned.found that has places to be handled */
	size_t plain_bytes;  /* how much to read word by word before the next scan is tried */
	size_t plain_left;
	struct vcd_ahead *ahead; /* threads that read what follows (vcd_ahead.h); NULL: none */
};

/* What became of a part of the input. */
enum vcd_outcome {
	VCD_MORE,  /* it was taken; what follows needs more input */
	VCD_STEP,  /* a time stamp ended a step */
	VCD_FAILED /* *e says why */
};

static inline bool vcd_is_white(unsigned char c)
{
	return c <= ' ';
}

/* How a change begins: 0 no change, 1 a digit, 2 a vector, 3 a real number or a string. */
extern const unsigned char vcd_change_begins[256];

/* Takes a time stamp of n digits. VCD_STEP: the changes before it make a step. */
enum vcd_outcome vcd_take_time(struct vcd *v, const unsigned char *s, size_t n, uint64_t line,
			       struct nfart_error *e);

/* Goes on to a time stamp that has been read. */
enum vcd_outcome vcd_pass_time(struct vcd *v, uint64_t time, uint64_t line, struct nfart_error *e);

/* Says that the n bytes at s are no digits for the code of nc bytes. Returns false. */
bool vcd_fail_digits(struct vcd *v, const unsigned char *s, size_t n, const unsigned char *code,
		     size_t nc, uint64_t line, struct nfart_error *e);

/* Takes words of the input, of which the last ends before `end`. Stops after about `most` bytes,
 * and behind a time stamp that ends a step. */
enum vcd_outcome vcd_read_words(struct vcd *v, const unsigned char *end, size_t most,
				struct nfart_error *e);

/* Reads the header: up to and with $enddefinitions $end. False: *e says why. */
bool vcd_read_header(struct vcd *v, struct nfart_error *e);

/* For tests: scans by `most` or a lesser way from here on. */
void vcd_limit_scan(struct wave *w, enum vcd_scan_way most);

/* For tests: wave_read_ahead() with pieces of so many bytes. */
void vcd_read_ahead(struct wave *w, unsigned jobs, size_t piece);

#endif
