/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes Perfetto traces (perfetto.h). A message is an instant on the track of its slot, with its
 * header and address. A request is also a slice, from its time to that of its answer, on a lane of
 * its rule's (lanes.h); a flow leads from its message over the slice to the message of the answer.
 * A counter has the number of requests that are open. Accepting labels, ticks, the end, damage and
 * losses are instants on tracks of their own.
 *
 * Which message answers which is known from what is written: a batch that a filter does not output
 * is no part of a pair. A slice that ends without an answer says why, in the annotation `why`. A
 * slice that goes on in the next part ends for the reason `continued`, and begins there with an
 * annotation of that name. Memory grows with the requests that are open at once, and with the
 * labels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/lanes.h"
#include "runtime/trace/format/perfetto.h"

/* The tracks that each part has. The uuids of other tracks follow. */
enum part_track {
	TRACK_MESSAGES = 1, /* the parent of the tracks of slots */
	TRACK_REQUESTS,     /* the parent of the lanes */
	TRACK_IN_FLIGHT,    /* a counter of the requests that are open */
	TRACK_LABELS,       /* the parent of the tracks of labels */
	TRACK_LOSSES,
	TRACK_TIME,         /* ticks and the end */
	TRACKS
};

/* The numbers of the names that events may have in any trace. Those of types, opcodes and labels
 * follow. */
enum event_name { NAME_LOST = 1, NAME_DAMAGED, NAME_TICK, NAME_END, NAME_OTHERS };

/* The names of annotations. */
enum note {
	NOTE_ADDRESS = 1,
	NOTE_HEADER,
	NOTE_WHY,
	NOTE_CONTINUED,
	NOTE_MESSAGES,
	NOTE_LINE,
	NOTES
};

/* What a batch does to a lane: a request begins or, if `outcome` is not NFART_PAIR_OPEN, ends. */
struct change {
	bool begins;
	enum nfart_pair_outcome outcome;
	uint32_t rule, lane;
	int slot; /* of the message that is the request or the answer; -1: there is none */
	uint64_t flow, name;
};

struct perfetto {
	struct nfart_writer *w;
	struct perfetto_packets packets;
	bool begun;
	uint64_t cycle;          /* the time of the current batch */
	struct nfart_pairs *pairs;
	struct lanes *lanes;     /* [npairs] */
	uint64_t requests, open; /* how many there were so far, and how many of these are open */
	VEC(struct change) changes; /* of the current batch, in their order */
	uint64_t unasked;        /* the slots whose messages answer no request */
	uint64_t slots[NFART_SLOTS]; /* the tracks of slots; 0: there is none yet */
	uint64_t *labels;        /* [nlabels]: the same for labels */
};

static void free_parts(struct nfart_writer *w)
{
	struct perfetto *p = w->state;

	for (uint32_t i = 0; p->lanes != NULL && i < w->proto->names.npairs; i++)
		lanes_free(&p->lanes[i]);
	nfart_pairs_free(p->pairs);
	vec_free(&p->changes);
	buf_free(&p->packets.event);
	buf_free(&p->packets.packet);
	free(p->packets.named);
	free(p->lanes);
	free(p->labels);
}

/* ---- names ---- */

/* Returns the name of messages with this code: that of their type, else like `#12`. */
static uint64_t message_name(struct nfart_writer *w, uint32_t code)
{
	struct perfetto *p = w->state;
	const struct nfart_proto *proto = w->proto;
	uint32_t type = proto->codes.type_of[code],
		 opcode = code & ((1u << proto->header.op_bits) - 1);
	uint64_t name = NAME_OTHERS + (type != 0 ? type - 1 : proto->names.ntypes + opcode);
	char number[16];

	if (bits_get(p->packets.named, name))
		return name;
	snprintf(number, sizeof number, "#%u", (unsigned)opcode);
	return perfetto_name(&p->packets, name, type != 0 ? proto->names.types[type - 1] : number);
}

static uint64_t label_name(struct nfart_writer *w, size_t label)
{
	struct perfetto *p = w->state;

	return perfetto_name(&p->packets,
			     NAME_OTHERS + w->proto->names.ntypes +
				     (1u << w->proto->header.op_bits) + label,
			     w->o.labels[label]);
}

