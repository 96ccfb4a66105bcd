/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rust_name.h: names of Rust functions as their source has them, from the symbols that rustc makes.
 * Symbols are hostile input: a symbol that makes no sense, or whose name would be too long, is no
 * error; it has no other name then.
 *
 * There are two kinds. A symbol of version 0 (Rust RFC 2603) begins with _R, and has a grammar of
 * its own with references to what came before, so its name can be much longer. An older symbol is
 * one of C++ whose last part is a hash; characters that C++ does not have are words between `$`.
 */
#ifndef NFACC_RISCV_RUST_NAME_H
#define NFACC_RISCV_RUST_NAME_H

#include "support/buf.h"

enum { RUST_NAME_MOST = 4096 };

/*
 * Appends the name of a symbol of version 0 to b: without hashes of crates, and with generic
 * arguments. Returns false if it is no such symbol, or its name has more than RUST_NAME_MOST bytes;
 * b is then as it was. Cost: bounded by a constant.
 */
bool rust_name(const char *symbol, struct buf *b);

/*
 * Rewrites a name that was demangled as one of C++, in place, if its last part is a hash of Rust.
 * Else it stays as it is.
 */
void rust_old_name(char *name);

#endif
