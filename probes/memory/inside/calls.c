/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/calls.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "probes/memory/inside/grounds.h"
#include "probes/memory/inside/locals.h"
#include "probes/memory/inside/leaks.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/sites.h"
#include "probes/memory/inside/stacks.h"

enum { RED_ZONE = 128 };

/*
 * 1: every system call from outside this library raises SIGSYS. The kernel reads this byte at every
 * call.
 */
static volatile uint8_t dispatch;

/*
 * Note [unwinding through a call]: a thread may be cancelled in a system call. C++ then unwinds the
 * stack from calls_thunk. The frame to unwind is the `struct call` at the stack pointer. Its first
 * two words hold the ip and sp with which the program goes on.
 */
__asm__(".text\n"
	".globl calls_thunk\n"
	".hidden calls_thunk\n"
	".type calls_thunk, @function\n"
	"calls_thunk:\n"
	".cfi_startproc\n"
	".cfi_signal_frame\n"
	".cfi_escape 0x0f, 3, 0x77, 8, 0x06\n"    /* the CFA is the word at [rsp + 8] */
	".cfi_escape 0x10, 16, 2, 0x77, 0\n"      /* the return address is at [rsp] */
	".cfi_escape 0x16, 7, 3, 0x77, 8, 0x06\n" /* the caller's rsp is at [rsp + 8] */
	"	syscall\n"
	"	movups %xmm0, 80(%rsp)\n"
	"	movups %xmm1, 96(%rsp)\n"
	"	movups %xmm2, 112(%rsp)\n"
	"	movups %xmm3, 128(%rsp)\n"
	"	movups %xmm4, 144(%rsp)\n"
	"	movups %xmm5, 160(%rsp)\n"
	"	movups %xmm6, 176(%rsp)\n"
	"	movups %xmm7, 192(%rsp)\n"
	"	movups %xmm8, 208(%rsp)\n"
	"	movups %xmm9, 224(%rsp)\n"
	"	movups %xmm10, 240(%rsp)\n"
	"	movups %xmm11, 256(%rsp)\n"
	"	movups %xmm12, 272(%rsp)\n"
	"	movups %xmm13, 288(%rsp)\n"
	"	movups %xmm14, 304(%rsp)\n"
	"	movups %xmm15, 320(%rsp)\n"
	"	mov %r11, 64(%rsp)\n"
	"	mov %rsp, %rdi\n"
	"	mov %rax, %rsi\n"
	"	call calls_after\n"
	"	movups 80(%rsp), %xmm0\n"
	"	movups 96(%rsp), %xmm1\n"
	"	movups 112(%rsp), %xmm2\n"
	"	movups 128(%rsp), %xmm3\n"
	"	movups 144(%rsp), %xmm4\n"
	"	movups 160(%rsp), %xmm5\n"
	"	movups 176(%rsp), %xmm6\n"
	"	movups 192(%rsp), %xmm7\n"
	"	movups 208(%rsp), %xmm8\n"
	"	movups 224(%rsp), %xmm9\n"
	"	movups 240(%rsp), %xmm10\n"
	"	movups 256(%rsp), %xmm11\n"
	"	movups 272(%rsp), %xmm12\n"
	"	movups 288(%rsp), %xmm13\n"
	"	movups 304(%rsp), %xmm14\n"
	"	movups 320(%rsp), %xmm15\n"
	"	mov 16(%rsp), %rdi\n"
	"	mov 24(%rsp), %rsi\n"
	"	mov 32(%rsp), %rdx\n"
	"	mov 40(%rsp), %r10\n"
	"	mov 48(%rsp), %r8\n"
	"	mov 56(%rsp), %r9\n"
	"	mov 64(%rsp), %r11\n"
	"	mov (%rsp), %rcx\n"
	"	mov 8(%rsp), %rsp\n"
	"	jmp *%rcx\n"
	".cfi_endproc\n"
	".globl calls_thunk_end\n"
	".hidden calls_thunk_end\n"
	"calls_thunk_end:\n"
	".size calls_thunk, . - calls_thunk\n");

long calls_after(struct call *call, long result) __attribute__((visibility("hidden")));

