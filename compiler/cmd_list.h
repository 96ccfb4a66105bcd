/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cmd_list.h: what nfacc --list prints.
 */
#ifndef NFACC_COMPILER_CMD_LIST_H
#define NFACC_COMPILER_CMD_LIST_H

#include "contract/proto.h"

/* The shipped protocols and overlays, and the passes in the order of their first run. */
void list_shipped(struct buf *b);

/* A protocol: its fields, slots, types and events, each in a line of its own that begins with what it is. */
void list_protocol(const struct nfart_proto *p, struct buf *b);

#endif
