/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ring.h: what captures of a tap have in common (read_ila.c, read_dump.c): one message a row, rows
 * in a ring, and a map that says what a row's source means.
 */
#ifndef NFART_RING_H
#define NFART_RING_H

#include "include/nfart.h"
#include "runtime/trace/format.h"

/* What one row of a capture says. Zeroed: nothing. */
struct ring_row {
	bool sample;           /* a message: the fields below */
	uint64_t time, header;
	uint32_t slot;
	bool gap;              /* messages were lost before it */
	uint64_t lost;         /* how many, or NFART_LOST_UNKNOWN */
};

/*
 * Note [merging rows]
 * Rows of equal time are one batch. If the row's slot is already taken, two messages of one slot have the
 * same time: the row begins a new batch, which is marked as damaged and dated one cycle after the previous
 * one. Later rows whose time is not above the current batch's join it if their slot is free, and otherwise
 * begin another damaged batch. So the times of batches always rise. A gap is delivered before the batch of
 * the row that follows it.
 */
struct ring {
	uint64_t begin;             /* offset of row 0 in the trace */
	uint64_t start;             /* number of the oldest row */
	uint64_t next_row;          /* number of the row that comes next in the file */
	bool wrapped;               /* back at the beginning, to end before `start` */
	bool end_told;              /* the gap at a damaged end of the file was delivered */
	bool any;                   /* a sample was seen, at time last_time */
	uint64_t last_time;

	bool held, ended;           /* row: taken, but not yet in a batch */
	struct ring_row row;
	bool batch_gap;             /* a loss of gap_lost before the current batch */
	uint64_t gap_lost;
	bool damaged;               /* the current batch is; its other members: */
	uint64_t time, mask;
	uint64_t header[NFART_SLOTS];
	bool any_batch;             /* a batch was delivered, at time last_batch */
	uint64_t last_batch;

	/* Takes the next row of the file. 1, 0 at its end, -1. */
	int (*take)(struct nfart_reader *r, struct ring_row *row, struct nfart_error *e);
};

/* Sets up g, which is the beginning of r->state and has its `take`; the input is before row 0. Finds the
 * oldest row, and sets r->next. Linear in the file. False: *e says why. */
bool ring_open(struct nfart_reader *r, struct ring *g, struct nfart_error *e);

/* Number, from 0, of the row that was taken last. */
static inline uint64_t ring_row_number(const struct ring *g)
{
	return g->next_row - 1;
}

/* ---- what sources mean ---- */

enum { SOURCE_BITS = 8, SOURCE_COUNT = 1 << SOURCE_BITS };

struct source {
	bool known, has_place;
	uint32_t group;
	int channel;              /* where not has_place */
	uint32_t vc_lsb, vc_width; /* has_place: the channel's bits in the payload */
};

struct source_map {
	uint32_t payload_width, source_width, timestamp_width; /* together at most 128 */
	struct source sources[SOURCE_COUNT];
};

/* Reads the JSON text in o->map, or takes the built-in map where there is none. False: *e says why,
 * and where in the text, under the name o->map_name. */
bool source_map_read(struct source_map *m, const struct nfart_proto *p,
		     const struct nfart_reader_options *o, struct nfart_error *e);

/* Puts source and channel (or PROTO_NO_CHANNEL) together: fills row->slot and checks row->header.
 * False: what is wrong stands in `what`. */
bool source_resolve(const struct nfart_proto *p, const struct source *s, int channel,
		    struct ring_row *row, char *what, size_t size);

#endif
