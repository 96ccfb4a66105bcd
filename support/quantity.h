/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * quantity.h: numbers with a unit behind them, as people write them: 1.2GHz, 350 MB/s, 5us. They
 * are exact integers in the smallest unit; nothing is rounded.
 */
#ifndef NFACC_SUPPORT_QUANTITY_H
#define NFACC_SUPPORT_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A unit: its name, and how many of the smallest unit it is. The last of a table has a NULL
 * name. */
struct quantity_unit {
	const char *name;
	uint64_t is;
};

/* Parses the whole of s: decimal digits, perhaps a point and digits, perhaps a blank, and the name
 * of a unit. *v is the number in the smallest unit. False: s has another form, is no whole number
 * of the smallest unit, or is above 64 bits. */
bool quantity_read(const char *s, const struct quantity_unit *units, uint64_t *v);

#endif
