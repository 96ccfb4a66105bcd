/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_wire.h: the wire between the firmware and its engine in tests. It counts accesses. If
 * asked to, it changes or drops a word, or answers a read itself.
 */
#ifndef NFACC_TESTSUITE_FIRMWARE_WIRE_H
#define NFACC_TESTSUITE_FIRMWARE_WIRE_H

#include "runtime/device/firmware.h"
#include "testsuite/rtl/firmware_target.h"

enum { WIRE_FAKES = 4 };

struct wire {
	struct target *target;
	/* Counts of accesses. */
	unsigned writes, polls, errors; /* polls: reads of STATUS; errors: accesses answered with an
	                                 * error */
	uint32_t configs;               /* writes of halves of configuration words */
	uint32_t before, last;          /* offsets of the last two reads */
	/* The fault: half number `at` (counted by configs) gets the bits `flip` flipped, or is
	 * lost. */
	uint32_t at, flip;
	bool lose;
	/* Registers whose reads are answered here. */
	struct {
		uint32_t offset, value;
	} fake[WIRE_FAKES];
	uint32_t nfakes;
};

/* Removes all faults and answers, and sets the counts to 0. The target and the count of errors
 * stay. */
void wire_clear(struct wire *w);

/* Lets reads of this register return this value, until wire_clear(). */
void wire_fake(struct wire *w, uint32_t offset, uint32_t value);

#endif
