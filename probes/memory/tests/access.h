/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* What the parts of the test program access share; access.c says what it does. */
#ifndef NFACC_PROBES_MEMORY_TESTS_ACCESS_H
#define NFACC_PROBES_MEMORY_TESTS_ACCESS_H
#include <stdint.h>

enum { AREA = 3 * 4096, MOST = 20000 };

/* What was accessed; it lies on main's stack. */
struct expected {
	char *area; /* AREA bytes */
	unsigned n;
	struct {
		char kind;
		uint8_t bytes;
		uint32_t at;
	} list[MOST];
};

/* Ends the program with a message if something is not as it must be. */
void must(int good, const char *what);

/* Notes an access: L, S or B (both). Those outside of the area are left out. */
void expect(struct expected *e, char kind, const char *p, unsigned bytes);

/* strings.c */

/* Each string instruction without repetition, in all sizes and both directions. */
void elements(struct expected *e);

/* Two words at a time, until chunks of the ring have ended behind the first, and the second. */
void chunks(struct expected *e);

/* Accesses over borders of watched memory. The area becomes a mapping of its own. */
void border(struct expected *e);

/* neighbours.c: random code. */
void neighbours(struct expected *e);
#endif
