/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * borders HOW: code at run time in pages that can always be written, where what lies beside it
 * matters. Prints sums.
 *
 *     end     a loop whose last jump is near the end of the mapping, at each of 32 distances
 *     return  a function in a page that is read-only ends at the page's end; the page behind it is
 *             written again and again, and has the code that calls the function
 *     push    an access to the heap that also pushes onto its own code
 *     many    12,000 loops, each in a place of its own
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef long (*loop)(volatile long *data, volatile void *stack, long rounds);

enum { PAGE = 4096, READ_EXECUTE = PROT_READ | PROT_EXEC };

static uint8_t *make_pages(size_t n)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	void *p = mmap(NULL, n * PAGE, READ_EXECUTE | PROT_WRITE, flags, -1, 0);
	if (p == MAP_FAILED)
		exit(99);
	return p;
}

static void *put(void *at, const void *bytes, size_t n)
{
	return memcpy(at, bytes, n);
}

/* mov rcx,rdx; xor eax,eax; jmp 8; 7: ret; 8: add rax,[rdi]; sub rcx,1; jz 7; jmp 8 */
static const uint8_t sum[] = { 0x48, 0x89, 0xd1, 0x31, 0xc0, 0xeb, 0x01, 0xc3, 0x48, 0x03,
			       0x07, 0x48, 0x83, 0xe9, 0x01, 0x74, 0xf6, 0xeb, 0xf5 };

static void at_end(volatile long *p)
{
	for (size_t back = 0; back < 32; back++) {
		uint8_t *page = make_pages(2);
		munmap(page + PAGE, PAGE);
		loop f = (loop)put(page + PAGE - sizeof sum - back, sum, sizeof sum);
		printf("%zu: %ld\n", back, f(p, NULL, 500));
	}
}

static void at_return(volatile long *p)
{
	/* inc rax; ret */
	static const uint8_t function[] = { 0x48, 0xff, 0xc0, 0xc3 };
	/*
	 * mov rcx,rdx; xor eax,eax; 5: add rax,[rdi]; call; mov [rdi+8],rax; sub rcx,1; jnz 5;
	 * ret
	 */
	static const uint8_t text[] = { 0x48, 0x89, 0xd1, 0x31, 0xc0, 0x48, 0x03, 0x07,
					0xe8, 0,    0,    0,    0,    0x48, 0x89, 0x47,
					0x08, 0x48, 0x83, 0xe9, 0x01, 0x75, 0xee, 0xc3 };
	static const uint32_t behind[] = { 0x100000, 0x10000000, 0xf0000000,
					   0,        0x20000000, 0xe0000000 };
	enum { AWAY = 256, CALL = 9, RETURNS = 13 };
	uint8_t *page = make_pages(2);
	uint8_t *called = put(page + PAGE - sizeof function, function, sizeof function);
	mprotect(page, PAGE, READ_EXECUTE);
	uint8_t *f = put(page + PAGE + AWAY, text, sizeof text);
	const int32_t away = (int32_t)(called - (f + RETURNS));
	put(f + CALL, &away, sizeof away);
	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		put(page + PAGE, &behind[i], sizeof behind[i]);
		printf("%ld\n", ((loop)(void *)f)(p, NULL, 2000));
	}
}

static void at_push(volatile long *p)
{
	/*
	 * mov rcx,rdx; xor eax,eax; mov r8,rsp; 8: mov r9,[rdi+8]; mov rsp,rsi; push [rdi]; eight
	 * nops, which the push replaces by add rax,NUMBER and nops; mov rsp,r8; sub rcx,1; jnz 8;
	 * ret
	 */
	static const uint8_t text[] = { 0x48, 0x89, 0xd1, 0x31, 0xc0, 0x49, 0x89, 0xe0, 0x4c,
					0x8b, 0x4f, 0x08, 0x48, 0x89, 0xf4, 0xff, 0x37, 0x90,
					0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x4c, 0x89,
					0xc4, 0x48, 0x83, 0xe9, 0x01, 0x75, 0xe6, 0xc3 };
	enum { NUMBER = 24, STACK = 25 };
	const uint64_t adds = 0x9090909000c08348;
	uint8_t *page = make_pages(1);
	loop f = (loop)put(page, text, sizeof text);
	long all = 0;
	for (unsigned i = 0; i < 2000; i++) {
		p[0] = (long)(adds | (uint64_t)(i % 23) << NUMBER);
		all += f(p, page + STACK, 10);
	}
	printf("%ld\n", all);
}

static void many(volatile long *p)
{
	enum { LOOPS = 12000, EACH = 64 };
	uint8_t *page = make_pages(LOOPS * EACH / PAGE + 1);
	long all = 0;
	for (size_t i = 0; i < LOOPS; i++)
		all += ((loop)put(page + i * EACH, sum, sizeof sum))(p, NULL, 40);
	printf("%ld\n", all);
}

int main(int argc, char **argv)
{
	volatile long *p = calloc(4, sizeof *p);
	const char *how = argc > 1 ? argv[1] : "";
	p[0] = 2;
	if (strcmp(how, "end") == 0)
		at_end(p);
	else if (strcmp(how, "return") == 0)
		at_return(p);
	else if (strcmp(how, "push") == 0)
		at_push(p);
	else
		many(p);
}
