/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Strings in small blocks with freed blocks between them, and functions of libc that call its
 * string functions. Without a file as its argument, it reads from memory before a freed block into
 * that block.
 */
#include <locale.h>
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

enum { BLOCKS = 400 };

static char *string[BLOCKS];

static int rising(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

/* Makes strings of 0 to 39 bytes. Every other one is freed again. */
static void make(void)
{
	for (int i = 0; i < BLOCKS; i++) {
		size_t n = (size_t)i * 7 % 40;

		string[i] = malloc(n + 1);
		memset(string[i], 'a' + i % 26, n);
		string[i][n] = 0;
	}
	for (int i = 0, n = 0; i < BLOCKS; i++)
		if (i % 2 != 0)
			free(string[i]);
		else
			string[n++] = string[i];
}

static size_t use(const char *file)
{
	char *line = NULL, text[100];
	size_t room = 0, sum = 0;
	FILE *f = fopen(file, "r");
	wchar_t *wide = malloc(6 * sizeof *wide);

	setlocale(LC_ALL, "C.UTF-8");
	qsort(string, BLOCKS / 2, sizeof string[0], rising);
	for (int i = 0; i < BLOCKS / 2; i++) {
		snprintf(text, sizeof text, "%s %.3s", string[i], string[i]);
		sum += strlen(text) + (strstr(text, "abc") != NULL);
		sum += strcasestr(string[i], "zz") != NULL;
		sum += strspn(string[i], "abc") +
		       (memrchr(string[i], 'x', strlen(string[i])) != NULL);
	}
	mbstowcs(wide, "wide.", 6);
	sum += wcslen(wide) + (wcschr(wide, L'.') != NULL);
	while (f != NULL && getline(&line, &room, f) >= 0)
		sum += (size_t)line[0];
	return sum;
}

int main(int argc, char **argv)
{
	char *a = malloc(16), *b = malloc(16);
	volatile int differ;

	memset(a, 0, 16);
	memset(b, 0, 16);
	make();
	if (argc > 1) {
		printf("%zu\n", use(argv[1]));
		return 0;
	}
	free(b);
	differ = memcmp(a + 8, string[0], (size_t)(b - a));
	return 0;
}
