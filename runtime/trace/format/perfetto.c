/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format/perfetto.h"

#include <string.h>

#include "runtime/trace/format/protobuf.h"
#include "support/bits.h"
#include "support/escape.h"

/* Numbers of the schema: fields, each with the name of its message, and values. */
enum {
	TRACE_PACKET = 1,

	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,

	FLAG_CLEARED = 1,
	FLAG_NEEDED = 2,

	SNAPSHOT_CLOCK = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,
	CLOCK_INCREMENTAL = 3,
	BOOT_TIME = 6, /* a clock of nanoseconds */
	OUR_CLOCK = 64, /* the first number for clocks of a trace */

	DEFAULTS_EVENT = 11,
	DEFAULTS_CLOCK = 58,
	EVENT_DEFAULTS_COUNTERS = 31,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_ORDER = 11,
	TRACK_RANK = 12,
	ORDER_BY_RANK = 3,
	COUNTER_UNIT = 3,
	UNIT_COUNT = 2,

	INTERNED_EVENT_NAME = 2,
	INTERNED_NOTE_NAME = 3,
	INTERNED_IID = 1,
	INTERNED_TEXT = 2,

	EVENT_NOTE = 4,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTS = 12,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
	NOTE_NAME = 1,
	NOTE_TEXT = 6,
	NOTE_ARRAY = 12,

	OUR_SEQUENCE = 1
};

/* Appends the packet that was built in x->packet. */
static void end_packet(struct perfetto_packets *x, unsigned flags)
{
	protobuf_number(&x->packet, PACKET_SEQUENCE, OUR_SEQUENCE);
	protobuf_number(&x->packet, PACKET_FLAGS, flags);
	protobuf_message(x->out, TRACE_PACKET, &x->packet);
	x->packet.n = 0;
}

/* ---- parts, tracks, names ---- */

static void add_clock(struct buf *snapshot, uint64_t id, uint64_t time, bool incremental)
{
	struct buf clock = { 0 };

	protobuf_number(&clock, CLOCK_ID, id);
	protobuf_number(&clock, CLOCK_TIMESTAMP, time);
	if (incremental)
		protobuf_number(&clock, CLOCK_INCREMENTAL, true);
	protobuf_message(snapshot, SNAPSHOT_CLOCK, &clock);
	buf_free(&clock);
}

/* Appends the first packet, which begins the clocks at x->time. */
static void put_clocks(struct perfetto_packets *x)
{
	struct buf snapshot = { 0 }, defaults = { 0 }, event = { 0 };

	add_clock(&snapshot, BOOT_TIME, x->time, false);
	add_clock(&snapshot, OUR_CLOCK, x->time, true);
	protobuf_number(&snapshot, SNAPSHOT_PRIMARY, BOOT_TIME);
	if (x->counter != 0) {
		protobuf_number(&event, EVENT_DEFAULTS_COUNTERS, x->counter);
		protobuf_message(&defaults, DEFAULTS_EVENT, &event);
	}
	protobuf_number(&defaults, DEFAULTS_CLOCK, OUR_CLOCK);
	protobuf_number(&x->packet, PACKET_TIMESTAMP, x->time);
	protobuf_number(&x->packet, PACKET_CLOCK, BOOT_TIME);
	protobuf_message(&x->packet, PACKET_CLOCK_SNAPSHOT, &snapshot);
	protobuf_message(&x->packet, PACKET_DEFAULTS, &defaults);
	end_packet(x, FLAG_CLEARED);
	buf_free(&snapshot);
	buf_free(&defaults);
	buf_free(&event);
}

/* Appends a field with a name. Names of functions come from programs, and may have any bytes. */
static void add_name(struct buf *b, uint32_t field, const char *name)
{
	struct buf text = { 0 };

	escape_utf8(&text, name, strlen(name));
	protobuf_message(b, field, &text);
	buf_free(&text);
}

void perfetto_describe(struct perfetto_packets *x, uint64_t uuid, uint64_t parent,
		       const char *name, uint32_t rank)
{
	struct buf track = { 0 }, counter = { 0 };

	protobuf_number(&track, TRACK_UUID, uuid);
	add_name(&track, TRACK_NAME, name);
	if (parent != 0)
		protobuf_number(&track, TRACK_PARENT, parent);
	if (uuid == x->counter) {
		protobuf_number(&counter, COUNTER_UNIT, UNIT_COUNT);
		protobuf_message(&track, TRACK_COUNTER, &counter);
	}
	if (parent == 0)
		protobuf_number(&track, TRACK_ORDER, ORDER_BY_RANK);
	protobuf_number(&track, TRACK_RANK, rank);
	protobuf_message(&x->packet, PACKET_TRACK, &track);
	end_packet(x, FLAG_NEEDED);
	buf_free(&track);
	buf_free(&counter);
}

