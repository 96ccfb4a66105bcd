/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * progress.h: what a long job is doing.
 *
 * A library says it by a callback, struct progress, and never prints. A tool has struct progress_line for
 * such a callback: a line on the terminal that shows the stage and the time, once the job takes longer than
 * a second. A thread of its own prints the line, so that the time goes on where a stage is long, and no loop
 * has to look at the clock.
 */
#ifndef NFACC_SUPPORT_PROGRESS_H
#define NFACC_SUPPORT_PROGRESS_H

#include <stdint.h>

struct progress {
	void (*at)(void *ctx, const char *stage, uint64_t n, const char *detail);
	void *ctx;
};

/* The job is now at `stage`; `detail` (or NULL) is what it does there, n (or 0) how many of it. The strings
 * need not outlive the call. p may be NULL: nobody wants to know. Not for inner loops. */
void progress_at(const struct progress *p, const char *stage, uint64_t n, const char *detail);

struct progress_line;

/* A line `TOOL: stage, n detail, 3 s` on standard error. NULL where that is no terminal, or where no thread
 * can be had: the job goes on without. */
struct progress_line *progress_line_new(const char *tool);

/* The callback, for as long as the line lives; NULL for NULL. */
const struct progress *progress_line_callback(const struct progress_line *l);

/* Clears the line from the terminal and ends it; call it before anything else is printed. NULL is fine. */
void progress_line_free(struct progress_line *l);

#endif
