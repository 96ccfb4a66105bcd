/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random code: several short instructions in a row that access memory, with other instructions
 * between them. The code lies where jumps can reach only upwards, only downwards, or both ways. It
 * is entered at any of its instructions. A model of each instruction says what it must do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "probes/memory/tests/access.h"

#include <string.h>
#include <sys/mman.h>

/* The upper bytes of the distance AWAY equal those of a distance downwards. */
enum {
	CODE = 1 << 16,
	AWAY = 0x90f000,
	PIECES = 50,
	LONGEST = 14,
	ROUNDS = 6,
	WINDOW = 64,
	MIDDLE = 16
};

/* The registers of the code: rax; rdi and rsi point into a window of the area. */
struct machine {
	uint64_t a;
	char window[WINDOW]; /* rdi points to MIDDLE, rsi 32 bytes after it */
};

enum operation {
	NOTHING,
	LOAD,     /* a = memory, zero-extended */
	STORE,    /* memory = a */
	ADD,      /* memory += 1 */
	UNUSED,   /* memory is read */
	MOVE,     /* movsl; then rdi and rsi are set back */
	PUSH_POP, /* memory is pushed and popped */
	CALL,     /* memory is read, and a function adds 1 to a */
	IF_ZERO,  /* memory is read, and 1 is added to a if a is 0 */
	IF_NOT    /* the same if a is not 0 */
};

struct instruction {
	uint8_t operation, bytes; /* bytes: of the access */
	int8_t at;                /* distance from rdi */
	uint8_t length;
	uint8_t code[12];
};

static const struct instruction instructions[] = {
	{ LOAD, 4, 0, 2, { 0x8b, 0x07 } },
	{ STORE, 4, 0, 2, { 0x89, 0x07 } },
	{ LOAD, 8, 0, 3, { 0x48, 0x8b, 0x07 } },
	{ STORE, 8, 8, 4, { 0x48, 0x89, 0x47, 0x08 } },
	{ ADD, 4, 0, 3, { 0x83, 0x07, 0x01 } },
	{ LOAD, 1, 16, 4, { 0x0f, 0xb6, 0x47, 0x10 } },
	{ UNUSED, 8, -8, 4, { 0x4c, 0x8b, 0x5f, 0xf8 } },
	{ ADD, 8, 24, 5, { 0x48, 0x83, 0x6f, 0x18, 0xff } },
	{ MOVE, 4, 0, 9, { 0xa5, 0x48, 0x83, 0xef, 0x04, 0x48, 0x83, 0xee, 0x04 } },
	{ PUSH_POP, 8, 0, 4, { 0xff, 0x37, 0x8f, 0x07 } },
	{ CALL, 8, 16, 9, { 0x4c, 0x8b, 0x5f, 0x10, 0xe8 } },
	{ CALL, 8, 0, 8, { 0x4c, 0x8b, 0x1f, 0xe8 } },
	{ IF_ZERO, 8, 0, 12, { 0x48, 0x85, 0xc0, 0x4c, 0x8b, 0x1f, 0x75, 4, 0x48, 0x8d, 0x40, 1 } },
	{ IF_NOT, 4, 0, 11, { 0x48, 0x85, 0xc0, 0x8b, 0x0f, 0x74, 4, 0x48, 0x8d, 0x40, 1 } },
	{ NOTHING, 0, 0, 3, { 0x48, 0x85, 0xc0 } },       /* test %rax, %rax */
	{ NOTHING, 0, 0, 3, { 0x48, 0x89, 0xc1 } },       /* mov %rax, %rcx */
	{ NOTHING, 0, 0, 2, { 0x74, 0x00 } },             /* je to the next instruction */
	{ NOTHING, 0, 0, 6, { 0x0f, 0x85 } },             /* jne */
	{ NOTHING, 0, 0, 2, { 0xeb, 0x00 } },             /* jmp */
	{ NOTHING, 0, 0, 1, { 0x90 } },                   /* nop */
	{ NOTHING, 0, 0, 4, { 0x48, 0x8d, 0x49, 0xff } }, /* lea -1(%rcx), %rcx */
};

enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

/* Bytes after the end of a function. */
static const char paddings[][9] = { "\x0f\x1f\x40", "\x66\x0f\x1f\x44", "\xcc\xcc\xcc\xcc",
				    "\x2e\x0f\x1f\x84", "\xf3\x0f\x1e\xfa" };

static uint32_t draw(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525U + 1013904223U;
	return (*random >> 16) % below;
}

