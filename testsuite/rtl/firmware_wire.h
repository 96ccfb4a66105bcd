/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_wire.h: the wire between the firmware and its engine in tests. It counts accesses. On request
 * it changes or drops a word, or answers itself.
 */
#ifndef NFACC_TESTSUITE_FIRMWARE_WIRE_H
#define NFACC_TESTSUITE_FIRMWARE_WIRE_H

#include "runtime/device/firmware.h"
#include "testsuite/rtl/firmware_target.h"

enum { WIRE_FAKES = 4 };

struct wire {
	struct target *target;
	/* Counts. */
	unsigned writes, polls, errors; /* polls: reads of STATUS */
	uint32_t configs;               /* writes of configuration halves */
	uint32_t before, last;          /* offsets of the last two reads */
	/* Faults: bits of the half with number `at` (configs) are flipped, or the half is lost. */
	uint32_t at, flip;
	bool lose;
	/* Reads of these offsets give these values. */
	struct {
		uint32_t offset, value;
	} fake[WIRE_FAKES];
	uint32_t nfakes;
};

/* No faults, counts 0; the target and the count of errors stay. */
void wire_clear(struct wire *w);

/* A read of this register gives this value until wire_clear(). */
void wire_fake(struct wire *w, uint32_t offset, uint32_t value);

#endif
