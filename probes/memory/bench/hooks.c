/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * hooks.c: what calls of the compiler at each access (gcc -fsanitize=thread, without its library)
 * cost when they only write down the address: a word into a buffer that is used again and again. At
 * the end it prints the number of accesses on standard error.
 */
#include <stdint.h>
#include <stdio.h>

enum { ROOM = 1 << 17 };

static uint64_t words[ROOM];
static uint64_t written;

#define HOOK(name)                                                                                 \
	void name(void *address);                                                                  \
	void name(void *address)                                                                   \
	{                                                                                          \
		words[written++ % ROOM] = (uintptr_t)address;                                      \
	}

HOOK(__tsan_read1)
HOOK(__tsan_read2)
HOOK(__tsan_read4)
HOOK(__tsan_read8)
HOOK(__tsan_read16)
HOOK(__tsan_write1)
HOOK(__tsan_write2)
HOOK(__tsan_write4)
HOOK(__tsan_write8)
HOOK(__tsan_write16)
HOOK(__tsan_unaligned_read2)
HOOK(__tsan_unaligned_read4)
HOOK(__tsan_unaligned_read8)
HOOK(__tsan_unaligned_read16)
HOOK(__tsan_unaligned_write2)
HOOK(__tsan_unaligned_write4)
HOOK(__tsan_unaligned_write8)
HOOK(__tsan_unaligned_write16)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

__attribute__((destructor)) static void say(void)
{
	fprintf(stderr, "%llu\n", (unsigned long long)written);
}
