/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/roots.h"

#include <fcntl.h>
#include <sys/uio.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/raw.h"

enum { THREADS_MAX = 1024, STACKS_MAX = 1024, PIECE = 4096, PIECES = 8, RED_ZONE = 128 };

static struct {
	struct lock lock;
	uintptr_t thread[THREADS_MAX]; /* what fs points to in each thread; 0: a free entry */
	struct {
		uintptr_t at;
		size_t bytes;
	} stack[STACKS_MAX]; /* bytes 0: a free entry */
	bool full;           /* a thread was not noted */
} noted;

/* In glibc, and by the ABI of x86-64, the word at fs:0 is its own address. */
static uintptr_t own_thread(void)
{
	uintptr_t self;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	return self;
}

void roots_thread(bool begins)
{
	const uintptr_t self = own_thread(), old = begins ? 0 : self;
	uint32_t i = 0;
	lock_take(&noted.lock);
	while (i < THREADS_MAX && noted.thread[i] != old)
		i++;
	if (i < THREADS_MAX)
		noted.thread[i] = begins ? self : 0;
	else
		noted.full |= begins;
	lock_give(&noted.lock);
}

void roots_forked(void)
{
	raw_fill(&noted.lock, 0, sizeof noted.lock);
	raw_fill(noted.thread, 0, sizeof noted.thread);
	roots_thread(true);
}

void roots_stack(uintptr_t at, size_t bytes)
{
	uint32_t i = 0;
	lock_take(&noted.lock);
	while (i < STACKS_MAX && noted.stack[i].bytes)
		i++;
	if (i < STACKS_MAX) {
		noted.stack[i].at = at;
		noted.stack[i].bytes = bytes;
	}
	lock_give(&noted.lock);
}

void roots_unmapped(uintptr_t at, size_t bytes)
{
	lock_take(&noted.lock);
	for (uint32_t i = 0; i < STACKS_MAX; i++)
		if (noted.stack[i].bytes && at < noted.stack[i].at + noted.stack[i].bytes &&
		    noted.stack[i].at < at + bytes)
			noted.stack[i].bytes = 0;
	lock_give(&noted.lock);
}

bool roots_stack_of(uintptr_t at, uintptr_t *from, uintptr_t *to)
{
	bool found = false;
	lock_take(&noted.lock);
	for (uint32_t i = 0; i < STACKS_MAX && !found; i++) {
		*from = noted.stack[i].at;
		*to = *from + noted.stack[i].bytes;
		found = at - *from < noted.stack[i].bytes;
	}
	lock_give(&noted.lock);
	return found;
}

void roots_read(uintptr_t at, size_t bytes, roots_take *take, void *with)
{
	static uint64_t words[PIECES * PIECE / sizeof(uint64_t)];
	const long self = raw_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
	const uintptr_t end = (at + bytes) & ~(uintptr_t)7;
	at = (at + 7) & ~(uintptr_t)7;
	while (at < end) {
		const uintptr_t most = (at + sizeof words) & ~(uintptr_t)(PIECE - 1);
		struct iovec here = { words, (end < most ? end : most) - at };
		struct iovec there = { mirror_alias((void *)at), here.iov_len };
		const long n = raw_call(SYS_process_vm_readv, self, (long)&here, 1, (long)&there, 1,
					0);
		if (n >= 8)
			take(with, words, (size_t)n / 8);
		/* A page that cannot be read is passed over. */
		at = n >= 8 ? at + ((size_t)n & ~(size_t)7)
			    : (at + PIECE) & ~(uintptr_t)(PIECE - 1);
	}
}

struct reading {
	roots_take *take;
	void *with;
};

/* Reads what is not noted of a range. */
static void read_rest(uintptr_t at, size_t bytes, void *with)
{
	const struct reading *r = with;
	const uintptr_t end = at + bytes;
	uintptr_t from, to;
	while (at < end && own_next(at, &from, &to) && from < end) {
		if (from > at)
			roots_read(at, from - at, r->take, r->with);
		at = to;
	}
	if (at < end)
		roots_read(at, end - at, r->take, r->with);
}

