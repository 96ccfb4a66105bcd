/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ranks.h: the processes of a job that work together on one run. nfarun-mpi has ranks_mpi.c, nfarun
 * has ranks_none.c, in which there are none.
 */
#ifndef NFART_RANKS_H
#define NFART_RANKS_H

#include <stdint.h>

/* Returns how many ranks there are, 0 in nfarun. *number: which one this is, from 0. May take
 * options from the command line. Call ranks_close() before the process ends. */
uint32_t ranks_open(int *argc, char ***argv, uint32_t *number);
void ranks_close(void);

/* Returns the greatest of all ranks' values, once every rank has called it. */
int ranks_most(int value);

#endif
