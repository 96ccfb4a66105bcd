/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * demangle.h: the names of C++ and Rust functions as their sources have them. Only this module uses
 * libstdc++.
 *
 * Note [demangling]
 * Symbols of C++ are demangled by __cxa_demangle() of libstdc++. It is loaded only when there is a
 * symbol that needs it; where it is not installed, symbols of C++ stay as they are. Symbols are
 * hostile input, and this function cannot be stopped: 250 bytes can mean a name of 500 MB. So it
 * runs in a process of its own, which may take little memory and time for each symbol. If that
 * process dies, the symbol stays as it is.
 */
#ifndef NFACC_RISCV_DEMANGLE_H
#define NFACC_RISCV_DEMANGLE_H

#include "support/buf.h"

enum { DEMANGLE_MOST = 4096 }; /* bytes of a name */

/* Whether a name looks like a symbol of C++ or Rust. */
bool is_mangled(const char *name);

/*
 * Demangles n symbols. Appends each name that was found to `text`, with a 0 behind it. at[i] becomes
 * where in `text` the name of symbol i begins, or SIZE_MAX: the symbol stays as it is. Returns false
 * if there is no memory, or no process can be made.
 */
bool demangle(const char *const *symbols, size_t n, struct buf *text, size_t *at);

#endif