uint64_t perfetto_track(struct perfetto_packets *x, uint64_t parent, const char *name,
			uint32_t rank)
{
	perfetto_describe(x, ++x->tracks, parent, name, rank);
	return x->tracks;
}

/* Appends a packet with an interned string: one of the kind that `field` stands for. */
static void perfetto_intern(struct perfetto_packets *x, uint32_t field, uint64_t number,
			    const char *text)
{
	struct buf data = { 0 }, entry = { 0 };

	protobuf_number(&entry, INTERNED_IID, number);
	add_name(&entry, INTERNED_TEXT, text);
	protobuf_message(&data, field, &entry);
	protobuf_message(&x->packet, PACKET_INTERNED, &data);
	end_packet(x, FLAG_NEEDED);
	buf_free(&data);
	buf_free(&entry);
}

uint64_t perfetto_name(struct perfetto_packets *x, uint64_t name, const char *text)
{
	if (!bits_get(x->named, name)) {
		bits_set(x->named, name);
		perfetto_intern(x, INTERNED_EVENT_NAME, name, text);
	}
	return name;
}

void perfetto_note_name(struct perfetto_packets *x, uint64_t note, const char *text)
{
	perfetto_intern(x, INTERNED_NOTE_NAME, note, text);
}

void perfetto_begin(struct perfetto_packets *x)
{
	x->last = x->time;
	x->tracks = 0;
	memset(x->named, 0, bits_words(x->nnames) * sizeof *x->named);
	put_clocks(x);
}

/* ---- events ---- */

void perfetto_event(struct perfetto_packets *x, enum perfetto_event type, uint64_t track,
		    uint64_t name)
{
	x->event.n = 0;
	protobuf_number(&x->event, EVENT_TYPE, type);
	protobuf_number(&x->event, EVENT_TRACK, track);
	if (name != 0)
		protobuf_number(&x->event, EVENT_NAME, name);
}

void perfetto_count(struct perfetto_packets *x, uint64_t n)
{
	protobuf_number(&x->event, EVENT_COUNTS, n);
}

void perfetto_flow(struct perfetto_packets *x, uint64_t flow, bool ends)
{
	protobuf_fixed64(&x->event, ends ? EVENT_LAST_FLOW : EVENT_FLOW, flow);
}

void perfetto_note(struct perfetto_packets *x, uint64_t note, enum perfetto_value kind,
		   uint64_t value)
{
	protobuf_begin(&x->event, EVENT_NOTE, 2 + 1 + protobuf_size(value));
	protobuf_number(&x->event, NOTE_NAME, note);
	protobuf_number(&x->event, kind, value);
}

void perfetto_note_text(struct perfetto_packets *x, uint64_t note, const char *text)
{
	size_t n = strlen(text);

	protobuf_begin(&x->event, EVENT_NOTE, 2 + 1 + protobuf_size(n) + n);
	protobuf_number(&x->event, NOTE_NAME, note);
	protobuf_string(&x->event, NOTE_TEXT, text);
}

void perfetto_note_array(struct perfetto_packets *x, uint64_t note,
			 enum perfetto_value kind, const struct nfart_line *lines, size_t n)
{
	size_t size = 2;

	for (size_t i = 0; i < n; i++)
		size += 2 + 1 + protobuf_size(lines[i].address);
	protobuf_begin(&x->event, EVENT_NOTE, size);
	protobuf_number(&x->event, NOTE_NAME, note);
	for (size_t i = 0; i < n; i++) {
		protobuf_begin(&x->event, NOTE_ARRAY, 1 + protobuf_size(lines[i].address));
		protobuf_number(&x->event, kind, lines[i].address);
	}
}

void perfetto_end_event(struct perfetto_packets *x)
{
	protobuf_number(&x->packet, PACKET_TIMESTAMP, x->time - x->last);
	protobuf_message(&x->packet, PACKET_TRACK_EVENT, &x->event);
	end_packet(x, FLAG_NEEDED);
	x->last = x->time;
}
