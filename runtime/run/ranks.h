/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ranks.h: the processes of a job that work on one run. nfarun-mpi is nfarun with ranks_mpi.c; in
 * nfarun, with ranks_none.c, there are none.
 */
#ifndef NFART_RANKS_H
#define NFART_RANKS_H

#include <stdint.h>

/* How many there are, 0 in nfarun; and which this is, from 0. May take options from the command
 * line. ranks_close() before the process ends. */
uint32_t ranks_open(int *argc, char ***argv, uint32_t *number);
void ranks_close(void);

/* The greatest of all ranks' values, once all have called. */
int ranks_most(int value);

#endif
