/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract_header.h: prints the contract for firmware in C: registers, fields and results of
 * loading as macros. The text is kept in the tree as runtime/device/nfacc_registers.h, and it is
 * part of every header that nfacc emits. All of these have the guard NFACC_REGISTERS, so any number
 * of them can be included together.
 */
#ifndef NFART_CONTRACT_HEADER_H
#define NFART_CONTRACT_HEADER_H

#include "support/buf.h"

/* Appends the macros to b; b->failed says that memory was short. */
void contract_header(struct buf *b);

#endif
