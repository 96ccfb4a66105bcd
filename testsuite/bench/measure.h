/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * measure.h: what all benchmarks need: compute a median, stop with a message.
 */
#ifndef NFACC_BENCH_MEASURE_H
#define NFACC_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>

#include "include/nfart.h"

static inline int measure_by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Returns the median of the n values, and sorts v. */
static inline double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, measure_by_value);
	return v[n / 2];
}

static inline void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(NFART_SYSTEM);
}

#endif
