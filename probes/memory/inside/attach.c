/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/attach.h"

#include <dlfcn.h>
#include <signal.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/decode.h"
#include "probes/memory/inside/hooks.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/roots.h"
#include "probes/memory/inside/sites.h"

static const uint64_t needed = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1) |
			       UINT64_C(1) << (SIGSYS - 1);

/* The stack for handlers comes after memory was adopted, so that it is not among that. */
static void begin_thread(uint64_t mask)
{
	fault_thread();
	roots_thread(true);
	signals_blocked(mask);
	RAW3(SYS_rt_sigprocmask, SIG_UNBLOCK, &needed, 0);
}

long nfamem_begin(long fd)
{
	char number[24];
	size_t at = sizeof number - 1;
	number[at] = 0;
	do
		number[--at] = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	inside.program = dlopen(NULL, RTLD_NOW);
	inside.attached = true;
	inside.channel = family_open(number + at);
	if (!inside.channel)
		return 0;
	inside.engine = inside.channel->engine;
	if (!start_tables() || !ring_start() || !hooks_start())
		return 0;
	modules_start();
	return 1;
}

long nfamem_watch(long threads)
{
	if (!start_handlers())
		return 0;
	modules_late();
	inside.threads = threads > 1;
	inside.watching = true;
	modules_watch();
	return 1;
}

static size_t adopt(uintptr_t at, uintptr_t end)
{
	return end > at && mirror_adopt(at, end - at, MEM_MAPPED) ? end - at : 0;
}

long nfamem_adopt(uintptr_t at, size_t bytes)
{
	const uintptr_t end = at + bytes;
	uintptr_t from, to;
	size_t adopted = 0;
	if (mirror_known(at))
		return 0;
	for (; own_next(at, &from, &to) && from < end; at = to)
		adopted += adopt(at, from);
	return (long)(adopted + adopt(at, end));
}

/*
 * All threads have stopped, so what each of them did comes before what any of them will do. That is
 * as if the first one had made them now.
 */
long nfamem_thread(uint64_t blocked)
{
	uint64_t self;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	begin_thread(blocked);
	if (!ring_start())
		return 0;
	ring_stamp();
	RECORD(MEM_THREAD, 0, 0, self);
	ring_stamp();
	return calls_thread();
}

uint64_t nfamem_asleep(const uint64_t *words)
{
	return (uint64_t)calls_asleep(words);
}

uint64_t nfamem_thunk(void)
{
	return (uint64_t)calls_thunk;
}

long nfamem_go(uint64_t blocked)
{
	begin_thread(blocked);
	modules_hook();
	calls_go();
	inside.channel->state = MEM_RUNNING;
	return 1;
}

long nfamem_where(uintptr_t pc)
{
	const struct inside_thread *t = &inside_self;
	enum { SYSCALL_BYTES = 2 };
	stack_t s = { 0 };
	RAW3(SYS_sigaltstack, 0, &s, 0);
	if (t->busy || t->paused || t->opened_count || s.ss_flags & SS_ONSTACK)
		return MEM_INSIDE;
	if (pc - (uintptr_t)calls_thunk <= SYSCALL_BYTES)
		return MEM_CALL;
	if (inside_library(pc))
		return MEM_INSIDE;
	return pages_find(pc) || sites_of_nop(pc) ? MEM_COPYING : MEM_OUTSIDE;
}

long nfamem_leave(void)
{
	life_detach();
	calls_stop();
	/*
	 * If nfamem_go() was not called, nfamem_alone() is not either in the thread of
	 * nfamem_watch().
	 */
	calls_thread_end();
	lock_take(&sites_lock);
	sites_restore(0, UINT64_C(1) << MEM_ADDRESS_BITS, true);
	hooks_end();
	modules_end();
	lock_give(&sites_lock);
	signals_end();
	mirror_private();
	return 1;
}

uint64_t nfamem_alone(void)
{
	bool stays;
	calls_thread_end();
	ring_forget();
	const uint64_t blocked = signals_thread_end(&stays);
	return blocked | (stays ? MEM_ALONE_STAYS : 0);
}

long nfamem_unload(void)
{
	decode_end();
	return 1;
}

long nfamem_unmap(void)
{
	family_end();
	pages_unmap();
	own_unmap();
	return 1;
}