/* ---- requests ---- */

/* Takes note of a request, for a lane of its own. Returns the lane. */
static uint32_t on_request(void *ctx, const struct nfart_pair *pair)
{
	struct perfetto *p = ctx;
	uint32_t code = proto_code(p->w->proto, pair->slot, pair->header);
	struct change c = { .begins = true, .rule = pair->rule, .slot = (int)pair->slot,
			    .flow = ++p->requests, .name = message_name(p->w, code) };
	struct lane *lane;

	if (!lanes_take(&p->lanes[pair->rule], &c.lane) || !vec_push(&p->changes, c)) {
		p->w->error = ENOMEM;
		return 0;
	}
	lane = &p->lanes[pair->rule].all.at[c.lane];
	lane->flow = c.flow;
	lane->code = code;
	return c.lane;
}

/* Takes note of the end of a request, or of an answer that belongs to none. */
static bool on_pair(void *ctx, const struct nfart_pair *pair)
{
	struct perfetto *p = ctx;
	struct change c = { .outcome = pair->outcome, .rule = pair->rule, .lane = pair->mark,
			    .slot = -1 };

	if (pair->outcome == NFART_PAIR_UNASKED) {
		p->unasked |= (uint64_t)1 << pair->answer_slot;
		return true;
	}
	if (p->w->error != 0)
		return false;
	c.flow = p->lanes[pair->rule].all.at[c.lane].flow;
	if (pair->outcome == NFART_PAIR_ANSWERED)
		c.slot = (int)pair->answer_slot;
	lanes_give(&p->lanes[pair->rule], c.lane);
	return vec_push(&p->changes, c);
}

static void begin_slice(struct nfart_writer *w, const struct change *c, bool continued)
{
	struct perfetto *p = w->state;
	struct lane *lane = &p->lanes[c->rule].all.at[c->lane];

	if (lane->track == 0)
		lane->track = perfetto_track(&p->packets, TRACK_REQUESTS,
					     w->proto->names.pairs[c->rule].name, c->rule);
	perfetto_event(&p->packets, EVENT_BEGIN, lane->track, c->name);
	perfetto_count(&p->packets, ++p->open);
	perfetto_flow(&p->packets, c->flow, false);
	if (continued)
		perfetto_note(&p->packets, NOTE_CONTINUED, VALUE_BOOL, true);
	perfetto_end_event(&p->packets);
}

/* Appends the end of the slice on a lane. `why` says why there is no answer; NULL: there is one. */
static void end_slice(struct nfart_writer *w, const struct lane *lane, const char *why)
{
	struct perfetto *p = w->state;

	perfetto_event(&p->packets, EVENT_END, lane->track, 0);
	perfetto_count(&p->packets, --p->open);
	if (why != NULL)
		perfetto_note_text(&p->packets, NOTE_WHY, why);
	perfetto_end_event(&p->packets);
}

/* Appends the slices that begin and end now. */
static void put_changes(struct nfart_writer *w)
{
	static const char *const why[] = { [NFART_PAIR_ANSWERED] = NULL,
					   [NFART_PAIR_OPEN] = "end",
					   [NFART_PAIR_REPLACED] = "replaced",
					   [NFART_PAIR_LOST] = "loss" };
	struct perfetto *p = w->state;

	for (size_t i = 0; i < p->changes.n && w->error == 0; i++) {
		const struct change *c = &p->changes.at[i];
		if (c->begins)
			begin_slice(w, c, false);
		else
			end_slice(w, &p->lanes[c->rule].all.at[c->lane], why[c->outcome]);
	}
	p->changes.n = 0;
}

/* ---- parts ---- */

/* Ends all slices, and forgets all tracks. */
static bool perfetto_end_part(struct nfart_writer *w)
{
	struct perfetto *p = w->state;

	for (uint32_t i = 0; i < w->proto->names.npairs; i++)
		for (size_t k = 0; k < p->lanes[i].all.n; k++) {
			struct lane *lane = &p->lanes[i].all.at[k];
			if (lane->taken)
				end_slice(w, lane, "continued");
			lane->track = 0;
		}
	memset(p->slots, 0, sizeof p->slots);
	memset(p->labels, 0, w->o.nlabels * sizeof *p->labels);
	p->begun = false;
	return writer_flush(w);
}

