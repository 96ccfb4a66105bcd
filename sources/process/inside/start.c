/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Before any other code of the program runs: what must be there is there, or nothing is watched. */
#include "sources/process/inside/calls.h"
#include "sources/process/inside/inside.h"
#include "sources/process/inside/raw.h"
#include "sources/process/inside/sites.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>

enum { MODULES_MAX = 512, PATH_WORDS = 64 };

struct inside inside;
__thread struct inside_thread inside_self INSIDE_TLS;

struct module {
	uintptr_t bias, low, high;
	const char *name;
	bool watched;
	uintptr_t data, data_end; /* writable, without what is read-only after relocation */
	uintptr_t bss;            /* where the file's part ends */
};

static struct module modules[MODULES_MAX];
static unsigned module_count;

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

/* The name that the loader itself has in a program. */
static bool is_loader(const struct dl_phdr_info *info)
{
	return info->dlpi_addr == getauxval(AT_BASE);
}

/* A module as dl_iterate_phdr tells it. It runs before anything is watched. */
static int note_module(struct dl_phdr_info *info, size_t size, void *with)
{
	(void)size;
	(void)with;
	if (module_count == MODULES_MAX) {
		inside_reason("more modules than 512: the data of the later ones is not watched");
		return 1;
	}
	struct module *m = &modules[module_count];
	*m = (struct module){ .bias = info->dlpi_addr,
			      .low = UINTPTR_MAX,
			      .name = info->dlpi_name };
	uintptr_t relro = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr, end = from + p->p_memsz;
		if (p->p_type == PT_GNU_RELRO)
			relro = end & ~(uintptr_t)(INSIDE_PAGE - 1);
		if (p->p_type != PT_LOAD)
			continue;
		m->low = from < m->low ? from : m->low;
		m->high = end > m->high ? end : m->high;
		if (p->p_flags & PF_W) {
			m->data = from & ~(uintptr_t)(INSIDE_PAGE - 1);
			m->data_end = (end + INSIDE_PAGE - 1) & ~(uintptr_t)(INSIDE_PAGE - 1);
			m->bss = from + p->p_filesz;
		}
	}
	if (relro > m->data && relro <= m->data_end)
		m->data = relro;
	bool own = (uintptr_t)&inside >= m->low && (uintptr_t)&inside < m->high;
	m->watched = !own && !is_loader(info) && m->data < m->data_end;
	module_count++;
	return 0;
}

static void record_module(const struct module *m)
{
	uint64_t words[3 + PATH_WORDS] = { m->bias, m->low, m->high };
	char *path = (char *)(words + 3);
	size_t n = raw_length(m->name), most = PATH_WORDS * 8 - 1;
	if (n)
		raw_copy(path, m->name, n < most ? n : most);
	else
		RAW3(SYS_readlink, "/proc/self/exe", path, most);
	n = raw_length(path);
	inside_enter();
	ring_event(MEM_MODULE, words, (uint32_t)(3 + (n + 8) / 8));
	inside_leave();
}

/* Watches the data of a module: initialised data up to the page where bss begins, and bss. */
static void watch_module(const struct module *m)
{
	uintptr_t border = (m->bss + INSIDE_PAGE - 1) & ~(uintptr_t)(INSIDE_PAGE - 1);
	if (border < m->data)
		border = m->data;
	if (border > m->data_end)
		border = m->data_end;
	bool good = true;
	if (border > m->data)
		good = mirror_adopt(m->data, border - m->data, MEM_DATA);
	if (m->data_end > border)
		good &= mirror_adopt(border, m->data_end - border, MEM_BSS);
	if (!good)
		inside_reason(
			"the data of a module lies where it has no place for a second mapping");
}

/* The same parts, where only ranges of them are asked for. */
static void watch_ranges(const struct mem_channel *c)
{
	for (uint32_t i = 0; i < c->watch_ranges; i++) {
		uintptr_t from = c->watch[i].from & ~(uintptr_t)(INSIDE_PAGE - 1);
		uintptr_t end = c->watch[i].from + c->watch[i].bytes + INSIDE_PAGE - 1;
		mirror_adopt(from, (end & ~(uintptr_t)(INSIDE_PAGE - 1)) - from, MEM_DATA);
	}
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
	dl_iterate_phdr(note_module, NULL);
	for (unsigned i = 0; i < module_count; i++) {
		record_module(&modules[i]);
		inside.low |= modules[i].watched && modules[i].low < UINT64_C(1) << 40;
	}
	/* 2 says that the modules are told. */
	if (atomic_load(&c->watch_pending))
		atomic_store(&c->watch_pending, 2);
	while (atomic_load_explicit(&c->watch_pending, memory_order_acquire)) {
		struct timespec nap = { 0, 100000 };
		RAW3(SYS_nanosleep, &nap, 0, 0);
	}
	inside.watching = true;
	calls_go();
	if (c->watch_ranges)
		watch_ranges(c);
	for (unsigned i = 0; i < module_count && !c->watch_ranges && !c->watch_callers; i++)
		if (modules[i].watched)
			watch_module(&modules[i]);
	c->state = MEM_RUNNING;
}
