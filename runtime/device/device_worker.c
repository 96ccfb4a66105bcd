/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A thread for accesses that may hang: a load from a bus that never answers, or a system call in a
 * driver that does not come back. Nothing can end such a thread, so it is left behind.
 */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/device/device_priv.h"
#include "support/clock.h"

struct device_worker {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	void (*run)(void *job); /* NULL: there is no job, or it has ended */
	void *job;
	bool quit;
};

static void *worker_loop(void *arg)
{
	struct device_worker *w = arg;

	pthread_mutex_lock(&w->mutex);
	while (!w->quit) {
		if (w->run == NULL) {
			pthread_cond_wait(&w->changed, &w->mutex);
			continue;
		}
		pthread_mutex_unlock(&w->mutex);
		w->run(w->job);
		pthread_mutex_lock(&w->mutex);
		w->run = NULL;
		pthread_cond_broadcast(&w->changed);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

struct device_worker *device_worker_new(void)
{
	struct device_worker *w = calloc(1, sizeof *w);
	pthread_condattr_t monotonic;

	if (w == NULL)
		return NULL;
	pthread_mutex_init(&w->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&w->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&w->thread, NULL, worker_loop, w) == 0)
		return w;
	free(w);
	return NULL;
}

bool device_worker_free(struct device_worker *w)
{
	if (w == NULL)
		return true;
	if (!device_worker_wait(w, 0)) {
		pthread_detach(w->thread);
		return false;
	}
	pthread_mutex_lock(&w->mutex);
	w->quit = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->mutex);
	free(w);
	return true;
}

void device_worker_start(struct device_worker *w, void (*run)(void *job), void *job)
{
	pthread_mutex_lock(&w->mutex);
	w->job = job;
	w->run = run;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
}

bool device_worker_wait(struct device_worker *w, uint32_t ms)
{
	struct timespec end = clock_timespec(clock_nanoseconds() + (uint64_t)ms * 1000000);
	bool done;

	pthread_mutex_lock(&w->mutex);
	while (w->run != NULL && pthread_cond_timedwait(&w->changed, &w->mutex, &end) == 0)
		;
	done = w->run == NULL;
	pthread_mutex_unlock(&w->mutex);
	return done;
}
