/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * out.h: the file or pipe to which the plugin writes tokens (probes/profile/stacks/token.h). Harts
 * write whole blocks of tokens, from several threads. After the first error nothing more is
 * written. The emulated machine then still runs.
 */
#ifndef RISCV_QEMU_OUT_H
#define RISCV_QEMU_OUT_H

#include "probes/profile/stacks/token.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the file and writes its head with these flags (NFAPERF_USER_MODE or 0). "%p" in the path
 * stands for the number of the process. The path must stay where it is. If it ends in ".zst", the
 * file is compressed with zstd. On failure returns false and sets errno.
 */
bool out_open(const char *path, uint32_t flags);

/* Writes tokens. */
void out_tokens(const struct nfaperf_token *tokens, size_t count);

/* Completes what is in the file, as the process may end in an exec. It can be written on. */
void out_complete(void);

/* Closes the file. Returns NULL, or the error that ended the writing. */
const char *out_close(void);

/* Around fork(): nobody writes meanwhile. */
void out_before_fork(void);
void out_after_fork(void);

/*
 * Called in a child of fork() after that: only the parent goes on with the file. If the path has
 * "%p", the child opens a file of its own. Returns false if it does not, or if that fails; *error
 * then is the reason, or NULL.
 */
bool out_child(const char **error);

#endif
