/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/nfarun_print.h"

#include <inttypes.h>

#include "contract/image/image.h"
#include "runtime/rules/rules.h"
#include "runtime/trace/format/text.h"

/* ---- the summary ---- */

/* Prints how many messages were lost, and how many batches were accepted after the first loss. */
static void print_losses(const struct run *r, const struct nfart_reader_stats *s, FILE *f)
{
	if (s->lost_unknown && s->lost == 0)
		fputs("lost: an unknown number of messages", f);
	else
		fprintf(f, "lost: %s%" PRIu64 " messages", s->lost_unknown ? "more than " : "",
			s->lost);
	fprintf(f, ", gaps: %" PRIu64 ", accepted after the first: %" PRIu64 "\n", s->losses,
		r->result.after_loss);
}

void print_summary(const struct run *r, const struct nfarun_options *o, FILE *f)
{
	const struct nfart_reader_stats *s = run_stats(r);

	fprintf(f, "batches read: %" PRIu64 ", messages: %" PRIu64 "\n", s->batches, s->messages);
	for (uint32_t i = 0; i < r->nlabels; i++)
		if (*r->labels[i] != IMAGE_OUTPUT)
			fprintf(f, "accepted %s: %" PRIu64 "\n", r->labels[i],
				r->result.accepted[i]);
	for (uint32_t i = 0; i < r->nlabels; i++)
		if (*r->labels[i] == IMAGE_OUTPUT)
			fprintf(f, "accepted with output %s on: %" PRIu64 "\n", r->labels[i] + 1,
				r->result.accepted[i]);
	fprintf(f, "accepted: %" PRIu64, r->result.accepted_any);
	if (r->rtl == NULL) /* a simulated engine doesn't tell how many batches it logged */
		fprintf(f, ", logged: %" PRIu64, r->result.logged);
	fprintf(f, ", output: %" PRIu64 "\n", r->result.output);
	if (r->result.unnamed != 0)
		fprintf(f, "accepted on more lines than records name: %" PRIu64 "\n",
			r->result.unnamed);
	if (run_has_joins(r) && r->rtl != NULL) /* it doesn't tell how many it joined */
		fprintf(f, "answers late: %" PRIu64 ", wrong: %" PRIu64 "\n",
			r->result.joins.late, r->result.joins.wrong);
	else if (run_has_joins(r))
		fprintf(f, "answers joined: %" PRIu64 ", late: %" PRIu64 ", wrong: %" PRIu64 "\n",
			r->result.joins.joined, r->result.joins.late, r->result.joins.wrong);
	if (r->result.shared != 0)
		fprintf(f, "batches that messages of one line share: %" PRIu64 "; alarms of a "
			"checker in the form any can be false; --form=only of nfacc has none\n",
			r->result.shared);
	if (r->result.forgot)
		fputs(RULES_FORGOT "\n", f);
	if (s->losses != 0)
		print_losses(r, s, f);
	if (s->bad_chunks != 0)
		fprintf(f, "damaged chunks: %" PRIu64 "\n", s->bad_chunks);
	if (s->damage != NULL)
		fprintf(f, "%s\n", s->damage);
	if (s->damaged != 0)
		fprintf(f, "batches begun because a slot came twice at one time: %" PRIu64 "\n",
			s->damaged);
	if (o->run.swap_on != NULL && !r->result.swapped)
		fprintf(f, "the swap did not happen: no batch comes after one with %s\n",
			o->run.swap_on);
	else if (o->files.second != NULL && !r->result.swapped)
		fprintf(f, "the swap did not happen: there is no batch %" PRIu64 "\n",
			o->run.swap_at);
	if (r->result.interrupted)
		fputs("interrupted: complete up to here\n", f);
}

/* ---- counts, for programs ---- */

/* A number of the summary that belongs to no label. */
struct count {
	const char *name;
	uint64_t n;
	bool unknown; /* n is only a lower bound, or the engine doesn't count this */
};

enum { COUNTS = 14, JOIN_COUNTS = 3 };

