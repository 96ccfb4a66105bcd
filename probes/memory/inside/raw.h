/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * System calls and memory functions that do not use libc. libc keeps errno and other data in memory
 * that may be watched. A system call returns what the kernel returns, which is -errno on failure.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_RAW_H
#define NFACC_PROBES_MEMORY_INSIDE_RAW_H
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#define RAW3(number, a, b, c) raw_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)

static inline void *raw_mmap(uintptr_t at, size_t bytes, int prot, int flags, int fd, long offset)
{
	return (void *)raw_call(SYS_mmap, (long)at, (long)bytes, prot, flags, fd, offset);
}

/* Whether the result of raw_mmap is an address. */
static inline int raw_good(const void *p)
{
	return (uintptr_t)p < (uintptr_t)-4095;
}

static inline long raw_munmap(uintptr_t at, size_t bytes)
{
	return RAW3(SYS_munmap, at, bytes, 0);
}

static inline long raw_mprotect(uintptr_t at, size_t bytes, int prot)
{
	return RAW3(SYS_mprotect, at, bytes, prot);
}

static inline void raw_copy(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static inline void raw_fill(void *to, int byte, size_t bytes)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
}

static inline int raw_same(const char *a, const char *b, size_t bytes)
{
	while (bytes && *a == *b)
		a++, b++, bytes--;
	return bytes == 0;
}

static inline size_t raw_length(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}
#endif
