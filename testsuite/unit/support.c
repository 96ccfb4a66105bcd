/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <errno.h>
#include <limits.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/arena.h"
#include "support/bits.h"
#include "support/buf.h"
#include "support/cli.h"
#include "support/processor.h"
#include "support/vec.h"
#include "testsuite/unit/unit.h"

START_TEST(vec_grows)
{
	VEC(uint32_t) v = { 0 };

	for (uint32_t i = 0; i < 5000; i++) {
		unit_check(vec_push(&v, i * 7));
		ck_assert_uint_ge(v.cap, v.n);
	}
	unit_eq(v.n, 5000);
	for (uint32_t i = 0; i < 5000; i++)
		unit_eq(v.at[i], i * 7);
	vec_free(&v);
	ck_assert_ptr_null(v.at);
	unit_eq(v.n + v.cap, 0);
}
END_TEST

START_TEST(vec_refuses)
{
	VEC(uint64_t) v = { 0 };

	unit_check(vec_push(&v, 1));
	unit_check(!vec_reserve(&v, SIZE_MAX));
	unit_check(!vec_reserve(&v, VEC_MAX_BYTES / sizeof *v.at));
	unit_eq(v.n, 1);
	unit_eq(v.at[0], 1);
	unit_check(vec_reserve(&v, 0));
	vec_free(&v);
}
END_TEST

START_TEST(arena_hands_out)
{
	struct arena a = { 0 };
	unsigned char *before = NULL;

	for (size_t n = 0; n < 300; n++) {
		unsigned char *p = arena_alloc(&a, n * n);
		ck_assert_ptr_nonnull(p);
		ck_assert_ptr_ne(p, before);
		unit_eq((uintptr_t)p % alignof(max_align_t), 0);
		for (size_t i = 0; i < n * n; i++)
			unit_eq(p[i], 0);
		memset(p, 0xff, n * n);
		before = p;
	}
	ck_assert_str_eq(arena_strndup(&a, "abcdef", 3), "abc");
	ck_assert_str_eq(arena_strndup(&a, NULL, 0), "");
	ck_assert_ptr_null(arena_strndup(&a, "", SIZE_MAX));
	ck_assert_ptr_null(arena_array(&a, SIZE_MAX / 4, 8));
	ck_assert_ptr_null(arena_array(&a, SIZE_MAX, 2));
	ck_assert_ptr_nonnull(arena_array(&a, 0, 8));
	arena_free(&a);
	unit_eq(a.used, 0);
	ck_assert_ptr_nonnull(arena_alloc(&a, 1));
	arena_free(&a);
}
END_TEST

START_TEST(arena_limit)
{
	struct arena a = { .limit = 1000 };
	size_t n = 0;

	ck_assert_ptr_null(arena_alloc(&a, 1001));
	while (arena_alloc(&a, 16) != NULL)
		n++;
	unit_eq(n, 62);
	ck_assert_ptr_nonnull(arena_alloc(&a, 8));
	ck_assert_ptr_null(arena_alloc(&a, 1));
	arena_free(&a);
}
END_TEST

START_TEST(buf_appends)
{
	static const unsigned char want[] = { 'a', 0, 'x', '-', '7', 4, 3, 2, 1,
					      8,   7, 6,   5,   4,   3, 2, 1 };
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	unit_eq(b.n, 0);
	unit_eq(b.at[0], 0);
	buf_add(&b, "a", 2);
	buf_addf(&b, "%c-%d", 'x', 7);
	buf_le32(&b, 0x01020304);
	buf_le64(&b, 0x0102030405060708);
	unit_check(!b.failed);
	unit_eq(b.n, sizeof want);
	ck_assert_mem_eq(b.at, want, sizeof want);
	unit_eq(b.at[b.n], 0);
	for (int i = 0; i < 3000; i++)
		buf_addf(&b, "%0100d", i);
	unit_eq(b.n, sizeof want + 300000);
	buf_free(&b);
	ck_assert_ptr_null(b.at);
}
END_TEST

START_TEST(buf_stays_failed)
{
	struct buf b = { 0 };
	volatile size_t much = VEC_MAX_BYTES + 1;

	buf_add(&b, "a", 1);
	buf_add(&b, "b", much);
	unit_check(b.failed);
	buf_add(&b, "c", 1);
	buf_addf(&b, "%d", 1);
	unit_eq(b.n, 1);
	ck_assert_str_eq(b.at, "a");
	buf_free(&b);
}
END_TEST

START_TEST(buf_shows)
{
	static const char hostile[] = "a\tb\033[2Jc\177\302\233d\303\251\302\240e\233\n";
	static const char *const names[] = { "a b", "\303\251", "" };
	struct buf b = { 0 };

	buf_add_shown(&b, hostile, sizeof hostile - 1);
	ck_assert_str_eq(b.at, "a\tb?[2Jc???d\303\251\302\240e??");
	buf_free(&b);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		unit_check(buf_is_name(names[i], strlen(names[i])));
	for (size_t i = 0; i < sizeof hostile - 1; i++)
		if (strchr("\t\033\177\n", hostile[i]) != NULL)
			unit_check(!buf_is_name(&hostile[i], 1));
	unit_check(!buf_is_name("\302\233", 2));
	unit_check(!buf_is_name("\302", 1));
}
END_TEST

