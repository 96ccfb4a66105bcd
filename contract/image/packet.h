/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packet.h: what a packet of a pcapng trace holds. runtime/trace/format/write_pcapng.c writes the
 * packets, and the dissector that nfacc --emit=lua makes reads them.
 *
 * A packet is a message, a loss record, or the time alone: a tick or the end without messages. It
 * has this head, in which numbers are big-endian, and the labels behind it:
 *
 *	byte  0           4      5       6      7         8         16        24
 *	      +-----------+------+-------+------+---------+---------+---------+--------
 *	      | protocol  | kind | flags | slot | 0       | cycle   | header  | labels
 *	      +-----------+------+-------+------+---------+---------+---------+--------
 *
 * `header` is that of a message; in a loss record the number of lost messages, or all ones if that
 * is not known; else 0. The labels are separated by commas, as in batch text. PACKET_NOT_ALL says
 * that there are more labels than fit.
 */
#ifndef NFART_PACKET_H
#define NFART_PACKET_H

#include "contract/proto/proto.h"

enum {
	PACKET_PROTOCOL = 0, /* where these begin, in bytes */
	PACKET_KIND = 4,
	PACKET_FLAGS = 5,
	PACKET_SLOT = 6,
	PACKET_CYCLE = 8,
	PACKET_HEADER = 16,
	PACKET_LABELS = 24,
	PACKET_MOST_LABELS = 32768 /* the most bytes of labels in a packet */
};

enum packet_kind { PACKET_MESSAGE, PACKET_LOSS, PACKET_TIME };

/* The flags of a packet, as a sum. Those of a message say what its batch has. */
enum {
	PACKET_TICK = 1,
	PACKET_END = 2,
	PACKET_DAMAGED = 4,
	PACKET_NOT_ALL = 8
};

/* Returns the number by which a dissector knows that packets are of its protocol. */
static inline uint32_t packet_protocol(const struct nfart_proto *p)
{
	return (uint32_t)(p->fp.hardware ^ p->fp.hardware >> 32);
}

#endif
