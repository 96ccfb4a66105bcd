/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * setting.h: reads from the environment how much a random test does.
 */
#ifndef NFACC_TESTSUITE_SETTING_H
#define NFACC_TESTSUITE_SETTING_H

#include <stdint.h>
#include <stdlib.h>

/* Returns the number in the variable `name`, or the preset if it is not set. */
static inline uint64_t setting(const char *name, uint64_t preset)
{
	const char *s = getenv(name);

	return s != NULL ? strtoull(s, NULL, 10) : preset;
}

#endif
