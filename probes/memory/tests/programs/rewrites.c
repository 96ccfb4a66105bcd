/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Loops in memory that may be written and executed at once, long enough for nfamem to copy them:
 * they are changed between runs, by themselves and by another thread, interrupted, and left in the
 * middle.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

enum { PAGE = 4096, ROUNDS = 3000, CHANGES = 20, THIRD = 45 };

/* p, a second pointer, the rounds */
typedef long (*loop)(volatile long *, volatile void *, long);

/*
 * A page that may be written, and behind it one with two functions that may not:
 * rax += 1, and rcx -= 1 with a second return.
 */
static uint8_t *code;

static void make_pages(void)
{
	static const uint8_t functions[] = {
		0x55, 0x48, 0x89, 0xe5,             /* push rbp; mov rbp, rsp */
		0x48, 0xff, 0xc0,                   /* inc rax */
		0x48, 0x89, 0xec, 0x5d, 0xc3,       /* mov rsp, rbp; pop rbp; ret */
		0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, /* mov rax, 0 */
		0x48, 0xff, 0xc9, 0x74, 0x09,       /* dec rcx; jz to the second return */
		0xc3, 0, 0, 0x10, 0xe0, 0, 0, 0, 0, /* ret, and what is no code */
		0xc3, 0, 0, 0x20, 0xe0, 0, 0, 0, 0,
		/* 45: add rax, [rsi]; ret; what is no code, and leads the ret's jump to this page */
		0x48, 0x03, 0x06, 0xc3, 0, 8, 0, 0,
	};
	code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	memcpy(code + PAGE, functions, sizeof functions);
	mprotect(code + PAGE, PAGE, PROT_READ | PROT_EXEC);
}

static loop put(size_t at, const void *bytes, size_t n)
{
	memcpy(code + at, bytes, n);
	return (loop)(void *)(code + at);
}

#define PUT(at, ...) put(at, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

/* Adds p[0] and a number so many times, and stores each sum in p[1]. */
static loop put_sum(size_t at, uint8_t number)
{
	return PUT(at, 0x48, 0x89, 0xd1,   /* 0: mov rcx, rdx */
		   0x31, 0xc0,             /* 3: xor eax, eax */
		   0x48, 0x03, 0x07,       /* 5: add rax, [rdi] */
		   0x48, 0x83, 0xc0, number, /* 8: add rax, number */
		   0x48, 0x89, 0x47, 0x08, /* 12: mov [rdi+8], rax */
		   0x48, 0x83, 0xe9, 0x01, /* 16: sub rcx, 1 */
		   0x75, 0xef,             /* 20: jnz 5 */
		   0xc3);
}

static void changed_between(volatile long *p)
{
	int good = 1;
	for (long i = 0; i < CHANGES; i++) {
		loop sum = put_sum(0, (uint8_t)i);
		p[0] = 3;
		good &= sum(p, NULL, ROUNDS) == ROUNDS * (3 + i) && p[1] == ROUNDS * (3 + i);
	}
	/* Another instruction of the same length: xor with p[0]. */
	code[6] = 0x33;
	good &= ((loop)(void *)code)(p, NULL, ROUNDS) >= 0;
	printf("between runs: %d, %ld\n", good, p[1]);
}

/* Adds a number that it counts up itself, right before it adds it. */
static void changed_by_itself(volatile long *p)
{
	loop f = PUT(256, 0x48, 0x89, 0xd1,        /* mov rcx, rdx */
		     0x31, 0xc0,                   /* xor eax, eax */
		     0x4c, 0x8b, 0x07,             /* mov r8, [rdi] */
		     0x4c, 0x01, 0x06,             /* add [rsi], r8 */
		     0x48, 0x05, 0, 0, 0, 0,       /* add rax, 0 */
		     0x48, 0x89, 0x47, 0x08,       /* mov [rdi+8], rax */
		     0x48, 0x83, 0xe9, 0x01,       /* sub rcx, 1 */
		     0x75, 0xea,                   /* jnz to the load */
		     0xc3);
	p[0] = 1;
	const long sum = f(p, code + 256 + 13, 200);
	printf("by itself: %ld, %ld\n", sum, p[1]);
}

