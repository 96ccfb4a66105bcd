/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contract/crc.h"
#include "testsuite/unit/unit.h"

/* CRC-32C by its definition, one bit at a time. */
static uint32_t slow(uint32_t crc, const unsigned char *p, size_t n)
{
	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (-(crc & 1) & 0x82f63b78);
	}
	return ~crc;
}

START_TEST(crc_known)
{
	static const unsigned char zeros[32];
	unsigned char ones[32];

	memset(ones, 0xff, sizeof ones);
	unit_eq(crc32c(0, "123456789", 9), 0xe3069283);
	unit_eq(crc32c_portable(0, "123456789", 9), 0xe3069283);
	/* The examples of RFC 3720, B.4. */
	unit_eq(crc32c(0, zeros, 32), 0x8a9136aa);
	unit_eq(crc32c(0, ones, 32), 0x62a8ab43);
	unit_eq(crc32c(7, "", 0), 7);
	unit_eq(crc32c_portable(7, "", 0), 7);
}
END_TEST

/* Compares the n bytes at p in one way: at once, and after a part. */
static void crc_compare(crc32c_fn *way, const unsigned char *p, size_t n, uint32_t want)
{
	unit_eq(way(0, p, n), want);
	unit_eq(way(way(0, p, n / 3), p + n / 3, n - n / 3), want);
}

START_TEST(crc_agrees)
{
	enum { N = 2100, ALIGNMENTS = 64 };
	unsigned char t[N + ALIGNMENTS];
	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof t; i++)
		t[i] = (unsigned char)(unit_random(&seed) >> 56);
	for (size_t at = 0; at < ALIGNMENTS; at += at < 8 ? 1 : 7)
		for (size_t n = 0; n <= N; n += n < 100 ? 1 : 37) {
			uint32_t want = slow(0, t + at, n);
			crc_compare(crc32c, t + at, n, want);
			for (int way = 0; way < CRC_WAYS; way++)
				if (crc32c_of((enum crc_way)way) != NULL)
					crc_compare(crc32c_of((enum crc_way)way), t + at, n, want);
		}
}
END_TEST

/* All lengths from where folding begins, until each loop has had each rest. The bytes before the
 * end of a page that can't be read are the last ones: no way reads beyond them. */
START_TEST(crc_every_length)
{
	enum { LEAST = 1020, MOST = 1024 + 2 * 256 + 1 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *t = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t seed = 5;

	ck_assert(t != MAP_FAILED && mprotect(t + page, page, PROT_NONE) == 0);
	for (size_t i = 0; i < page; i++)
		t[i] = (unsigned char)(unit_random(&seed) >> 56);
	for (size_t n = LEAST; n <= MOST; n++) {
		uint32_t crc = (uint32_t)unit_random(&seed), want = slow(crc, t + page - n, n);
		for (int way = 0; way < CRC_WAYS; way++)
			if (crc32c_of((enum crc_way)way) != NULL)
				unit_eq(crc32c_of((enum crc_way)way)(crc, t + page - n, n), want);
	}
	munmap(t, 2 * page);
}
END_TEST

/* The ways above CRC_SSE42 exist only where the one before does; the first always does. */
START_TEST(crc_ways)
{
	for (int way = CRC_FOLD_128; way < CRC_WAYS; way++)
		unit_eq(crc32c_of((enum crc_way)way) == NULL ||
			crc32c_of((enum crc_way)(way - 1)) != NULL, true);
	unit_eq(crc32c_of(CRC_PORTABLE) == crc32c_portable, true);
	unit_eq(crc32c_of(CRC_WAYS) == NULL, true);
}
END_TEST

Suite *suite_crc(void)
{
	const TTest *const tests[] = { crc_known, crc_agrees, crc_every_length, crc_ways, NULL };

	return unit_suite("crc", tests);
}
