/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A part of the test program access: instructions whose bytes depend on more than one address. */
#include "probes/memory/tests/access.h"

#include <string.h>

enum { ROUNDS = 3, FAR = 4000 };

static int bit(unsigned mask, int i)
{
	return (int)(mask >> i & 1);
}

/* Notes an access for each run of lanes that the mask chooses. */
static void expect_runs(struct expected *e, char kind, const char *p, unsigned mask, int lanes,
			int element)
{
	for (int i = 0; i < lanes; i++) {
		int from = i;
		while (i < lanes && bit(mask, i))
			i++;
		if (i > from)
			expect(e, kind, p + from * element, (unsigned)((i - from) * element));
	}
}

/* Eight elements in eight pages; those with an odd number are also left out by the mask. */
__attribute__((target("avx2"))) static void gathers(struct expected *e)
{
	int32_t index[8], mask[8], got[8];
	int64_t index8[4] = { 0, 3 * FAR, -8, 5 * FAR };
	if (!__builtin_cpu_supports("avx2"))
		return;
	for (int i = 0; i < 8; i++)
		index[i] = i * FAR / 4;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 8; i++)
			mask[i] = round < 2 || i % 2 == 0 ? -1 : 0;
		__asm__ volatile("vmovdqu (%1), %%ymm1\n\tvmovdqu (%2), %%ymm2\n\t"
				 "vpxor %%ymm3, %%ymm3, %%ymm3\n\t"
				 "vgatherdps %%ymm2, 16(%0,%%ymm1,4), %%ymm3\n\t"
				 "vmovdqu %%ymm3, (%3)\n\tvzeroupper"
				 :
				 : "r"(e->area), "r"(index), "r"(mask), "r"(got)
				 : "xmm1", "xmm2", "xmm3", "memory");
		for (int i = 0; i < 8; i++)
			if (mask[i])
				expect(e, 'L', e->area + 16 + i * FAR, 4);
		/* Four indices of eight bytes choose four elements of four bytes. */
		__asm__ volatile("vmovdqu (%1), %%ymm11\n\tvpcmpeqd %%xmm2, %%xmm2, %%xmm2\n\t"
				 "vpgatherqd %%xmm2, 64(%0,%%ymm11,1), %%xmm13\n\tvzeroupper"
				 :
				 : "r"(e->area), "r"(index8)
				 : "xmm11", "xmm2", "xmm13", "memory");
		for (int i = 0; i < 4; i++)
			expect(e, 'L', e->area + 64 + index8[i], 4);
	}
}

__attribute__((target("avx512f,avx512bw,avx512vl"))) static void gathers_512(struct expected *e)
{
	int32_t index[16];
	int64_t index8[8];
	const uint32_t chosen = 0x9a35;
	if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl"))
		return;
	for (int i = 0; i < 16; i++)
		index[i] = (15 - i) * 2000 + i % 3;
	for (int i = 0; i < 8; i++)
		index8[i] = i * FAR;
	for (int round = 0; round < ROUNDS; round++) {
		__asm__ volatile("vmovdqu32 (%1), %%zmm21\n\tkmovd %2, %%k3\n\t"
				 "vpgatherdd (%0,%%zmm21,1), %%zmm4%{%%k3%}\n\t"
				 "kmovd %2, %%k4\n\tvpscatterdd %%zmm4, 8(%0,%%zmm21,1)%{%%k4%}\n\t"
				 "vmovdqu64 (%3), %%zmm6\n\tkxnorw %%k5, %%k5, %%k5\n\t"
				 "vscatterqps %%ymm4, (%0,%%zmm6,1)%{%%k5%}\n\tvzeroupper"
				 :
				 : "r"(e->area), "r"(index), "r"(chosen), "r"(index8)
				 : "xmm4", "xmm6", "xmm21", "k3", "k4", "k5", "memory");
		for (int i = 0; i < 16; i++)
			if (bit(chosen, i))
				expect(e, 'L', e->area + index[i], 4);
		for (int i = 0; i < 16; i++)
			if (bit(chosen, i))
				expect(e, 'S', e->area + index[i] + 8, 4);
		for (int i = 0; i < 8; i++)
			expect(e, 'S', e->area + index8[i], 4);
	}
}

