/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/clock.h"
#include "support/terminal.h"

enum {
	FIRST_MS = 1000, /* a job that ends before this time shows nothing */
	NEXT_MS = 500,
	MOST_TEXT = 160 /* bytes of stage and detail */
};

struct progress_line {
	struct progress callback;
	const char *tool;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	uint64_t begin_nanoseconds;
	uint64_t done, total; /* progress_line_part() */
	bool end;
	char text[MOST_TEXT];
};

void progress_at(const struct progress *p, const char *stage, uint64_t n, const char *detail)
{
	if (p != NULL)
		p->at(p->ctx, stage, n, detail);
}

static void set_text(void *ctx, const char *stage, uint64_t n, const char *detail)
{
	struct progress_line *l = ctx;
	char number[24] = "";

	if (n != 0)
		snprintf(number, sizeof number, "%" PRIu64 " ", n);
	pthread_mutex_lock(&l->lock);
	snprintf(l->text, sizeof l->text, "%s%s%s%s", stage, detail != NULL ? ", " : "", number,
		 detail != NULL ? detail : "");
	pthread_mutex_unlock(&l->lock);
}

/* Waits until `ms` after the line's beginning, or until its end. The caller holds the lock, and has
 * it again afterwards. */
static void wait_until(struct progress_line *l, uint64_t ms)
{
	struct timespec t = clock_timespec(l->begin_nanoseconds + ms * 1000000);

	while (!l->end && pthread_cond_timedwait(&l->ended, &l->lock, &t) != ETIMEDOUT)
		;
}

/* Writes how long the job takes, `ms` after its beginning, to the `size` bytes at p. */
static void put_time(const struct progress_line *l, uint64_t ms, char *p, size_t size)
{
	double done = (double)l->done, total = (double)l->total;

	if (l->done == 0 || l->done >= l->total)
		snprintf(p, size, "%" PRIu64 " s", ms / 1000);
	else
		snprintf(p, size, "%.0f %%, %.0f s left", 100 * done / total,
			 (double)ms / 1000 * (total - done) / done);
}

static void *progress_thread(void *ctx)
{
	struct progress_line *l = ctx;
	char time[64], text[MOST_TEXT + 128];
	uint64_t ms = FIRST_MS;

	pthread_mutex_lock(&l->lock);
	for (wait_until(l, ms); !l->end; wait_until(l, ms)) {
		put_time(l, ms, time, sizeof time);
		snprintf(text, sizeof text, "%s: %s%s%s", l->tool, l->text,
			 l->text[0] != 0 ? ", " : "", time);
		terminal_line_put(text);
		ms += NEXT_MS;
	}
	pthread_mutex_unlock(&l->lock);
	if (ms != FIRST_MS)
		terminal_line_erase();
	return NULL;
}

struct progress_line *progress_line_new(const char *tool)
{
	struct progress_line *l;
	pthread_condattr_t monotonic;

	if (!terminal_line_possible())
		return NULL;
	l = calloc(1, sizeof *l);
	if (l == NULL)
		return NULL;
	l->callback = (struct progress){ set_text, l };
	l->tool = tool;
	l->begin_nanoseconds = clock_nanoseconds();
	pthread_mutex_init(&l->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&l->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&l->thread, NULL, progress_thread, l) == 0)
		return l;
	pthread_cond_destroy(&l->ended);
	pthread_mutex_destroy(&l->lock);
	free(l);
	return NULL;
}

void progress_line_part(struct progress_line *l, uint64_t done, uint64_t total)
{
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->lock);
	l->done = done;
	l->total = total;
	pthread_mutex_unlock(&l->lock);
}

const struct progress *progress_line_callback(const struct progress_line *l)
{
	return l != NULL ? &l->callback : NULL;
}

void progress_line_free(struct progress_line *l)
{
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->lock);
	l->end = true;
	pthread_cond_signal(&l->ended);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	pthread_cond_destroy(&l->ended);
	pthread_mutex_destroy(&l->lock);
	free(l);
}
