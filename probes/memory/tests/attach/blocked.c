/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * blocked FILE: threads that compute, and threads that are blocked in read, nanosleep, a futex, poll,
 * epoll_wait and sigsuspend. A timer interrupts the first one. Nothing that they see may change by an
 * attach: results, errno, times and bytes. It ends when FILE is there, and says what was wrong.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int stops;
static volatile long ticks, wakes;
static int ends[2], wake[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void wrong(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	fflush(stdout);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *computes(void *n)
{
	volatile double x = 1;
	while (!stops) {
		long **p = malloc(4 * sizeof *p);
		p[0] = malloc(40);
		*p[0] = 7;
		for (int i = 0; i < 200; i++)
			x = x * 1.0000001 + 1e-9;
		if (*p[0] != 7)
			wrong("a block");
		free(p[0]);
		p = realloc(p, 4000);
		free(p);
		if (x < 1 || x > 1e200)
			x = 1;
	}
	return n;
}

static void *reads(void *n)
{
	char *byte = malloc(1);
	ssize_t got;
	for (char next = 0; (got = read(ends[0], byte, 1)) == 1; next++)
		if (*byte != next)
			wrong("a byte");
	if (got < 0)
		wrong("read");
	free(byte);
	return n;
}

static void *sleeps(void *n)
{
	while (!stops) {
		const struct timespec t = { 0, 300000000 };
		const double before = now();
		errno = 77;
		if (nanosleep(&t, NULL) != 0 || errno != 77)
			wrong("nanosleep");
		if (now() - before < 0.299)
			wrong("a short sleep");
	}
	return n;
}

static void *waits(void *n)
{
	pthread_mutex_lock(&mutex);
	while (!stops)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return n;
}

static void *polls(void *n)
{
	struct pollfd *p = malloc(sizeof *p);
	while (!stops) {
		*p = (struct pollfd){ .fd = wake[0], .events = POLLIN };
		if (poll(p, 1, 200) < 0)
			wrong("poll");
	}
	free(p);
	return n;
}

static void *waits_for_events(void *n)
{
	struct epoll_event event = { .events = EPOLLIN };
	const int fd = epoll_create1(0);
	epoll_ctl(fd, EPOLL_CTL_ADD, wake[0], &event);
	while (!stops)
		if (epoll_wait(fd, &event, 1, 200) < 0)
			wrong("epoll_wait");
	return n;
}

static void on_wake(int n)
{
	wakes += n == SIGUSR1;
}

static void *suspends(void *n)
{
	sigset_t none;
	sigemptyset(&none);
	while (!stops)
		if (sigsuspend(&none) != -1 || errno != EINTR)
			wrong("sigsuspend");
	return n;
}

static void on_tick(int n)
{
	const int kept = errno;
	ticks += n == SIGALRM;
	errno = kept;
}

int main(int argc, char **argv)
{
	static void *(*const each[])(void *) = { computes, computes, reads,  sleeps,  waits,
						 polls,    waits_for_events, suspends };
	enum { THREADS = sizeof each / sizeof *each };
	struct itimerval often = { { 0, 5000 }, { 0, 5000 } }, never = { { 0, 0 }, { 0, 0 } };
	pthread_t t[THREADS];
	sigset_t set;
	long sent = 0;
	if (argc != 2 || pipe(ends) != 0 || pipe(wake) != 0)
		return 2;
	signal(SIGALRM, on_tick);
	signal(SIGUSR1, on_wake);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, each[i], NULL);
	sigdelset(&set, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	fclose(fopen("ready", "w"));
	for (char next = 0; access(argv[1], F_OK) != 0; next++) {
		usleep(3000);
		if (write(ends[1], &next, 1) != 1)
			wrong("write");
		if (sent <= wakes) {
			pthread_kill(t[THREADS - 1], SIGUSR1);
			sent++;
		}
	}
	setitimer(ITIMER_REAL, &never, NULL);
	stops = 1;
	pthread_kill(t[THREADS - 1], SIGUSR1);
	pthread_mutex_lock(&mutex);
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	close(ends[1]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("ended, %s, %s\n", ticks > 0 ? "ticks" : "no ticks", wakes > 0 ? "wakes" : "no wakes");
	return 0;
}
