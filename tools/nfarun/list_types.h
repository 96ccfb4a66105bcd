/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * list_types.h: lists the types of messages that a protocol has.
 */
#ifndef NFART_NFARUN_LIST_TYPES_H
#define NFART_NFARUN_LIST_TYPES_H

#include "tools/nfarun/nfarun_options.h"

/* Writes a table of the types of the protocol that the options name: in which slots each is, with
 * which opcode, address, fields and rules for pairs. Returns an exit code. */
int list_types_run(const struct nfarun_options *o);

#endif
