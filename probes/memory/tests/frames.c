/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * frames MODULE: reads addresses in a file, one a line, and prints the frames of each as
 * `addr2line -a -f -i` does, with the symbols of the linker.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probes/memory/reader/frames.h"

int main(int argc, char **argv)
{
	struct names *names = names_new();
	char line[64];

	if (argc != 2 || names == NULL || names_add(names, argv[1], 0, 0, UINT64_MAX) == NULL)
		return 1;
	while (fgets(line, sizeof line, stdin) != NULL) {
		const uint64_t at = strtoull(line, NULL, 16);
		struct frames frames = { 0 };

		if (!frames_add(&frames, names, at, false))
			return 1;
		printf("0x%016" PRIx64 "\n", at);
		for (size_t i = 0; i < frames.list.n; i++) {
			const struct frame *f = &frames.list.at[i];

			printf("%s\n", f->linked != NULL ? f->linked : "??");
			if (f->folder != NULL && f->file != NULL && f->file[0] != '/')
				printf("%s/", f->folder);
			printf("%s:%d\n", f->file != NULL ? f->file : "??", f->line);
		}
		frames_free(&frames);
	}
	names_free(names);
	return 0;
}