/* The same by a push onto its own code, and by pushes of another kind of instruction. */
static void changed_by_push(volatile long *p)
{
	loop f = PUT(512, 0x48, 0x89, 0xd1,  /* 0: mov rcx, rdx */
		     0x31, 0xc0,             /* 3: xor eax, eax */
		     0x49, 0x89, 0xe0,       /* 5: mov r8, rsp */
		     0x4c, 0x8b, 0x0f,       /* 8: mov r9, [rdi] */
		     0x4c, 0x03, 0x0f,       /* 11: add r9, [rdi] */
		     0x48, 0x89, 0xf4,       /* 14: mov rsp, rsi */
		     0x41, 0x51,             /* 17: push r9 */
		     0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, /* 19: what is pushed */
		     0x4c, 0x89, 0xc4,       /* 27: mov rsp, r8 */
		     0x48, 0x89, 0x47, 0x10, /* 30: mov [rdi+16], rax */
		     0x48, 0x83, 0xe9, 0x01, /* 34: sub rcx, 1 */
		     0x75, 0xdd,             /* 38: jnz 5 */
		     0xc3);
	/* Twice p[0] is: add rax, 4 * i + 2; nop; nop; nop; nop. */
	long sum = 0;
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (long i = 0; i < CHANGES; i++) {
		p[0] = (long)(UINT64_C(0x90909090) << 31 | (uint64_t)(4 * i + 2) << 23 |
			      0xc08348 / 2);
		sum += f(p, code + 512 + 27, 100);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	printf("by pushes: %ld, %ld\n", sum, p[2]);
}

/* Calls of functions that may not be written: their returns are replaced. */
static void calls(volatile long *p)
{
	uint8_t text[] = { 0x53,                         /* 0: push rbx */
			   0x48, 0x89, 0xd3,             /* 1: mov rbx, rdx */
			   0x31, 0xc0,                   /* 4: xor eax, eax */
			   0x48, 0x03, 0x07,             /* 6: add rax, [rdi] */
			   0xe8, 0, 0, 0, 0,             /* 9: call the first */
			   0x48, 0x89, 0x47, 0x08,       /* 14: mov [rdi+8], rax */
			   0x48, 0x89, 0xd9,             /* 18: mov rcx, rbx */
			   0xe8, 0, 0, 0, 0,             /* 21: call the second */
			   0x48, 0x8b, 0x47, 0x08,       /* 26: mov rax, [rdi+8] */
			   0x48, 0x89, 0xcb,             /* 30: mov rbx, rcx */
			   0x48, 0x85, 0xdb,             /* 33: test rbx, rbx */
			   0x75, 0xe0,                   /* 36: jnz 6 */
			   0x5b, 0xc3 };                 /* 38: pop rbx; ret */
	const int32_t first = PAGE - (768 + 14), second = PAGE + 22 - (768 + 26);
	memcpy(text + 10, &first, 4);
	memcpy(text + 22, &second, 4);
	loop f = put(768, text, sizeof text);
	p[0] = 5;
	long sum = 0;
	for (int i = 0; i < 3; i++)
		sum += f(p, NULL, ROUNDS);
	printf("calls: %ld\n", sum);
	/* The load before a return whose jump has no place is on the stack first, then on the heap. */
	uint8_t other[] = { 0x53, 0x48, 0x89, 0xd3, /* 0: push rbx; mov rbx, rdx */
			    0x31, 0xc0,             /* 4: xor eax, eax */
			    0x48, 0x03, 0x07,       /* 6: add rax, [rdi] */
			    0xe8, 0, 0, 0, 0,       /* 9: call the third */
			    0x48, 0x89, 0x47, 0x08, /* 14: mov [rdi+8], rax */
			    0x48, 0x83, 0xeb, 0x01, /* 18: sub rbx, 1 */
			    0x75, 0xee,             /* 22: jnz 6 */
			    0x5b, 0xc3 };
	const int32_t third = PAGE + THIRD - (896 + 14);
	volatile long here = 4;
	memcpy(other + 10, &third, 4);
	f = put(896, other, sizeof other);
	sum = f(p, &here, ROUNDS) + f(p, p, ROUNDS) + f(p, &here, ROUNDS);
	printf("calls of a load: %ld\n", sum);
}

/* The same instructions on the heap, on the stack, and so that they begin on the heap. */
static void anywhere(volatile long *p)
{
	volatile long here[2] = { 2 };
	long sum = 0;
	loop f = put_sum(1024, 1);
	p[0] = 7;
	for (int i = 0; i < 4; i++) {
		sum += f(p, NULL, ROUNDS);
		sum += f(here, NULL, ROUNDS);
	}
	printf("on heap and stack: %ld\n", sum);
}

/*
 * A function whose load has no place for a copy: all that its jump could reach is taken. Nothing
 * here is written later.
 */
static void led(volatile long *p)
{
	static const uint8_t text[] = {
		0x48, 0x85, 0xff, 0x74, 0x03,  /* test rdi, rdi; jz to the second mov */
		0x8b, 0x07, 0xc3,              /* mov eax, [rdi]; ret */
		0xb8, 0xff, 0xff, 0xff, 0xff, 0xc3, /* mov eax, -1; ret */
		0x90, 0x90,
		0x53, 0x48, 0x89, 0xd3,        /* 16: push rbx; mov rbx, rdx */
		0x56, 0x31, 0xf6,              /* 20: push rsi; xor esi, esi */
		0xe8, 0xe4, 0xff, 0xff, 0xff,  /* 23: call 0 */
		0x01, 0xc6,                    /* 28: add esi, eax */
		0x48, 0x83, 0xeb, 0x01,        /* 30: sub rbx, 1 */
		0x75, 0xf3,                    /* 34: jnz 23 */
		0x89, 0xf0, 0x5e, 0x5b, 0xc3,  /* mov eax, esi; pop rsi; pop rbx; ret */
	};
	enum { ROOM = 16 << 20, AT = 12 << 20 };
	uint8_t *room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(room + AT, PAGE, PROT_READ | PROT_WRITE);
	memcpy(room + AT, text, sizeof text);
	mprotect(room + AT, PAGE, PROT_READ | PROT_EXEC);
	loop f = (loop)(void *)(room + AT + 16);
	p[0] = 3;
	long sum = f(p, NULL, ROUNDS * 4);
	sum += (int)f(NULL, NULL, ROUNDS);
	volatile int here = 4;
	sum += f((volatile long *)&here, NULL, ROUNDS);
	sum += f(p, NULL, ROUNDS);
	printf("led: %ld\n", sum);
}

static sigjmp_buf back;
static volatile struct {
	int signal;
	uintptr_t pc, at;
	uint64_t rcx;
} seen;

static void on_error(int signal, siginfo_t *info, void *with)
{
	const ucontext_t *context = with;
	seen.signal = signal;
	seen.pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - (uintptr_t)code;
	seen.at = (uintptr_t)info->si_addr;
	seen.rcx = (uint64_t)context->uc_mcontext.gregs[REG_RCX];
	siglongjmp(back, 1);
}

/* Loops that end by an error of the instruction itself. */
static void errors(volatile long *p)
{
	const struct sigaction a = { .sa_sigaction = on_error, .sa_flags = SA_SIGINFO };
	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGFPE, &a, NULL);
	sigaction(SIGILL, &a, NULL);
	/* The last instruction before the jump divides rax by rcx, reads [rcx], or is none. */
	for (volatile int kind = 0; kind < 3; kind++) {
		loop f = PUT(1280, 0x48, 0x89, 0xd1,        /* 0: mov rcx, rdx */
			     0x31, 0xd2,                    /* 3: xor edx, edx */
			     0x48, 0x8b, 0x07,              /* 5: mov rax, [rdi] */
			     0x48, 0x83, 0xe9, 0x01,        /* 8: sub rcx, 1 */
			     0x48, 0xf7, 0xf1,              /* 12: div rcx */
			     0x31, 0xd2, 0xeb, 0xf2);       /* 15: xor edx, edx; jmp 5 */
		if (kind == 1)
			put(1280 + 12, (uint8_t[]){ 0x48, 0x8b, 0x06 }, 3); /* mov rax, [rsi] */
		if (kind == 1)
			put(1280 + 8, (uint8_t[]){ 0x48, 0x83, 0xee, 0x08 }, 4); /* sub rsi, 8 */
		if (kind == 2)
			put(1280 + 12, (uint8_t[]){ 0x74, 0x01, 0x90, 0x0f, 0x0b, 0xeb, 0xf3 }, 7);
		if (kind == 2)
			put(1280 + 12, (uint8_t[]){ 0x75, 0xf7, 0x0f, 0x0b }, 4); /* jnz 5; ud2 */
		char *page = mmap(NULL, 3 * PAGE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		munmap(page, PAGE);
		if (!sigsetjmp(back, 1))
			f(p, page + 3 * PAGE, 700);
		const uintptr_t from = seen.at - (uintptr_t)code;
		printf("error: signal %d, pc %lu, rcx %lu, %s\n", seen.signal, seen.pc - 1280,
		       seen.rcx, seen.at == (uintptr_t)page + PAGE - 8 ? "the page" :
		       from == seen.pc ? "the instruction" : "elsewhere");
		munmap(page + PAGE, 2 * PAGE);
	}
}

static volatile long *data;
static volatile long wrong, inside, leaves;

/* Whether the registers and the memory are as they are at this instruction of put_sum(at, 0). */
static int is_right(const ucontext_t *c, size_t at)
{
	const long offset = (long)((uintptr_t)c->uc_mcontext.gregs[REG_RIP] - (uintptr_t)code - at);
	const long rax = c->uc_mcontext.gregs[REG_RAX], rcx = c->uc_mcontext.gregs[REG_RCX];
	const long done = data[2] - rcx;
	if (offset < 0 || offset > 22)
		return 1;
	inside++;
	switch (offset) {
	case 5:
	case 22:
		return rax == done && (done == 0 || data[1] == rax);
	case 8:
	case 12:
		return rax == done + 1 && (done == 0 || data[1] == done);
	case 16:
		return rax == done + 1 && data[1] == rax;
	case 20:
		return rax == done && data[1] == rax;
	default:
		return offset == 0 || offset == 3;
	}
}

static void on_alarm(int signal, siginfo_t *info, void *with)
{
	const ucontext_t *c = with;
	const uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
	(void)signal, (void)info;
	/* Neither the loop nor this program: then it is in a library, or in a copy. */
	if (pc - (uintptr_t)code < PAGE && !is_right(c, 1536))
		wrong++;
	if (leaves && inside > 20)
		siglongjmp(back, 1);
}

static void interrupted(volatile long *p)
{
	const struct sigaction a = { .sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO };
	const struct itimerval soon = { { 0, 700 }, { 0, 700 } }, never = { { 0, 0 }, { 0, 0 } };
	loop f = put_sum(1536, 0);
	int good = 1;
	data = p;
	p[0] = 1;
	p[2] = 300000;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (int i = 0; i < 2000 && inside < 200; i++)
		good &= f(p, NULL, p[2]) == p[2];
	leaves = 1;
	inside = 0;
	if (!sigsetjmp(back, 1))
		for (;;)
			f(p, NULL, p[2]);
	setitimer(ITIMER_REAL, &never, NULL);
	good &= f(p, NULL, p[2]) == p[2];
	printf("interrupted: %d, %ld wrong\n", good, wrong);
}

static void on_nothing(int signal)
{
	(void)signal;
}

/* A known number of rounds, with a signal each 100 microseconds or without any. */
static void signals(volatile long *p, int any)
{
	const struct sigaction a = { .sa_handler = on_nothing };
	const struct itimerval soon = { { 0, any ? 100 : 0 }, { 0, any ? 100 : 0 } };
	loop f = put_sum(3072, 0);
	long sum = 0;
	p[0] = 1;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (int i = 0; i < 100; i++)
		sum += f(p, NULL, 100000);
	printf("signals: %ld\n", sum);
}

static atomic_long answer;

/* Waits for a turn in code, then returns what the code says. */
static void *waits(void *at)
{
	long *p = at;
	for (long i = 1; i <= CHANGES; i++)
		atomic_store(&answer, i << 32 | ((loop)(void *)(code + 2048))(p, NULL, i));
	return NULL;
}

static void changed_by_thread(volatile long *p)
{
	PUT(2048, 0x53, 0x49, 0x89, 0xd0,       /* push rbx; mov r8, rdx */
	    0x4c, 0x3b, 0x07,                   /* 4: cmp r8, [rdi] */
	    0x75, 0xfb,                         /* jnz 4 */
	    0x0f, 0xa2,                         /* cpuid */
	    0xb9, 50, 0, 0, 0,                  /* 11: mov ecx, 50 */
	    0x48, 0x8b, 0x07,                   /* 16: mov rax, [rdi] */
	    0xb8, 0, 0, 0, 0,                   /* 19: mov eax, 0 */
	    0x83, 0xe9, 0x01, 0x75, 0xf3,       /* 24: sub ecx, 1; jnz 16 */
	    0x5b, 0xc3);                        /* pop rbx; ret */
	pthread_t t;
	int good = 1;
	p[0] = 0;
	pthread_create(&t, NULL, waits, (void *)p);
	for (long i = 1; i <= CHANGES; i++) {
		const int32_t number = (int32_t)(1000 * i);
		memcpy(code + 2048 + 20, &number, 4);
		__atomic_store_n(&p[0], i, __ATOMIC_SEQ_CST);
		long got;
		while ((got = atomic_load(&answer)) >> 32 != i)
			;
		good &= (int32_t)got == number;
	}
	pthread_join(t, NULL);
	printf("by another thread: %d\n", good);
}

static void *sums(void *at)
{
	loop f = (loop)(void *)(code + 2560);
	volatile long *p = calloc(2, sizeof *p);
	p[0] = (intptr_t)at;
	return (void *)f(p, NULL, ROUNDS);
}

/* Code that one thread has executed is then executed by several. */
static void in_threads(volatile long *p)
{
	pthread_t t[3];
	void *result;
	put_sum(2560, 2);
	p[0] = 1;
	long sum = ((loop)(void *)(code + 2560))(p, NULL, ROUNDS);
	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, sums, (void *)i);
	for (int i = 0; i < 3; i++) {
		pthread_join(t[i], &result);
		sum += (intptr_t)result;
	}
	printf("in threads: %ld\n", sum);
}

int main(int argc, char **argv)
{
	volatile long *p = calloc(4, sizeof *p);
	const char *what = argc > 1 ? argv[1] : "";
	make_pages();
	if (strcmp(what, "interrupted") == 0) {
		interrupted(p);
	} else if (strcmp(what, "thread") == 0) {
		changed_by_thread(p);
	} else if (strcmp(what, "signals") == 0) {
		signals(p, argc < 3);
	} else if (strcmp(what, "threads") == 0) {
		in_threads(p);
	} else {
		changed_between(p);
		changed_by_itself(p);
		changed_by_push(p);
		calls(p);
		anywhere(p);
		led(p);
		errors(p);
	}
	return 0;
}
