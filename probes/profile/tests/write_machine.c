/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * write_machine: writes what a random machine did into a folder: the ELF files of its modules, a
 * token file, and the true stacks.
 *
 *   write_machine FOLDER [SEED]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/tests/random_machine.h"

enum { PROCESSES = 5 };

static bool write_file(const char *folder, const char *name, const void *head, size_t nhead,
		       const void *p, size_t n)
{
	char path[512];
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "wb");
	if (f == NULL)
		return false;
	ok = fwrite(head, 1, nhead, f) == nhead && fwrite(p, 1, n, f) == n;
	return fclose(f) == 0 && ok;
}

int main(int argc, char **argv)
{
	struct gen_random random = { argc > 2 ? strtoull(argv[2], NULL, 10) : 1 };
	struct nfaperf_head head = { .version = NFAPERF_VERSION,
				     .size = sizeof(struct nfaperf_token) };
	struct random_machine x;
	struct buf truth = { 0 };
	bool ok = argc > 1;

	if (!ok)
		return 2;
	memcpy(head.magic, NFAPERF_MAGIC, sizeof head.magic);
	machine_make(&x, &random, true, (struct machine_rules){ 0 });
	machine_run(&x, PROCESSES);
	machine_truth(&x, &truth);
	for (uint32_t m = 0; m < x.modules.n && ok; m++) {
		char path[512];
		snprintf(path, sizeof path, "%s/%s", argv[1], x.modules.at[m].name);
		ok = machine_write_elf(&x, m, path);
	}
	ok = ok && write_file(argv[1], "tokens", &head, sizeof head, x.tokens.at,
			      x.tokens.n * sizeof x.tokens.at[0]) &&
	     write_file(argv[1], "truth", "", 0, truth.at, truth.n);
	buf_free(&truth);
	machine_free(&x);
	return ok ? 0 : 1;
}