/* Masks in vector registers, and bytes chosen one by one. */
__attribute__((target("avx2"))) static void masks(struct expected *e)
{
	int32_t mask[8] = { -1, -1, 0, -1, 0, 0, -1, -1 }, got[8];
	char bytes[16] = { -1, 0, 0, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1 };
	char *p = e->area + 4096 - 12, *q = e->area + 1000;
	if (!__builtin_cpu_supports("avx2"))
		return;
	memset(mask, 0, sizeof *mask);
	for (int round = 0; round < ROUNDS; round++) {
		__asm__ volatile("vmovdqu (%1), %%ymm9\n\tvpmaskmovd (%0), %%ymm9, %%ymm2\n\t"
				 "vmaskmovps %%ymm2, %%ymm9, 64(%0)\n\tvmovdqu %%ymm2, (%2)\n\t"
				 "vpmaskmovq (%0), %%xmm9, %%xmm2\n\tvzeroupper"
				 :
				 : "r"(p), "r"(mask), "r"(got)
				 : "xmm2", "xmm9", "memory");
		expect_runs(e, 'L', p, 0xca, 8, 4);
		expect_runs(e, 'S', p + 64, 0xca, 8, 4);
		expect_runs(e, 'L', p, 3, 2, 8);
		__asm__ volatile("movdqu (%1), %%xmm1\n\tmov %0, %%rdi\n\tmaskmovdqu %%xmm1, %%xmm2\n\t"
				 "movq (%1), %%mm1\n\tadd $64, %%rdi\n\tmaskmovq %%mm1, %%mm2\n\temms"
				 :
				 : "r"(q), "r"(bytes)
				 : "rdi", "xmm1", "xmm2", "memory");
		expect_runs(e, 'S', q, 0xc039, 16, 1);
		expect_runs(e, 'S', q + 64, 0x39, 8, 1);
	}
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2"))) static void
masks_512(struct expected *e)
{
	char *p = e->area + 2 * 4096 - 20;
	if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl"))
		return;
	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t chosen = round == 2 ? 0 : 0xf00000000000a73e;
		__asm__ volatile("kmovq %1, %%k2\n\tvmovdqu8 (%0), %%zmm17%{%%k2%}%{z%}\n\t"
				 "vmovdqu32 %%zmm17, 128(%0)%{%%k2%}\n\t"
				 "vpaddd (%0)%{1to16%}, %%zmm17, %%zmm18%{%%k2%}\n\t"
				 "vpcompressd %%zmm17, 256(%0)%{%%k2%}\n\t"
				 "vpexpandd 256(%0), %%zmm17%{%%k2%}\n\t"
				 "vmovss %%xmm17, 512(%0)%{%%k2%}\n\tvpmovdb %%zmm17, 600(%0)%{%%k2%}\n\t"
				 "vpermd 700(%0), %%zmm17, %%zmm18%{%%k2%}\n\tvzeroupper"
				 :
				 : "r"(p), "r"(chosen)
				 : "xmm17", "xmm18", "k2", "memory");
		expect_runs(e, 'L', p, (unsigned)chosen, 16, 1);
		if (chosen)
			expect(e, 'L', p + 60, 4);
		expect_runs(e, 'S', p + 128, (unsigned)chosen, 16, 4);
		if (chosen) {
			expect(e, 'L', p, 4);
			expect(e, 'S', p + 256, 10 * 4);
			expect(e, 'L', p + 256, 10 * 4);
		}
		expect_runs(e, 'S', p + 600, (unsigned)chosen, 16, 1);
		expect(e, 'L', p + 700, 64);
	}
}

/* Bit strings, a table, 16 bytes at once, and the state of the processor. */
static void others(struct expected *e)
{
	char *p = e->area + 4096;
	char *state = (char *)(((uintptr_t)e->area + 8192 + 63) & ~(uintptr_t)63);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t away = 8 * 5000 + 3, before = -33;
		uint64_t table = 0xffffff05, low = 0, high = 0, c = 0, d = 0;
		unsigned char was;
		memset(p + 5000, 0, 8);
		expect(e, 'S', p + 5000, 8);
		__asm__ volatile("btsq %2, (%1)\n\tsetc %0"
				 : "=r"(was)
				 : "r"(p), "r"(away)
				 : "memory", "cc");
		expect(e, 'B', p + 5000, 8);
		must(was == 0, "bts");
		__asm__ volatile("lock btrl %k2, (%1)\n\tsetc %0"
				 : "=r"(was)
				 : "r"(p), "r"(before)
				 : "memory", "cc");
		expect(e, 'B', p - 8, 4);
		__asm__ volatile("btl $35, 4(%0)" : : "r"(p) : "memory", "cc");
		expect(e, 'L', p + 4, 4);
		__asm__ volatile("xlatb" : "+a"(table) : "b"(p) : "memory");
		expect(e, 'L', p + 5, 1);
		__asm__ volatile("lock cmpxchg16b (%4)"
				 : "+a"(low), "+d"(high), "+b"(c), "+c"(d)
				 : "r"(p + 32)
				 : "memory", "cc");
		expect(e, 'B', p + 32, 16);
		if (!__builtin_cpu_supports("avx"))
			continue;
		/* The x87 and SSE parts and the header; then the upper halves of ymm. */
		__asm__ volatile("xsave (%0)" : : "r"(state), "a"(7), "d"(0) : "memory");
		expect(e, 'S', state, 512);
		expect(e, 'S', state + 512, 64);
		expect(e, 'S', state + 576, 256);
		__asm__ volatile("xrstor (%0)" : : "r"(state), "a"(1), "d"(0) : "memory");
		expect(e, 'L', state, 512);
		expect(e, 'L', state + 512, 64);
	}
}

void lanes(struct expected *e)
{
	gathers(e);
	gathers_512(e);
	masks(e);
	masks_512(e);
	others(e);
}
