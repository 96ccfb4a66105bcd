/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options.c: see options.h. The plugin is loaded into qemu, so it uses no code of the tools.
 * support/option.h is for tools whose options begin with dashes.
 */
#include "probes/profile/qemu/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the value of the option if its name is `name`; else NULL. */
static const char *value_of(const char *option, const char *name)
{
	size_t length = strlen(name);

	return strncmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* Reads one option. Returns false if there is no such option, or if its value is wrong. */
static bool read_one(struct options *options, const char *option)
{
	const char *value;

	if ((value = value_of(option, "out"))) {
		options->out = value;
		return *value != '\0';
	}
	if ((value = value_of(option, "truth"))) {
		options->truth = value;
		return *value != '\0';
	}
	if ((value = value_of(option, "seed"))) {
		options->stalls = true;
		return read_number(value, &options->seed);
	}
	if ((value = value_of(option, "begin")))
		return read_number(value, &options->begin);
	return false;
}

bool options_read(struct options *options, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!read_one(options, argv[i])) {
			fprintf(stderr, "nfaperf plugin: wrong option '%s' (there are out=FILE, seed=N, "
				"begin=ADDRESS and truth=FILE)\n", argv[i]);
			return false;
		}
	if (!options->out) {
		fprintf(stderr, "nfaperf plugin: out=FILE is missing\n");
		return false;
	}
	return true;
}
