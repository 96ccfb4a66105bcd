/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Parent and child of a fork do not see each other's stores; both allocate and have a handler. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 300000 };

static int global = 5;
static volatile sig_atomic_t seen;

static void on_signal(int signal)
{
	seen = signal;
}

static int child(int *heap, int from_parent)
{
	char go;
	global = 6;
	heap[5] = 77;
	if (read(from_parent, &go, 1) != 1)
		return 1;
	int wrong = 0;
	for (int i = 0; i < WORDS; i++)
		wrong += heap[i] != (i == 5 ? 77 : i);
	raise(SIGUSR1);
	char *text = malloc(100);
	strcpy(text, "hello");
	printf("child: %d, %d wrong, signal %d, %s\n", global, wrong, seen == SIGUSR1, text);
	fflush(stdout);
	return 3;
}

int main(void)
{
	int *heap = malloc(WORDS * sizeof *heap), status, pipes[2];
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < WORDS; i++)
		heap[i] = i;
	if (pipe(pipes) != 0)
		return 1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(child(heap, pipes[0]));
	global = 9;
	heap[9] = 1;
	if (write(pipes[1], "x", 1) != 1 || waitpid(pid, &status, 0) != pid)
		return 1;
	printf("parent: %d %d %d, status %d, signal %d\n", global, heap[5], heap[9],
	       WEXITSTATUS(status), seen);
	return 0;
}
