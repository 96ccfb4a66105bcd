/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * host.c: loads plugin.so and other.so (plugin.c) in all ways. The run path of this program leads
 * to them. With the argument "bug" it calls only the function with the bug.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 100, BUFFER = 64 };

static void *load(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY);
	if (!library) {
		puts(dlerror());
		exit(1);
	}
	return library;
}

static long call(void *library, long n)
{
	long (*step)(long) = (long (*)(long))dlsym(library, "step");
	return step(n);
}

static void print(void *library)
{
	char *(*describe)(void) = (char *(*)(void))dlsym(library, "describe");
	char *text = describe();
	dlclose(library);
	puts(text);
	free(text);
}

/* A library that comes to the place of another one has its own instructions, and new data. */
static void in_turn(void)
{
	long sum = 0, same = 0;
	void *before = NULL;
	for (int i = 0; i < TIMES; i++) {
		void *library = load(i % 2 ? "other.so" : "plugin.so");
		void *at = dlsym(library, "step");
		same += at == before;
		before = at;
		sum += call(library, i % 7 + 1) * (i + 1);
		if (dlclose(library) != 0)
			puts(dlerror());
	}
	printf("sum %ld\n", sum);
	fprintf(stderr, "%ld\n", same);
}

static void *by_thread(void *with)
{
	long sum = 0;
	for (int i = 0; i < TIMES / 2; i++) {
		void *library = load(with);
		sum += call(library, 3) + i;
		dlclose(library);
	}
	return (void *)sum;
}

static void with_threads(void)
{
	pthread_t threads[2];
	char *names[] = { "plugin.so", "other.so" };
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, by_thread, names[i]);
	for (int i = 0; i < 2; i++) {
		void *sum;
		pthread_join(threads[i], &sum);
		printf("%s %ld\n", names[i], (long)sum);
	}
}

static void counted(void)
{
	void *first = load("plugin.so"), *second = load("plugin.so"), *other = load("other.so");
	printf("%ld %ld\n", call(first, 4), call(other, 4));
	dlclose(first);
	printf("%ld\n", call(second, 4));
	print(second);
	printf("%ld\n", call(other, 4));
	second = load("plugin.so");
	printf("%ld\n", call(second, 4));
	print(other);
	print(second);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "bug") == 0) {
		long (*lose)(void) = (long (*)(void))dlsym(load("plugin.so"), "lose");
		return lose() == 0;
	}
	in_turn();
	counted();
	with_threads();
	printf("%d\n", dlopen("absent.so", RTLD_NOW) == NULL);
	printf("%d\n", dlopen("missing.so", RTLD_NOW) == NULL);
	void *apart = dlmopen(LM_ID_NEWLM, "plugin.so", RTLD_NOW), *near = load("plugin.so");
	if (apart)
		printf("%ld %ld\n", call(apart, 5), call(near, 2));
	dlclose(near);
	return 0;
}