START_TEST(error_hides)
{
	static const char want[] = "a?[2J.re:1:3: error: b?? c?\nd\t??\n \t^\n";
	struct nfart_error e;
	struct buf b = { 0 };
	FILE *f = tmpfile();

	nfart_fail(&e, NFART_INPUT, "b\302\233 c\t");
	e.line = 1;
	e.column = 3;
	snprintf(e.file, sizeof e.file, "a\033[2J.re");
	snprintf(e.source, sizeof e.source, "d\t\302\233\r");
	nfart_error_print(f, &e);
	rewind(f);
	while (!feof(f) && b.n < sizeof want) {
		char c = (char)fgetc(f);

		if (!feof(f))
			buf_add(&b, &c, 1);
	}
	ck_assert_str_eq(b.at, want);
	buf_free(&b);
	fclose(f);
}
END_TEST

START_TEST(buf_reads_files)
{
	char name[] = "/tmp/nfacc-unit.XXXXXX";
	struct buf b = { 0 };
	int fd = mkstemp(name);
	FILE *f;

	ck_assert_int_ge(fd, 0);
	f = fdopen(fd, "w");
	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < 20000; i++)
		fprintf(f, "%09d\n", i);
	fclose(f);
	unit_eq(buf_read_file(&b, name, 200000), 0);
	unit_eq(b.n, 200000);
	ck_assert_str_eq(b.at + 199990, "000019999\n");
	buf_free(&b);
	unit_eq(buf_read_file(&b, name, 199999), EFBIG);
	buf_free(&b);
	unlink(name);
	unit_eq(buf_read_file(&b, name, 1), ENOENT);
	buf_free(&b);
	unit_eq(buf_read_file(&b, "/tmp", 1), EISDIR);
	buf_free(&b);
}
END_TEST

START_TEST(bits_like_an_array)
{
	enum { N = 200 };
	uint64_t seed = 5, w[N / 64 + 1];
	bool in[N];

	for (int round = 0; round < 200; round++) {
		uint32_t n = 1 + unit_below(&seed, N), next;
		memset(w, 0, sizeof w);
		memset(in, 0, sizeof in);
		for (uint32_t i = 0; i < n / 4; i++) {
			uint32_t k = unit_below(&seed, N);
			bits_set(w, k);
			in[k] = true;
		}
		unit_eq(bits_words(n), n / 64 + (n % 64 != 0));
		for (uint32_t i = 0; i < N; i++)
			unit_check(bits_get(w, i) == in[i]);
		for (uint32_t i = 0; i <= n; i++) {
			for (next = i; next < n && !in[next]; next++)
				;
			unit_eq(bits_next(w, n, i), next);
		}
		for (next = 0; next < N && !in[next]; next++)
			;
		unit_check(bits_any(w, bits_words(N)) == (next < N));
	}
	unit_eq(bits_words(0), 0);
	unit_check(!bits_any(w, 0));
}
END_TEST

START_TEST(little_endian)
{
	unsigned char t[8];

	put_le64(t, 0xfedcba9876543210);
	unit_eq(t[0], 0x10);
	unit_eq(t[7], 0xfe);
	unit_eq(get_le64(t), 0xfedcba9876543210);
	unit_eq(get_le32(t + 4), 0xfedcba98);
	put_le32(t, 0xffffffff);
	unit_eq(get_le32(t), 0xffffffff);
}
END_TEST

START_TEST(frequencies)
{
	static const char *const wrong[] = { "", "0", "0M", "k", "-1", "322m", "3 M", "1kk", "1.5M",
					     "18446744073709551616", "18446744074G" };
	uint64_t hertz;

	unit_check(cli_frequency("1", &hertz));
	unit_eq(hertz, 1);
	unit_check(cli_frequency("32768", &hertz));
	unit_eq(hertz, 32768);
	unit_check(cli_frequency("250k", &hertz));
	unit_eq(hertz, 250000);
	unit_check(cli_frequency("322M", &hertz));
	unit_eq(hertz, 322000000);
	unit_check(cli_frequency("18446744073G", &hertz));
	unit_eq(hertz, 18446744073000000000u);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		unit_check(!cli_frequency(wrong[i], &hertz));
}
END_TEST

/* One that no processor has is missing in both. */
START_TEST(processor_as_compiler)
{
#if defined(__x86_64__)
#define AGREES(glibc, compiler)                                                                    \
	unit_eq(PROCESSOR_HAS(glibc, compiler), __builtin_cpu_supports(compiler) != 0)
	AGREES(SSE4_2, "sse4.2");
	AGREES(PCLMULQDQ, "pclmul");
	AGREES(VPCLMULQDQ, "vpclmulqdq");
	AGREES(POPCNT, "popcnt");
	AGREES(BMI1, "bmi");
	AGREES(BMI2, "bmi2");
	AGREES(AVX2, "avx2");
	AGREES(AVX512F, "avx512f");
	AGREES(AVX512BW, "avx512bw");
	AGREES(AVX512DQ, "avx512dq");
	AGREES(AVX512VL, "avx512vl");
	unit_eq(processor_has_vbmi(), __builtin_cpu_supports("avx512vbmi") != 0);
	unit_eq(processor_has_bitalg(), __builtin_cpu_supports("avx512bitalg") != 0);
#endif
}
END_TEST

Suite *suite_support(void)
{
	const TTest *const tests[] = {
		vec_grows,     vec_refuses,      arena_hands_out, arena_limit,
		buf_appends,   buf_stays_failed, buf_shows,       error_hides,
		buf_reads_files, bits_like_an_array, little_endian, frequencies,
		processor_as_compiler, NULL
	};

	return unit_suite("support", tests);
}
