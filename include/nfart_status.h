/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfart_status.h: what the calls of nfacc's libraries return, and how an error carries its place.
 * Every part of the project may include it. nfart.h includes it, so programs need not.
 */
#ifndef NFART_STATUS_H
#define NFART_STATUS_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call returns. These are also the exit codes of the tools (nfacc(1), nfarun(1)). */
enum nfart_status {
	NFART_OK = 0,
	NFART_INPUT = 1,    /* an error in a filter, an image or a trace, with its place */
	NFART_USAGE = 2,    /* wrong use of a command line or of this interface */
	NFART_NOFIT = 3,    /* the filter was proved not to fit the overlay */
	NFART_GAVEUP = 4,   /* a limit was reached without an answer */
	NFART_SYSTEM = 5,   /* I/O or memory */
	/* The run was interrupted, or the trace is damaged: what could be decided was output. */
	NFART_PARTIAL = 6,
	NFART_NO = 7,       /* the answer to the question is no */
	NFART_INTERNAL = 70 /* an internal check failed: a bug */
};

/* An error with its place. The caller owns it. After a call failed, its fields say why. */
struct nfart_error {
	enum nfart_status status;
	/* The place of the error. Lines and columns count from 1, columns in bytes. 0: the error
	 * has no such place. */
	uint64_t line, column;
	char file[256];        /* name of the file; "" if no file is to blame */
	char what[512];        /* the message: one sentence without newline and full stop */
	/* Text of the offending line, to be shown with a caret; "" if there is none. */
	char source[256];
};

/* Fills *e with a status and a message, and sets its other fields to "no place". Returns `status`.
 * e may be NULL. */
enum nfart_status nfart_fail(struct nfart_error *e, enum nfart_status status, const char *format,
			     ...) __attribute__((format(printf, 3, 4)));

/* Prints `file:line:column: error: what` to f, and below it the offending line with a caret, as far
 * as *e has these. */
void nfart_error_print(FILE *f, const struct nfart_error *e);

#ifdef __cplusplus
}
#endif

#endif
