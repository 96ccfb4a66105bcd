/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/beside.h"
#include "support/interrupt.h"

enum {
	RINGS = 256,
	RING_WORDS = 1 << 17, /* 1 MiB: it fits into a second-level cache */
	LEAST_WORDS = 1 << 11, /* the smallest ring that order.h accepts */
	CHANNELS = 512, /* most processes at a time, with --follow */
	SIGNALLED = 128
};

volatile sig_atomic_t launch_interrupted;
static volatile sig_atomic_t program_pid, attached;

/*
 * Opens a file that has no name. Tries memfd_create(2), then a file in a memory file system, then a
 * file on a disk. Returns -1 and sets errno on failure.
 */
static int open_unnamed(void)
{
	static const char *const folders[] = { "/dev/shm", "/tmp", "/var/tmp" };
	int fd = memfd_create("nfamem", MFD_CLOEXEC), error = errno;

	for (size_t i = 0; fd < 0 && i < sizeof folders / sizeof folders[0]; i++)
		fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		errno = error;
	return fd;
}

/*
 * Makes the shared memory for channels of the size of *c. Returns false and sets errno on failure.
 */
static bool share_channels(struct launch *l, const struct mem_channel *c)
{
	void *at = MAP_FAILED;

	l->bytes = c->bytes * (c->follow.slots > 0 ? c->follow.slots : 1);
	if (l->fd < 0)
		l->fd = open_unnamed();
	if (l->fd >= 0 && ftruncate(l->fd, (off_t)l->bytes) == 0)
		at = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, l->fd,
			  0);
	if (at == MAP_FAILED)
		return false;
	l->channel = at;
	return true;
}

enum nfart_status launch_open(struct launch *l, bool follow, int fd, struct nfart_error *e)
{
	struct mem_channel c = { .magic = MEM_MAGIC,
				 .version = MEM_VERSION,
				 .size.sites_max = MEM_SITES_MAX,
				 .size.threads_max = RINGS,
				 .size.ring_words = RING_WORDS,
				 .size.counters = follow ? 0 : MEM_SITES_MAX,
				 .loss.reader = (uint32_t)getpid(),
				 .follow.slots = follow ? CHANNELS : 0 };

	*l = (struct launch){ .fd = fd, .pidfd = -1 };
	c.bytes = mem_channel_bytes(&c);
	if (!share_channels(l, &c)) {
		snprintf(l->unshared, sizeof l->unshared, "nfamem can't share memory with it: %s",
			 strerror(errno));
		/* An unshared, minimal channel: nobody writes to it. */
		c.size.threads_max = 1;
		c.size.ring_words = LEAST_WORDS;
		c.size.counters = 0;
		c.follow.slots = 0;
		c.bytes = l->bytes = mem_channel_bytes(&c);
		l->channel = mmap(NULL, c.bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	if (l->channel == MAP_FAILED) {
		l->channel = NULL;
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	snprintf(c.follow.path, sizeof c.follow.path, "/proc/%ld/fd/%d", (long)getpid(), l->fd);
	*l->channel = c;
	launch_hold(l->channel);
	l->first = l->channel;
	return NFART_OK;
}

/*
 * The first Ctrl-C lets go of the program. The second one ends nfamem at once, unless it is
 * attached: a process whose threads it has stopped would be lost.
 */
static void on_interrupt(int n)
{
	if (launch_interrupted && !attached)
		interrupt_end(n);
	launch_interrupted = 1;
}

/* Passes a signal that would end nfamem to the program. When the program ends, nfamem ends too. */
static void on_end(int n)
{
	if (program_pid > 0)
		kill(program_pid, n);
}

/* interrupt_end() needs all of these signals blocked. */
static void handle(int n, void (*handler)(int), int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };

	sigaddset(&a.sa_mask, SIGINT);
	sigaddset(&a.sa_mask, SIGTERM);
	sigaddset(&a.sa_mask, SIGHUP);
	sigaddset(&a.sa_mask, SIGQUIT);
	sigaction(n, &a, NULL);
}

/*
 * The environment of the program, with the library in LD_PRELOAD, before what the user has there.
 * Freed by free_environment(). NULL: there is no memory.
 */
static char **preloading(const struct launch *l)
{
	static const char *const ours[] = { "LD_PRELOAD=", "NFAMEM_CHANNEL=" };
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX], *library = NULL, *channel = NULL, **all;
	size_t n = 0, m = 2;

	while (environ[n] != NULL)
		n++;
	beside_find("libnfamem-inside.so", PKGLIBDIR, path);
	all = malloc((n + 3) * sizeof *all);
	if (all == NULL ||
	    asprintf(&library, "%s%s%s%s", ours[0], path, others != NULL ? ":" : "",
		     others != NULL ? others : "") < 0 ||
	    asprintf(&channel, "%s%d", ours[1], l->fd) < 0) {
		free(library);
		free(all);
		return NULL;
	}
	all[0] = library;
	all[1] = channel;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], ours[0], strlen(ours[0])) != 0 &&
		    strncmp(environ[i], ours[1], strlen(ours[1])) != 0)
			all[m++] = environ[i];
	all[m] = NULL;
	return all;
}

static void free_environment(char **environment)
{
	if (environment == environ)
		return;
	free(environment[0]);
	free(environment[1]);
	free(environment);
}

/*
 * Runs in the child, which shares the memory of this process: becomes the program. On failure it
 * writes errno to the pipe.
 *
 * After Ctrl-C the program must go on without nfamem, so SIGINT must not reach it. For that it gets
 * its own process group. But only the foreground process group may read from the terminal. So if
 * the standard input is the terminal, the program stays in the group and starts with SIGINT
 * ignored.
 */
