/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/output.h"

#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "runtime/trace/codec/compress.h"
#include "runtime/trace/writer.h"
#include "support/cli.h"
#include "support/escape.h"
#include "tools/nfarun/process.h"

enum nfart_status output_open(struct outfile *out, const char *path, struct nfart_error *e)
{
	enum nfart_status status = outfile_open(out, path, e);

	if (status != NFART_OK)
		return status;
	status = compress_outfile(out, path, e);
	if (status != NFART_OK)
		outfile_abort(out);
	return status;
}

enum nfart_status output_begin(struct outfile *out, const struct nfarun_options *o,
			       struct nfart_error *e)
{
	enum nfart_status status = output_open(out, o->output.out, e);

	if (status == NFART_OK && o->output.live) {
		status = outfile_publish(out, e);
		if (status != NFART_OK)
			outfile_abort(out);
	}
	return status;
}

void output_show(const struct nfarun_options *o, struct nfart_writer *w)
{
	if (o->output.live && w != NULL)
		writer_show(w);
}

/* ---- notes ---- */

/* Begins a note whose value the caller appends to the result. */
static struct buf *note(struct output *out, const char *name)
{
	out->notes[out->nnotes].name = name;
	return &out->text[out->nnotes++];
}

/* Appends the command line as a shell takes it. */
static void add_command(struct buf *b, int argc, char **argv)
{
	buf_addf(b, "nfarun");
	for (int i = 1; i < argc; i++) {
		buf_addf(b, " ");
		escape_shell(b, argv[i]);
	}
}

/* Appends the text of the filter, if the image has it: what stands in its section `source`, a file
 * after the other, each after a line with its name and its size. */
static void add_source(struct buf *b, const struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_source);

	if (s != NULL)
		buf_add(b, s->at, s->n);
}

/* Collects what is known of where the output comes from. False: out of memory. */
static bool make_notes(struct output *out, const struct nfart_proto *p,
		       const struct nfart_image *im)
{
	const struct nfarun_options *o = out->o;
	bool ok = true;

	buf_addf(note(out, "tool"), "nfarun %s", PACKAGE_VERSION);
	add_command(note(out, "command"), o->args.argc, o->args.argv);
	if (im != NULL && o->run.filter == NULL)
		buf_addf(note(out, "image"), "%s, %zu bytes, CRC-32C %08" PRIx32, o->files.image,
			 im->file.n, get_le32(im->file.bytes + IMAGE_AT_CRC));
	if (o->run.filter != NULL)
		buf_addf(note(out, "filter"), "%s", o->run.filter);
	else if (im != NULL && image_find_section(im, SEC_source) != NULL)
		add_source(note(out, "filter"), im);
	buf_addf(note(out, "protocol"), "%s", nfart_proto_name(p));
	if (o->files.ntraces <= 1)
		buf_addf(note(out, "trace"), "%s", o->files.trace != NULL ? o->files.trace : "-");
	for (uint32_t i = 0; i < out->nnotes; i++) {
		buf_add(&out->text[i], "", 1);
		ok = ok && !out->text[i].failed;
		out->notes[i].value = out->text[i].at;
	}
	return ok;
}

/* ---- the writer ---- */

int output_writer(struct output *out, const struct nfart_proto *p, const struct nfart_image *image,
		  const char *const *labels, uint32_t nlabels, uint32_t payload_words)
{
	const struct nfarun_options *o = out->o;
	struct nfart_writer_options w = { .format = o->output.form,
					  .labels = labels,
					  .nlabels = nlabels,
					  .with_labels = image != NULL,
					  .clock = o->output.clock,
					  .by_line = o->run.engine.lines,
					  .fields = o->output.fields,
					  .several = o->files.ntraces > 1 && !o->files.merge_traces,
					  .notes = out->notes,
					  .provenance = o->output.provenance,
					  .unhash = o->output.unhash,
					  .times = o->output.times,
					  .colour = o->output.colour,
					  .payload_words = nfart_format_payload(o->output.form)
								   ? payload_words : 0,
					  .next_part = parts_next,
					  .next_part_ctx = &out->parts };
	struct nfart_error e;

	if (!make_notes(out, p, image)) {
		fputs("nfarun: error: out of memory\n", stderr);
		return NFART_SYSTEM;
	}
	w.nnotes = out->nnotes;
	out->payload_words = payload_words;
	if (payload_words != w.payload_words)
		fprintf(stderr,
			"nfarun: warning: the %" PRIu32 " bits of payload of each message are left "
			"out: format '%s' has none\n",
			64 * payload_words, nfart_format_name(o->output.form));
	out->parts.o = o;
	if (o->output.split != 0)
		w.part_bytes = o->output.split;
	else if (o->output.form == NFART_FORMAT_PERFETTO && out->file.temp != NULL)
		w.part_bytes = PARTS_USUAL;
	if (o->output.unhash && strncmp(nfart_proto_name(p), "eci", 3) != 0)
		return cli_wrong_use("nfarun",
				     "--unhash: only addresses of ECI are hashed, not those "
				     "of protocol",
				     nfart_proto_name(p));
	out->writer = nfart_writer_new(out->file.f, p, &w, &e);
	if (out->writer == NULL)
		return process_report(&e);
	if (o->output.form == NFART_FORMAT_VCD && out->file.temp != NULL &&
	    save_file_open(&out->save, o, out->writer, &e) != NFART_OK)
		return process_report(&e);
	if (image != NULL)
		nfart_writer_name_key(out->writer, nfart_image_key(image));
	return NFART_OK;
}

int output_payload(const struct output *out, uint32_t payload_words, const char *name)
{
	if (payload_words <= out->payload_words || !nfart_format_payload(out->o->output.form))
		return NFART_OK;
	fprintf(stderr,
		"%s: error: its messages have %" PRIu32 " bits of payload, and those of the first "
		"trace %" PRIu32 "\n",
		name, 64 * payload_words, 64 * out->payload_words);
	return NFART_INPUT;
}

int output_close_writer(struct output *out)
{
	struct nfart_error e;
	enum nfart_status status = nfart_writer_close(out->writer, &e);

	out->writer = NULL;
	return status == NFART_OK ? NFART_OK
				  : process_report(out->parts.failed ? &out->parts.error : &e);
}

int output_commit(struct output *out)
{
	struct nfart_error e;

	if (outfile_commit(&out->file, &e) != NFART_OK ||
	    parts_commit(&out->parts, &e) != NFART_OK ||
	    save_file_commit(&out->save, &e) != NFART_OK)
		return process_report(&e);
	return NFART_OK;
}

void output_free(struct output *out)
{
	nfart_writer_close(out->writer, NULL);
	out->writer = NULL;
	if (!out->o->output.quiet && out->parts.written != 0)
		fprintf(stderr, "files written: %zu\n", 1 + out->parts.written);
	parts_abort(&out->parts);
	save_file_abort(&out->save);
	outfile_abort(&out->file);
	for (uint32_t i = 0; i < OUTPUT_NOTES; i++)
		buf_free(&out->text[i]);
}
