/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * forks.c: processes that call `leaf` so many times, each another number: a child, its child, one
 * that a thread forks, one of vfork(), one that ends in an exec, one whose exec fails. Each prints
 * a line with its number and that of its calls since it began.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sum;

__attribute__((noinline, noclone)) static void leaf(unsigned i)
{
	sum += i;
}

__attribute__((noinline, noclone)) static void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		leaf(i);
}

static void say(unsigned n)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%ld %u\n", (long)getpid(), n);

	if (write(1, line, (size_t)length) != length)
		_exit(1);
}

/* `before`: how many calls the child has made so far. */
static void end_child(unsigned before, unsigned n)
{
	work(n);
	say(before + n);
	_exit(0);
}

static void *thread(void *unused)
{
	pid_t child = fork();

	if (child == 0)
		end_child(0, 5000);
	waitpid(child, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	pid_t child;

	work(10);
	child = fork();
	if (child == 0) {
		work(1000);
		if (fork() == 0)
			end_child(0, 20);
		wait(NULL);
		end_child(1000, 30);
	}
	waitpid(child, NULL, 0);
	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		return 1;
	child = vfork();
	if (child == 0)
		end_child(0, 40);
	waitpid(child, NULL, 0);
	child = fork();
	if (child == 0) {
		work(6000);
		say(6000);
		execl("/bin/true", "true", (char *)NULL);
	}
	waitpid(child, NULL, 0);
	child = fork();
	if (child == 0) {
		work(70);
		execl("/nonexistent", "none", (char *)NULL);
		end_child(70, 80);
	}
	waitpid(child, NULL, 0);
	work(90);
	say(100);
	return 0;
}
