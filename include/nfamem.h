/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfamem.h: for programs that choose the parts of their run that nfamem(1) records. A program needs
 * no library for it. nfamem has these functions, and without nfamem the calls do nothing. The
 * program must be position-independent, as compilers make programs by default.
 */
#ifndef NFAMEM_H
#define NFAMEM_H

#ifdef __cplusplus
extern "C" {
#endif

/* After MadT__start() the accesses of all threads are recorded. After MadT__stop() they are not
 * recorded. A program that contains a call of MadT__start() is not recorded before this call. */
void MadT__start(void) __attribute__((weak));
void MadT__stop(void) __attribute__((weak));

/* Without nfamem the addresses of the functions are NULL, and these macros do not call them. */
#define MadT__start() (MadT__start ? MadT__start() : (void)0)
#define MadT__stop() (MadT__stop ? MadT__stop() : (void)0)

#ifdef __cplusplus
}
#endif

#endif
