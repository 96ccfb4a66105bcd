/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads messages into the columns of a caller.
 */
#include "include/nfart.h"

/* How many records a call reads at most, so that it returns soon on a trace with few messages. */
enum { MOST_RECORDS = 1 << 16 };

int nfart_reader_messages(struct nfart_reader *r, const struct nfart_message_columns *c,
			  size_t room, size_t *n, struct nfart_error *e)
{
	struct nfart_batch b;

	*n = 0;
	if (room < NFART_SLOTS) {
		nfart_fail(e, NFART_USAGE, "columns of messages need room for %d", NFART_SLOTS);
		return -1;
	}
	for (size_t i = 0; i < MOST_RECORDS && room - *n >= NFART_SLOTS; i++) {
		int got = nfart_reader_next(r, &b, e);
		if (got <= 0)
			return got;
		for (uint64_t left = b.mask; left != 0; left &= left - 1) {
			unsigned slot = (unsigned)__builtin_ctzll(left);
			c->time[*n] = b.time;
			c->slot[*n] = (uint8_t)slot;
			c->header[*n] = b.header[slot];
			++*n;
		}
	}
	return 1;
}
