/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

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

START_TEST(crc_agrees)
{
	enum { N = 1100 };
	unsigned char t[N + 8];
	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof t; i++)
		t[i] = (unsigned char)(unit_random(&seed) >> 56);
	for (size_t at = 0; at < 8; at++)
		for (size_t n = 0; n <= N; n += n < 100 ? 1 : 37) {
			uint32_t want = slow(0, t + at, n), half = crc32c(0, t + at, n / 3);
			unit_eq(crc32c(0, t + at, n), want);
			unit_eq(crc32c_portable(0, t + at, n), want);
			unit_eq(crc32c(half, t + at + n / 3, n - n / 3), want);
			unit_eq(crc32c_portable(half, t + at + n / 3, n - n / 3), want);
		}
}
END_TEST

Suite *suite_crc(void)
{
	const TTest *const tests[] = { crc_known, crc_agrees, NULL };

	return unit_suite("crc", tests);
}
