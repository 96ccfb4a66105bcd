/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * libdw.h: loads libdw, and libelf with it, when names are needed. To load both takes longer than
 * all else that nfamem does before it starts a program, and who only counts needs no names. Their
 * functions are called as if nfamem were linked with them, but only after libdw_load().
 */
#ifndef NFACC_PROBES_MEMORY_READER_LIBDW_H
#define NFACC_PROBES_MEMORY_READER_LIBDW_H
#include <stdbool.h>

#include "include/nfart_status.h"

/* Loads the libraries, if they are not loaded yet. On failure *e, if e is not NULL, says why. */
enum nfart_status libdw_load(struct nfart_error *e);

/* Whether the last call of libdw_load() failed. */
bool libdw_missing(void);

#endif
