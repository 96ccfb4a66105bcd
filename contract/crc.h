/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * crc.h: CRC-32C (Castagnoli), the checksum of trace chunks, images and firmware records.
 */
#ifndef NFART_CRC_H
#define NFART_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Extends a CRC by the n bytes at p. `crc` is the CRC of all bytes before them, or 0 if they are
 * the first. Returns the CRC of all bytes together. For example, the CRC of "123456789" is
 * 0xe3069283. Special instructions of the processor are used if it has them; they give the same
 * result. */
uint32_t crc32c(uint32_t crc, const void *p, size_t n);

/* The ways to compute it, from the slowest to the fastest. The last three multiply without carries,
 * in registers of so many bits. */
enum crc_way { CRC_PORTABLE, CRC_SSE42, CRC_FOLD_128, CRC_FOLD_256, CRC_FOLD_512, CRC_WAYS };

typedef uint32_t crc32c_fn(uint32_t crc, const void *p, size_t n);

/* Returns a function that does the same as crc32c() in this way, for any n, or NULL if the
 * processor lacks the instructions. There always is CRC_PORTABLE. */
crc32c_fn *crc32c_of(enum crc_way way);

/* Does the same as crc32c() without special instructions, by slicing by 8. */
uint32_t crc32c_portable(uint32_t crc, const void *p, size_t n);

#endif