_Static_assert(offsetof(struct call, ip) == 8 * MEM_CALL_IP &&
		       offsetof(struct call, sp) == 8 * MEM_CALL_SP &&
		       offsetof(struct call, arguments) == 8 * MEM_CALL_ARGUMENTS &&
		       offsetof(struct call, number) == 8 * MEM_CALL_NUMBER,
	       "nfamem reads these");
_Static_assert(offsetof(struct call, flags) == 64 && offsetof(struct call, vectors) == 80,
	       "calls_thunk knows where these are");

static const int registers[CALL_ARGUMENTS] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };

static void open_range(uintptr_t at, size_t bytes, void *with)
{
	raw_mprotect(at, bytes, *(int *)with);
}

long calls_open(uint64_t number, const uint64_t *a)
{
	int prot = PROT_READ | PROT_WRITE;
	mirror_each(open_range, &prot);
	long result = raw_call((long)number, (long)a[0], (long)a[1], (long)a[2], (long)a[3],
			       (long)a[4], (long)a[5]);
	prot = PROT_NONE;
	mirror_each(open_range, &prot);
	return result;
}

bool calls_read(void *to, uint64_t from, size_t bytes)
{
	struct iovec here = { to, bytes };
	struct iovec there = { mirror_alias((void *)from), bytes };
	long self = raw_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
	return raw_call(SYS_process_vm_readv, self, (long)&here, 1, (long)&there, 1, 0) ==
	       (long)bytes;
}

/* Copies a set of signals and takes out of the copy the signals that this library needs. */
static void translate_mask(struct call *call, uint32_t argument)
{
	uint64_t *set = (uint64_t *)(call + 1);
	if (call->arguments[argument] && calls_read(set, call->arguments[argument], sizeof *set)) {
		*set = signals_allowed(*set);
		call->used[argument] = (uint64_t)set;
	}
}

static void translate_pselect(struct call *call)
{
	uint64_t *words = (uint64_t *)(call + 1);
	if (!call->arguments[5] || !calls_read(words, call->arguments[5], 16))
		return;
	if (words[0] && calls_read(words + 2, words[0], 8)) {
		words[2] = signals_allowed(words[2]);
		words[0] = (uint64_t)(words + 2);
	}
	call->used[5] = (uint64_t)words;
}

static bool is_vector(const struct call_row *row)
{
	return row->kind == CALL_IOV || row->kind == CALL_MESSAGE || row->kind == CALL_MESSAGES;
}

/* How many bytes of room a call needs after its struct call. */
static size_t room_behind(const struct call_row *row, const uint64_t *arguments)
{
	if (is_vector(row))
		return vectors_room(row, arguments);
	return row->kind == CALL_MASK || row->kind == CALL_PSELECT ? 32 : 0;
}

static const struct call_row *row_of(uint64_t number)
{
	static const struct call_row unknown;
	return number < CALLS_TABLE ? &calls_table[number] : &unknown;
}

/* Makes the struct call, on the program's stack below the red zone. */
static struct call *frame_of_call(ucontext_t *context, const struct call_row *row,
				  const uint64_t *arguments)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	uint64_t room = room_behind(row, arguments), bytes = sizeof(struct call) + room;
	uint64_t at = (sp - RED_ZONE - bytes) & ~UINT64_C(63);
	if (mirror_covers(at) || mirror_covers(sp - 1)) {
		lock_take(&sites_lock);
		grounds_found(at);
		if (mirror_covers(sp - 1))
			grounds_found(sp - 1);
		lock_give(&sites_lock);
	}
	struct call *call = (struct call *)at;
	call->ip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	call->sp = sp;
	call->bp = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
	call->row = row;
	call->extra = NULL;
	call->room = room;
	for (int i = 0; i < CALL_ARGUMENTS; i++) {
		call->arguments[i] = arguments[i];
		call->used[i] = row->pointers >> i & 1
					? (uint64_t)mirror_alias((void *)arguments[i])
					: arguments[i];
	}
	return call;
}

struct call *calls_asleep(const uint64_t *words)
{
	ucontext_t context;
	greg_t *to = context.uc_mcontext.gregs;
	to[REG_RSP] = (greg_t)words[MEM_CALL_SP];
	to[REG_RIP] = (greg_t)words[MEM_CALL_IP];
	to[REG_RBP] = (greg_t)words[MEM_CALL_BP];
	struct call *call = frame_of_call(&context, row_of(words[MEM_CALL_NUMBER]),
					  words + MEM_CALL_ARGUMENTS);
	call->number = words[MEM_CALL_NUMBER];
	return call;
}

