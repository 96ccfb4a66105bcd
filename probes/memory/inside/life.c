/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * How threads and processes begin and end.
 *
 *     a thread           CLONE_VM, a stack. It starts on its own stack, with a copy of the call.
 *     vfork, posix_spawn CLONE_VM and CLONE_VFORK. The parent waits. The child shares its memory.
 *     fork               A copy. The parent waits until the child has memory of its own.
 *
 * A child of fork runs unwatched, unless child processes are followed (mem_follow in channel.h).
 */
#include "probes/memory/inside/calls.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "probes/memory/inside/grounds.h"
#include "probes/memory/inside/heap.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/roots.h"
#include "probes/memory/inside/sites.h"

/*
 * LOCAL_MOST: thread-local memory may have so many bytes. LOCAL_BEHIND: what libc keeps of a thread
 * behind the address that fs points to has fewer.
 */
enum { BIRTH_BYTES = 64 << 10, LOCAL_MOST = 1 << 20, LOCAL_BEHIND = 4096 };

/* The state of a clone call while it is made. Parent and child both see this memory. */
struct birth {
	uint64_t flags;
	struct clone_args arguments; /* of clone3, with translated pointers */
	_Atomic uint32_t done;       /* set to 1 by the child */
	uint32_t creator;            /* number of the ring of the thread that makes the call */
	uintptr_t pc;                /* who asked for the thread */
	bool shared;                 /* fork: the memory is shared with the child */
	uint32_t slot;               /* slot of the child's channel, 0: none */
	uint8_t saved[8192];         /* what signals_save wrote */
};

/*
 * A struct birth that is kept for the next call. A vfork returns on a stack inside its struct
 * birth, so that memory cannot be unmapped then.
 */
static __thread struct birth *spare INSIDE_TLS;

static struct birth *birth_new(bool shared)
{
	struct birth *b = spare;
	if (b && !shared) {
		spare = NULL;
	} else {
		int flags = MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE);
		b = raw_mmap(0, BIRTH_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
		if (!raw_good(b))
			return NULL;
	}
	atomic_store(&b->done, 0);
	b->shared = shared;
	b->pc = 0;
	b->slot = 0;
	return b;
}

static void birth_free(struct birth *b)
{
	if (b->shared || spare)
		raw_munmap((uintptr_t)b, BIRTH_BYTES);
	else
		spare = b;
}

static void translate_pointer(unsigned long long *pointer)
{
	*pointer = (uint64_t)mirror_alias((void *)*pointer);
}

/*
 * Gets the flags of a call. Returns the end of the child's stack, 0 if the child uses the caller's.
 * Copies the struct of clone3 to *a.
 */
static uint64_t look_at_clone(const struct call *call, struct clone_args *a, uint64_t *flags)
{
	if (call->number == SYS_clone3) {
		const size_t bytes =
			call->arguments[1] < sizeof *a ? call->arguments[1] : sizeof *a;
		raw_fill(a, 0, sizeof *a);
		raw_copy(a, mirror_alias((void *)call->arguments[0]), bytes);
		*flags = a->flags;
		return a->stack ? a->stack + a->stack_size : 0;
	}
	*flags = call->number == SYS_fork    ? 0
		 : call->number == SYS_vfork ? CLONE_VM | CLONE_VFORK
					     : call->arguments[0];
	return call->number == SYS_clone ? call->arguments[1] : 0;
}

/*
 * Gives the stack of a new thread back if it is watched, and its thread-local memory, which glibc
 * puts behind the stack. Pointers to it are translated afterwards.
 */
