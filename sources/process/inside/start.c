/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Before any other code of the program runs: what must be there is there, or nothing is watched. */
#include "sources/process/inside/calls.h"
#include "sources/process/inside/inside.h"
#include "sources/process/inside/modules.h"
#include "sources/process/inside/raw.h"
#include "sources/process/inside/sites.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

struct inside inside;
__thread struct inside_thread inside_self INSIDE_TLS;

void inside_reason(const char *text)
{
	struct mem_channel *c = inside.channel;
	if (!c || c->reason[0])
		return;
	size_t n = raw_length(text);
	if (n >= sizeof c->reason)
		n = sizeof c->reason - 1;
	raw_copy(c->reason, text, n);
}

static bool begins(const char *s, const char *with)
{
	size_t n = raw_length(with);
	return raw_length(s) >= n && raw_same(s, with, n);
}

/* Takes the entry that begins with `name` out of an environment. Returns its value, or NULL. */
static const char *take(char **environment, const char *name)
{
	const char *value = NULL;
	char **to = environment;
	for (char **e = environment; *e; e++) {
		if (begins(*e, name))
			value = *e + raw_length(name);
		else
			*to++ = *e;
	}
	*to = NULL;
	return value;
}

/*
 * Takes this library out of LD_PRELOAD, so that the program finds its environment as it was. Other
 * libraries stay; nfamem put this one first.
 */
static void take_library(char **environment, const char *library)
{
	static const char name[] = "LD_PRELOAD=";
	char **e = environment;
	while (*e && !begins(*e, name))
		e++;
	if (!*e || !library || !begins(*e + sizeof name - 1, library))
		return;
	char *list = *e + sizeof name - 1, *rest = list + raw_length(library);
	if (*rest == ':')
		raw_copy(list, rest + 1, raw_length(rest + 1) + 1);
	else if (*rest == 0)
		take(environment, name);
}

/* Maps the channel that the value of NFAMEM_CHANNEL, a file descriptor or a path, is. */
static struct mem_channel *open_channel(const char *value)
{
	long fd = 0;
	bool path = *value == '/';
	if (path)
		fd = raw_call(SYS_openat, AT_FDCWD, (long)value, O_RDWR | O_CLOEXEC, 0, 0, 0);
	for (; !path && *value; value++)
		fd = fd * 10 + (*value - '0');
	if (fd < 0)
		return NULL;
	const int prot = PROT_READ | PROT_WRITE;
	struct mem_channel *c = raw_mmap(0, sizeof *c, prot, MAP_SHARED, (int)fd, 0);
	if (!raw_good(c))
		return NULL;
	bool good = c->magic == MEM_MAGIC && c->version == MEM_VERSION &&
		    c->bytes == mem_channel_bytes(c);
	uint64_t bytes = c->bytes;
	raw_munmap((uintptr_t)c, sizeof *c);
	if (good)
		c = raw_mmap(0x180000000000, bytes, prot, MAP_SHARED, (int)fd, 0);
	RAW3(SYS_close, fd, 0, 0);
	return good && raw_good(c) ? c : NULL;
}

/* Everything that can fail, before anything changes. */
static bool prepare(void)
{
	signals_start();
	if (!sites_start() || !mirror_start() || !fault_start() || !calls_start())
		return false;
	fault_thread();
	ring_start();
	return true;
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
	(void)argc;
	(void)argv;
	const char *value = take(environment, "NFAMEM_CHANNEL=");
	if (!value)
		return;
	Dl_info self;
	if (dladdr(&inside, &self))
		take_library(environment, self.dli_fname);
	inside.channel = open_channel(value);
	struct mem_channel *c = inside.channel;
	if (!c)
		return;
	inside.engine = c->engine;
	inside.follow = c->follow;
	if (!prepare()) {
		inside_reason("something that watching needs is missing");
		c->state = MEM_DETACHED;
		inside.channel = NULL;
		return;
	}
	modules_start();
	/* 2 says that the modules are told. */
	if (atomic_load(&c->watch_pending))
		atomic_store(&c->watch_pending, 2);
	while (atomic_load_explicit(&c->watch_pending, memory_order_acquire)) {
		struct timespec nap = { 0, 100000 };
		RAW3(SYS_nanosleep, &nap, 0, 0);
	}
	inside.watching = true;
	calls_go();
	modules_watch();
	c->state = MEM_RUNNING;
}
