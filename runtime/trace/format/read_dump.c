/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a raw dump of memory (nfacc-trace(5)): 128-bit samples, little-endian, in a ring. The
 * payload is in the low bits, and its low 64 bits are the header. Then come the source and the
 * time. A source of all ones marks lost samples. Then the payload says how many were lost; if it is
 * 0, the sample is padding. A sample with time 0 was never written.
 */
#include <stdlib.h>

#include "runtime/trace/format/ring.h"

enum { SAMPLE_BYTES = 16 };

struct dump {
	struct ring ring;
	struct source_map map;
	bool cut; /* the file ends inside a sample, and this was counted */
};

struct sample {
	uint64_t lo, hi;
};

/* Returns the bits [lsb, lsb + width) of a sample; width is 1 … 64. */
static uint64_t sample_bits(struct sample s, uint32_t lsb, uint32_t width)
{
	uint64_t x = lsb >= 64 ? s.hi >> (lsb - 64) :
		     lsb == 0  ? s.lo :
				 s.lo >> lsb | s.hi << (64 - lsb);

	return x & UINT64_MAX >> (64 - width);
}

static uint64_t lost_samples(const struct source_map *m, struct sample s)
{
	if (m->payload_width <= 64)
		return sample_bits(s, 0, m->payload_width);
	return sample_bits(s, 64, m->payload_width - 64) != 0 ? NFART_LOST_UNKNOWN : s.lo;
}

static int read_sample(struct nfart_reader *r, struct dump *d, struct sample s,
		       struct ring_row *row, struct nfart_error *e)
{
	const struct source_map *m = &d->map;
	uint64_t id = sample_bits(s, m->payload_width, m->source_width);
	const struct source *source = &m->sources[id];
	char what[256];
	int channel;

	if (id == (1u << m->source_width) - 1) {
		row->lost = lost_samples(m, s);
		row->gap = row->lost != 0;
		return 1;
	}
	row->time = sample_bits(s, m->payload_width + m->source_width, m->timestamp_width);
	if (row->time == 0)
		return 1;
	row->sample = true;
	row->header = sample_bits(s, 0, m->payload_width < 64 ? m->payload_width : 64);
	channel = source->has_place ? (int)sample_bits(s, source->vc_lsb, source->vc_width) :
				      source->channel;
	if (!source_resolve(r->proto, source, channel, row, what, sizeof what))
		return reader_fail(r, e, "sample %llu: %s",
				   (unsigned long long)ring_row_number(&d->ring), what);
	return 1;
}

/* Handles the end of the file. If the file ends inside a sample, makes *row a gap of unknown length
 * and returns 1. Otherwise returns 0, or -1 after an error. */
static int cut_off(struct nfart_reader *r, struct dump *d, struct ring_row *row,
		   struct nfart_error *e)
{
	if (r->in.error != 0)
		return reader_fail_input(r, e);
	if (r->in.damage != NULL)
		input_take(&r->in, r->in.n);
	if (r->in.n == 0)
		return 0;
	if (r->o.strict)
		return reader_fail(r, e, "the trace ends inside sample %llu",
				   (unsigned long long)d->ring.file.next);
	if (!d->cut)
		r->stats.bad_chunks++;
	d->cut = true;
	input_take(&r->in, r->in.n);
	d->ring.file.next++;
	row->gap = true;
	row->lost = NFART_LOST_UNKNOWN;
	return 1;
}

static int dump_take(struct nfart_reader *r, struct ring_row *row, struct nfart_error *e)
{
	struct dump *d = r->state;
	struct sample s;

	*row = (struct ring_row){ .sample = false };
	if (!input_need(&r->in, SAMPLE_BYTES))
		return cut_off(r, d, row, e);
	s.lo = get_le64(r->in.at);
	s.hi = get_le64(r->in.at + 8);
	input_take(&r->in, SAMPLE_BYTES);
	d->ring.file.next++;
	return read_sample(r, d, s, row, e);
}

/* Does the map give each source a channel, or say where in a sample the channel is? Otherwise *e
 * says which source lacks both. Captures of a logic analyser need neither: they have a column for
 * the channel. */
static bool has_channels(const struct nfart_reader *r, const struct source_map *m,
			 struct nfart_error *e)
{
	for (uint32_t i = 0; i < SOURCE_COUNT; i++) {
		const struct source *s = &m->sources[i];
		if (!s->known || s->has_place ||
		    proto_find_slot(r->proto, s->group, s->channel) >= 0)
			continue;
		nfart_fail(e, NFART_INPUT,
			   "source map: source %u needs a channel that group %s has, or vc_lsb "
			   "and vc_width",
			   i, r->proto->names.groups[s->group]);
		return false;
	}
	return true;
}

bool read_dump_open(struct nfart_reader *r, struct nfart_error *e)
{
	struct dump *d = r->state = calloc(1, sizeof *d);

	if (d == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	d->ring.take = dump_take;
	return source_map_read(&d->map, r->proto, &r->o, e) && has_channels(r, &d->map, e) &&
	       ring_open(r, &d->ring, e);
}
