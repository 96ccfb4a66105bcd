/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* vfork, posix_spawn, system and popen; an exec that fails; signal actions that a child sets. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile sig_atomic_t seen;

static void on_signal(int signal)
{
	(void)signal;
	seen++;
}

int main(void)
{
	char *arguments[] = { "sh", "-c", "echo spawned; exit 4", NULL };
	int status;
	pid_t pid;
	setvbuf(stdout, NULL, _IONBF, 0);
	signal(SIGUSR1, on_signal);
	for (volatile int i = 0; i < 3; i++) {
		pid = vfork();
		if (pid == 0) {
			signal(SIGUSR1, SIG_DFL);
			execl("/nowhere/at/all", "x", (char *)NULL);
			_exit(errno == ENOENT ? 5 + i : 1);
		}
		waitpid(pid, &status, 0);
		printf("vfork: %d\n", WEXITSTATUS(status));
	}
	raise(SIGUSR1);
	printf("signals: %d\n", seen);
	int failed = posix_spawnp(&pid, "sh", NULL, NULL, arguments, environ);
	waitpid(pid, &status, 0);
	printf("posix_spawn: %d %d\n", failed, WEXITSTATUS(status));
	failed = posix_spawn(&pid, "/nowhere/at/all", NULL, NULL, arguments, environ);
	printf("posix_spawn of nothing: %d\n", failed == ENOENT);
	printf("system: %d\n", WEXITSTATUS(system("echo from system; exit 6")));
	char line[80] = "";
	FILE *f = popen("echo from popen", "r");
	printf("popen: %s", fgets(line, sizeof line, f));
	printf("pclose: %d\n", pclose(f));
	return 0;
}