/* Stores all counts in c[] and returns how many they are. A count of 0 is there, too, so that
 * programs find the same names in every output; those of joins only where there are joins, and that
 * of what was forgotten only where rules are followed. */
static size_t all_counts(const struct run *r, struct count *c)
{
	const struct nfart_reader_stats *s = run_stats(r);
	const struct count all[COUNTS - 1] = {
		{ "batches", s->batches, false },
		{ "messages", s->messages, false },
		{ "accepted", r->result.accepted_any, false },
		{ "logged", r->result.logged, r->rtl != NULL },
		{ "output", r->result.output, false },
		{ "gaps", s->losses, false },
		{ "lost", s->lost, s->lost_unknown },
		{ "accepted_after_loss", r->result.after_loss, false },
		{ "damaged_chunks", s->bad_chunks, false },
		{ "damaged_batches", s->damaged, false },
		{ "joined", r->result.joins.joined, r->rtl != NULL },
		{ "late_answers", r->result.joins.late, false },
		{ "wrong_answers", r->result.joins.wrong, false },
	};
	size_t n = COUNTS - 1 - (run_has_joins(r) ? 0 : JOIN_COUNTS);

	for (size_t i = 0; i < n; i++)
		c[i] = all[i];
	if (run_follows(r))
		c[n++] = (struct count){ "forgot", r->result.forgot, false };
	return n;
}

static void counts_json(struct buf *b, const struct run *r)
{
	struct count c[COUNTS];
	size_t n = all_counts(r, c);

	text_string(b, "{\"labels\":{");
	for (uint32_t i = 0; i < r->nlabels; i++) {
		text_string(b, i == 0 ? "" : ",");
		text_json(b, r->labels[i]);
		buf_addf(b, ":%" PRIu64, r->result.accepted[i]);
	}
	text_string(b, "}");
	for (size_t i = 0; i < n; i++)
		if (c[i].unknown)
			buf_addf(b, ",\"%s\":null", c[i].name);
		else
			buf_addf(b, ",\"%s\":%" PRIu64, c[i].name, c[i].n);
	buf_addf(b, ",\"interrupted\":%s}\n", r->result.interrupted ? "true" : "false");
}

