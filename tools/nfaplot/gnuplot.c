/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfaplot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the child with its standard input from `in` and its standard output to `out`. The child is
 * in a process group of its own. Returns 0, or an errno value. */
static int spawn(pid_t *child, int in, int out)
{
	/* -d: the user's own settings don't change the picture. */
	static const char *const words[] = { "gnuplot", "-d", "-", NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t usual;
	int error = posix_spawn_file_actions_init(&files);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error != 0) {
		posix_spawn_file_actions_destroy(&files);
		return error;
	}
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	error = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawnp(child, words[0], &files, &attributes, (char **)words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

enum nfart_status gnuplot_start(struct gnuplot *g, int out, struct nfart_error *e)
{
	int ends[2], error;

	if (pipe(ends) != 0)
		return nfart_fail(e, NFART_SYSTEM, "can't run gnuplot: %s", strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	error = spawn(&g->child, ends[0], out);
	close(ends[0]);
	g->in = ends[1];
	if (error == 0)
		return NFART_OK;
	close(ends[1]);
	if (error == ENOENT)
		return nfart_fail(e, NFART_SYSTEM,
				  "gnuplot is not installed (Debian: gnuplot-nox); "
				  "-o FILE.gp writes what it would draw");
	return nfart_fail(e, NFART_SYSTEM, "can't run gnuplot: %s", strerror(error));
}

/* Writes n bytes to the child. False: the child reads no more. */
static bool write_all(int in, const char *p, size_t n)
{
	while (n != 0) {
		ssize_t got = write(in, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

enum nfart_status gnuplot_finish(struct gnuplot *g, const struct buf *script,
				 struct nfart_error *e)
{
	bool ok = script == NULL || write_all(g->in, script->at, script->n);
	int status = 0;
	pid_t got;

	close(g->in);
	do
		got = waitpid(g->child, &status, 0);
	while (got < 0 && errno == EINTR);
	if (ok && got == g->child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NFART_OK;
	return nfart_fail(e, NFART_SYSTEM, "gnuplot has failed");
}
