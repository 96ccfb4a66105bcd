/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * unit.h: the suites of the unit tests, one file for each, and the helpers that these files share.
 */
#ifndef NFACC_TESTSUITE_UNIT_H
#define NFACC_TESTSUITE_UNIT_H

#include <check.h>
#include <stdlib.h>

#include "compiler/pipeline.h"
#include "contract/image/image.h"

/* Fails the test with a message. Unlike ck_abort_msg() alone, the compiler knows that this never
 * returns. */
#define unit_fail(...) (ck_abort_msg(__VA_ARGS__), abort())

/* Assertions for inner loops. They are faster than Check's own, which report every assertion that
 * holds to a server. */
#define unit_check(x) ((x) ? (void)0 : unit_fail("%s:%d: %s", __FILE__, __LINE__, #x))
#define unit_eq(x, y) unit_eq_(__FILE__, __LINE__, #x, (uint64_t)(x), (uint64_t)(y))
static inline void unit_eq_(const char *file, int line, const char *text, uint64_t x, uint64_t y)
{
	if (x != y)
		unit_fail("%s:%d: %s is %llu, not %llu", file, line, text, (unsigned long long)x,
			  (unsigned long long)y);
}

/* Returns the next number of xorshift64*, the same on every machine. */
static inline uint64_t unit_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* Returns a random number below n. */
static inline uint32_t unit_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((unit_random(state) >> 32) % n);
}

/* Makes a suite of one test case. `tests` ends with NULL. */
Suite *unit_suite(const char *name, const TTest *const *tests);

/* Parses a protocol description; the test fails if it has errors. The caller frees the protocol. */
struct nfart_proto *unit_proto(const char *text);

/* Compiles the text with the options. The test fails, and prints the diagnostics, if there are
 * errors. */
void unit_compile(struct pipeline *p, const struct pipeline_options *o, const char *text);

/* Compiles a filter for overlay none and loads its image. The caller frees the image. */
struct nfart_image *unit_image(const char *text);

/* Returns the bits of the passes of this name, as in pass_options.off; there must be some. */
uint32_t unit_pass(const char *name);

Suite *suite_alphabet(void);
Suite *suite_checks(void);
Suite *suite_clock(void);
Suite *suite_coherence(void);
Suite *suite_kept(void);
Suite *suite_contract(void);
Suite *suite_crc(void);
Suite *suite_guards(void);
Suite *suite_diag(void);
Suite *suite_engine(void);
Suite *suite_mapped(void);
Suite *suite_formats(void);
Suite *suite_heads(void);
Suite *suite_interface(void);
Suite *suite_machine_decide(void);
Suite *suite_maps(void);
Suite *suite_optimise(void);
Suite *suite_origin(void);
Suite *suite_overlay(void);
Suite *suite_pack(void);
Suite *suite_partition(void);
Suite *suite_passes(void);
Suite *suite_payload(void);
Suite *suite_pred(void);
Suite *suite_proto(void);
Suite *suite_rows(void);
Suite *suite_support(void);
Suite *suite_escape(void);
Suite *suite_hash(void);
Suite *suite_tap_code(void);
Suite *suite_thesis(void);
Suite *suite_verify(void);
Suite *suite_window(void);

#endif
