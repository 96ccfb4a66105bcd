/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/ranks.h"

uint32_t ranks_open(int *argc, char ***argv, uint32_t *number)
{
	(void)argc;
	(void)argv;
	*number = 0;
	return 0;
}

void ranks_close(void)
{
}

int ranks_most(int value)
{
	return value;
}