static void give_stack(struct call *call, const struct clone_args *a, uint64_t flags)
{
	const bool is_3 = call->number == SYS_clone3;
	const uint64_t from = is_3 ? a->stack : 0;
	const uint64_t end = is_3 ? from + a->stack_size : call->arguments[1];
	const uint64_t local = !(flags & CLONE_SETTLS) ? 0 : is_3 ? a->tls : call->arguments[4];
	lock_take(&sites_lock);
	if (mirror_covers(end - 1)) {
		if (from && from < end)
			grounds_give(from, end - from);
		else
			grounds_found(end - 1);
	}
	if (mirror_covers(local) || mirror_covers(local - 1))
		grounds_give(local > end && local - end < LOCAL_MOST ? end : local - INSIDE_PAGE,
			     LOCAL_BEHIND + (local > end && local - end < LOCAL_MOST
						     ? local - end : INSIDE_PAGE));
	lock_give(&sites_lock);
	for (int i = 0; !is_3 && i < CALL_ARGUMENTS; i++)
		if (call->row->pointers >> i & 1)
			call->used[i] = (uint64_t)mirror_alias((void *)call->arguments[i]);
}

/* Puts a copy of the call on the child's stack. The child goes on from there. */
static void prepare_stack(struct call *call, uint64_t end)
{
	struct birth *b = call->extra;
	struct call *child = (struct call *)((end - sizeof *child) & ~UINT64_C(63));
	*child = *call;
	child->sp = end;
	if (call->number == SYS_clone)
		call->used[1] = (uint64_t)child;
	else
		b->arguments.stack_size = (uint64_t)child - b->arguments.stack;
}

/* Takes all locks, so that this library's tables do not change while the process is copied. */
static void hold_locks(void)
{
	heap_hold();
	lock_take(&sites_lock);
	lock_take(&modules_lock);
	mirror_hold();
}

static void release_locks(void)
{
	mirror_release();
	lock_give(&modules_lock);
	lock_give(&sites_lock);
	heap_release();
}

struct call *life_before(struct call *call, ucontext_t *context)
{
	struct clone_args a;
	uint64_t flags;
	(void)context;
	uint64_t end = look_at_clone(call, &a, &flags);
	if (flags & CLONE_VM && !(flags & (CLONE_VFORK | CLONE_SETTLS)) && inside_watching()) {
		inside_reason("it has threads that share their thread-local memory");
		life_detach();
	}
	struct birth *b = birth_new(!(flags & CLONE_VM));
	if (!b)
		return call; /* The kernel has no memory either, so the call will fail. */
	if (end)
		give_stack(call, &a, flags);
	call->extra = b;
	b->flags = flags;
	if (flags & CLONE_FILES || (flags & CLONE_VM && !(flags & CLONE_VFORK)))
		pages_shared();
	if (call->number == SYS_clone3) {
		b->arguments = a;
		translate_pointer(&b->arguments.pidfd);
		translate_pointer(&b->arguments.child_tid);
		translate_pointer(&b->arguments.parent_tid);
		translate_pointer(&b->arguments.set_tid);
		call->used[0] = (uint64_t)&b->arguments;
	}
	if (!(flags & CLONE_VM)) {
		if (inside_watching())
			ring_stamp();
		inside_enter();
	} else if (flags & CLONE_VFORK) {
		signals_save(b->saved);
	} else {
		count_threads();
		inside.threads = true;
		b->pc = threads_pc ? threads_pc : call->ip;
		b->creator = inside_self.number;
		if (inside_watching())
			ring_stamp();
	}
	if (end) {
		prepare_stack(call, end);
	} else if (flags & CLONE_VM) {
		struct call *moved = (struct call *)((char *)b + BIRTH_BYTES) - 1;
		moved = (struct call *)((uintptr_t)moved & ~(uintptr_t)63);
		*moved = *call;
		call = moved;
	}
	if (!(flags & CLONE_VM))
		hold_locks();
	return call;
}

static void done(struct birth *b)
{
	atomic_store(&b->done, 1);
	RAW3(SYS_futex, &b->done, FUTEX_WAKE, 1);
}

/* Waits until the child has set `done`, or is dead. */
static void wait_for(struct birth *b, long child)
{
	while (atomic_load(&b->done) == 0) {
		struct timespec some = { 0, 20000000 };
		siginfo_t info = { .si_pid = 0 };
		raw_call(SYS_futex, (long)&b->done, FUTEX_WAIT, 0, (long)&some, 0, 0);
		if (b->shared && (raw_call(SYS_waitid, P_PID, child, (long)&info,
					   WEXITED | WNOHANG | WNOWAIT | __WALL, 0, 0) < 0 ||
				  info.si_pid == child))
			return;
	}
}

