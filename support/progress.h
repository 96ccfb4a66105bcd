/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * progress.h: shows what a long job is doing.
 *
 * A library says what it does by a callback, struct progress, and never prints. Tools use the
 * callback of a struct progress_line, which shows the stage and the time in a line on the terminal,
 * once the job takes longer than a second. A thread of its own prints the line. So the time goes on
 * during a long stage, and no loop has to look at the clock.
 */
#ifndef NFACC_SUPPORT_PROGRESS_H
#define NFACC_SUPPORT_PROGRESS_H

#include <stdint.h>

struct progress {
	void (*at)(void *ctx, const char *stage, uint64_t n, const char *detail);
	void *ctx;
};

/* Says that the job is now at `stage`. `detail` names the things on which the job works there, and
 * n is their number; they may be NULL and 0. The strings need not outlive the call. p may be NULL:
 * nobody wants to know. Don't call this in inner loops. */
void progress_at(const struct progress *p, const char *stage, uint64_t n, const char *detail);

struct progress_line;

/* Makes a line `TOOL: stage, n detail, 3 s` on standard error. NULL: no line can be shown, or
 * no thread could be started. Then the job goes on without a line. */
struct progress_line *progress_line_new(const char *tool);

/* Says that `done` of `total` parts of the job are done, which take about the same time each. The
 * line then ends with how much that is and how long the rest takes: `30 %, 7 s left`. If `total` is
 * 0, or all is done, it ends with the time as before. Nothing happens for NULL. */
void progress_line_part(struct progress_line *l, uint64_t done, uint64_t total);

/* Returns the line's callback, which lives as long as the line; NULL for NULL. */
const struct progress *progress_line_callback(const struct progress_line *l);

/* Clears the line from the terminal and frees it. Call this before anything else is printed. NULL
 * is fine. */
void progress_line_free(struct progress_line *l);

#endif
