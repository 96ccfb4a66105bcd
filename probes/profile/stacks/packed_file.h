/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packed_file.h: the contents of a file that is compressed with gzip or Zstandard, as modules of
 * the kernel often are.
 */
#ifndef NFACC_RISCV_PACKED_FILE_H
#define NFACC_RISCV_PACKED_FILE_H

#include "include/nfart_status.h"

/*
 * Reads the regular file at `path` to a new buffer of *n bytes, which the caller frees. *bytes is
 * NULL if the file is not compressed. Fails if it is compressed with xz, is damaged, or has more
 * than ELF_MOST_BYTES. Cost: linear in the contents.
 */
enum nfart_status packed_file_read(unsigned char **bytes, size_t *n, const char *path,
				   struct nfart_error *e);

#endif
