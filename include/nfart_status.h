/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfart_status.h: what calls of nfacc's libraries answer, and how an error carries its place. Everything
 * else in the tree may include it; nfart.h does, so that programs need not.
 */
#ifndef NFART_STATUS_H
#define NFART_STATUS_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call answers, and the exit codes of the tools (nfacc(1), nfarun(1)). */
enum nfart_status {
	NFART_OK = 0,
	NFART_INPUT = 1,    /* an error in a filter, an image or a trace, with its place */
	NFART_USAGE = 2,    /* wrong use of a command line or of this interface */
	NFART_NOFIT = 3,    /* proved that it can't fit the overlay */
	NFART_GAVEUP = 4,   /* a limit was reached without an answer */
	NFART_SYSTEM = 5,   /* I/O or memory */
	NFART_PARTIAL = 6,  /* interrupted, or the trace is damaged: what could be decided is out */
	NFART_NO = 7,       /* the answer to the question is no */
	NFART_INTERNAL = 70 /* a check inside failed: a bug */
};

/* An error with its place. Plain data, owned by the caller, meaningful where a call failed. */
struct nfart_error {
	enum nfart_status status;
	uint64_t line, column; /* from 1, columns in bytes; 0: no such place */
	char file[256];        /* "" where no file is to blame */
	char what[512];        /* one sentence, no newline, no full stop */
	char source[256];      /* the offending line, for the caret; "" where there is none */
};

/* Fills *e (file and source are set to ""); returns status. e may be NULL. */
enum nfart_status nfart_fail(struct nfart_error *e, enum nfart_status status, const char *format,
			     ...) __attribute__((format(printf, 3, 4)));

/* `file:line:column: error: what`, and the line with a caret where there is one. */
void nfart_error_print(FILE *f, const struct nfart_error *e);

#ifdef __cplusplus
}
#endif

#endif
