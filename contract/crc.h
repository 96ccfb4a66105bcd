/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * crc.h: CRC-32C (Castagnoli), the checksum of trace chunks, images and firmware records.
 */
#ifndef NFART_CRC_H
#define NFART_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC of bytes whose CRC is `crc` (0: there are none) followed by the n bytes at p. The
 * CRC of "123456789" is 0xe3069283. Uses special instructions where the processor has them; the
 * result is the same. */
uint32_t crc32c(uint32_t crc, const void *p, size_t n);

/* crc32c() without special instructions, slicing by 8. */
uint32_t crc32c_portable(uint32_t crc, const void *p, size_t n);

#endif
