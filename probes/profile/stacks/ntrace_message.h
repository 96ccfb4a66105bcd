/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ntrace_message.h: takes messages of RISC-V N-Trace from a stream, and reads their fields.
 * ntrace.h follows the program with them.
 *
 * Note [N-Trace messages]
 * The specification `RISC-V N-Trace` 1.0 has a part of the messages of IEEE-ISTO 5001 (Nexus). A
 * byte has six bits of a message above two bits that say what ends in it:
 *
 *	| data: 6 | 00: nothing, 01: a field of variable length, 11: the message |
 *
 * The lowest bit is sent first. A message begins with its kind, TCODE, in 6 bits, and its source.
 * A field of variable length ends with a byte, and zeros above it are not sent. A byte 0xff between
 * two messages is padding. After its own fields a message may have a timestamp, which is skipped.
 */
#ifndef NFACC_RISCV_NTRACE_MESSAGE_H
#define NFACC_RISCV_NTRACE_MESSAGE_H

#include "probes/profile/stacks/etrace_packet.h"

enum ntrace_code { /* TCODE; messages with all others are skipped */
	NTRACE_OWNERSHIP = 2,
	NTRACE_DIRECT = 3,
	NTRACE_INDIRECT = 4,
	NTRACE_ERROR = 8,
	NTRACE_SYNC = 9,
	NTRACE_DIRECT_SYNC = 11,
	NTRACE_INDIRECT_SYNC = 12,
	NTRACE_FULL = 27,
	NTRACE_INDIRECT_HISTORY = 28,
	NTRACE_INDIRECT_HISTORY_SYNC = 29,
	NTRACE_REPEAT = 30,
	NTRACE_ENDS = 33
};

enum { /* RCODE of NTRACE_FULL */
	NTRACE_FULL_COUNT,
	NTRACE_FULL_HISTORY,
	NTRACE_FULL_REPEATED
};

struct ntrace_message {
	enum ntrace_code code;
	uint32_t source;
	unsigned sync;        /* SYNC, the reason of a synchronisation */
	unsigned type;        /* B-TYPE; not 0: a trap */
	unsigned full;        /* RCODE */
	bool has_address, has_history;
	uint64_t count;       /* I-CNT: halfwords of instructions that have retired */
	uint64_t address;     /* of an instruction, or XOR with the address before; bit 0 is 0 */
	uint64_t history;     /* outcomes of branches below a 1; 1: taken; bit 0: the newest one */
	uint64_t repeats;     /* B-CNT or HREPEAT */
	uint64_t process;     /* PROCESS */
};

/* The longest message that is read. The specification has at most 38 bytes. */
enum { NTRACE_MOST_BYTES = 256 };

/*
 * Finds the message that begins at `at`, where n bytes follow. Returns NULL and sets *size; if that
 * is more than n, more bytes are needed. A message of one byte is padding. Else returns what is
 * wrong.
 */
const char *ntrace_message_find(size_t *size, const unsigned char *at, size_t n);

/*
 * Reads the message in the `size` bytes at `at`, with e->source_width and e->extend_address.
 * Returns NULL, or what is wrong.
 */
const char *ntrace_message_read(struct ntrace_message *m, const struct etrace_encoder *e,
				const unsigned char *at, size_t size);

#endif