static void counts_csv(struct buf *b, const struct run *r)
{
	struct count c[COUNTS];
	size_t n = all_counts(r, c);

	text_string(b, "count,label,number\n");
	for (uint32_t i = 0; i < r->nlabels; i++) {
		text_string(b, "accepted,");
		text_csv(b, r->labels[i]);
		buf_addf(b, ",%" PRIu64 "\n", r->result.accepted[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (c[i].unknown)
			buf_addf(b, "%s,,?\n", c[i].name);
		else
			buf_addf(b, "%s,,%" PRIu64 "\n", c[i].name, c[i].n);
}

static void lines_text(struct buf *b, const struct run *r)
{
	for (size_t i = 0; i < r->result.nlines; i++) {
		buf_addf(b, "%s@", r->labels[r->result.lines[i].label]);
		text_copy(b, nfart_image_key(r->image), r->result.lines[i].address);
		buf_addf(b, ": %" PRIu64 "\n", r->result.lines[i].n);
	}
}

static void lines_json(struct buf *b, const struct run *r)
{
	const char *key = nfart_image_key(r->image);

	for (size_t i = 0; i < r->result.nlines; i++) {
		text_string(b, "{\"label\":");
		text_json(b, r->labels[r->result.lines[i].label]);
		if (key == NULL) {
			buf_addf(b, ",\"address\":\"0x%" PRIx64 "\"", r->result.lines[i].address);
		} else {
			text_string(b, ",");
			text_json(b, key);
			buf_addf(b, ":%" PRIu64, r->result.lines[i].address);
		}
		buf_addf(b, ",\"accepted\":%" PRIu64 "}\n", r->result.lines[i].n);
	}
}

static void lines_csv(struct buf *b, const struct run *r)
{
	const char *key = nfart_image_key(r->image);

	text_string(b, "label,");
	text_string(b, key != NULL ? key : "address");
	text_string(b, ",accepted\n");
	for (size_t i = 0; i < r->result.nlines; i++) {
		text_csv(b, r->labels[r->result.lines[i].label]);
		buf_addf(b, key != NULL ? ",%" PRIu64 ",%" PRIu64 "\n"
					: ",0x%" PRIx64 ",%" PRIu64 "\n",
			 r->result.lines[i].address, r->result.lines[i].n);
	}
}

/* ---- counts by label ---- */

static void label_text(struct buf *b, const struct run *r, uint32_t label)
{
	buf_addf(b, "%s: %" PRIu64 "\n", r->labels[label], r->result.accepted[label]);
}

static void label_json(struct buf *b, const struct run *r, uint32_t label)
{
	text_string(b, "{\"label\":");
	text_json(b, r->labels[label]);
	buf_addf(b, ",\"accepted\":%" PRIu64 "}\n", r->result.accepted[label]);
}

static void label_csv(struct buf *b, const struct run *r, uint32_t label)
{
	text_csv(b, r->labels[label]);
	buf_addf(b, ",%" PRIu64 "\n", r->result.accepted[label]);
}

static void labels(struct buf *b, const struct run *r, enum nfart_format to)
{
	if (to == NFART_FORMAT_CSV)
		text_string(b, "label,accepted\n");
	for (uint32_t i = 0; i < r->nlabels; i++)
		(to == NFART_FORMAT_JSON  ? label_json
		 : to == NFART_FORMAT_CSV ? label_csv
					  : label_text)(b, r, i);
}

/* ---- counts by the top bits of a field ---- */

static void bin_json(struct buf *b, const struct field_bins *x, uint64_t bin, uint64_t n)
{
	text_string(b, "{\"field\":");
	text_json(b, x->name);
	buf_addf(b, ",\"first\":\"0x%" PRIx64 "\",\"last\":\"0x%" PRIx64 "\"",
		 field_bins_first(x, bin), field_bins_last(x, bin));
	buf_addf(b, ",\"accepted\":%" PRIu64 "}\n", n);
}

static void bin_csv(struct buf *b, const struct field_bins *x, uint64_t bin, uint64_t n)
{
	text_csv(b, x->name);
	buf_addf(b, ",0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu64 "\n", field_bins_first(x, bin),
		 field_bins_last(x, bin), n);
}

static void bins(struct buf *b, const struct run *r, const struct field_bins *x,
		 enum nfart_format to)
{
	if (to == NFART_FORMAT_CSV)
		text_string(b, "field,first,last,accepted\n");
	for (size_t i = 0; i < r->result.nlines; i++)
		(to == NFART_FORMAT_JSON  ? bin_json
		 : to == NFART_FORMAT_CSV ? bin_csv
					  : field_bins_print)(
			b, x, r->result.lines[i].address, r->result.lines[i].n);
}

bool print_counts(const struct run *r, const struct nfarun_options *o, FILE *f)
{
	struct buf b = { 0 };
	bool ok;

	if (!o->ask.by_line && !o->ask.by_label && o->ask.field == NULL &&
	    o->output.form == NFART_FORMAT_TEXT) {
		print_summary(r, o, f);
		return true;
	}
	if (o->ask.field != NULL)
		bins(&b, r, &o->ask.bins, o->output.form);
	else if (o->ask.by_label)
		labels(&b, r, o->output.form);
	else if (o->output.form == NFART_FORMAT_JSON)
		(o->ask.by_line ? lines_json : counts_json)(&b, r);
	else if (o->output.form == NFART_FORMAT_CSV)
		(o->ask.by_line ? lines_csv : counts_csv)(&b, r);
	else
		lines_text(&b, r);
	ok = !b.failed;
	if (ok && b.n != 0)
		fwrite(b.at, 1, b.n, f);
	buf_free(&b);
	return ok;
}

/* ---- an image ---- */

static void print_range(const struct nfart_image *im, const struct image_range *r, FILE *f)
{
	if (im->substreams.by_field)
		fprintf(f, "substream: %s %" PRIu64 " count %" PRIu64 "\n",
			im->substreams.field != NULL ? im->substreams.field : "a field", r->first,
			r->count);
	else
		fprintf(f, "substream: 0x%" PRIx64 " count %" PRIu64 "\n",
			r->first << im->proto->header.line_shift, r->count);
}

void print_image(const struct nfart_image *im, FILE *f)
{
	struct overlay o = im->overlay;

	fprintf(f,
		"image: %zu bytes, contract %d\nhardware fingerprint: %016" PRIx64
		"\nnames fingerprint: %016" PRIx64 "\n",
		im->file.n, CONTRACT_VERSION, im->fp.hardware, im->fp.names);
	for (uint32_t i = 0; i < im->file.nsections; i++)
		for (size_t k = 0; k < nsections; k++)
			if ((uint32_t)sections[k].id == im->file.section[i].id)
				fprintf(f, "section %-9s %8zu bytes, CRC %08" PRIx32 "\n",
					sections[k].name, im->file.section[i].n,
					im->file.section[i].crc);
	fprintf(f, "overlay:%s", o.none ? " none" : "");
	for (size_t i = 0; !o.none && i < overlay_params_used(&o); i++)
		fprintf(f, " %s=%" PRIu32, overlay_params[i].name,
			*overlay_field(&o, &overlay_params[i]));
	fprintf(f,
		"\nprotocol: %s, %" PRIu32 " slots, %" PRIu32 "-bit opcodes, %" PRIu32
		"-bit headers\n",
		im->proto->name, im->proto->nslots, im->proto->header.op_bits,
		im->proto->header.bits);
	fprintf(f, "device words: %zu\nstates: %" PRIu32 ", distinct predicates: %" PRIu32
		", transitions: %" PRIu32 "\n", im->device.n, im->nfa.nstates, im->nfa.npreds,
		im->nfa.nstates != 0 ? im->nfa.succ_first[im->nfa.nstates] : 0);
	fprintf(f, "window: %" PRIu64, im->window.before);
	if (im->window.after != im->window.before)
		fprintf(f, ", %" PRIu64, im->window.after);
	fprintf(f, "\nlimit: %" PRIu64 "\n", im->stream.limit);
	if (im->stream.tick != 0)
		fprintf(f, "tick: %" PRIu64 "\n", im->stream.tick);
	if (im->stream.end)
		fputs("end: the stream ends with a batch of the end\n", f);
	if (im->alphabet.ntests != 0)
		fprintf(f, "tests of headers: %" PRIu32 ", letters: %" PRIu32 "\n",
			im->alphabet.ntests, im->alphabet.nletters);
	if (im->alphabet.payload_words != 0)
		fprintf(f, "payload: the filters look at bits %" PRIu32 "..0\n",
			64 * im->alphabet.payload_words - 1);
	if (o.payload != 0)
		fprintf(f, "payload: records have %" PRIu32 " bits beside each header\n",
			o.payload);
	for (uint32_t i = 0; i < im->substreams.nranges; i++)
		print_range(im, &im->substreams.ranges[i], f);
	for (uint32_t i = 0; i < im->nfa.ncounters; i++)
		fprintf(f, "counter %" PRIu32 ": to %" PRIu32 "%s\n", i, im->nfa.counters[i].k,
			im->nfa.counters[i].mode == COUNTER_LATCH  ? ", latch"
			: im->nfa.counters[i].mode == COUNTER_ROLL ? ", roll"
							       : "");
	for (uint32_t i = 0; i < im->nfa.nmachines; i++)
		fprintf(f,
			"machine %" PRIu32 ": %" PRIu32 " states, %" PRIu32 " counters, %" PRIu32
			" transitions%s\n",
			i, im->nfa.machines[i].nstates, im->nfa.machines[i].ncounters,
			im->nfa.machines[i].nmoves,
			im->nfa.machines[i].orders != 0 ? ", in every order" : "");
	for (uint32_t i = 0; i < im->labels.n - im->labels.noutputs; i++)
		fprintf(f, "label %" PRIu32 ": %s\n", i, im->labels.names[i]);
	for (uint32_t i = im->labels.n - im->labels.noutputs; i < im->labels.n; i++)
		fprintf(f, "output: %s\n", im->labels.names[i] + 1);
}
