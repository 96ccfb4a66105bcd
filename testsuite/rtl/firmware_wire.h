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
	unsigned writes,  /* number of writes */
		polls,    /* number of reads of the register STATUS */
		errors;   /* number of accesses that were answered with an error */
	uint32_t configs; /* number of writes of configuration words, or of halves of them */
	uint32_t before,  /* the offset of the read before the last read */
		last;     /* the offset of the last read */
	/* A fault: of the writes that `configs` counts, number `at` is lost (`lose`), or the bits
	 * in `flip` are flipped in its value. */
	uint32_t at, flip;
	bool lose;
	/* Registers whose reads the wire answers with `value`. */
	struct {
		uint32_t offset, value;
	} fake[WIRE_FAKES];
	uint32_t nfakes;
};

/* Removes the fault and all fake answers, and sets the counts to 0. The target and the count of
 * errors stay. */
void wire_clear(struct wire *w);

/* Lets reads of this register return this value, until wire_clear(). */
void wire_fake(struct wire *w, uint32_t offset, uint32_t value);

#endif
