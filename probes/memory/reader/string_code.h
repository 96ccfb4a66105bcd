/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * string_code.h: which instructions read beside what they were asked for, on purpose.
 *
 * libc's functions of strings read whole vectors, at aligned addresses and several at a time. So
 * they read bytes before the string and behind its end, which they then ignore: what they load is
 * no sign of what the program uses. Blocks, of which some may be freed, lie near.
 */
#ifndef NFACC_PROBES_MEMORY_READER_STRING_CODE_H
#define NFACC_PROBES_MEMORY_READER_STRING_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/memory/reader/names.h"

/* Does the instruction at `pc`, which loads so many bytes, belong to such a function? The functions
 * are known by their names, which are in libc's separate debug information. Where that is not
 * installed, each load of a vector by a function of libc without a name counts as one. Cost: that
 * of names_find(). */
bool string_code_loads(struct names *n, uint64_t pc, uint64_t bytes);

#endif
