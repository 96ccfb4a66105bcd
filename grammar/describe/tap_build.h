/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_build.h: what the files that read taps share: tap_signals.c reads statements where they
 * stand, tap_text.c rows, tap_memory.c registers and queues, and tap_expr.c expressions. No other
 * file includes this header.
 */
#ifndef NFACC_GRAMMAR_TAP_BUILD_H
#define NFACC_GRAMMAR_TAP_BUILD_H

#include "grammar/describe/proto_build.h"

/* The state while the taps of a unit are read. The cursor is that of `b`. */
struct tap_build {
	struct build *b;
	struct build_unit *u;
	uint32_t nsignals;
	VEC(struct tap_code) code;
	VEC(uint32_t) used;  /* the signals of the current expression */
	VEC(bool) is_used;   /* [nsignals] */
	bool looks_back;     /* the current expression does */
	bool inside;         /* of past, stable, rose or fell */
	bool before;         /* inside of past: signals are those of the sample before */
	unsigned depth;      /* of the recursion */
	/* Which made signals an expression may see: registers, if it is set; and those of queues
	 * below this number. */
	bool registers;
	uint32_t queues_end;
	bool wrong;          /* an error was reported */
};

/* Reports an error in the meaning. The statement is read on, unlike after desc_error(). Returns
 * what diag_report() does. */
size_t tap_wrong(struct tap_build *t, struct diag_range at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Notes the name that is nearest to a wrong one. */
void tap_suggest(struct tap_build *t, size_t record, struct diag_range at,
		 const char *(*next)(void *ctx), void *ctx);

/* Returns the index of the signal with this name; nsignals: there is none. */
size_t tap_find_signal(const struct tap_build *t, const char *s, size_t n);

/* Reads an expression. Returns its width in bits; 0: there was an error, which is reported. */
uint32_t tap_expression(struct tap_build *t, struct tap_expr *e);

/* The same for a condition: its result is the truth of the expression, in one bit. */
void tap_condition(struct tap_build *t, struct tap_expr *e);

/* Goes to a statement that was put off, past its first word. */
void tap_go_to(struct tap_build *t, const struct build_later *later);

/* Declares a signal, at `at`. One that is already declared is an error, which is reported. */
void tap_declare(struct build *b, struct diag_range at, struct tap_signal s);

/* Reads the name of a signal. Unlike other names it may be a word of filters. NULL: there is none,
 * which is reported. */
const char *tap_signal_name(struct build *b);

/* Reads `register NAME[BITS] = ...;` or `queue NAME[BITS] of N, NAME { ... }`, after the first
 * word; what comes after `=` or `{` is put off. */
void tap_register_statement(struct build *b);
void tap_queue_statement(struct build *b);

/* Reads the registers and queues of the unit into *x. */
void tap_read_memory(struct tap_build *t, struct tap_interface *x);

#endif
