/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Asks for blocks at all kinds of alignments, and prints what came. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *by_posix(size_t alignment, size_t bytes)
{
	void *p = NULL;

	errno = posix_memalign(&p, alignment, bytes);
	return p;
}

static void ask(const char *name, void *(*function)(size_t, size_t), size_t alignment, size_t bytes)
{
	size_t power = 1;
	char *p;

	errno = 0;
	p = function(alignment, bytes);
	while (power < alignment && power <= SIZE_MAX / 2)
		power *= 2;
	printf("%s(%zu, %zu): ", name, alignment, bytes);
	if (p == NULL) {
		printf("%s\n", strerror(errno));
		return;
	}
	memset(p, 1, bytes);
	printf("%s\n", (uintptr_t)p % power == 0 ? "aligned" : "not aligned");
	free(p);
}

int main(void)
{
	static const size_t alignments[] = {
		0, 1, 2, 3, 5, 7, 8, 12, 16, 17, 24, 32, 33, 48, 100, 4095, 4096, 4097, 65535,
		65537, 1 << 20, 3 << 20, SIZE_MAX / 2 + 2, SIZE_MAX - 1, SIZE_MAX
	};
	static const size_t sizes[] = { 0, 1, 48, 5000, 100000 };

	for (size_t i = 0; i < sizeof alignments / sizeof alignments[0]; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
			ask("memalign", memalign, alignments[i], sizes[k]);
			ask("aligned_alloc", aligned_alloc, alignments[i], sizes[k]);
			ask("posix_memalign", by_posix, alignments[i], sizes[k]);
		}
	return 0;
}
