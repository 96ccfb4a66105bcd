/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses the number at the beginning of s, decimal or 0x. *rest is what follows it. */
static bool number(const char *s, uint64_t *v, const char **rest)
{
	char *e;

	errno = 0;
	if (s[0] < '0' || s[0] > '9')
		return false;
	*v = strtoull(s, &e, s[0] == '0' && (s[1] | 32) == 'x' ? 16 : 10);
	*rest = e;
	return errno == 0;
}

bool cli_number(const char *s, char end, uint64_t *v, const char **rest)
{
	const char *after;

	if (!number(s, v, &after) || *after != end)
		return false;
	if (rest != NULL)
		*rest = after + 1;
	return true;
}

bool cli_scaled(const char *s, uint64_t *v, const char **rest)
{
	static const char suffixes[] = "kMG";
	uint64_t unit = 1;

	if (!number(s, v, rest)) {
		*rest = s;
		return false;
	}
	for (const char *suffix = suffixes; *suffix != 0; suffix++) {
		unit *= 1000;
		if (**rest == *suffix) {
			*rest = __builtin_mul_overflow(*v, unit, v) ? s : *rest + 1;
			return *rest != s;
		}
	}
	return true;
}

bool cli_frequency(const char *s, uint64_t *hertz)
{
	const char *rest;

	return cli_scaled(s, hertz, &rest) && *rest == 0 && *hertz != 0;
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
