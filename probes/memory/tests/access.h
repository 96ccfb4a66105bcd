/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Shared by the files of the test program access. access.c says what it does. */
#ifndef NFACC_PROBES_MEMORY_TESTS_ACCESS_H
#define NFACC_PROBES_MEMORY_TESTS_ACCESS_H
#include <stdint.h>

enum { AREA = 9 * 4096, MOST = 20000 };

/* The accesses that are expected. It lies on main's stack. */
struct expected {
	char *area; /* AREA bytes */
	unsigned n;
	struct {
		char kind;
		uint16_t bytes;
		uint32_t at;
	} list[MOST];
};

/* Ends the program with a message if `good` is 0. */
void must(int good, const char *what);

/* Notes an access: L, S or B (both). Accesses outside of the area are left out. */
void expect(struct expected *e, char kind, const char *p, unsigned bytes);

/* strings.c */

/* Each string instruction without repetition, in all sizes and both directions. */
void elements(struct expected *e);

/*
 * Writes two words at a time, until a chunk of the ring has ended after the first word of a pair,
 * and also after the second.
 */
void chunks(struct expected *e);

/* Accesses across borders of watched memory. The area becomes a mapping of its own. */
void border(struct expected *e);

/*
 * lanes.c: instructions with several addresses, or with a mask: gathers, scatters, masked and packed
 * vectors, bytes chosen one by one, xsave, bit strings, a table (xlat).
 */
void lanes(struct expected *e);

/* neighbours.c: random code. */
void neighbours(struct expected *e);
#endif