static void become(const struct launch *l, char **argv, char **environment, int pipe_end)
{
	int error;

	if (isatty(STDIN_FILENO))
		signal(SIGINT, SIG_IGN);
	else
		setpgid(0, 0);
	if (l->channel->loss.when == MEM_LOST_KILL)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The program inherits the channels. */
	if (environment == environ || fcntl(l->fd, F_SETFD, 0) == 0)
		execvpe(argv[0], argv, environment);
	error = errno;
	if (write(pipe_end, &error, sizeof error) < 0)
		_exit(SIGNALLED - 2);
	_exit(SIGNALLED - 1);
}

enum nfart_status launch_start(struct launch *l, char **argv, bool watched, struct nfart_error *e)
{
	int ends[2], error = 0;
	char **environment = watched ? preloading(l) : environ;

	if (environment == NULL)
		return nfart_fail(e, NFART_SYSTEM, "can't run %s: %s", argv[0],
				  strerror(ENOMEM));
	if (pipe2(ends, O_CLOEXEC) != 0) {
		free_environment(environment);
		return nfart_fail(e, NFART_SYSTEM, "can't make a pipe: %s", strerror(errno));
	}
	/* A copy of the memory, as fork() makes it, takes longer than all else here. */
	l->pid = vfork();
	if (l->pid == 0)
		become(l, argv, environment, ends[1]);
	free_environment(environment);
	close(ends[1]);
	if (l->pid < 0) {
		close(ends[0]);
		return nfart_fail(e, NFART_SYSTEM, "can't start a process: %s", strerror(errno));
	}
	program_pid = l->pid;
	handle(SIGINT, on_interrupt, 0);
	handle(SIGTERM, on_end, SA_RESTART);
	handle(SIGHUP, on_end, SA_RESTART);
	if (read(ends[0], &error, sizeof error) == (ssize_t)sizeof error) {
		waitpid(l->pid, NULL, 0);
		l->ended = true;
		close(ends[0]);
		return nfart_fail(e, NFART_SYSTEM, "can't run %s: %s", argv[0], strerror(error));
	}
	close(ends[0]);
	l->pidfd = launch_watch(l->pid);
	return NFART_OK;
}

void launch_attach(void)
{
	struct sigaction old;

	attached = true;
	handle(SIGINT, on_interrupt, 0);
	handle(SIGTERM, on_interrupt, 0);
	handle(SIGQUIT, on_interrupt, 0);
	/* It stays ignored if nohup(1) asks for that. */
	if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		handle(SIGHUP, on_interrupt, 0);
	/* Writing to a pipe without a reader fails instead. */
	signal(SIGPIPE, SIG_IGN);
}

void launch_take(struct launch *l, pid_t pid)
{
	l->pid = pid;
	l->pidfd = launch_watch(pid);
	l->copy = true;
}

_Static_assert(sizeof(pthread_mutex_t) <= sizeof((struct mem_channel *)0)->loss.holder,
	       "the channel has room for the mutex");

void launch_hold(struct mem_channel *c)
{
	pthread_mutexattr_t kind;
	pthread_mutex_t *mutex = (void *)&c->loss.holder;

	/* Without robust mutexes, the program looks for the process when it has to wait for it. */
	if (pthread_mutexattr_init(&kind) != 0)
		return;
	if (pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) == 0 &&
	    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) == 0 &&
	    pthread_mutex_init(mutex, &kind) == 0)
		pthread_mutex_lock(mutex);
	pthread_mutexattr_destroy(&kind);
}

void launch_let_go(struct mem_channel *c)
{
	pthread_mutex_unlock((void *)&c->loss.holder);
}

int launch_watch(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

void launch_adopt(struct launch *l, struct mem_channel *c, int pidfd)
{
	if (l->pidfd >= 0)
		close(l->pidfd);
	program_pid = 0;
	signal(SIGCHLD, SIG_IGN);
	l->channel = c;
	l->pid = (pid_t)c->follow.pid;
	l->pidfd = pidfd;
	l->copy = true;
	l->ended = false;
}

void launch_release(struct launch *l)
{
	off_t at = (char *)l->channel - (char *)l->first, head = (off_t)mem_sites_at();

	/* Gives back the head of the channel last. Once the head is zero, the channel is free. */
	fallocate(l->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at + head,
		  (off_t)l->first->bytes - head);
	fallocate(l->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, head);
}

/* Like launch_wait, for a process that is not a child of this process. */
static void wait_for_copy(struct launch *l, const struct timespec *t)
{
	struct pollfd p = { .fd = l->pidfd, .events = POLLIN };
	int n = ppoll(&p, 1, t, NULL);

	l->ended = l->pidfd >= 0 ? n > 0 : kill(l->pid, 0) != 0 && errno == ESRCH;
}

void launch_wait(struct launch *l, long nanoseconds)
{
	struct pollfd p = { .fd = l->pidfd, .events = POLLIN };
	struct timespec t = { 0, nanoseconds };
	int status;
	pid_t pid;

	if (l->ended)
		return;
	if (l->copy) {
		wait_for_copy(l, &t);
		return;
	}
	ppoll(&p, 1, &t, NULL);
	/* Copies of nfamem are children of this process, too. */
	while (!l->ended && (pid = waitpid(-1, &status, WNOHANG)) > 0)
		l->ended = pid == l->pid;
	if (!l->ended)
		return;
	l->code = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
	program_pid = 0;
}

void launch_close(struct launch *l)
{
	if (l->first != NULL && !l->copy)
		launch_let_go(l->first);
	if (l->first != NULL)
		munmap(l->first, l->bytes);
	if (l->fd >= 0)
		close(l->fd);
	if (l->pidfd >= 0)
		close(l->pidfd);
}
