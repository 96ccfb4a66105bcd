/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trims FILE: allocates and frees blocks, again and again. malloc moves the program break on for
 * them, and back afterwards. Makes the file `ready` at the start, and `trimmed` 20 times after the
 * file `watched` is there. Ends when FILE is there. Says what was wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 12, BYTES = 100000, TIMES = 20 };

static void fill(void)
{
	char *block[BLOCKS];
	for (int i = 0; i < BLOCKS; i++) {
		block[i] = malloc(BYTES);
		block[i][0] = block[i][BYTES - 1] = (char)i;
	}
	for (int i = 0; i < BLOCKS; i++)
		if (block[i][0] != (char)i || block[i][BYTES - 1] != (char)i)
			printf("block %d\n", i);
	for (int i = BLOCKS; i > 0; i--)
		free(block[i - 1]);
}

int main(int argc, char **argv)
{
	fill();
	fclose(fopen("ready", "w"));
	for (int times = 0; argc == 2 && access(argv[1], F_OK) != 0; fill()) {
		times += access("watched", F_OK) == 0;
		if (times == TIMES)
			fclose(fopen("trimmed", "w"));
	}
	printf("ended\n");
	return 0;
}
