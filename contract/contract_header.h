/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * contract_header.h: the contract for C firmware: registers, fields, load results as macros. It
 * is in the tree as runtime/device/nfacc_registers.h, and part of every header that nfacc emits, under
 * the one guard NFACC_REGISTERS: any number of them can be included together.
 */
#ifndef NFART_CONTRACT_HEADER_H
#define NFART_CONTRACT_HEADER_H

#include "support/buf.h"

/* Appends the text to b; b->failed says that memory was short. */
void contract_header(struct buf *b);

#endif
