/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfamem.h: for programs that nfamem(1) is to record in parts. Nothing is linked: nfamem brings the
 * functions along, and without it the calls do nothing. The program must be position-independent,
 * as compilers make it by default.
 */
#ifndef NFAMEM_H
#define NFAMEM_H

#ifdef __cplusplus
extern "C" {
#endif

/* From the first call on, or until the next call of the other function, accesses of all threads are
 * recorded, or not. A program that refers to MadT__start() is not recorded before it calls it. */
void MadT__start(void) __attribute__((weak));
void MadT__stop(void) __attribute__((weak));

/* The calls are made where nfamem is there. */
#define MadT__start() (MadT__start ? MadT__start() : (void)0)
#define MadT__stop() (MadT__stop ? MadT__stop() : (void)0)

#ifdef __cplusplus
}
#endif

#endif
