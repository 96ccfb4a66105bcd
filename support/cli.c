/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_number(const char *s, char end, uint64_t *v, const char **rest)
{
	char *e;

	errno = 0;
	if (s[0] < '0' || s[0] > '9')
		return false;
	*v = strtoull(s, &e, s[0] == '0' && (s[1] | 32) == 'x' ? 16 : 10);
	if (errno != 0 || *e != end)
		return false;
	if (rest != NULL)
		*rest = e + 1;
	return true;
}

bool cli_frequency(const char *s, uint64_t *hertz)
{
	static const char suffixes[] = "kMG";
	const char *suffix, *rest;
	uint64_t unit = 1;

	if (cli_number(s, 0, hertz, NULL))
		return *hertz != 0;
	for (suffix = suffixes; *suffix != 0; suffix++) {
		unit *= 1000;
		if (cli_number(s, *suffix, hertz, &rest) && *rest == 0)
			return *hertz != 0 && !__builtin_mul_overflow(*hertz, unit, hertz);
	}
	return false;
}

bool cli_substream(const char *s, uint64_t *address, uint64_t *lines)
{
	const char *rest;

	return cli_number(s, ',', address, &rest) && *address >> 40 == 0 &&
	       cli_number(rest, 0, lines, NULL) && *lines != 0;
}

int cli_wrong_use(const char *tool, const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s%s%s\nTry '%s --help'.\n", tool, what, arg != NULL ? " " : "",
		arg != NULL ? arg : "", tool);
	return NFART_USAGE;
}

static int lost_output(const char *tool)
{
	fprintf(stderr, "%s: error: can't write to standard output%s%s\n", tool,
		errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
	return NFART_SYSTEM;
}

int cli_print(const char *tool, const char *text, size_t n)
{
	errno = 0;
	return fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0 ? NFART_OK
								      : lost_output(tool);
}

int cli_report(const char *tool, const struct nfart_error *e)
{
	if (e->file[0] == 0)
		fprintf(stderr, "%s: ", tool);
	nfart_error_print(stderr, e);
	return (int)e->status;
}

int cli_finish(const char *tool, int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	return code != NFART_SYSTEM ? lost_output(tool) : code;
}