static void imitate(struct machine *m, const struct instruction *i, struct expected *e,
		    const char *window)
{
	char *at = m->window + MIDDLE + i->at;
	const char *real = window + MIDDLE + i->at;
	uint64_t x = 0;
	memcpy(&x, at, i->bytes);
	switch ((enum operation)i->operation) {
	case LOAD:
		m->a = x;
		expect(e, 'L', real, i->bytes);
		break;
	case STORE:
		memcpy(at, &m->a, i->bytes);
		expect(e, 'S', real, i->bytes);
		break;
	case ADD:
		x++;
		memcpy(at, &x, i->bytes);
		expect(e, 'B', real, i->bytes);
		break;
	case UNUSED:
		expect(e, 'L', real, i->bytes);
		break;
	case MOVE:
		memcpy(at, at + 32, i->bytes);
		expect(e, 'L', real + 32, i->bytes);
		expect(e, 'S', real, i->bytes);
		break;
	case PUSH_POP:
		expect(e, 'L', real, i->bytes);
		expect(e, 'S', real, i->bytes);
		break;
	case CALL:
	case IF_ZERO:
	case IF_NOT:
		expect(e, 'L', real, i->bytes);
		m->a += i->operation == CALL || (m->a == 0) == (i->operation == IF_ZERO);
		break;
	case NOTHING:
		break;
	}
}

static uint64_t enter(const uint8_t *code, uint64_t a, char *window)
{
	char *to = window + MIDDLE, *from = to + 32;
	__asm__ volatile("call *%3"
			 : "+a"(a), "+D"(to), "+S"(from)
			 : "r"(code)
			 : "rcx", "r11", "memory", "cc");
	must(to == window + MIDDLE && from == to + 32, "registers behind random code");
	return a;
}

/* Makes one function of random code, and enters it at some of its instructions. */
static uint8_t *piece(struct expected *e, uint8_t *code, const uint8_t *increment,
		      struct machine *m, char *window, uint32_t *random)
{
	const struct instruction *list[LONGEST];
	uint8_t *begin[LONGEST];
	unsigned n = 2 + draw(random, LONGEST - 2);
	/* Instructions are replaced only in code that the program may not write at that time. */
	uint8_t *all = (uint8_t *)((uintptr_t)code & ~(uintptr_t)(CODE - 1));
	must(mprotect(all, CODE, PROT_READ | PROT_WRITE) == 0, "code that may be written");
	for (unsigned i = 0; i < n; i++) {
		list[i] = &instructions[draw(random, INSTRUCTIONS)];
		begin[i] = code;
		memcpy(code, list[i]->code, list[i]->length);
		code += list[i]->length;
		int32_t away = (int32_t)(increment - code);
		if (list[i]->operation == CALL)
			memcpy(code - 4, &away, 4);
	}
	*code++ = 0xc3;
	memcpy(code, paddings[draw(random, 5)], 8);
	must(mprotect(all, CODE, PROT_READ | PROT_EXEC) == 0, "code that may be executed");
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned from = round == 0 ? draw(random, n) : round % 2 ? 0 : draw(random, n);
		uint64_t a = enter(begin[from], m->a, window);
		for (unsigned i = from; i < n; i++)
			imitate(m, list[i], e, window);
		must(a == m->a, "what random code computes");
	}
	return code + 8;
}

void neighbours(struct expected *e)
{
	static const uintptr_t places[] = { 0x8000000, 0x480000000000, 0x7ffffc000000 };
	static const uint8_t increment[] = { 0x48, 0x8d, 0x40, 0x01, 0xc3 };
	const int what = PROT_READ | PROT_WRITE | PROT_EXEC;
	const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	char *window = e->area + 4096 - 30;
	struct machine m = { 0 };
	uint32_t random = 1;
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
		uint8_t *code = mmap((void *)places[i], CODE, what, how, -1, 0);
		uint8_t *function = mmap((void *)(places[i] + AWAY), CODE, what, how, -1, 0);
		must(code == (uint8_t *)places[i] && function == code + AWAY, "memory for code");
		memcpy(function, increment, sizeof increment);
		for (unsigned k = 0; k < PIECES; k++)
			code = piece(e, code, function, &m, window, &random);
	}
	for (unsigned i = 0; i < WINDOW; i += 8) {
		uint64_t x, y;
		memcpy(&x, m.window + i, 8);
		__asm__ volatile("mov (%1), %0" : "=r"(y) : "r"(window + i) : "memory");
		expect(e, 'L', window + i, 8);
		must(x == y, "what random code stored");
	}
	must(e->n < MOST, "the list of what is expected holds it");
}
