/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cli.h: what the command lines of the tools have in common.
 */
#ifndef NFACC_SUPPORT_CLI_H
#define NFACC_SUPPORT_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number at s, decimal or 0x, which must end at the character `end`; *rest (may be NULL) is what
 * follows that. False: it is no number, or above 64 bits. */
bool cli_number(const char *s, char end, uint64_t *v, const char **rest);

/* `ADDR,N`: a byte address below 2^40 and at least one line. */
bool cli_substream(const char *s, uint64_t *address, uint64_t *lines);

/* `TOOL: what arg` and where to find help, on standard error. The exit code of wrong use. */
int cli_wrong_use(const char *tool, const char *what, const char *arg);

/* Prints n bytes of text to standard output, and flushes it. The exit code: NFART_OK, or NFART_SYSTEM where
 * output was lost, which is said on standard error. */
int cli_print(const char *tool, const char *text, size_t n);

/* Flushes standard output, at the end of a tool that would return `code`. The exit code: NFART_SYSTEM where
 * output was lost, which is said on standard error unless `code` says it already; else `code`. */
int cli_finish(const char *tool, int code);

#endif
