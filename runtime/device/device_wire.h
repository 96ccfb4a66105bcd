/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * device_wire.h: what the transport "socket" says to `nfactl serve`, over a Unix socket.
 *
 * A request is three numbers of 32 bits, little-endian: what, offset, value; behind it are `value`
 * words of 64 bits if it is an injection. The answer is two numbers of 32 bits: a fault (device.h),
 * and a value; behind them are `value` words of 64 bits if the request was WIRE_STREAM, or as many
 * bytes of text if there was a fault. Each request is answered before the next one of a connection
 * is looked at.
 *
 *	what         offset    value     the words                      answer's value
 *	WIRE_HELLO   0         version   none                           what the device can do
 *	WIRE_LOCK    0         use       none                           0
 *	WIRE_READ    register  0         none                           the register's
 *	WIRE_WRITE   register  its own   none                           0
 *	WIRE_STREAM  0         most      none                           number of words, 0: no more now
 *	WIRE_BATCH   payload   number    time, mask, header of each,    0
 *	                                 payload of each
 *	WIRE_IDLE    cycles    0         none                           0
 *	WIRE_UNLOCK  0         use       none                           0
 *	WIRE_ROOM    which     0         none                           which 0: pages of 4096 bytes of
 *	                                                                the ring's memory, 0: none; 1:
 *	                                                                the first one's number
 *	WIRE_MEMORY  beat      number    none                           number of words
 *
 * `payload` is how many words of payload each message has; 0: it has none. The messages are those of
 * the slots in the mask, lowest slot first. `beat` counts 64 bytes from the beginning of the memory on.
 */
#ifndef NFACC_RUNTIME_DEVICE_WIRE_H
#define NFACC_RUNTIME_DEVICE_WIRE_H

#include "include/nfart.h"

enum wire_what {
	WIRE_HELLO,
	WIRE_LOCK,
	WIRE_READ,
	WIRE_WRITE,
	WIRE_STREAM,
	WIRE_BATCH,
	WIRE_IDLE,
	WIRE_UNLOCK,
	WIRE_ROOM,
	WIRE_MEMORY
};

enum {
	WIRE_VERSION = 2,
	WIRE_REQUEST = 12, /* bytes */
	WIRE_ANSWER = 8,
	WIRE_WORDS = 2 + NFART_SLOTS * (1 + NFART_PAYLOAD_WORDS), /* the most of an injection */
	WIRE_MOST = 512,   /* the most words of an answer, and bytes of its text */
	WIRE_HAS_STREAM = 1,
	WIRE_HAS_TAP = 2,
	WIRE_HAS_MEMORY = 4,
	WIRE_PAGE = 4096,
	WIRE_BEAT = 64
};

/* The most bytes of the ring's memory: those whose beats' numbers have 32 bits. */
#define WIRE_ROOM_MOST ((1ull << 32) * WIRE_BEAT)

#endif
