/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ring.h: what captures of a tap have in common (read_ila.c, read_dump.c). A row has one message,
 * and the rows are in a ring. A map says what a row's source means.
 */
#ifndef NFART_RING_H
#define NFART_RING_H

#include "include/nfart.h"
#include "runtime/trace/format.h"

/* What one row of a capture says. A row that is all zeros has no message and no gap. */
struct ring_row {
	bool sample;           /* the row has a message, with `time`, `header` and `slot` */
	uint64_t time, header;
	uint32_t slot;
	bool gap;              /* messages were lost before the row */
	uint64_t lost;         /* how many messages were lost; NFART_LOST_UNKNOWN: not known */
};

/*
 * Note [merging rows]
 * Rows of equal time are one batch. If the slot of a row already has a message in that batch, the
 * row begins a new batch. This batch is marked as damaged, and its time is one cycle after that of
 * the batch before it. A later row may have a time that is not above that of the current batch.
 * Then it joins this batch if its slot is free, and otherwise begins another damaged batch. So the
 * times of batches always rise. A gap is delivered before the batch of the row that follows it.
 */
struct ring {
	struct {
		uint64_t begin;     /* where row 0 begins in the trace, in bytes */
		uint64_t start;     /* the number of the oldest row */
		uint64_t next;      /* the number of the row that comes next in the file */
		bool wrapped;       /* reading went on at row 0, and will end before row `start` */
		bool end_told;      /* the loss at a damaged end of the file was delivered */
	} file;
	struct {
		bool any;           /* a sample was taken */
		uint64_t last;      /* the time of the last sample taken, if `any` */
	} sample;
	struct {
		bool held,          /* `row` was taken, and is not in a batch yet */
		     ended;         /* no row is left to take */
		struct ring_row row;
	} ahead;
	/* The current batch. */
	struct {
		bool gap;           /* `lost` messages were lost before it */
		uint64_t lost;
		bool damaged;       /* it is damaged (Note [merging rows]) */
		uint64_t time,
			 mask;      /* its slots; 0: there is none */
		uint64_t header[NFART_SLOTS];
	} batch;
	struct {
		bool any;           /* a batch was delivered */
		uint64_t last;      /* the time of the last batch delivered, if `any` */
	} delivered;

	/* Takes the next row of the file. Returns 1 for a row, 0 at the end of the file, and -1
	 * after an error: *e says why. */
	int (*take)(struct nfart_reader *r, struct ring_row *row, struct nfart_error *e);
};

/* Sets up g and r->next, and finds the oldest row. g must stand at the beginning of r->state, and
 * g->take must be set. The input must be before row 0. Linear in the file. False: *e says why. */
bool ring_open(struct nfart_reader *r, struct ring *g, struct nfart_error *e);

/* The number, counted from 0, of the row that was taken last. */
static inline uint64_t ring_row_number(const struct ring *g)
{
	return g->file.next - 1;
}

/* ---- what the sources of a capture mean ---- */

enum { SOURCE_BITS = 8, SOURCE_COUNT = 1 << SOURCE_BITS };

struct source {
	bool known, has_place;
	uint32_t group;
	int channel;              /* if not has_place: the channel of all messages of the source */
	uint32_t vc_lsb,          /* if has_place: the lowest bit of the channel in the payload */
		 vc_width;        /* if has_place: the length of the channel in bits */
};

struct source_map {
	/* The widths of the parts of a sample, in bits. They are at most 128 together. */
	uint32_t payload_width, source_width, timestamp_width;
	struct source sources[SOURCE_COUNT];
};

/* Reads the map from the JSON text o->map, or from the built-in text if o->map is NULL. False: *e
 * says what is wrong, and where in the text; it names the text o->map_name. */
bool source_map_read(struct source_map *m, const struct nfart_proto *p,
		     const struct nfart_reader_options *o, struct nfart_error *e);

/* Sets row->slot to the slot of the source's group and this channel (or PROTO_NO_CHANNEL), and
 * checks row->header. False: the text in `what`, an array of `size` bytes, says what is wrong. */
bool source_resolve(const struct nfart_proto *p, const struct source *s, int channel,
		    struct ring_row *row, char *what, size_t size);

#endif
