/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_bytes.h: bounds of lines as bytes and times, at a clock. A line is an event of rate->bytes
 * bytes. Nothing that is printed is less than what is bounded.
 */
#ifndef NFACC_BACKENDS_ETM_BOUND_BYTES_H
#define NFACC_BACKENDS_ETM_BOUND_BYTES_H

#include "backends/etm/bound/bound.h"

/* Appends what the numbers of `first` are in bytes and microseconds, and the heading of a table;
 * then a row of it for a bound. */
void bound_bytes_heading(const struct etm_bound *first, const struct etm_rate *rate,
			 struct buf *out);
void bound_bytes_row(const struct etm_bound *b, const char *name, const struct etm_rate *rate,
		     struct buf *out);

/* Appends a member "bytes" of the object of a reading, with a comma before it; nothing if the bound
 * is not finite. */
void bound_bytes_json(const struct etm_bound *b, const struct etm_rate *rate, struct buf *out);

#endif
