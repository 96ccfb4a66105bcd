/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The program's signals. This library keeps the handlers of SIGSEGV, SIGTRAP and SIGSYS for itself,
 * and never blocks these signals. The program's settings for them are only noted here. The program
 * gets such a signal only if this library did not cause it. For all other signals the kernel calls
 * on_signal, which calls the program's handler. If this library is busy, it does so later.
 *
 * The alternate stack belongs to this library, too. The program's handlers with SA_ONSTACK run on
 * it.
 */
#include "probes/memory/inside/calls.h"

#include <errno.h>
#include <sys/mman.h>

#include "probes/memory/inside/raw.h"

enum { SIGNALS = 65 };

#define BIT(signal) (UINT64_C(1) << ((signal)-1))

static const uint64_t ours = BIT(SIGSEGV) | BIT(SIGTRAP) | BIT(SIGSYS);

/* The program's settings. */
static struct kernel_action actions[SIGNALS];

/*
 * Of the three signals that this library keeps: those that the program has blocked in this thread.
 */
static __thread uint64_t blocked INSIDE_TLS;
static __thread stack_t own_stack INSIDE_TLS;
/* Of the signals that are put off. It is not thread-local: dlopen has little room for that. */
static __thread siginfo_t *waiting INSIDE_TLS;

static long set_action(int signal, const struct kernel_action *to)
{
	return raw_call(SYS_rt_sigaction, signal, (long)to, 0, 8, 0, 0);
}

static bool is_handler(const struct kernel_action *a)
{
	return (uintptr_t)a->handler > (uintptr_t)SIG_IGN;
}

uint64_t signals_allowed(uint64_t signals)
{
	return signals & ~ours;
}

static void mask_of(ucontext_t *context, uint64_t *mask)
{
	raw_copy(mask, &context->uc_sigmask, sizeof *mask);
}

static void set_mask(ucontext_t *context, uint64_t mask)
{
	raw_copy(&context->uc_sigmask, &mask, sizeof mask);
}

/* Ends the process by a signal, as if there were no handler. */
static void die_of_signal(int signal, ucontext_t *context)
{
	static const struct kernel_action none;
	uint64_t mask;
	set_action(signal, &none);
	mask_of(context, &mask);
	set_mask(context, mask & ~BIT(signal));
	RAW3(SYS_tgkill, raw_call(SYS_getpid, 0, 0, 0, 0, 0, 0),
	     raw_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal);
}

/* Calls the program's handler, with the signal mask that the program asked for. */
static void call_handler(int signal, siginfo_t *info, ucontext_t *context)
{
	const struct kernel_action a = actions[signal];
	const uint64_t before = blocked;
	uint64_t mask, more = a.mask | (a.flags & SA_NODEFER ? 0 : BIT(signal));
	mask_of(context, &mask);
	mask = signals_allowed(mask | more);
	if (a.flags & SA_RESETHAND)
		actions[signal].handler = NULL;
	blocked = before | (more & ours);
	raw_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8, 0, 0);
	a.handler(signal, info, context);
	blocked = before;
}

/*
 * Whether the thread tries an instruction again: it may have faulted just before all watched memory
 * was opened. Each pc is tried once more.
 */
static bool tried_again(const ucontext_t *context)
{
	static __thread uintptr_t last INSIDE_TLS;
	const uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	if (inside_watching() || !inside.channel || last == pc)
		return false;
	last = pc;
	return true;
}

void signals_foreign(int signal, siginfo_t *info, ucontext_t *context)
{
	const struct kernel_action *a = &actions[signal];
	const bool fault = info->si_code > 0;
	if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && tried_again(context))
		return;
	if (fault && (blocked & BIT(signal) || !is_handler(a)))
		die_of_signal(signal, context);
	else if (is_handler(a))
		call_handler(signal, info, context);
	else if ((uintptr_t)a->handler == (uintptr_t)SIG_DFL)
		die_of_signal(signal, context);
}

/* Shows the program its own instruction, also if that caused the signal. */
static void settle(int signal, siginfo_t *info, ucontext_t *context)
{
	const greg_t *pc = &context->uc_mcontext.gregs[REG_RIP], before = *pc;
	fault_settle(context);
	if (info->si_code > 0 && (signal == SIGFPE || signal == SIGILL) &&
	    (greg_t)info->si_addr == before)
		info->si_addr = (void *)*pc;
}

