/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/beside.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Is the file in a folder below that of the running program? Then *path is its path. */
static bool find_below(const char *below, const char *file, char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *end;

	if (n <= 0)
		return false;
	path[n] = 0;
	end = strrchr(path, '/');
	if (end == NULL || (size_t)(end - path) + strlen(below) + strlen(file) + 2 > PATH_MAX)
		return false;
	strcpy(end + 1, below);
	strcat(end, file);
	return access(path, R_OK) == 0;
}

void beside_find(const char *file, const char *installed, char path[PATH_MAX])
{
	if (!find_below(".libs/", file, path) && !find_below("../lib/nfacc/", file, path))
		snprintf(path, PATH_MAX, "%s/%s", installed, file);
}
