/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stringsearch.c: looks for words in lines of text by the method of Horspool, and makes the text
 * itself: stringsearch LINES. Prints how often words were found.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 72 };

static const char *const words[] = { "memory", "access", "filter", "block", "thread", "symbol",
				     "region", "trace",  "fault",  "page",  "engine", "stub" };
enum { WORDS = sizeof words / sizeof words[0] };

static size_t skip[UCHAR_MAX + 1];

/* How far the search may go on when the last character of its place is this one. */
static void prepare(const char *word, size_t n)
{
	for (size_t c = 0; c <= UCHAR_MAX; c++)
		skip[c] = n;
	for (size_t i = 0; i + 1 < n; i++)
		skip[(unsigned char)word[i]] = n - 1 - i;
}

static int search(const char *word, size_t n, const char *line)
{
	int found = 0;

	for (size_t at = 0; at + n <= LINE; at += skip[(unsigned char)line[at + n - 1]]) {
		size_t i = n;

		while (i > 0 && word[i - 1] == line[at + i - 1])
			i--;
		found += i == 0;
	}
	return found;
}

int main(int argc, char **argv)
{
	int lines = argc > 1 ? atoi(argv[1]) : 200, found = 0;
	char *text = malloc((size_t)lines * LINE);
	uint32_t random = 1;

	if (lines < 1 || !text)
		return 2;
	for (int i = 0; i < lines * LINE; i++) {
		random = random * 1664525U + 1013904223U;
		text[i] = (char)('a' + (random >> 24) % 26);
	}
	for (int i = 0; i < lines; i++) {
		const char *word = words[i % WORDS];

		memcpy(text + i * LINE + i % (LINE - 6), word, strlen(word));
	}
	for (size_t w = 0; w < WORDS; w++) {
		prepare(words[w], strlen(words[w]));
		for (int i = 0; i < lines; i++)
			found += search(words[w], strlen(words[w]), text + i * LINE);
	}
	printf("%d\n", found);
	free(text);
	return 0;
}