/* Handles all other signals. The kernel has already set the mask that the program asked for. */
static void on_signal(int signal, siginfo_t *info, void *with)
{
	static const struct kernel_action none;
	const struct kernel_action a = actions[signal];
	if (inside_self.busy && waiting) {
		waiting[signal] = *info;
		inside_self.deferred |= BIT(signal);
		return;
	}
	if (!is_handler(&a))
		return;
	if (a.flags & SA_RESETHAND) {
		actions[signal] = none;
		set_action(signal, &none);
	}
	uint64_t scratch[KEEPS];
	const uint64_t before = blocked;
	if (inside_watching())
		settle(signal, info, with);
	raw_copy(scratch, inside_self.scratch, sizeof scratch);
	blocked = before | (a.mask & ours);
	a.handler(signal, info, with);
	blocked = before;
	raw_copy(inside_self.scratch, scratch, sizeof scratch);
}

/* Sends this thread again the signals that came while it was busy. */
void inside_deferred(void)
{
	while (inside_self.deferred) {
		const int signal = __builtin_ctzl(inside_self.deferred) + 1;
		inside_self.deferred &= ~BIT(signal);
		raw_call(SYS_rt_tgsigqueueinfo, raw_call(SYS_getpid, 0, 0, 0, 0, 0, 0),
			 raw_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, (long)&waiting[signal], 0,
			 0);
	}
}

/* Passes the program's setting for a signal to the kernel, with on_signal as the handler. */
static long install(int signal)
{
	struct kernel_action a = actions[signal];
	if (is_handler(&a)) {
		a.handler = on_signal;
		a.flags = (a.flags | SA_SIGINFO | KERNEL_RESTORER) & ~(uint64_t)SA_RESETHAND;
		a.restorer = inside_restorer;
	}
	a.mask = signals_allowed(a.mask);
	return set_action(signal, &a);
}

void signals_start(void)
{
	for (int i = 1; i < SIGNALS; i++) {
		raw_call(SYS_rt_sigaction, i, 0, (long)&actions[i], 8, 0, 0);
		if (is_handler(&actions[i]) && !(ours & BIT(i)))
			install(i);
	}
}

void signals_thread(void *room, const stack_t *stack)
{
	_Static_assert(SIGNALS * sizeof(siginfo_t) <= SIGNALS_ROOM, "it is for all signals");
	waiting = room;
	if (!(stack->ss_flags & SS_DISABLE))
		own_stack = *stack;
}

void signals_give_back(void)
{
	for (int i = 1; i < SIGNALS; i++)
		if (i == SIGSYS || (!(ours & BIT(i)) && is_handler(&actions[i])))
			set_action(i, &actions[i]);
}

void signals_end(void)
{
	signals_give_back();
	set_action(SIGSEGV, &actions[SIGSEGV]);
	set_action(SIGTRAP, &actions[SIGTRAP]);
}

void signals_blocked(uint64_t mask)
{
	blocked = mask & ours;
}

uint64_t signals_thread_end(bool *stays)
{
	stack_t s = own_stack, before;
	if (!s.ss_size)
		s.ss_flags = SS_DISABLE;
	*stays = RAW3(SYS_sigaltstack, &s, &before, 0) != 0;
	if (!*stays && before.ss_size)
		raw_munmap((uintptr_t)before.ss_sp, before.ss_size);
	return blocked;
}

size_t signals_bytes(void)
{
	return sizeof actions + sizeof blocked + sizeof own_stack;
}

void signals_save(void *to)
{
	raw_copy(to, actions, sizeof actions);
	raw_copy((char *)to + sizeof actions, &blocked, sizeof blocked);
	raw_copy((char *)to + sizeof actions + sizeof blocked, &own_stack, sizeof own_stack);
}

void signals_restore(const void *from)
{
	raw_copy(actions, from, sizeof actions);
	raw_copy(&blocked, (const char *)from + sizeof actions, sizeof blocked);
	raw_copy(&own_stack, (const char *)from + sizeof actions + sizeof blocked,
		 sizeof own_stack);
}

static struct kernel_action kept[SIGNALS];

