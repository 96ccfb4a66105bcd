/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds out which instructions the processor has for decoding and stepping.
 */
#include "include/nfart.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
/* Clang's __builtin_cpu_supports() does not know LZCNT. It is bit 5 of ecx in CPUID 0x80000001. */
static bool has_lzcnt(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c >> 5 & 1) != 0;
}
#endif

enum nfart_simd nfart_simd_best(void)
{
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
		    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
		    has_lzcnt();
	if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return NFART_SIMD_AVX512;
	if (avx2)
		return NFART_SIMD_AVX2;
#endif
	return NFART_SIMD_PORTABLE;
}

const char *nfart_simd_name(enum nfart_simd level)
{
	static const char *const names[] = { "best", "portable", "AVX2", "AVX-512" };

	return names[level];
}
