/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_target.h: the engine that the tests of the firmware drive. firmware_model.c gives them
 * the register model; a simulated engine gives them the same functions, of C or C++.
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

/* The engine that this image is for, after power-up; its output is taken. NULL: there is none. */
struct target *target_new(const struct nfart_image *im);
void target_free(struct target *t);

/* An access over the bus, to its answer. False: it is answered with an error. */
bool target_read(struct target *t, uint32_t offset, uint32_t *value);
bool target_write(struct target *t, uint32_t offset, uint32_t value);

/* A batch of one message, with an opcode that is not idle, in slot 0. */
void target_batch(struct target *t);

/* Stalls the output, or takes it again. */
void target_block(struct target *t, bool blocked);

#ifdef __cplusplus
}
#endif

#endif
