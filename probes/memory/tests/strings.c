/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * String instructions without repetition, each compared with a model of it; and accesses across a
 * border of watched memory.
 */
#include "probes/memory/tests/access.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, WINDOW = 48, ROUNDS = 3 };

/* Registers and flags of a string instruction, before or after it. */
struct state {
	char *from, *to;
	uint64_t a;
	char down, carry, equal;
};

/*
 * Sets the carry flag before the instruction. Each instruction is in one place, and is executed
 * there many times.
 */
#define ELEMENT(name)                                                                              \
	__asm__ volatile("mov %k5, %%ecx\n\tjrcxz 1f\n\tstd\n1:\tstc\n\t" name                     \
			 "\n\tsetc %3\n\tsete %4\n\tcld"                                           \
			 : "+S"(s->from), "+D"(s->to), "+a"(s->a), "=m"(s->carry), "=m"(s->equal)  \
			 : "r"((uint32_t)s->down)                                                  \
			 : "rcx", "memory", "cc")

#define SIZES(name)                                                                                \
	switch (bytes) {                                                                           \
	case 1:                                                                                    \
		ELEMENT(name "b");                                                                 \
		break;                                                                             \
	case 2:                                                                                    \
		ELEMENT(name "w");                                                                 \
		break;                                                                             \
	case 4:                                                                                    \
		ELEMENT(name "l");                                                                 \
		break;                                                                             \
	default:                                                                                   \
		ELEMENT(name "q");                                                                 \
	}                                                                                          \
	break;

/* Executes movs, stos, lods, cmps, or scas. `what` is its first letter; for scas it is x. */
static __attribute__((noinline)) void execute(struct state *s, char what, unsigned bytes)
{
	switch (what) {
	case 'm':
		SIZES("movs")
	case 's':
		SIZES("stos")
	case 'l':
		SIZES("lods")
	case 'c':
		SIZES("cmps")
	default:
		SIZES("scas")
	}
}

/* Does the same with copies of the memory: `model` instead of `real`. */
static void imitate(struct state *s, char what, unsigned bytes, const char *real, char *model)
{
	const uint64_t mask = bytes == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * bytes) - 1;
	char *from = model + (s->from - real), *to = model + (s->to - real);
	uint64_t x = s->a & mask, y = 0;
	s->carry = 1;
	if (what == 'm' || what == 'l' || what == 'c') {
		x = 0;
		memcpy(&x, from, bytes);
		s->from += s->down ? -(int)bytes : (int)bytes;
	}
	if (what == 'c' || what == 'x') {
		memcpy(&y, to, bytes);
		s->carry = x < y;
		s->equal = x == y;
	}
	if (what == 'm' || what == 's')
		memcpy(to, &x, bytes);
	if (what == 'l')
		s->a = x | (bytes == 4 ? 0 : s->a & ~mask);
	else
		s->to += s->down ? -(int)bytes : (int)bytes;
}

/* Executes one instruction, and checks what it has accessed and changed. */
static void check(struct expected *e, const struct state *before, char what, unsigned bytes,
		  const char *real, char *model)
{
	struct state now = *before, right = *before;
	execute(&now, what, bytes);
	imitate(&right, what, bytes, real, model);
	if (what == 'm' || what == 'l' || what == 'c')
		expect(e, 'L', before->from, bytes);
	if (what != 'l')
		expect(e, what == 'c' || what == 'x' ? 'L' : 'S', before->to, bytes);
	must(now.from == right.from && now.to == right.to, "what was added to rsi and rdi");
	must(now.a == right.a, "the accumulator");
	must(now.carry == right.carry, "the carry flag");
	must((what != 'c' && what != 'x') || now.equal == right.equal, "the zero flag");
}

static __attribute__((noinline)) void put(struct expected *e, char *to, uint64_t x)
{
	__asm__ volatile("mov %1, (%0)" : : "r"(to), "r"(x) : "memory");
	expect(e, 'S', to, 8);
}

static __attribute__((noinline)) uint64_t get(struct expected *e, const char *from)
{
	uint64_t x;
	__asm__ volatile("mov (%1), %0" : "=r"(x) : "r"(from) : "memory");
	expect(e, 'L', from, 8);
	return x;
}

