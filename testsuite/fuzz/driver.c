/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs a fuzz target over the named files, or over all files of a folder. Each file is a case of
 * TAP. A target that finds a fault calls abort(), so the failed case is the one that was announced
 * but not passed.
 */
#include <dirent.h>
#include <string.h>

#include "support/buf.h"
#include "testsuite/fuzz/fuzz.h"
#include "testsuite/unit/tap.h"

enum { MOST = 1 << 24 };

static void driver_run(struct tap *t, const char *path)
{
	struct buf b = { 0 };
	int error = buf_read_file(&b, path, MOST);
	uint8_t *exact = malloc(b.n + 1);

	printf("# %s\n", path);
	fflush(stdout);
	if (error == 0 && exact != NULL) {
		if (b.n != 0)
			memcpy(exact, b.at, b.n);
		LLVMFuzzerTestOneInput(exact, b.n);
	}
	tap_case(t, error == 0 && exact != NULL, "%s", path);
	free(exact);
	buf_free(&b);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int ordered(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void run_folder(struct tap *t, const char *path)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, visible, ordered);

	if (n < 0)
		driver_run(t, path);
	for (int i = 0; i < n; i++) {
		struct buf file = { 0 };
		buf_addf(&file, "%s/%s", path, names[i]->d_name);
		if (!file.failed)
			driver_run(t, file.at);
		buf_free(&file);
		free(names[i]);
	}
	free(names);
}

int main(int argc, char **argv)
{
	struct tap t = { 0 };

	for (int i = 1; i < argc; i++)
		run_folder(&t, argv[i]);
	return tap_end(&t);
}
