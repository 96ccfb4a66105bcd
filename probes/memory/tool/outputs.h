/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * outputs.h: what nfamem writes of a process: lines, or labels, or a compact trace; a summary; a
 * picture of pages.
 *
 * With --follow a copy of nfamem (follow.h) reads each process. Lines, labels and summaries of all
 * of them go to one file, in turns. Each has a compact trace and a picture of its own.
 */
#ifndef NFACC_NFAMEM_OUTPUTS_H
#define NFACC_NFAMEM_OUTPUTS_H

#include "probes/memory/reader/lines.h"
#include "probes/memory/reader/matches.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/reader/page_map.h"
#include "probes/memory/reader/recording.h"
#include "probes/memory/reader/turns.h"
#include "support/outfile.h"
#include "probes/memory/tool/nfamem_options.h"
#include "tools/nfarun/protocol.h"

struct outputs {
	const struct nfamem_options *o;
	struct memory *memory;
	struct lines *lines;
	struct nfart_image *image;
	struct messages *messages;
	struct matches *matches;
	struct protocol protocol; /* of the recording */
	struct recording *recording;
	struct page_map *page_map;
	struct outfile out;
	struct turns *turns; /* NULL without --follow */
	bool copy;           /* `out` belongs to another process, unless there is a recording */
};

/* Which process the outputs are about. */
struct outputs_process {
	uint32_t pid, program; /* 0: the first program of this process, 1: what it executed, ... */
	const char *path;      /* of the program */
};

/* Opens the files. Undo with outputs_free(), also after failure. */
enum nfart_status outputs_open(struct outputs *u, const struct nfamem_options *o,
			       struct nfart_error *e);
void outputs_free(struct outputs *u);

/* Adds the outputs to m, which must outlive them. */
enum nfart_status outputs_begin(struct outputs *u, struct memory *m, struct nfart_error *e);

/* Says whose memory it is. Without --follow this is not needed. */
void outputs_process(struct outputs *u, const struct outputs_process *p);

/* In a copy of nfamem, for a child that this thread of the process has forked: from here on only
 * what the child does is written. */
enum nfart_status outputs_inherit(struct outputs *u, const struct outputs_process *p,
				  uint32_t thread, struct nfart_error *e);

/* In a copy of nfamem, for another program: as if nothing had been written, with another memory. */
enum nfart_status outputs_renew(struct outputs *u, struct memory *m,
				const struct outputs_process *p, struct nfart_error *e);

/* Writes lines that are held back. */
bool outputs_flush(struct outputs *u, struct nfart_error *e);

/* Writes the rest, and the summary of a channel. After this there is only outputs_commit(). */
bool outputs_end(struct outputs *u, struct mem_channel *c, const struct outputs_process *p,
		 struct nfart_error *e);

/* Makes the files those that the user wants. */
enum nfart_status outputs_commit(struct outputs *u, const struct outputs_process *p,
				 struct nfart_error *e);

#endif
