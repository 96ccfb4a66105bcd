/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_ila.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* rows of the CSV file before the first sample; one of them has the trigger */
	LEAD_ROWS = 17,
	TRIGGER_ROW = 16,
	TIME_BITS = 51,
	SOURCE_LOST = 7,
	SOURCE_NONE = 255,
	DMASK_LSB = 46
};

struct sample {
	uint64_t header; /* header of the message; for SOURCE_LOST: number of lost samples */
	uint64_t time;   /* 0: this place of the ring has no sample */
	uint8_t source, vc, size; /* `size` is in words of 64 bits */
	bool after_loss; /* samples were lost before this one */
};

struct gen_ila {
	FILE *f;
	struct gen_ila_options o;
	struct sample *ring;
	uint64_t written;       /* number of samples written so far */
	uint32_t row;           /* number of the next row of the CSV file */
	bool loss;              /* samples were lost before the next sample */
	struct nfart_error bad; /* the first error, which gen_ila_close() reports */
	/* By slot: the source and the VC of its samples. The source is SOURCE_NONE if the tap lacks
	 * the slot. */
	uint8_t source[NFART_SLOTS], vc[NFART_SLOTS];
};

/* The sources of the tap, by number. A source takes the messages of a group in a pair of VCs, of
 * which `vc` is the even one. */
static const struct {
	const char *group;
	uint8_t vc;
} SOURCES[] = {{"cpu", 6}, {"cpu", 10}, {"cpu", 4}, {"fpga", 10}, {"fpga", 4}, {"fpga", 8}};

static const char CSV_HEAD[] =
	"Sample in Buffer,Sample in Window,TRIGGER,i_app/tap/traceOut_event_data[63:0],"
	"i_app/tap/traceOut_event_size[4:0],i_app/tap/traceOut_event_vc[4:0],"
	"i_app/tap/traceOut_src[2:0],i_app/tap/traceOut_ts[63:0],i_app/tap/dump_1,"
	"i_app/tap/sampleLost\n"
	"Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX,HEX,HEX,HEX,HEX,HEX,HEX\n";

static void find_sources(struct gen_ila *w, const struct nfart_proto *p)
{
	memset(w->source, SOURCE_NONE, sizeof w->source);
	for (unsigned i = 0; i < 2 * sizeof SOURCES / sizeof SOURCES[0]; i++) {
		const char *name = SOURCES[i / 2].group;
		int vc = SOURCES[i / 2].vc + (int)(i & 1);
		int group = proto_find_group(p, name, strlen(name));
		int slot = group < 0 ? -1 : proto_find_slot(p, (uint32_t)group, vc);
		if (slot < 0)
			continue;
		w->source[slot] = (uint8_t)(i / 2);
		w->vc[slot] = (uint8_t)vc;
	}
}

static void write_csv_row(struct gen_ila *w, const struct sample *s)
{
	fprintf(w->f, "%u,%u,%u,%016llx,%02x,%02x,%x,%016llx,%x,%x\n", w->row, w->row,
		w->row == TRIGGER_ROW, (unsigned long long)s->header, s->size, s->vc, s->source,
		(unsigned long long)s->time, w->row >= TRIGGER_ROW, s->after_loss);
	w->row++;
}

static void write_sample(struct gen_ila *w, const struct sample *s)
{
	unsigned char raw[16];

	if (w->o.format == NFART_FORMAT_ILA) {
		write_csv_row(w, s);
		return;
	}
	put_le64(raw, s->header);
	put_le64(raw + 8, s->size | (uint64_t)s->vc << 5 | (uint64_t)s->source << 10 |
			  s->time << (64 - TIME_BITS));
	fwrite(raw, 1, sizeof raw, w->f);
}

struct gen_ila *gen_ila_new(FILE *f, const struct nfart_proto *p, const struct gen_ila_options *o,
			    struct nfart_error *e)
{
	static const struct sample NOTHING = {0};
	struct gen_ila *w = calloc(1, sizeof *w);
	struct sample *ring = o->ring == 0 ? NULL : calloc(o->ring, sizeof *ring);

	if (w == NULL || (ring == NULL && o->ring != 0)) {
		free(ring);
		free(w);
		nfart_fail(e, NFART_SYSTEM, "out of memory for a ring of %u samples", o->ring);
		return NULL;
	}
	w->f = f;
	w->o = *o;
	w->ring = ring;
	find_sources(w, p);
	if (o->format == NFART_FORMAT_ILA) {
		fputs(CSV_HEAD, f);
		while (w->row < LEAD_ROWS)
			write_csv_row(w, &NOTHING);
	}
	return w;
}

static void put_sample(struct gen_ila *w, const struct sample *s)
{
	if (w->o.ring == 0)
		write_sample(w, s);
	else
		w->ring[(w->o.start + w->written) % w->o.ring] = *s;
	w->written++;
}

static bool put_messages(struct gen_ila *w, const struct nfart_batch *b)
{
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(m);
		uint64_t h = b->header[slot];
		struct sample s = {.header = h, .time = b->time, .source = w->source[slot],
				   .vc = w->vc[slot], .size = 1, .after_loss = w->loss};
		if (s.source == SOURCE_NONE) {
			nfart_fail(&w->bad, NFART_USAGE,
				   "this format has no place for messages of slot %u", slot);
			return false;
		}
		unsigned quarters = (unsigned)__builtin_popcountll(h >> DMASK_LSB & 0xf);
		if (s.vc < 6)
			s.size = (uint8_t)(1 + 4 * (quarters == 0 ? 4 : quarters));
		w->loss = false;
		put_sample(w, &s);
	}
	return true;
}

bool gen_ila_put(struct gen_ila *w, const struct nfart_batch *b)
{
	if (w->bad.status != NFART_OK)
		return false;
	if (b->time >> TIME_BITS != 0) {
		nfart_fail(&w->bad, NFART_USAGE, "time %llu has more than %d bits",
			   (unsigned long long)b->time, TIME_BITS);
		return false;
	}
	if (b->mask != 0)
		return put_messages(w, b) && !ferror(w->f);
	w->loss = true;
	if (w->o.format == NFART_FORMAT_DUMP) {
		struct sample s = {.header = b->lost, .time = b->time, .source = SOURCE_LOST};
		put_sample(w, &s);
	}
	return !ferror(w->f);
}

/* Writes the ring and the padding. An unused place of a dump becomes a sample that says that 0
 * samples were lost. The CSV file gets empty rows, because the buffer of the logic analyser has a
 * power of two of rows. */
static void write_ring(struct gen_ila *w)
{
	static const struct sample NOTHING = {0}, PADDING = {.source = SOURCE_LOST};
	bool csv = w->o.format == NFART_FORMAT_ILA;

	for (uint32_t i = 0; i < w->o.ring; i++) {
		bool empty = w->ring[i].time == 0;
		write_sample(w, empty && !csv ? &PADDING : &w->ring[i]);
	}
	while (csv && (w->row & (w->row - 1)) != 0)
		write_csv_row(w, &NOTHING);
}

enum nfart_status gen_ila_close(struct gen_ila *w, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (w == NULL)
		return NFART_OK;
	if (w->bad.status != NFART_OK) {
		status = w->bad.status;
		if (e != NULL)
			*e = w->bad;
	} else {
		write_ring(w);
		if (fflush(w->f) != 0 || ferror(w->f))
			status = nfart_fail(e, NFART_SYSTEM, "can't write the output: %s",
					    strerror(errno));
	}
	free(w->ring);
	free(w);
	return status;
}
