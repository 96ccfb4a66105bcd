/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * builtin.h: the text of the descriptions of protocols, overlays and cores that are shipped. The
 * tables are made from the files in protocols/, overlays/ and targets/ when the programs are built,
 * so that a tool needs no file to start.
 */
#ifndef NFACC_CONTRACT_BUILTIN_H
#define NFACC_CONTRACT_BUILTIN_H

#include <stddef.h>

struct builtin {
	const char *name; /* the name of the file without its ending; NULL after the last entry */
	const char *text;
};

extern const struct builtin builtin_protocols[];
extern const struct builtin builtin_overlays[];
extern const struct builtin builtin_targets[];

/* Returns the text of the entry `name` (n bytes) of a table. NULL: there is no such entry. */
const char *builtin_find(const struct builtin *table, const char *name, size_t n);

#endif
