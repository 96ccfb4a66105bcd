/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lackey.h: reads the output of valgrind's tool Lackey with --trace-mem=yes. It has a line for each
 * fetch, load, store and modification of a program. The text is hostile input.
 */
#ifndef NFACC_SOURCES_LACKEY_H
#define NFACC_SOURCES_LACKEY_H

#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "support/vec.h"

enum lackey_kind { LACKEY_FETCH, LACKEY_LOAD, LACKEY_STORE };

/* One access. A modification is two: a load and a store. */
struct lackey_access {
	uint64_t va : 48, bytes : 14, kind : 2;
};

struct lackey {
	VEC(struct lackey_access) accesses;
};

enum {
	LACKEY_MOST_BYTES = 4096,     /* largest size of an access */
	LACKEY_MOST_ACCESSES = 1 << 25
};

/*
 * Reads a trace to its end. Lines that begin with "==" or "--" are messages of valgrind and are
 * skipped. `name` is the name of the file in error messages. On failure sets *e to what is wrong
 * and where.
 */
enum nfart_status lackey_read(struct lackey *l, FILE *f, const char *name, struct nfart_error *e);

void lackey_free(struct lackey *l);

#endif
