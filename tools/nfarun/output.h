/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * output.h: the output of nfarun: its file, and the writer of batches that the options ask for.
 */
#ifndef NFART_NFARUN_OUTPUT_H
#define NFART_NFARUN_OUTPUT_H

#include "contract/image/image.h"
#include "support/outfile.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/parts.h"
#include "tools/nfarun/save_file.h"

enum { OUTPUT_NOTES = 8 };

struct output {
	const struct nfarun_options *o;
	struct outfile file;
	struct parts parts;
	struct save_file save;       /* beside a value change dump in a file */
	struct nfart_writer *writer; /* NULL: none is open */
	uint32_t payload_words;      /* of the messages of the first trace; 0: they have none */
	struct buf text[OUTPUT_NOTES]; /* values of notes */
	struct nfart_note notes[OUTPUT_NOTES];
	uint32_t nnotes;
};

/* Opens the file `path` (NULL: standard output). It is compressed if the ending of its name says
 * so. */
enum nfart_status output_open(struct outfile *out, const char *path, struct nfart_error *e);

/* Opens the file of the options as output_open() does. With --live it has its name from now on. */
enum nfart_status output_begin(struct outfile *out, const struct nfarun_options *o,
			       struct nfart_error *e);

/* With --live, writes to the file of `out` all that `w` (NULL: no batches) has taken so far. */
void output_show(const struct nfarun_options *o, struct nfart_writer *w);

/* Opens out->writer for batches of protocol p, to out->file, whose messages have so many words of
 * payload; says so where the format leaves it out. With an image the batches are output of a filter
 * and have labels; `image` is NULL where a trace is converted. `labels` must outlive the writer.
 * Returns NFART_OK, or an exit code after an error was reported. */
int output_writer(struct output *out, const struct nfart_proto *p, const struct nfart_image *image,
		  const char *const *labels, uint32_t nlabels, uint32_t payload_words);

/* Can the writer take batches with so many words of payload, of the trace `name`, after those of
 * the first trace? Returns NFART_OK, or an exit code after an error was reported. */
int output_payload(const struct output *out, uint32_t payload_words, const char *name);

/* Closes the writer, if it is open. Returns NFART_OK, or an exit code after an error was
 * reported. */
int output_close_writer(struct output *out);

/* Completes the file, its parts and its save file. Returns NFART_OK, or an exit code after an error
 * was reported. */
int output_commit(struct output *out);

/* Frees what *out has, and removes what was written if it was not committed. */
void output_free(struct output *out);

#endif
