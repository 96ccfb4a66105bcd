/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * damage.h: damage to a trace in chunks, as the bytes of the fuzzer ask for it. The damage keeps
 * the structure: the trace is taken apart into chunks, and put together from what is left of them.
 * Checksums are repaired where they would hide the damage.
 */
#ifndef NFACC_TESTSUITE_FUZZ_DAMAGE_H
#define NFACC_TESTSUITE_FUZZ_DAMAGE_H

#include "support/buf.h"
#include "testsuite/fuzz/bytes.h"

/* Damages the trace, which must be whole, as the rest of the bytes asks for. Sets trace->failed
 * without memory. */
void fuzz_damage(struct bytes *in, struct buf *trace);

#endif
