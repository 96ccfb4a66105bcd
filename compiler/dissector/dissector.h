/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dissector.h: makes a dissector for Wireshark, in Lua, that reads the packets of pcapng traces
 * (contract/image/packet.h) of a protocol, and rules for their colours.
 */
#ifndef NFACC_COMPILER_DISSECTOR_H
#define NFACC_COMPILER_DISSECTOR_H

#include "contract/proto/proto.h"

/* Appends the dissector for a protocol to b. Cost: linear in the protocol's codes, times its fields
 * and rules for pairs. */
void dissector_print(const struct nfart_proto *p, struct buf *b);

/* Appends rules by which Wireshark colours these packets, in the form of the files that its window
 * "Coloring Rules" imports and exports. */
void colour_rules_print(const struct nfart_proto *p, struct buf *b);

/* The part that is the same for all protocols: dissector.lua. */
extern const char dissector_code[];

#endif