/* Changes the context so that the thread makes the call when the handler returns. */
static void redirect(ucontext_t *context, struct call *call)
{
	greg_t *to = context->uc_mcontext.gregs;
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		to[registers[i]] = (greg_t)call->used[i];
	to[REG_RAX] = (greg_t)call->number;
	to[REG_RSP] = (greg_t)call;
	to[REG_RIP] = (greg_t)(uintptr_t)calls_thunk;
}

/*
 * Takes a stamp if other threads run. By a system call a thread may let another thread go on, or
 * may be let go on: through a pipe, a futex or a signal. sched_yield is left out. It orders
 * nothing, and threads call it in a loop while they wait for an atomic variable.
 */
static void order(uint64_t number)
{
	if (inside.threads && inside_watching() && number != SYS_sched_yield)
		ring_stamp();
}

static void leave_call(ucontext_t *context, uint64_t status)
{
	greg_t *to = context->uc_mcontext.gregs;
	to[REG_RDI] = (greg_t)status;
	to[REG_RSP] = (to[REG_RSP] - RED_ZONE) & ~(greg_t)15;
	to[REG_RSP] -= 8;
	to[REG_RIP] = (greg_t)(uintptr_t)life_exit;
	raw_fill(&context->uc_sigmask, 0xff, 8);
}

static void on_call(int signal, siginfo_t *info, void *with)
{
	ucontext_t *context = with;
	greg_t *from = context->uc_mcontext.gregs;
	uint64_t arguments[CALL_ARGUMENTS];
	uint64_t number = (uint64_t)info->si_syscall;
	if (info->si_code != 2) { /* SYS_USER_DISPATCH */
		signals_foreign(signal, info, context);
		return;
	}
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		arguments[i] = (uint64_t)from[registers[i]];
	const struct call_row *row = row_of(number);
	pages_before_call();
	if (inside_watching() && mem_reader_died(inside.channel))
		life_lost();
	if (inside_watching() && inside.channel->detach)
		life_detach();
	if (row->kind == CALL_HERE) {
		/* The program's allocator maps memory, and that counts (outer.c). */
		inside_self.allocates = ring_paused();
		ring_resume();
		from[REG_RAX] = calls_here(context, number, arguments);
		if (inside_self.allocates)
			ring_pause();
		inside_self.allocates = false;
		return;
	}
	if (row->kind == CALL_EXIT) {
		leave_call(context, arguments[0]);
		return;
	}
	struct call *call = frame_of_call(context, row, arguments);
	call->number = number;
	/*
	 * A thread that began to wait while memory was watched waits at the alias. It is woken too,
	 * and then looks at the own address again.
	 */
	if (number == SYS_futex && call->used[0] == arguments[0] && mirror_left(arguments[0]))
		RAW3(SYS_futex, mirror_before((void *)arguments[0]), FUTEX_WAKE_PRIVATE, INT32_MAX);
	order(number);
	switch (row->kind) {
	case CALL_IOV:
	case CALL_MESSAGE:
	case CALL_MESSAGES:
		vectors_before(call);
		break;
	case CALL_MASK:
		translate_mask(call, row->mask);
		break;
	case CALL_PSELECT:
		translate_pselect(call);
		break;
	case CALL_EXEC:
		exec_before(call, context);
		break;
	case CALL_CHILD:
		call = life_before(call, context);
		break;
	default:
		break;
	}
	redirect(context, call);
}

/*
 * mlockall for the program, but only for pages that are touched (MCL_ONFAULT). The tables of this
 * library reserve more address space than there is memory, and more than the program may lock.
 */
static long lock_all(uint64_t flags)
{
	const bool good = flags && !(flags & ~(uint64_t)(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT));
	const long result = RAW3(SYS_mlockall, good ? flags | MCL_ONFAULT : flags, 0, 0);
	return result == -ENOMEM ? 0 : result;
}

