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
#include <threads.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/next.h"
#include "probes/memory/inside/stacks.h"

#define CALLER                                                                                     \
	stacks_caller(__builtin_frame_address(0), (uintptr_t)__builtin_return_address(0))

__thread uintptr_t threads_pc INSIDE_TLS;

/*
 * Called before a function that lets other threads go on. Records `what`: MEM_UNLOCK, MEM_DESTROY,
 * or MEM_GIVE for `object`, which is of kind `how`.
 */
static void giving(enum mem_event what, volatile void *object, uintptr_t pc, uint64_t how)
{
	if (!inside_watching())
		return;
	if (inside.suspects & MEM_SUSPECT_LOCK)
		stacks_call();
	RECORD(what, (uintptr_t)object, pc, how);
	ring_stamp();
}

/*
 * Called after a function that waited for other threads. Records `what`: MEM_LOCK, MEM_INIT,
 * MEM_TAKE, MEM_JOIN, or MEM_NONE for nothing. `how`: the third word of the event.
 */
static void taken(enum mem_event what, volatile void *object, uintptr_t pc, uint64_t how)
{
	if (!inside_watching())
		return;
	ring_stamp();
	if (what && inside.suspects & MEM_SUSPECT_LOCK)
		stacks_call();
	if (what)
		RECORD(what, (uintptr_t)object, pc, how);
}

/*
 * A wrapper of a function that takes an object. The function returns 0 if it took the object.
 * SHARE: others may hold the object too.
 */
#define TAKE(name, what, parameters, arguments, object)                                            \
	TAKE_HOW(name, what, parameters, arguments, object, 0)
#define SHARE(name, parameters, arguments, object)                                                 \
	TAKE_HOW(name, MEM_LOCK, parameters, arguments, object, 1)
#define TAKE_HOW(name, what, parameters, arguments, object, how)                                   \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		NEXT(name);                                                                        \
		const int failed = next arguments;                                                 \
		if (!failed)                                                                       \
			taken(what, object, CALLER, how);                                          \
		return failed;                                                                     \
	}

/* A wrapper of a function that gives an object back. */
#define GIVE(name, what, parameters, arguments, object)                                            \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		NEXT(name);                                                                        \
		giving(what, object, CALLER, 0);                                                   \
		return next arguments;                                                             \
	}

/*
 * A wrapper of a function that gives a mutex back and takes it again, whatever it returns. If it
 * returns 0, a thread has signalled the condition c.
 */
#define WAIT(name, parameters, arguments, mutex)                                                   \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		const uintptr_t pc = CALLER;                                                       \
		NEXT(name);                                                                        \
		giving(MEM_UNLOCK, mutex, pc, 0);                                                  \
		const int failed = next arguments;                                                 \
		taken(MEM_LOCK, mutex, CALLER, 0);                                                 \
		if (!failed)                                                                       \
			taken(MEM_TAKE, c, pc, MEM_OBJECT_OTHER);                                  \
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

SHARE(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_wrlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
SHARE(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), l)
TAKE(pthread_rwlock_trywrlock, MEM_LOCK, (pthread_rwlock_t * l), (l), l)
SHARE(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *t), (l, t), l)
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
GIVE(pthread_cond_signal, MEM_GIVE, (pthread_cond_t * c), (c), c)
GIVE(pthread_cond_broadcast, MEM_GIVE, (pthread_cond_t * c), (c), c)

TAKE(mtx_lock, MEM_LOCK, (mtx_t * m), (m), m)
TAKE(mtx_trylock, MEM_LOCK, (mtx_t * m), (m), m)
TAKE(mtx_timedlock, MEM_LOCK, (mtx_t * m, const struct timespec *t), (m, t), m)
GIVE(mtx_unlock, MEM_UNLOCK, (mtx_t * m), (m), m)
WAIT(cnd_wait, (cnd_t * c, mtx_t *m), (c, m), m)
WAIT(cnd_timedwait, (cnd_t * c, mtx_t *m, const struct timespec *t), (c, m, t), m)
GIVE(cnd_signal, MEM_GIVE, (cnd_t * c), (c), c)
GIVE(cnd_broadcast, MEM_GIVE, (cnd_t * c), (c), c)

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
	giving(MEM_GIVE, b, pc, MEM_OBJECT_BARRIER);
	const int result = next(b);
	taken(MEM_TAKE, b, pc, MEM_OBJECT_BARRIER);
	return result;
}

/* The routine that this thread has passed to pthread_once, and its object. */
static __thread struct {
	void (*routine)(void);
	pthread_once_t *once;
} first INSIDE_TLS;

/* Runs the routine. Threads that find it done go on after all that it did. */
static void run_first(void)
{
	pthread_once_t *once = first.once;
	first.routine();
	giving(MEM_GIVE, once, (uintptr_t)run_first, MEM_OBJECT_OTHER);
}

INSIDE_FOR(pthread_once);
int inside_pthread_once(pthread_once_t *once, void (*routine)(void))
{
	const uintptr_t pc = CALLER;
	NEXT(pthread_once);
	first.routine = routine;
	first.once = once;
	if (inside_watching())
		ring_stamp();
	const int failed = next(once, run_first);
	taken(MEM_TAKE, once, pc, MEM_OBJECT_OTHER);
	return failed;
}

/* A wrapper of a function that waits for the end of a thread. */
#define JOIN(name, parameters, arguments)                                                    \
	INSIDE_FOR(name);                                                                          \
	int inside_##name parameters                                                               \
	{                                                                                          \
		const uintptr_t pc = CALLER;                                                       \
		NEXT(name);                                                                        \
		const int failed = next arguments;                                                 \
		taken(failed ? MEM_NONE : MEM_JOIN, (void *)(uintptr_t)thread, pc, 0);              \
		return failed;                                                                     \
	}

JOIN(pthread_join, (pthread_t thread, void **result), (thread, result))
JOIN(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOIN(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *t),
     (thread, result, t))
JOIN(pthread_clockjoin_np,
     (pthread_t thread, void **result, clockid_t c, const struct timespec *t), (thread, result, c, t))
JOIN(thrd_join, (thrd_t thread, int *result), (thread, result))

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