/* Runs in a child of fork, while the parent waits for `done`. */
static void born_apart(struct birth *b)
{
	struct mem_channel *c = family_follows() ? family_take() : NULL;
	release_locks();
	calls_thread();
	if (!c) {
		mirror_private();
		ring_forget();
		count_forked();
		done(b);
		return;
	}
	mirror_copy();
	inside.channel = c;
	inside.threads = false;
	fault_replaces();
	roots_forked();
	ring_start();
	c->state = MEM_RUNNING;
	b->slot = c->follow.slot;
	done(b);
	if (!family_wait(c))
		life_detach();
}

/*
 * MEM_THREAD comes after what the creator did before the call, and before what it does after the
 * call. So there is a stamp before the event and one after it. In glibc a pthread_t is the address
 * that fs points to.
 */
static void record_birth(const struct birth *b)
{
	uint64_t self;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	roots_thread(true);
	ring_stamp();
	RECORD(MEM_THREAD, b->creator, b->pc, self);
	ring_stamp();
}

static void born(struct birth *b, const struct call *call)
{
	if (!(b->flags & CLONE_VM)) {
		born_apart(b);
		inside_leave();
	} else if (b->flags & CLONE_VFORK) {
		calls_thread();
	} else {
		inside_self.top = call->sp;
		fault_thread();
		if (inside_watching())
			ring_start();
		else
			ring_forget();
		calls_thread();
		if (inside_watching())
			record_birth(b);
		done(b);
	}
}

void life_after(struct call *call, long result)
{
	struct birth *b = call->extra;
	if (!b)
		return;
	if (result == 0) {
		born(b, call);
		return;
	}
	if (!(b->flags & CLONE_VM)) {
		if (result > 0)
			wait_for(b, result);
		release_locks();
		const uint64_t words[] = { (uint64_t)result, b->slot };
		if (result > 0 && inside_watching())
			ring_event(MEM_FORK, words, 2);
		inside_leave();
	} else if (b->flags & CLONE_VFORK) {
		signals_restore(b->saved);
		exec_forget();
		pages_forget();
	} else if (result > 0) {
		wait_for(b, result);
		if (inside_watching())
			ring_stamp();
	}
	birth_free(b);
}

bool life_own_process(void)
{
	return inside_watching() && inside_self.ring &&
	       inside_self.ring->pid == (uint32_t)raw_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

void life_end(void)
{
	if (!life_own_process())
		return;
	inside_enter();
	roots_thread(false);
	ring_stamp();
	ring_event(MEM_EXIT, NULL, 0);
	inside_leave();
}

_Noreturn void life_exit(long status)
{
	stack_t stack;
	const stack_t none = { .ss_flags = SS_DISABLE };
	bool own = life_own_process();
	life_end();
	if (own)
		ring_end();
	if (own && RAW3(SYS_sigaltstack, &none, &stack, 0) == 0 && stack.ss_size)
		raw_munmap((uintptr_t)stack.ss_sp, stack.ss_size);
	if (own && spare)
		raw_munmap((uintptr_t)spare, BIRTH_BYTES);
	for (;;)
		RAW3(SYS_exit, status, 0, 0);
}

void life_detach(void)
{
	static _Atomic bool once;
	if (atomic_exchange(&once, true))
		return;
	mirror_open_all();
	count_stop();
	atomic_store(&inside.channel->state, MEM_DETACHED);
}

void life_lost(void)
{
	static _Atomic bool once;
	if (inside.channel->loss.when == MEM_LOST_KILL)
		RAW3(SYS_kill, RAW3(SYS_getpid, 0, 0, 0), SIGKILL, 0);
	if (atomic_exchange(&once, true))
		return;
	life_detach();
	family_leave();
}

void life_restrict(void)
{
	if (inside_watching()) {
		inside_reason("it restricts its own system calls (seccomp)");
		life_detach();
	}
	calls_stop();
	signals_give_back();
}