/* Appends what each part begins with: its clocks, tracks, and names of annotations. */
static void put_head(struct nfart_writer *w)
{
	static const char *const tracks[TRACKS] = { NULL,	 "messages", "requests",
						    "in flight", "labels",   "losses",
						    "time" };
	static const char *const notes[NOTES] = { NULL,		"address",  "header", "why",
						  "continued", "messages", "line" };
	struct perfetto *p = w->state;

	perfetto_begin(&p->packets);
	for (uint32_t i = 1; i < TRACKS; i++)
		perfetto_track(&p->packets, i == TRACK_IN_FLIGHT ? TRACK_REQUESTS : 0, tracks[i],
			       i);
	for (uint32_t i = 1; i < NOTES; i++)
		perfetto_note_name(&p->packets, i,
				   i == NOTE_LINE && w->key != NULL ? w->key : notes[i]);
}

/* Begins a part, with the slices that go on from the part before. */
static void begin_part(struct nfart_writer *w)
{
	struct perfetto *p = w->state;

	put_head(w);
	p->begun = true;
	for (uint32_t i = 0; i < w->proto->names.npairs; i++)
		for (size_t k = 0; k < p->lanes[i].all.n; k++) {
			const struct lane *lane = &p->lanes[i].all.at[k];
			struct change c = { .rule = i, .lane = (uint32_t)k, .flow = lane->flow };
			if (!lane->taken)
				continue;
			c.name = message_name(w, lane->code);
			begin_slice(w, &c, true);
		}
}

/* ---- batches ---- */

static void put_instant(struct nfart_writer *w, uint64_t track, enum event_name name,
			const char *text)
{
	struct perfetto *p = w->state;

	perfetto_event(&p->packets, EVENT_INSTANT, track,
		       perfetto_name(&p->packets, name, text));
	perfetto_end_event(&p->packets);
}

static void put_loss(struct nfart_writer *w, const struct nfart_batch *b)
{
	struct perfetto *p = w->state;

	perfetto_event(&p->packets, EVENT_INSTANT, TRACK_LOSSES,
		       perfetto_name(&p->packets, NAME_LOST, "lost"));
	if (b->lost == NFART_LOST_UNKNOWN)
		perfetto_note_text(&p->packets, NOTE_MESSAGES, "?");
	else
		perfetto_note(&p->packets, NOTE_MESSAGES, VALUE_NUMBER, b->lost);
	perfetto_end_event(&p->packets);
}

/* Appends an instant for each label that accepts, with its lines if there are any. */
static void put_labels(struct nfart_writer *w, const struct nfart_result *r)
{
	struct perfetto *p = w->state;
	size_t line = 0;

	for (size_t l = bits_next(r->labels, r->nlabels, 0); l < r->nlabels;
	     l = bits_next(r->labels, r->nlabels, l + 1)) {
		size_t first = line;
		if (p->labels[l] == 0)
			p->labels[l] = perfetto_track(&p->packets, TRACK_LABELS, w->o.labels[l],
						      (uint32_t)l);
		perfetto_event(&p->packets, EVENT_INSTANT, p->labels[l], label_name(w, l));
		while (r->by_line && line < r->nlines && r->lines[line].label == l)
			line++;
		if (line != first)
			perfetto_note_array(&p->packets, NOTE_LINE,
					    w->key != NULL ? VALUE_NUMBER : VALUE_HEX,
					    &r->lines[first], line - first);
		perfetto_end_event(&p->packets);
	}
}

/* Adds the flows of the message in a slot to the current event. */
static void add_flows(struct perfetto *p, uint32_t slot)
{
	for (size_t i = 0; i < p->changes.n; i++)
		if (p->changes.at[i].slot == (int)slot)
			perfetto_flow(&p->packets, p->changes.at[i].flow,
				      !p->changes.at[i].begins);
	if ((p->unasked >> slot & 1) != 0)
		perfetto_note_text(&p->packets, NOTE_WHY, "unasked");
}