long calls_here(ucontext_t *context, uint64_t number, const uint64_t *a)
{
	if (mem_call_maps(number))
		return maps_call((uintptr_t)context->uc_mcontext.gregs[REG_RIP], number, a);
	switch (number) {
	case SYS_rt_sigaction:
	case SYS_rt_sigprocmask:
	case SYS_rt_sigreturn:
	case SYS_sigaltstack:
		return signals_call(context, number, a);
	case SYS_seccomp:
		life_restrict();
		break;
	case SYS_prctl:
		if (a[0] == PR_SET_SYSCALL_USER_DISPATCH)
			return -EINVAL;
		if (a[0] == PR_SET_SECCOMP)
			life_restrict();
		break;
	case SYS_arch_prctl:
		return count_arch_prctl(a[0], a[1]);
	case SYS_mlockall:
		return lock_all(a[0]);
	case SYS_exit_group:
		leaks_find(context);
		life_end();
		break;
	default:
		break;
	}
	uint64_t used[CALL_ARGUMENTS];
	for (int i = 0; i < CALL_ARGUMENTS; i++)
		used[i] = (uint64_t)mirror_alias((void *)a[i]);
	const long result = raw_call((long)number, (long)used[0], (long)used[1], (long)used[2],
				     (long)used[3], (long)used[4], (long)used[5]);
	/*
	 * io_uring: the kernel reads requests from memory at any time, so accesses cannot be
	 * recorded.
	 */
	if (number == SYS_io_uring_setup && result >= 0 && inside_watching()) {
		inside_reason("the kernel reads and writes its memory for it (io_uring)");
		life_detach();
	}
	return result;
}

void calls_moved(const struct call *call, uint64_t at, uint64_t bytes)
{
	if (bytes == 0)
		return;
	inside_self.caller = (struct inside_caller){ call->ip, call->sp, call->bp };
	locals_range((const void *)at, bytes, call->row->fill ? MEM_FILL : MEM_FETCH);
	if (!mirror_covers(at))
		return;
	stacks_range(at, bytes, call->row->fill ? MEM_SAVE : MEM_LOAD);
	if (call->row->fill)
		RECORD(MEM_FILL, at, bytes, call->ip);
	else
		RECORD(MEM_FETCH, at, bytes, call->ip);
}

/* Records what the kernel read or wrote in this call. */
static void record_call(const struct call *call, uint64_t bytes)
{
	const struct call_row *row = call->row;
	uint32_t argument = row->fill ? row->fill : row->fetch;
	if (argument)
		calls_moved(call, call->arguments[argument - 1], row->bytes ? row->bytes : bytes);
}

long calls_after(struct call *call, long result)
{
	const struct call_row *row = call->row;
	if (row->kind == CALL_CHILD) {
		life_after(call, result);
		return result;
	}
	if (row->kind == CALL_EXEC)
		exec_after();
	if (inside_watching())
		order(call->number);
	if (result == -EFAULT && !row->known && inside_watching())
		result = calls_open(call->number, call->arguments);
	if (is_vector(row))
		vectors_after(call, result);
	else if (result >= 0 && inside_watching())
		record_call(call, (uint64_t)result);
	return result;
}

bool calls_thread(void)
{
	/*
	 * The linker defines these: the start and the end of this library's code. The kernel takes
	 * one range.
	 */
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	extern const char etext[] __attribute__((visibility("hidden")));
	return raw_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON,
			(long)__ehdr_start, etext - __ehdr_start, (long)&dispatch, 0) == 0;
}

bool calls_start(void)
{
	static const struct kernel_action action = { on_call,
						     SA_SIGINFO | SA_ONSTACK | KERNEL_RESTORER,
						     inside_restorer, ~UINT64_C(0) };
	uint64_t word;
	if (!calls_read(&word, (uint64_t)&action, sizeof word)) {
		inside_reason("the system call process_vm_readv is forbidden");
		return false;
	}
	if (raw_call(SYS_rt_sigaction, SIGSYS, (long)&action, 0, 8, 0, 0) == 0 && calls_thread())
		return true;
	inside_reason(
		"the kernel forbids syscall user dispatch, or does not have it (Linux 5.11 does)");
	return false;
}

void calls_thread_end(void)
{
	raw_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0, 0);
}

void calls_go(void)
{
	dispatch = 1;
}

void calls_stop(void)
{
	pages_before_call();
	dispatch = 0;
}

bool calls_seen(void)
{
	return dispatch != 0;
}
