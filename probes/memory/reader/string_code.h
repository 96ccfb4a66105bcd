/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * string_code.h: finds instructions that load more bytes than their function was asked for, on
 * purpose.
 *
 * libc's string functions load whole vectors, at aligned addresses and several at a time. So they
 * also load bytes before the string and after its end, and then ignore these bytes. Such a load
 * does not mean that the program uses the bytes. Other blocks may lie there, even freed ones.
 */
#ifndef NFACC_PROBES_MEMORY_READER_STRING_CODE_H
#define NFACC_PROBES_MEMORY_READER_STRING_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/memory/reader/names.h"

/*
 * Whether the instruction at `pc`, which loads `bytes` bytes, belongs to such a function. The
 * function is known by its name, which is in libc's separate debug information. If that is not
 * installed, each load of a vector by a function of libc without a name counts as one. Cost: that
 * of names_find().
 */
bool string_code_loads(struct names *n, uint64_t pc, uint64_t bytes);

#endif
