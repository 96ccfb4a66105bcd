/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Child processes of all kinds. They have memory of their own from the fork on. They are killed,
 * there are many of them, they execute programs that exist or do not exist, and they outlive their
 * parents.
 */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile int number = 1;
static const char *const all[] = { "sh", "-c", "echo executed; exit 7", NULL };

static int end_of(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* Parent and child do not see what the other one stores, also in memory from before the fork. */
static void apart(void)
{
	int *block = calloc(100, sizeof *block), status;
	pid_t pid = fork();

	if (pid == 0) {
		block[5] += 2;
		number = 40;
		_exit(block[5] + number + block[6]);
	}
	block[6] = 100;
	status = end_of(pid);
	printf("%d %d %d\n", WEXITSTATUS(status), block[5], number);
	free(block);
}

static void killed(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			number++;
	kill(pid, SIGKILL);
	printf("%x\n", end_of(pid));
}

static void many(void)
{
	int sum = 0;

	for (int i = 0; i < 12; i++) {
		pid_t pid = fork();

		number += i;
		if (pid == 0)
			_exit(number);
		number -= i;
	}
	for (int status; wait(&status) > 0;)
		sum += WEXITSTATUS(status);
	printf("%d\n", sum);
}

static void executing(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv("/nothing/there", (char *const *)all);
		execvp(all[0], (char *const *)all);
		_exit(9);
	}
	printf("%x\n", end_of(pid));
	pid = fork();
	if (pid == 0) {
		char *none[] = { NULL };

		execve("/bin/sh", (char *const *)all, none);
		_exit(9);
	}
	printf("%x\n", end_of(pid));
	if (posix_spawnp(&pid, "sh", NULL, NULL, (char *const *)all, environ) == 0)
		printf("%x\n", end_of(pid));
	printf("%x\n", system("x=$(echo a | cat); test $x = a && exit 5"));
}

/* Several generations. The last one outlives the others. */
static void orphan(void)
{
	int ends[2];
	char c = 0;

	if (pipe(ends) != 0)
		exit(1);
	if (fork() == 0) {
		if (fork() == 0) {
			usleep(20000);
			c = (char)('a' + number);
			_exit(write(ends[1], &c, 1) != 1);
		}
		_exit(0);
	}
	wait(NULL);
	close(ends[1]);
	printf("%c\n", read(ends[0], &c, 1) == 1 ? c : '-');
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	apart();
	killed();
	many();
	executing();
	orphan();
	execlp("sh", "sh", "-c", "echo last; exit 3", (char *)NULL);
	return 1;
}
