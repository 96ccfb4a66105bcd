/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * `loader PLUGIN`: a thread loads a library. The constructor of that one waits, with the lock of
 * the loader held, until another thread has freed a block of malloc by delete. With PLUGIN this is
 * that library.
 */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>
#include <thread>

#ifdef PLUGIN
extern std::atomic<int> stage;

__attribute__((constructor)) static void wait_for_free()
{
	stage = 1;
	while (stage < 2)
		sched_yield();
}
#else
std::atomic<int> stage;

int main(int, char **argv)
{
	void *plugin = nullptr;
	std::thread loads([&] {
		plugin = dlopen(argv[1], RTLD_NOW);
		stage = 1;
	});
	while (stage < 1)
		sched_yield();
	int *volatile p = (int *)malloc(sizeof *p);
	delete p;
	stage = 2;
	loads.join();
	puts(plugin ? "done" : "not loaded");
	return 0;
}
#endif
