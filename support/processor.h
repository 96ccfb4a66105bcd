/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * processor.h: which instructions the processor has, and the system lets programs use.
 *
 * To ask the processor takes some 10 microseconds a question in a virtual machine, and the
 * compiler's __builtin_cpu_supports() asks ten when a program that contains it is started. The C
 * library has asked by then, and glibc tells what it was told.
 */
#ifndef NFACC_SUPPORT_PROCESSOR_H
#define NFACC_SUPPORT_PROCESSOR_H

#if defined(__x86_64__)

#include <stdbool.h>

#if defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define PROCESSOR_TOLD
#endif
#endif

#ifdef PROCESSOR_TOLD
#include <sys/platform/x86.h>

/* As x86_cpu_active() of glibc, which shifts a signed 1 by 31 for AVX512VL. */
static inline bool processor_active(unsigned feature)
{
	enum { WORD = 32, LEAF = 4 * WORD };
	const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / LEAF);

	return (leaf->active_array[feature % LEAF / WORD] >> feature % WORD & 1) != 0;
}

/* An instruction set has one name in glibc and one in the compiler. */
#define PROCESSOR_HAS(glibc, compiler) processor_active(x86_cpu_##glibc)

static inline bool processor_has_lzcnt(void)
{
	return PROCESSOR_HAS(LZCNT, "lzcnt");
}
#else
#include <cpuid.h>

#define PROCESSOR_HAS(glibc, compiler) (__builtin_cpu_supports(compiler) != 0)

/* Clang's __builtin_cpu_supports() does not know LZCNT. It is bit 5 of ecx in CPUID 0x80000001. */
static inline bool processor_has_lzcnt(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c >> 5 & 1) != 0;
}
#endif

/* AVX2, and what came with it. */
static inline bool processor_has_avx2(void)
{
	return PROCESSOR_HAS(AVX2, "avx2") && PROCESSOR_HAS(BMI1, "bmi") &&
	       PROCESSOR_HAS(BMI2, "bmi2") && PROCESSOR_HAS(POPCNT, "popcnt") &&
	       processor_has_lzcnt();
}

/* The parts of AVX-512 that every server has that has any. */
static inline bool processor_has_avx512(void)
{
	return PROCESSOR_HAS(AVX512F, "avx512f") && PROCESSOR_HAS(AVX512BW, "avx512bw") &&
	       PROCESSOR_HAS(AVX512DQ, "avx512dq") && PROCESSOR_HAS(AVX512VL, "avx512vl");
}

static inline bool processor_has_vbmi(void)
{
	return PROCESSOR_HAS(AVX512_VBMI, "avx512vbmi");
}

static inline bool processor_has_bitalg(void)
{
	return PROCESSOR_HAS(AVX512_BITALG, "avx512bitalg");
}
#endif
#endif
