/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * names: reads symbols from standard input, one a line, and prints for each what demangle() makes of
 * it, or the symbol itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/demangle.h"
#include "support/vec.h"

int main(void)
{
	struct buf lines = { 0 }, text = { 0 };
	VEC(const char *) symbols = { 0 };
	size_t *at;

	if (buf_read_file(&lines, "-", 1 << 26) != 0 || lines.n == 0)
		return 1;
	for (char *line = strtok(lines.at, "\n"); line != NULL; line = strtok(NULL, "\n"))
		if (!vec_push(&symbols, line))
			return 1;
	at = malloc((symbols.n + 1) * sizeof *at);
	if (at == NULL || !demangle(symbols.at, symbols.n, &text, at))
		return 1;
	for (size_t i = 0; i < symbols.n; i++)
		puts(at[i] == SIZE_MAX ? symbols.at[i] : text.at + at[i]);
	free(at);
	vec_free(&symbols);
	buf_free(&text);
	buf_free(&lines);
	return 0;
}
