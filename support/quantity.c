/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/quantity.h"

#include <stddef.h>
#include <string.h>

enum { DIGITS = 18 }; /* 10^18 fits into 64 bits */

/* Appends a digit to *v. False: *v would be above 64 bits. */
static bool append(uint64_t *v, char digit)
{
	return !__builtin_mul_overflow(*v, 10, v) &&
	       !__builtin_add_overflow(*v, (uint64_t)(digit - '0'), v);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds `fraction` / `ten_power` of a unit to *v. False: that is no whole number, or too large. */
static bool add_fraction(uint64_t *v, uint64_t fraction, uint64_t ten_power, uint64_t unit)
{
	unsigned __int128 part = (unsigned __int128)fraction * unit;

	return part % ten_power == 0 &&
	       !__builtin_add_overflow(*v, (uint64_t)(part / ten_power), v);
}

bool quantity_read(const char *s, const struct quantity_unit *units, uint64_t *v)
{
	uint64_t whole = 0, fraction = 0, ten_power = 1;
	int digits = 0;

	if (!is_digit(*s))
		return false;
	for (; is_digit(*s); s++)
		if (!append(&whole, *s))
			return false;
	if (*s == '.' && !is_digit(*++s))
		return false;
	for (; is_digit(*s); s++, ten_power *= 10)
		if (digits++ == DIGITS || !append(&fraction, *s))
			return false;
	if (*s == ' ')
		s++;
	while (units->name != NULL && strcmp(units->name, s) != 0)
		units++;
	return units->name != NULL && !__builtin_mul_overflow(whole, units->is, v) &&
	       add_fraction(v, fraction, ten_power, units->is);
}
