/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * header_tests.h: turns a diagram into tests as an image has them, a decision that an engine takes
 * header by header. A test compares many bits at once where a diagram decides bit by bit.
 */
#ifndef NFACC_IR_HEADER_TESTS_H
#define NFACC_IR_HEADER_TESTS_H

#include "contract/image/image.h"
#include "ir/diagram.h"
#include "support/bits.h"

/* Tests of one code. What follows a test is the index of a later one, or IMAGE_LETTER with the
 * index of a class. The first test is where a header begins. */
struct header_tests {
	struct image_test *at;
	size_t n, cap;
};

/* Makes tests that find the class of a header, an index into `classes`, which are those of the
 * diagram x. x must not be a leaf: a code with a single class needs no tests, and gets none. False:
 * out of memory. The tests are about as many as the places where classes border on each other; a
 * header takes about the logarithm of that. */
bool header_tests_make(struct header_tests *t, const struct diagrams *d, diagram_t x,
		       const struct diagram_classes *classes);

/* Returns the diagram of tests[first … n), from the first one on. The leaf of a header is its
 * letter; if `set` is not NULL, it is 1 if the letter is in the set and else 0. DIAGRAM_NONE: as
 * with the functions of diagram.h. */
diagram_t header_tests_diagram(struct diagrams *d, const struct image_test *tests, uint32_t n,
			       uint32_t first, const uint64_t *set);

/* Returns what follows a test (image_test.no, .yes) if the tests come to stand at index `at`, class
 * 0 is letter `code`, and class k > 0 is letter first + k - 1. */
uint32_t header_tests_moved(uint32_t follows, uint32_t at, uint32_t code, uint32_t first);

#endif