void signals_exec(ucontext_t *context)
{
	uint64_t mask;
	mask_of(context, &mask);
	set_mask(context, mask | blocked);
	for (int i = 1; i < SIGNALS; i++)
		if (ours & BIT(i) && (uintptr_t)actions[i].handler == (uintptr_t)SIG_IGN) {
			raw_call(SYS_rt_sigaction, i, 0, (long)&kept[i], 8, 0, 0);
			set_action(i, &actions[i]);
		}
}

void signals_not_exec(void)
{
	for (int i = 1; i < SIGNALS; i++)
		if (is_handler(&kept[i])) {
			set_action(i, &kept[i]);
			kept[i].handler = NULL;
		}
	raw_call(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&ours, 0, 8, 0, 0);
}

static long action(int signal, uint64_t new, uint64_t old, uint64_t size)
{
	if (size != 8)
		return -EINVAL;
	/* Reject arguments that the kernel would reject, too. */
	if (signal < 1 || signal >= SIGNALS ||
	    (new && (BIT(signal) & (BIT(SIGKILL) | BIT(SIGSTOP)))))
		return -EINVAL;
	struct kernel_action a, before = actions[signal];
	if (new) {
		raw_copy(&a, mirror_alias((void *)new), sizeof a);
		actions[signal] = a;
		actions[signal].mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
		if (!(ours & BIT(signal)))
			install(signal);
	}
	if (old)
		raw_copy(mirror_alias((void *)old), &before, sizeof before);
	return 0;
}

static long change_mask(ucontext_t *context, int how, uint64_t new, uint64_t old, uint64_t size)
{
	uint64_t mask, was, change = 0;
	if (size != 8)
		return -EINVAL;
	mask_of(context, &mask);
	was = mask = signals_allowed(mask) | blocked;
	if (new) {
		raw_copy(&change, mirror_alias((void *)new), sizeof change);
		if (how == SIG_BLOCK)
			mask |= change;
		else if (how == SIG_UNBLOCK)
			mask &= ~change;
		else if (how == SIG_SETMASK)
			mask = change;
		else
			return -EINVAL;
		mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
		set_mask(context, signals_allowed(mask));
		blocked = mask & ours;
	}
	if (old)
		raw_copy(mirror_alias((void *)old), &was, sizeof was);
	return 0;
}

static long change_stack(const ucontext_t *context, uint64_t new, uint64_t old)
{
	const uintptr_t sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
	const stack_t *real = &context->uc_stack;
	const bool on = sp - (uintptr_t)real->ss_sp < real->ss_size && own_stack.ss_size;
	stack_t before = own_stack;
	before.ss_flags = on ? SS_ONSTACK : before.ss_size ? before.ss_flags : SS_DISABLE;
	if (new) {
		stack_t s = *(const stack_t *)mirror_alias((void *)new);
		if (on)
			return -EPERM;
		if (s.ss_flags & ~(int)(SS_DISABLE | SS_ONSTACK | (1U << 31)))
			return -EINVAL;
		if (s.ss_flags & SS_DISABLE)
			s = (stack_t){ .ss_flags = SS_DISABLE };
		else if (s.ss_size < 2048)
			return -ENOMEM;
		s.ss_flags &= ~SS_ONSTACK;
		own_stack = s;
	}
	if (old)
		*(stack_t *)mirror_alias((void *)old) = before;
	return 0;
}

/* rt_sigreturn of a frame that the program itself made. */
static _Noreturn void give_up(uint64_t sp)
{
	__asm__ volatile("mov %0, %%rsp\n\tmov $15, %%eax\n\tsyscall\n\tud2"
			 :
			 : "r"(sp)
			 : "memory");
	__builtin_unreachable();
}

long signals_call(ucontext_t *context, uint64_t number, const uint64_t *a)
{
	switch (number) {
	case SYS_rt_sigaction:
		return action((int)a[0], a[1], a[2], a[3]);
	case SYS_rt_sigprocmask:
		return change_mask(context, (int)a[0], a[1], a[2], a[3]);
	case SYS_sigaltstack:
		return change_stack(context, a[0], a[1]);
	default:
		give_up((uint64_t)context->uc_mcontext.gregs[REG_RSP]);
	}
}
