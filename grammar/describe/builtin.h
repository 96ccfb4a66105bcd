/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * builtin.h: the protocol and overlay descriptions that are shipped (protocols/, overlays/), as
 * text inside the programs, so that a tool needs no file to start. Made at build time from the
 * files themselves.
 */
#ifndef NFACC_GRAMMAR_BUILTIN_H
#define NFACC_GRAMMAR_BUILTIN_H

#include "contract/proto.h"

struct builtin {
	const char *name; /* file name without its ending; ends with NULL */
	const char *text;
};

extern const struct builtin builtin_protocols[];
extern const struct builtin builtin_overlays[];

/* The text of the entry `name` (n bytes) of a table; NULL: none. */
const char *builtin_find(const struct builtin *table, const char *name, size_t n);

/* The shipped protocol of that name, parsed; the caller frees it with proto_free(). NULL: no such
 * protocol, or out of memory. */
struct nfart_proto *proto_builtin(const char *name);

#endif
