/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* calls.h: the shared library of calls.c. */
#ifndef CALLS_H
#define CALLS_H

#define NOINLINE __attribute__((noinline))

/* Calls `visit` for each number below n. Returns the sum of the results. */
long library_each(int n, long (*visit)(int));

/* A function of the library that calls another one by its symbol. */
long library_outer(int n);
long library_inner(int n);

/*
 * If compiled with -finstrument-functions: prints how often each function was called, as "count
 * ADDRESS CALLS".
 */
void print_counts(void);

#endif
