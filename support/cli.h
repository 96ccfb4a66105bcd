/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cli.h: functions that the command lines of all tools share: parsing numbers, and ending with the
 * right message and exit code.
 */
#ifndef NFACC_SUPPORT_CLI_H
#define NFACC_SUPPORT_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"

/* Parses the number at s, decimal or 0x, which must be followed by the character `end`. *v is the
 * number, *rest what follows `end`; rest may be NULL. False: there is no such number, or it is
 * above 64 bits. */
bool cli_number(const char *s, char end, uint64_t *v, const char **rest);

/* Parses a number as cli_number() does, or one of thousands, millions or billions with a `k`, `M`
 * or `G` behind it, at the beginning of s. *rest is what follows it. False: there is no such
 * number, or it is above 64 bits; then *rest is s. */
bool cli_scaled(const char *s, uint64_t *v, const char **rest);

/* Parses a frequency: a number of hertz other than 0, or one of thousands, millions or billions of
 * them with a `k`, `M` or `G` behind it: `322M`. False: s has another form, or the frequency is
 * above 64 bits. */
bool cli_frequency(const char *s, uint64_t *hertz);

/* Parses `ADDR,N`: a byte address below 2^40 and a number of lines, at least one. False: s has
 * another form. */
bool cli_substream(const char *s, uint64_t *address, uint64_t *lines);

/* Prints `TOOL: what arg` (arg may be NULL) and where to find help on standard error. Returns the
 * exit code of wrong use. */
int cli_wrong_use(const char *tool, const char *what, const char *arg);

/* Prints n bytes of text to standard output, and flushes it. Returns the exit code: NFART_OK, or
 * NFART_SYSTEM if output was lost; a message on standard error says so. */
int cli_print(const char *tool, const char *text, size_t n);

/* Prints an error on standard error: with the tool's name, or with the file that it lies in.
 * Returns its exit code. */
int cli_report(const char *tool, const struct nfart_error *e);

/* Flushes standard output, at the end of a tool that would return `code`. Returns the exit code:
 * NFART_SYSTEM if output was lost, else `code`. A message on standard error says that output was
 * lost, unless `code` was NFART_SYSTEM already. */
int cli_finish(const char *tool, int code);

#endif
