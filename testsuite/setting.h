/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * setting.h: reads from the environment how much a random test does, and which of it.
 *
 * Note [check and check-full]. `make check` runs the first seeds of each random test. `make
 * check-full` sets NFACC_FULL and runs the seeds that come after those, so that no seed runs twice.
 * testsuite/lib.sh does the same for tests in shell.
 */
#ifndef NFACC_TESTSUITE_SETTING_H
#define NFACC_TESTSUITE_SETTING_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Returns the positive number that `text` is. If it is none, or more than 32 bits hold, the test
 * ends here, and fails: otherwise it would do nothing and pass. `name` says what the number is for. */
static inline uint64_t positive(const char *name, const char *text)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || n == 0 || n > UINT32_MAX) {
		printf("Bail out! %s=%s is not a number from 1 to 4294967295\n", name, text);
		exit(99);
	}
	return n;
}

/* Returns the number in the variable `name`, or the preset if it is not set. */
static inline uint64_t setting(const char *name, uint64_t preset)
{
	const char *s = getenv(name);

	return s != NULL ? positive(name, s) : preset;
}

/* Is this run one of `make check-full`? */
static inline bool setting_full(void)
{
	return getenv("NFACC_FULL") != NULL;
}

/* The seeds of a run: `n` of them, from `first` on. */
struct seeds {
	uint64_t first, n;
};

/* Returns the seeds of this run. `make check` runs `few` of them and `make check-full` the next ones,
 * so that both together run `all`. NFACC_SEED is the first seed of `make check`, and the variable
 * `name` says how many seeds this run has. */
static inline struct seeds setting_seeds(const char *name, uint64_t few, uint64_t all)
{
	bool full = setting_full();

	return (struct seeds){
		.first = setting("NFACC_SEED", 1) + (full ? few : 0),
		.n = setting(name, full ? all - few : few),
	};
}

/* `make check` tries one of `parts` parts of a long list, and `make check-full` the others. Returns
 * whether number `i` of the list has its turn now. `seed` chooses the part; see setting_day(). */
static inline bool setting_turn(uint64_t seed, uint64_t i, uint64_t parts)
{
	return ((seed + i) % parts == 0) != setting_full();
}

/* Returns NFACC_SEED or, if it is not set, the number of today, so that each day has another part of
 * a long list. Prints it. */
static inline uint64_t setting_day(void)
{
	uint64_t seed = setting("NFACC_SEED", (uint64_t)time(NULL) / 86400);

	printf("# NFACC_SEED=%" PRIu64 "\n", seed);
	return seed;
}

/* Reads the arguments `-n N`, `-s SEED` and `-v` of a random test into the variables, which have
 * the presets. The pointer of an option that the test does not have is NULL. False: an argument is
 * wrong, and getopt() has said so. */
static inline bool setting_arguments(int argc, char **argv, uint64_t *n, uint64_t *seed,
				     bool *verbose)
{
	int c;

	while ((c = getopt(argc, argv, "n:s:v")) != -1) {
		if (c == 'n' && n != NULL)
			*n = positive("-n", optarg);
		else if (c == 's' && seed != NULL)
			*seed = positive("-s", optarg);
		else if (c == 'v' && verbose != NULL)
			*verbose = true;
		else
			return false;
	}
	return true;
}

#endif
