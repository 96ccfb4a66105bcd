/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <limits.h>

#include "support/clock.h"
#include "testsuite/unit/unit.h"

static void sleep_ms(long ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* Uses `ms` milliseconds of processor time. */
static void work_ms(uint64_t ms)
{
	uint64_t end = clock_cpu_nanoseconds() + ms * 1000000;

	while (clock_cpu_nanoseconds() < end)
		;
}

/* The units agree, and time does not go back. */
START_TEST(units)
{
	for (unsigned i = 0; i < 1000; i++) {
		double before = (double)clock_nanoseconds() / 1e9, now = clock_seconds(),
		       cpu = (double)clock_cpu_nanoseconds() / 1e9, cpu_now = clock_cpu_seconds();

		unit_check(before <= now && now <= (double)clock_nanoseconds() / 1e9);
		unit_check(cpu <= cpu_now && cpu_now <= (double)clock_cpu_nanoseconds() / 1e9);
	}
}
END_TEST

/* A process that sleeps uses no processor time. One that works uses both kinds. */
START_TEST(sleep_and_work)
{
	uint64_t begin = clock_nanoseconds(), cpu = clock_cpu_nanoseconds();

	sleep_ms(30);
	unit_check(clock_nanoseconds() - begin >= 30000000);
	unit_check(clock_cpu_nanoseconds() - cpu < 30000000);
	begin = clock_nanoseconds();
	work_ms(20);
	/* The clocks need not tick at the same moments. */
	unit_check(clock_nanoseconds() - begin >= 19000000);
}
END_TEST

START_TEST(timespecs)
{
	static const struct {
		uint64_t nanoseconds;
		long s, ns;
	} cases[] = {
		{ 0, 0, 0 },
		{ 999999999, 0, 999999999 },
		{ 1000000000, 1, 0 },
		{ 123456789012345678, 123456789, 12345678 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct timespec t = clock_timespec(cases[i].nanoseconds);

		ck_assert_int_eq(t.tv_sec, cases[i].s);
		ck_assert_int_eq(t.tv_nsec, cases[i].ns);
	}
}
END_TEST

START_TEST(limits)
{
	struct clock_limit none = { 0 }, l = clock_limit_in_ms(0);
	int left;

	ck_assert_int_eq(clock_limit_left_ms(&none), INT_MAX);
	ck_assert_int_eq(clock_limit_left_ms(&l), 0);
	l = clock_limit_in_ms(20000);
	left = clock_limit_left_ms(&l);
	unit_check(left > 10000 && left <= 20000);
	l = clock_limit_in_ms(40);
	sleep_ms(60);
	unit_check(clock_limit_left_ms(&l) > 0);
	work_ms(40);
	ck_assert_int_eq(clock_limit_left_ms(&l), 0);
	/* Times that do not fit. */
	l = clock_limit_in_ms(UINT64_MAX);
	ck_assert_int_eq(clock_limit_left_ms(&l), INT_MAX - 1);
	l = clock_limit_in_ms((uint64_t)INT_MAX * 1000);
	ck_assert_int_eq(clock_limit_left_ms(&l), INT_MAX - 1);
}
END_TEST

Suite *suite_clock(void)
{
	const TTest *const tests[] = { units, sleep_and_work, timespecs, limits, NULL };

	return unit_suite("clock", tests);
}
