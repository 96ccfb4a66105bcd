/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * out.h: the file or pipe that the plugin writes tokens to (probes/profile/stacks/token.h). Harts write
 * whole blocks, from several threads. The first error ends all writing: the emulated machine runs
 * on.
 */
#ifndef RISCV_QEMU_OUT_H
#define RISCV_QEMU_OUT_H

#include "probes/profile/stacks/token.h"

#include <stdbool.h>
#include <stddef.h>

/* Opens path for writing, and writes the head with these flags (NFAPERF_USER_MODE or 0). A path
 * that ends in ".zst" gets a file compressed with zstd. False, with errno: it cannot be written. */
bool out_open(const char *path, uint32_t flags);

/* Writes tokens. */
void out_tokens(const struct nfaperf_token *tokens, size_t count);

/* Closes the file. NULL, or the error that ended writing. */
const char *out_close(void);

/* In a child of fork(): the file is the parent's alone. */
void out_forget(void);

#endif
