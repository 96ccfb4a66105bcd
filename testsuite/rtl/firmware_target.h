/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_target.h: the engine that the tests of the firmware drive. firmware_model.c implements
 * these functions with the register model, firmware_rtl.c with a simulated engine. Other
 * implementations may be written in C++.
 */
#ifndef NFACC_TESTSUITE_FIRMWARE_TARGET_H
#define NFACC_TESTSUITE_FIRMWARE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nfart_image;
struct target;

/* Returns an engine for which the image was compiled, as after power-up, or NULL if there is none.
 * Its output is not stalled. */
struct target *target_new(const struct nfart_image *im);
void target_free(struct target *t);

/* Read or write the register at this offset over the bus, and wait for the answer. Return false if
 * the answer is an error. */
bool target_read(struct target *t, uint32_t offset, uint32_t *value);
bool target_write(struct target *t, uint32_t offset, uint32_t value);

/* Sends a batch of one message, in slot 0, with an opcode that is not idle. */
void target_batch(struct target *t);

/* Stalls the engine's output if `blocked`. Otherwise the output flows again. */
void target_block(struct target *t, bool blocked);

#ifdef __cplusplus
}
#endif

#endif
