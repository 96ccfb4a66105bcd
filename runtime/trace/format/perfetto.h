/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * perfetto.h: the packets of a Perfetto trace. Who calls it decides which events there are:
 * write_perfetto.c for messages and requests, and nfaperf for call stacks.
 *
 * Note [perfetto]
 * A trace is a protobuf message `Trace`, which is a sequence of packets; the schema is Perfetto's
 * perfetto_trace.proto. All packets are of one sequence. Its first packet begins two clocks: one
 * of nanoseconds, and an incremental one, on which the time of each packet is the difference to the
 * packet before. Names stand in the trace once and have numbers (they are interned). A track has a
 * packet that describes it before its first event.
 *
 * Events are of three kinds: an instant; the begin of a slice of time; and the end of the slice
 * that began last on the track. Events with the same flow are joined by arrows. Annotations are
 * names with values, which are shown beside an event.
 */
#ifndef NFART_TRACE_PERFETTO_H
#define NFART_TRACE_PERFETTO_H

#include "include/nfart.h"
#include "support/buf.h"

/* The numbers of the schema. */
enum perfetto_event { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_INSTANT = 3 };
enum perfetto_value { VALUE_BOOL = 2, VALUE_NUMBER = 3, VALUE_HEX = 7 };

struct perfetto_packets {
	uint64_t time;   /* of the current event, in ns */
	uint64_t last;   /* of the packet before, in ns */
	uint64_t tracks; /* the highest uuid so far */
	uint64_t *named; /* bit set: the names that the part has already; the owner allocates it */
	size_t nnames;   /* how many names there are, plus 1 */
	uint64_t counter; /* uuid of the track that perfetto_count() counts on; 0: there is none */
	struct buf *out; /* where packets are appended */
	struct buf event, packet;
};

/* All functions append to x->out. */

/* Begins a part, which is a trace by itself, at x->time: forgets all names and tracks. */
void perfetto_begin(struct perfetto_packets *x);

/* Appends the description of a track with this uuid. Tracks of one parent are shown by rising rank;
 * those with the same name are shown as one. The parent 0 is none. */
void perfetto_describe(struct perfetto_packets *x, uint64_t uuid, uint64_t parent,
		       const char *name, uint32_t rank);

/* Does the same for a new track, and returns its uuid. */
uint64_t perfetto_track(struct perfetto_packets *x, uint64_t parent, const char *name,
			uint32_t rank);

/* Appends name number `name`, unless the part has it. Returns `name`. */
uint64_t perfetto_name(struct perfetto_packets *x, uint64_t name, const char *text);

/* Appends the name of annotations with the number `note`. */
void perfetto_note_name(struct perfetto_packets *x, uint64_t note, const char *text);

/* Begin an event, add to it, and append it. The name 0 is none. perfetto_count() sets the counter.
 * `ends` says that the flow ends with the event. */
void perfetto_event(struct perfetto_packets *x, enum perfetto_event type, uint64_t track,
		    uint64_t name);
void perfetto_count(struct perfetto_packets *x, uint64_t n);
void perfetto_flow(struct perfetto_packets *x, uint64_t flow, bool ends);
void perfetto_note(struct perfetto_packets *x, uint64_t note, enum perfetto_value kind,
		   uint64_t value);
void perfetto_note_text(struct perfetto_packets *x, uint64_t note, const char *text);
/* Adds an annotation that is an array: the addresses or values of n lines. */
void perfetto_note_array(struct perfetto_packets *x, uint64_t note, enum perfetto_value kind,
			 const struct nfart_line *lines, size_t n);
void perfetto_end_event(struct perfetto_packets *x);

#endif
