/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reading.h: a line on the terminal that shows how far traces have been read, and how long the rest
 * takes.
 */
#ifndef NFART_NFARUN_READING_H
#define NFART_NFARUN_READING_H

#include "include/nfart.h"

struct reading {
	const char *tool;
	double begin_seconds, last_seconds;
	uint32_t calls; /* of reading_batch() */
	bool wanted, shown;
};

/* Begins to measure time, for a tool whose name the line begins with. Nothing will be shown if
 * `quiet` is set, or standard error is no terminal that can show a line. */
void reading_begin(struct reading *p, const char *tool, bool quiet);

/* Shows the line, twice a second, after a second has passed. */
void reading_show(struct reading *p, const struct nfart_reader_stats *s);

/* The same for a caller that has one batch at a time: it looks at the clock every READING_EVERY
 * batches. */
enum { READING_EVERY = 1 << 12 };
static inline void reading_batch(struct reading *p, const struct nfart_reader *r)
{
	if (++p->calls % READING_EVERY == 0)
		reading_show(p, nfart_reader_stats(r));
}

/* Removes the line, if it was shown, at the end of a trace. Another trace may follow. */
void reading_end(struct reading *p);

#endif
