/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Signals that end a process, unless it does something else with them. */
static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static volatile sig_atomic_t came;

/* A file to remove. */
struct file {
	struct file *next;
	pid_t owner; /* the process that made it: a child must not remove it */
	char path[];
};

static struct file *files;

/* Held while the list of files changes, and from the beginning of interrupt_end() on. A thread that
 * holds it has the signals of endings[] blocked, so that no handler waits for its own thread. */
static atomic_flag files_lock = ATOMIC_FLAG_INIT;

static void on_signal(int signal)
{
	(void)signal;
	came = 1;
}

static void fill_endings(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
		sigaddset(set, endings[i]);
}

static bool is_ignored(int signal)
{
	struct sigaction old;

	return sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void interrupt_catch(void)
{
	struct sigaction a = { .sa_handler = on_signal };

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	if (!is_ignored(SIGHUP))
		sigaction(SIGHUP, &a, NULL);
	a.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &a, NULL);
}

const volatile sig_atomic_t *interrupt_flag(void)
{
	return &came;
}

bool interrupt_came(void)
{
	return came != 0;
}

void interrupt_clear(void)
{
	came = 0;
}

/* ---- files to remove ---- */

/* Blocks the signals of endings[], and takes the lock. *old is the mask before. */
static void lock(sigset_t *old)
{
	sigset_t set;

	fill_endings(&set);
	pthread_sigmask(SIG_BLOCK, &set, old);
	while (atomic_flag_test_and_set_explicit(&files_lock, memory_order_acquire))
		;
}

static void unlock(const sigset_t *old)
{
	atomic_flag_clear_explicit(&files_lock, memory_order_release);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* Lets interrupt_end() handle the signals that would end the process without it. */
static void handle_endings(void)
{
	struct sigaction a = { .sa_handler = interrupt_end }, old;

	fill_endings(&a.sa_mask);
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
		if (sigaction(endings[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(endings[i], &a, NULL);
}

bool interrupt_remove_file(const char *path)
{
	size_t size = strlen(path) + 1;
	struct file *f = malloc(sizeof *f + size);
	sigset_t old;

	if (f == NULL)
		return false;
	memcpy(f->path, path, size);
	f->owner = getpid();
	lock(&old);
	f->next = files;
	files = f;
	unlock(&old);
	handle_endings();
	return true;
}

void interrupt_forget_file(const char *path)
{
	struct file **at = &files, *f;
	sigset_t old;

	lock(&old);
	while ((f = *at) != NULL && strcmp(f->path, path) != 0)
		at = &f->next;
	if (f != NULL)
		*at = f->next;
	unlock(&old);
	free(f);
}

void interrupt_end(int signal)
{
	struct sigaction a = { .sa_handler = SIG_DFL };

	while (atomic_flag_test_and_set_explicit(&files_lock, memory_order_acquire))
		;
	for (const struct file *f = files; f != NULL; f = f->next)
		if (f->owner == getpid())
			unlink(f->path);
	sigemptyset(&a.sa_mask);
	sigaction(signal, &a, NULL);
	raise(signal); /* it is blocked, and comes when the handler returns */
}
