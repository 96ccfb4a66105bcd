/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfactl/nfactl_stream.h"

#include <inttypes.h>

#include "contract/image/image.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/run/named_lines.h"
#include "runtime/trace/writer.h"
#include "support/cli.h"
#include "support/interrupt.h"
#include "support/outfile.h"

/* ---- stream ---- */

struct stream {
	struct device *d;
	const struct nfart_image *im;
	struct driver_stream from;
	struct nfart_batch b; /* the record that was read last */
	uint64_t labels;
	int got;              /* what driver_record() said of it */
	bool lines;           /* results name lines: */
	struct copies copies;
	struct nfart_line line[NAMED_MOST_LINES];
};

static void stream_next(struct stream *s)
{
	s->from.finish |= interrupt_came();
	s->got = driver_record(s->d, &s->from, s->im, &s->b, &s->labels);
}

/* Writes the record, if there is one. In a pause, whoever follows the output gets what there is. */
static bool stream_put(struct stream *s, struct nfart_writer *w)
{
	struct nfart_result r = { .labels = &s->labels, .accepted = s->labels != 0,
				  .nlabels = nfart_image_nlabels(s->im) };

	if (s->got > 0 && s->lines && s->copies.any) {
		r.nlines = named_lines(&s->copies, &s->from.names, r.nlabels, s->line);
		r.lines = s->line;
		r.by_line = true;
		r.more_lines = s->from.names.more;
	}
	return s->got == 0 ? writer_show(w) : nfart_writer_put(w, &s->b, &r);
}

/* Writes records until the end, from the first one on, which was read. Returns how many. */
static uint64_t stream_copy(struct stream *s, uint64_t most, struct nfart_writer *w)
{
	uint64_t n = 0;

	while (s->got >= 0) {
		if (!stream_put(s, w))
			break;
		n += (uint64_t)s->got;
		if (most != 0 && n == most)
			return n;
		stream_next(s);
	}
	/* If nobody takes the records, the one that has come in part is still read to its end. */
	for (s->from.finish = true; s->got >= 0;)
		stream_next(s);
	return n;
}

static uint64_t read_64(struct device *d, uint32_t low)
{
	uint64_t value = device_read(d, low);

	return value | (uint64_t)device_read(d, low + 4) << 32;
}

/* Finds out which lines the engine observes. Its first range is that of the registers, which may have
 * been written since the image was loaded. */
static enum nfart_status stream_find_lines(struct stream *s, struct nfart_error *e)
{
	const struct nfart_image *im = s->im;
	struct nfart_engine_options o = { .has_substream = im->substreams.nranges <= 1 };
	uint32_t shift = im->substreams.by_field ? 0 : im->proto->header.line_shift;

	if (im->overlay.names == 0)
		return nfart_fail(e, NFART_USAGE, "--lines: the records of the image's overlay name "
				  "no lines (names 1 to 4)");
	s->lines = true;
	o.base = read_64(s->d, NFACC_REG_BASE_LO) << shift;
	o.count = read_64(s->d, NFACC_REG_COUNT_LO);
	if (device_read(s->d, NFACC_REG_BY_LINE) == 0 || device_error(s->d)->fault != DEVICE_OK)
		return NFART_OK;
	return copies_init(&s->copies, im, &o, e) ? NFART_OK : e->status;
}

int nfactl_stream(const struct nfactl_options *o, struct device *d, const struct nfart_image *im,
		  struct driver_ring *ring)
{
	uint32_t payload = nfart_format_payload(o->output.form) ? im->overlay.payload / 64 : 0;
	struct nfart_writer_options how = { .format = o->output.form,
					    .payload_words = payload,
					    .labels = nfart_image_labels(im),
					    .nlabels = nfart_image_nlabels(im),
					    .with_labels = true,
					    .by_line = o->output.lines };
	struct stream s = { .d = d, .im = im, .from.most = o->output.records,
			    .from.ring = ring };
	struct outfile out = { 0 };
	struct nfart_writer *w = NULL;
	struct nfart_error e;
	enum nfart_status status = outfile_open(&out, o->output.file, &e);
	uint64_t n = 0;

	if (payload != im->overlay.payload / 64)
		fprintf(stderr, "nfactl: warning: the %" PRIu32 " bits of payload of each message "
			"are left out: format '%s' has none\n", im->overlay.payload,
			nfart_format_name(o->output.form));
	if (status == NFART_OK && o->output.lines)
		status = stream_find_lines(&s, &e);
	/* A stream that fails at once leaves the output that was there. */
	if (status == NFART_OK) {
		stream_next(&s);
		if (device_error(d)->fault != DEVICE_OK) {
			outfile_abort(&out);
			return NFART_OK;
		}
		status = outfile_publish(&out, &e);
	}
	if (status == NFART_OK) {
		w = nfart_writer_new(out.f, nfart_image_proto(im), &how, &e);
		status = w == NULL ? e.status : NFART_OK;
	}
	if (status == NFART_OK) {
		nfart_writer_name_key(w, nfart_image_key(im));
		n = stream_copy(&s, o->output.records, w);
		status = nfart_writer_close(w, &e);
	}
	if (status == NFART_OK)
		status = outfile_commit(&out, &e);
	outfile_abort(&out);
	if (status != NFART_OK)
		return cli_report("nfactl", &e);
	if (!o->quiet)
		fprintf(stderr, "nfactl: %" PRIu64 " records%s\n", n,
			interrupt_came() ? ", interrupted" : "");
	/* The signal has ended this command. Others follow. */
	interrupt_clear();
	return NFART_OK;
}

/* ---- inject ---- */

/* Says which payload of a trace the engine does not take, or takes zeros for. */
static void inject_payload(const struct nfart_reader *r, const struct nfart_image *im,
			   const char *trace)
{
	uint32_t have = 64 * nfart_reader_payload(r), takes = im->overlay.payload;

	if (have != takes)
		fprintf(stderr, "%s: warning: the messages have %" PRIu32 " bits of payload, and "
			"the engine takes %" PRIu32 ": %s\n", trace, have, takes,
			have > takes ? "the others are left out" : "zeros stand for the others");
}

int nfactl_inject(const struct nfactl_options *o, struct device *d, const struct nfart_image *im,
		  const char *trace)
{
	struct nfart_reader_options how = { .format = NFART_FORMAT_AUTO };
	struct nfart_error e;
	struct nfart_reader *r;
	struct nfart_batch b;
	uint64_t n = 0;
	int got = 0;

	if (im->alphabet.time != IMAGE_NO_TIME) {
		nfart_fail(&e, NFART_USAGE, "the image has ticks or an end, and inject keeps no "
			   "time; nfarun --engine=rtl does");
		return cli_report("nfactl", &e);
	}
	r = nfart_reader_open(trace, nfart_image_proto(im), &how, &e);
	if (r == NULL)
		return cli_report("nfactl", &e);
	inject_payload(r, im, trace);
	while (!interrupt_came() && device_error(d)->fault == DEVICE_OK &&
	       (got = nfart_reader_next(r, &b, &e)) > 0)
		if (b.mask != 0) {
			driver_inject(d, &b);
			n++;
		}
	nfart_reader_free(r);
	if (got < 0)
		return cli_report("nfactl", &e);
	if (interrupt_came()) {
		fprintf(stderr, "nfactl: interrupted after %" PRIu64 " batches\n", n);
		return NFART_PARTIAL;
	}
	if (!o->quiet && device_error(d)->fault == DEVICE_OK)
		fprintf(stderr, "nfactl: %" PRIu64 " batches\n", n);
	return NFART_OK;
}
