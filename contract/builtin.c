/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/builtin.h"

#include <string.h>

const char *builtin_find(const struct builtin *table, const char *name, size_t n)
{
	for (; table->name != NULL; table++)
		if (strncmp(table->name, name, n) == 0 && table->name[n] == 0)
			return table->text;
	return NULL;
}
