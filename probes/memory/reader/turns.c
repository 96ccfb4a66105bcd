/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/turns.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

struct turns {
	pthread_mutex_t mutex;
};

struct turns *turns_new(void)
{
	struct turns *t =
		mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t a;

	if (t == MAP_FAILED)
		return NULL;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&t->mutex, &a);
	pthread_mutexattr_destroy(&a);
	return t;
}

void turns_free(struct turns *t)
{
	if (t != NULL)
		munmap(t, sizeof *t);
}

void turns_take(struct turns *t)
{
	if (t != NULL && pthread_mutex_lock(&t->mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&t->mutex);
}

void turns_give(struct turns *t)
{
	if (t != NULL)
		pthread_mutex_unlock(&t->mutex);
}
