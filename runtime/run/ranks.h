/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ranks.h: the processes of a job that work together on one run. nfarun-mpi is linked with
 * ranks_mpi.c. nfarun is linked with ranks_none.c, in which there are no ranks.
 */
#ifndef NFART_RANKS_H
#define NFART_RANKS_H

#include <stdint.h>

/* Joins the job. Returns how many ranks it has, 0 in nfarun; *number becomes the number of this
 * rank, from 0. May take options from the command line. Call ranks_close() before the process
 * ends. */
uint32_t ranks_open(int *argc, char ***argv, uint32_t *number);
void ranks_close(void);

/* Returns the greatest `value` with which a rank called this. Waits until every rank has called
 * it. */
int ranks_most(int value);

#endif
