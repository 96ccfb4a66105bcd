/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Wrappers of functions that order threads. A thread writes a stamp before it lets others go on,
 * and after another thread let it go on. Mutexes, read-write locks, spin locks and semaphores also
 * record MEM_LOCK and MEM_UNLOCK. A wait for a condition variable gives the mutex away and takes it
 * again. pthread_create is handled in life.c, at the level of system calls.
 */
#include <pthread.h>
#include <semaphore.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/next.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

__thread uintptr_t threads_pc INSIDE_TLS;

/*
 * Called before a function that lets other threads go on. Records `what`: MEM_UNLOCK, MEM_DESTROY,
 * or MEM_NONE for nothing.
 */
static void giving(enum mem_event what, volatile void *object, uintptr_t pc)
{
	if (!inside_watching())
		return;
	if (what)
		RECORD(what, (uintptr_t)object, pc);
	ring_stamp();
}

/*
 * Called after a function that waited for other threads. Records `what`: MEM_LOCK, MEM_INIT, or
 * MEM_NONE for nothing.
 */
static void taken(enum mem_event what, volatile void *object, uintptr_t pc)
{
	if (!inside_watching())
		return;
	ring_stamp();
	if (what)
		RECORD(what, (uintptr_t)object, pc);
}

/* A wrapper of a function that takes an object. The function returns 0 if it took the object. */
#define TAKE(name, what, parameters, arguments, object)                                            \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		const uintptr_t pc = CALLER;                                                       \
		NEXT(name);                                                                        \
		const int failed = next arguments;                                                 \
		if (!failed)                                                                       \
			taken(what, object, pc);                                                   \
		return failed;                                                                     \
	}

/* A wrapper of a function that gives an object back. */
#define GIVE(name, what, parameters, arguments, object)                                            \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		NEXT(name);                                                                        \
		giving(what, object, CALLER);                                                      \
		return next arguments;                                                             \
	}

/* A wrapper of a function that gives a mutex back and takes it again, whatever it returns. */
#define WAIT(name, parameters, arguments, mutex)                                                   \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		const uintptr_t pc = CALLER;                                                       \
		NEXT(name);                                                                        \
		giving(MEM_UNLOCK, mutex, pc);                                                     \
		const int failed = next arguments;                                                 \
		taken(MEM_LOCK, mutex, pc);                                                        \
		return failed;                                                                     \
	}

TAKE(pthread_mutex_lock, MEM_LOCK, (pthread_mutex_t * m), (m), m)
TAKE(pthread_mutex_trylock, MEM_LOCK, (pthread_mutex_t * m), (m), m)
TAKE(pthread_mutex_timedlock, MEM_LOCK, (pthread_mutex_t * m, const struct timespec *t), (m, t), m)
TAKE(pthread_mutex_clocklock, MEM_LOCK,
     (pthread_mutex_t * m, clockid_t c, const struct timespec *t), (m, c, t), m)
GIVE(pthread_mutex_unlock, MEM_UNLOCK, (pthread_mutex_t * m), (m), m)
TAKE(pthread_mutex_init, MEM_INIT, (pthread_mutex_t * m, const pthread_mutexattr_t *a), (m, a), m)
GIVE(pthread_mutex_destroy, MEM_DESTROY, (pthread_mutex_t * m), (m), m)

TAKE(pthread_rwlock_rdlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_wrlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_tryrdlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_trywrlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_timedrdlock, MEM_LOCK, (pthread_rwlock_t * l, const struct timespec *t), (l, t),
     l)
TAKE(pthread_rwlock_timedwrlock, MEM_LOCK, (pthread_rwlock_t * l, const struct timespec *t), (l, t),
     l)
GIVE(pthread_rwlock_unlock, MEM_UNLOCK, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_init, MEM_INIT, (pthread_rwlock_t * l, const pthread_rwlockattr_t *a), (l, a),
     l)
GIVE(pthread_rwlock_destroy, MEM_DESTROY, (pthread_rwlock_t * l), (l), l)

TAKE(pthread_spin_lock, MEM_LOCK, (pthread_spinlock_t * l), (l), l)
TAKE(pthread_spin_trylock, MEM_LOCK, (pthread_spinlock_t * l), (l), l)
GIVE(pthread_spin_unlock, MEM_UNLOCK, (pthread_spinlock_t * l), (l), l)
TAKE(pthread_spin_init, MEM_INIT, (pthread_spinlock_t * l, int shared), (l, shared), l)
GIVE(pthread_spin_destroy, MEM_DESTROY, (pthread_spinlock_t * l), (l), l)

WAIT(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m), m)
WAIT(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t),
     (c, m, t), m)
WAIT(pthread_cond_clockwait,
     (pthread_cond_t * c, pthread_mutex_t *m, clockid_t k, const struct timespec *t), (c, m, k, t),
     m)
GIVE(pthread_cond_signal, MEM_NONE, (pthread_cond_t * c), (c), c)
GIVE(pthread_cond_broadcast, MEM_NONE, (pthread_cond_t * c), (c), c)

TAKE(sem_wait, MEM_LOCK, (sem_t * s), (s), s)
TAKE(sem_trywait, MEM_LOCK, (sem_t * s), (s), s)
TAKE(sem_timedwait, MEM_LOCK, (sem_t * s, const struct timespec *t), (s, t), s)
TAKE(sem_clockwait, MEM_LOCK, (sem_t * s, clockid_t c, const struct timespec *t), (s, c, t), s)
GIVE(sem_post, MEM_UNLOCK, (sem_t * s), (s), s)
TAKE(sem_init, MEM_INIT, (sem_t * s, int shared, unsigned value), (s, shared, value), s)
GIVE(sem_destroy, MEM_DESTROY, (sem_t * s), (s), s)

TAKE(pthread_barrier_init, MEM_INIT,
     (pthread_barrier_t * b, const pthread_barrierattr_t *a, unsigned count), (b, a, count), b)
GIVE(pthread_barrier_destroy, MEM_DESTROY, (pthread_barrier_t * b), (b), b)

INSIDE_FOR(pthread_barrier_wait);
int inside_pthread_barrier_wait(pthread_barrier_t *b)
{
	const uintptr_t pc = CALLER;
	NEXT(pthread_barrier_wait);
	giving(MEM_NONE, b, pc);
	const int result = next(b);
	taken(MEM_NONE, b, pc);
	return result;
}

INSIDE_FOR(pthread_once);
int inside_pthread_once(pthread_once_t *once, void (*routine)(void))
{
	const uintptr_t pc = CALLER;
	NEXT(pthread_once);
	giving(MEM_NONE, once, pc);
	const int failed = next(once, routine);
	taken(MEM_NONE, once, pc);
	return failed;
}

INSIDE_FOR(pthread_join);
int inside_pthread_join(pthread_t thread, void **result)
{
	const uintptr_t pc = CALLER;
	NEXT(pthread_join);
	const int failed = next(thread, result);
	taken(MEM_NONE, NULL, pc);
	return failed;
}

INSIDE_FOR(pthread_create);
int inside_pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
			  void *(*routine)(void *), void *restrict argument)
{
	NEXT(pthread_create);
	threads_pc = CALLER;
	const int failed = next(thread, attributes, routine, argument);
	threads_pc = 0;
	return failed;
}
