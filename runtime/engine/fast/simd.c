/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds out which instructions the processor has for decoding and stepping.
 */
#include "include/nfart.h"
#include "support/processor.h"

enum nfart_simd nfart_simd_best(void)
{
#if defined(__x86_64__)
	if (processor_has_avx2())
		return processor_has_avx512() ? NFART_SIMD_AVX512 : NFART_SIMD_AVX2;
#endif
	return NFART_SIMD_PORTABLE;
}

const char *nfart_simd_name(enum nfart_simd level)
{
	static const char *const names[] = { "best", "portable", "AVX2", "AVX-512" };

	return names[level];
}
