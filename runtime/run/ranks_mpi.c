/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/ranks.h"

#include <mpi.h>

uint32_t ranks_open(int *argc, char ***argv, uint32_t *number)
{
	int n = 1, i = 0;

	MPI_Init(argc, argv);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_rank(MPI_COMM_WORLD, &i);
	*number = (uint32_t)i;
	return (uint32_t)n;
}

void ranks_close(void)
{
	MPI_Finalize();
}

int ranks_most(int value)
{
	int most = value;

	MPI_Allreduce(&value, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return most;
}
