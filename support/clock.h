/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * clock.h: how much time has passed, and how much processor time this process has used. All other
 * modules read clocks through these functions, whose names say which clock it is and in what unit.
 * The times count from an arbitrary moment: only their differences mean something.
 */
#ifndef NFACC_SUPPORT_CLOCK_H
#define NFACC_SUPPORT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The time that passes. It never goes back. */
uint64_t clock_nanoseconds(void);
double clock_seconds(void);

/* The processor time of all threads of this process. */
uint64_t clock_cpu_nanoseconds(void);
double clock_cpu_seconds(void);

/* Converts a time of clock_nanoseconds() for functions that wait until a time of CLOCK_MONOTONIC,
 * such as pthread_cond_timedwait(). */
struct timespec clock_timespec(uint64_t nanoseconds);

/* A limit of processor time. A zeroed one is none. */
struct clock_limit {
	bool there;
	uint64_t end_nanoseconds; /* as clock_cpu_nanoseconds() counts */
};

/* Returns the limit that is reached when `ms` more milliseconds of processor time are used. */
struct clock_limit clock_limit_in_ms(uint64_t ms);

/* Returns how many milliseconds of processor time are left: 0 if the limit is reached, INT_MAX if
 * there is none, and at most INT_MAX - 1 otherwise. */
int clock_limit_left_ms(const struct clock_limit *l);

#endif
