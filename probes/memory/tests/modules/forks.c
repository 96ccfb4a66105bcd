/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * forks.c: children of fork load and unload libraries (plugin.c), after their parents have done so.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(const char *who, const char *name)
{
	void *library = dlopen(name, RTLD_NOW);
	if (!library)
		exit(1);
	long (*step)(long) = (long (*)(long))dlsym(library, "step");
	printf("%s: %s %ld\n", who, name, step(4));
	fflush(stdout);
	dlclose(library);
}

static void both(const char *who)
{
	call(who, "plugin.so");
	call(who, "other.so");
}

int main(void)
{
	both("parent");
	void *kept = dlopen("other.so", RTLD_NOW);
	if (fork() == 0) {
		both("child");
		dlclose(kept);
		both("child");
		if (fork() == 0) {
			both("grandchild");
			_exit(0);
		}
		wait(NULL);
		_exit(0);
	}
	wait(NULL);
	both("parent");
	dlclose(kept);
	both("parent");
	return 0;
}