/* Notes the stacks of threads that have ended. */
static void note_stacks(void)
{
	for (uint32_t i = 0; i < STACKS_MAX && !noted.full; i++) {
		const uintptr_t at = noted.stack[i].at;
		const size_t bytes = noted.stack[i].bytes;
		uint32_t k = 0;
		while (k < THREADS_MAX && noted.thread[k] - at >= bytes)
			k++;
		if (bytes && k == THREADS_MAX)
			own_note(at, bytes);
	}
}

/*
 * Notes what this library keeps in the program: its data, the state of its threads, and the stack
 * of the handler in which this thread is. Other threads have their registers on such stacks.
 */
static void note_library(void)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	extern const char _end[] __attribute__((visibility("hidden")));
	const uintptr_t apart = own_thread() - (uintptr_t)&inside_self;
	stack_t s = { 0 };
	own_note((uintptr_t)__ehdr_start, (size_t)(_end - __ehdr_start));
	for (uint32_t i = 0; i < THREADS_MAX; i++)
		if (noted.thread[i])
			own_note(noted.thread[i] - apart, sizeof inside_self);
	if (RAW3(SYS_sigaltstack, 0, &s, 0) == 0 && s.ss_size)
		own_note((uintptr_t)s.ss_sp, s.ss_size);
}

/* ---- /proc/thread-self/maps: that of the process is empty when its first thread has ended ---- */

struct maps {
	int fd;
	char text[4096];
	size_t at, n;
};

static int next_char(struct maps *m)
{
	if (m->at == m->n) {
		const long n = RAW3(SYS_read, m->fd, m->text, sizeof m->text);
		m->at = 0;
		m->n = n > 0 ? (size_t)n : 0;
	}
	return m->at < m->n ? m->text[m->at++] : -1;
}

/* Reads a number in hexadecimal and the character after it. */
static uintptr_t next_number(struct maps *m)
{
	uintptr_t number = 0;
	for (;;) {
		const int c = next_char(m);
		if (c >= '0' && c <= '9')
			number = number << 4 | (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number << 4 | (uintptr_t)(c - 'a' + 10);
		else
			return number;
	}
}

struct mapping {
	uintptr_t from, to;
	bool wanted; /* it is private, may be read, and may be written or is anonymous */
};

static bool next_mapping(struct maps *m, struct mapping *p)
{
	char mode[5];
	int c;
	p->from = next_number(m);
	p->to = next_number(m);
	for (int i = 0; i < 5; i++)
		mode[i] = (char)next_char(m);
	next_number(m);
	next_number(m);
	next_number(m);
	/* The inode: anonymous memory has 0. */
	bool file = false;
	while ((c = next_char(m)) >= 0 && c != ' ' && c != '\n')
		file |= c != '0';
	while (c >= 0 && c != '\n')
		c = next_char(m);
	p->wanted = mode[0] == 'r' && mode[3] == 'p' && (mode[1] == 'w' || !file);
	return p->to != 0;
}

/* Reads private memory that is not watched. Below `sp` its own stack holds nothing. */
static void read_mappings(uintptr_t sp, struct reading *r)
{
	static struct maps m;
	struct mapping p;
	m.fd = (int)RAW3(SYS_open, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0);
	m.at = m.n = 0;
	if (m.fd < 0)
		return;
	while (next_mapping(&m, &p)) {
		if (!p.wanted)
			continue;
		if (sp > p.from && sp <= p.to)
			p.from = sp;
		read_rest(p.from, p.to - p.from, r);
	}
	RAW3(SYS_close, m.fd, 0, 0);
}

void roots_each(const ucontext_t *context, roots_take *take, void *with)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	struct reading r = { take, with };
	note_stacks();
	note_library();
	take(with, (const uint64_t *)registers, NGREG);
	mirror_each(read_rest, &r);
	read_mappings((uintptr_t)registers[REG_RSP] - RED_ZONE, &r);
}
