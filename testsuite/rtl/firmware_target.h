/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_target.h: the engine that the tests of the firmware drive. firmware_model.c implements
 * these functions with the register model, firmware_rtl.c with a simulated engine. They can also be
 * written in C++.
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

/* Returns the engine for which this image is, after power-up, or NULL if there is none. Its output
 * is taken. */
struct target *target_new(const struct nfart_image *im);
void target_free(struct target *t);

/* One access over the bus, until it is answered. Returns false if the answer is an error. */
bool target_read(struct target *t, uint32_t offset, uint32_t *value);
bool target_write(struct target *t, uint32_t offset, uint32_t value);

/* Sends a batch of one message, in slot 0, with an opcode that is not idle. */
void target_batch(struct target *t);

/* Stalls the engine's output (blocked), or takes it again. */
void target_block(struct target *t, bool blocked);

#ifdef __cplusplus
}
#endif

#endif