static void put_message(struct nfart_writer *w, uint32_t slot, uint64_t header)
{
	struct perfetto *p = w->state;
	uint32_t code = proto_code(w->proto, slot, header);
	char name[80];

	if (p->slots[slot] == 0) {
		proto_slot_name(w->proto, slot, name);
		p->slots[slot] = perfetto_track(&p->packets, TRACK_MESSAGES, name, slot);
	}
	perfetto_event(&p->packets, EVENT_INSTANT, p->slots[slot], message_name(w, code));
	add_flows(p, slot);
	if (bits_get(w->proto->codes.has_addr, code))
		perfetto_note(&p->packets, NOTE_ADDRESS, VALUE_HEX,
			      proto_line(w->proto, header) << w->proto->header.line_shift);
	perfetto_note(&p->packets, NOTE_HEADER, VALUE_HEX, header);
	perfetto_end_event(&p->packets);
}

static void put_batch(struct nfart_writer *w, const struct nfart_batch *b,
		      const struct nfart_result *r)
{
	if ((b->when & NFART_TICK) != 0)
		put_instant(w, TRACK_TIME, NAME_TICK, "tick");
	if ((b->when & NFART_END) != 0)
		put_instant(w, TRACK_TIME, NAME_END, "end");
	if (b->damaged)
		put_instant(w, TRACK_LOSSES, NAME_DAMAGED, "damaged");
	if (r != NULL && w->o.with_labels)
		put_labels(w, r);
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		put_message(w, slot, b->header[slot]);
	}
}

/* Sets the time of the next packets. False: see w->error. */
static bool set_time(struct nfart_writer *w, uint64_t cycle)
{
	struct perfetto *p = w->state;

	p->packets.time = writer_nanoseconds(w, cycle);
	if (p->packets.time > INT64_MAX) {
		w->error = EOVERFLOW; /* Perfetto's times are signed */
		return false;
	}
	p->cycle = cycle;
	if (!p->begun)
		begin_part(w);
	return true;
}

static bool perfetto_put(struct nfart_writer *w, const struct nfart_batch *b,
			 const struct nfart_result *r)
{
	struct perfetto *p = w->state;

	if (!set_time(w, b->time))
		return false;
	p->unasked = 0;
	if (!nfart_pairs_put(p->pairs, b) && w->error == 0)
		w->error = ENOMEM;
	if (w->error == 0 && batch_is_loss(b))
		put_loss(w, b);
	else if (w->error == 0)
		put_batch(w, b, r);
	put_changes(w);
	return writer_flush(w);
}

static bool perfetto_finish(struct nfart_writer *w)
{
	struct perfetto *p = w->state;

	if (w->error == 0 && set_time(w, w->until > p->cycle ? w->until : p->cycle)) {
		if (!nfart_pairs_end(p->pairs) && w->error == 0)
			w->error = ENOMEM;
		put_changes(w);
			writer_flush(w);
	}
	free_parts(w);
	return w->error == 0;
}

/* ---- opening ---- */

bool detect_perfetto(const unsigned char *p, size_t n)
{
	static const unsigned char timestamp = 8 << 3;

	return n > 2 && p[0] == (1 << 3 | 2) && p[1] < 128 && p[2] == timestamp;
}

bool write_perfetto_open(struct nfart_writer *w, struct nfart_error *e)
{
	struct perfetto *p = calloc(1, sizeof *p);
	size_t names = NAME_OTHERS + w->proto->names.ntypes + (1u << w->proto->header.op_bits) +
		       w->o.nlabels;

	w->state = p;
	if (p != NULL) {
		p->w = w;
		p->packets.out = &w->out;
		p->packets.counter = TRACK_IN_FLIGHT;
		p->packets.nnames = names;
		p->packets.named = calloc(bits_words(names), sizeof *p->packets.named);
		p->lanes = calloc((size_t)w->proto->names.npairs + 1, sizeof *p->lanes);
		p->labels = calloc((size_t)w->o.nlabels + 1, sizeof *p->labels);
		p->pairs = nfart_pairs_new(w->proto, on_pair, p, e);
	}
	if (p == NULL || p->packets.named == NULL || p->lanes == NULL || p->labels == NULL ||
	    p->pairs == NULL) {
		if (p != NULL)
			free_parts(w);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	nfart_pairs_on_request(p->pairs, on_request);
	w->form.put = perfetto_put;
	w->form.finish = perfetto_finish;
	w->form.end_part = perfetto_end_part;
	return true;
}