/*
 * Executes all string instructions in a window of memory. The window may lie in two pages, or may
 * not be watched.
 */
static void in_window(struct expected *e, char *window)
{
	char model[WINDOW];
	for (unsigned i = 0; i < WINDOW; i += 8) {
		uint64_t x = 0x0123456789abcdef * (i / 8 + 1);
		memcpy(model + i, &x, 8);
		put(e, window + i, x);
	}
	for (unsigned i = 0; i < 5 * 4 * 2 * ROUNDS; i++) {
		const char what = "mslcx"[i % 5];
		/* Sometimes the operands overlap or are the same. */
		struct state s = { window + 16 + i * 7 % 17,
				   window + 16 + i * 5 % 17,
				   0x8877665544332211 * i,
				   (i / 20) & 1,
				   0,
				   0 };
		check(e, &s, what, 1U << (i / 5 % 4), window, model);
	}
	for (unsigned i = 0; i < WINDOW; i += 8) {
		uint64_t x;
		memcpy(&x, model + i, 8);
		must(get(e, window + i) == x, "what string instructions stored");
	}
}

/* Prefixes: a segment, and 32-bit addresses. */
static void with_prefixes(struct expected *e)
{
	char *p = e->area + 100, *from, *to;
	uint64_t thread, x = 0;
	__asm__("mov %%fs:0, %0" : "=r"(thread));
	put(e, p, 0x1716151413121110);
	for (unsigned i = 0; i < ROUNDS; i++) {
		from = p + i - thread;
		__asm__ volatile("lodsb %%fs:(%%rsi)" : "+S"(from), "+a"(x) : : "memory");
		expect(e, 'L', p + i, 1);
		must(x == 0x10 + i && from == p + i + 1 - thread, "fs lodsb");
		if ((uintptr_t)p >> 31)
			continue;
		from = p + i, to = p + 50;
		__asm__ volatile("movsb (%%esi), (%%edi)" : "+S"(from), "+D"(to) : : "memory");
		expect(e, 'L', p + i, 1);
		expect(e, 'S', p + 50, 1);
		must(from == p + i + 1 && to == p + 51, "movsb with addresses of 32 bits");
	}
}

void elements(struct expected *e)
{
	char local[WINDOW];
	in_window(e, e->area + 40);
	in_window(e, e->area + 4096 + 4000);
	in_window(e, (char *)(((uintptr_t)e->area + 2 * PAGE - 1) & ~(uintptr_t)(PAGE - 1)) - 20);
	in_window(e, local);
	with_prefixes(e);
}

void chunks(struct expected *e)
{
	for (unsigned part = 0; part < 2; part++) {
		char *from = e->area, *to = e->area + 100;
		for (unsigned i = 0; i < 40000; i++, from--, to--)
			__asm__ volatile("movsb" : "+S"(from), "+D"(to) : : "memory");
		/* One access. */
		__asm__ volatile("stosb" : "+D"(to) : "a"(part) : "memory");
	}
}

void border(struct expected *e)
{
	const int writes = PROT_READ | PROT_WRITE;
	char *p = mmap(NULL, AREA, writes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), vector[32];
	must(p != MAP_FAILED, "mmap");
	/* Shared memory is not watched: the page in the middle is shared. */
	char *q = mmap(p + PAGE, PAGE, writes, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	must(q == p + PAGE, "mmap of shared memory");
	e->area = p;
	for (unsigned i = 0; i < ROUNDS; i++) {
		const uint64_t x = 0x1122334455667788 * (i + 1);
		for (unsigned k = 1; k < 3; k++) {
			char *at = p + k * PAGE;
			put(e, at - 3, x);
			must(get(e, at - 3) == x, "what was stored over a border");
			in_window(e, at - 20);
			__asm__ volatile("movdqu (%0), %%xmm0\n\tmovdqu %%xmm0, (%1)"
					 :
					 : "r"(at - 3), "r"(vector)
					 : "xmm0", "memory");
			expect(e, 'L', at - 3, 16);
			put(e, at, x);
			put(e, at - 8, x);
		}
	}
	/* An access is recorded if its first byte is watched. */
	unsigned n = 0;
	for (unsigned i = 0; i < e->n; i++)
		if (e->list[i].at / PAGE != 1)
			e->list[n++] = e->list[i];
	e->n = n;
}
