/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * outputs.h: what nfamem writes about a process: lines of text, or labels, or a compact trace; also
 * a summary, and a picture of pages.
 *
 * With --follow each process is read by a copy of nfamem (follow.h). The lines, labels and
 * summaries of all processes go to one file, and the copies take turns. Each process has a compact
 * trace and a picture of its own.
 */
#ifndef NFACC_NFAMEM_OUTPUTS_H
#define NFACC_NFAMEM_OUTPUTS_H

#include "probes/memory/reader/lines.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/reader/page_map.h"
#include "probes/memory/reader/recording.h"
#include "probes/memory/reader/turns.h"
#include "probes/memory/tool/filters.h"
#include "probes/memory/tool/nfamem_options.h"
#include "support/outfile.h"

struct outputs {
	const struct nfamem_options *o;
	struct memory *memory;
	struct lines *lines;
	struct filters filters;
	struct findings *findings; /* what filters and checks write */
	struct messages *messages; /* of the compact trace */
	struct nfart_proto *protocol; /* of the compact trace */
	struct recording *recording;
	struct page_map *page_map;
	struct outfile out;
	struct turns *turns; /* NULL without --follow */
	bool copy;           /* `out` belongs to another process, unless there is a compact trace */
};

/* Which process the outputs are about. */
struct outputs_process {
	uint32_t pid, program; /* program: number of programs that the process executed before */
	const char *path;      /* path of the program */
};

/* Opens the files. Undo it with outputs_free(), also on failure. */
enum nfart_status outputs_open(struct outputs *u, const struct nfamem_options *o,
			       struct nfart_error *e);
void outputs_free(struct outputs *u);

/* Adds the outputs to m. m must outlive them. */
enum nfart_status outputs_begin(struct outputs *u, struct memory *m, struct nfart_error *e);

/* Tells the outputs which process they are about. Needed only with --follow. */
void outputs_process(struct outputs *u, const struct outputs_process *p);

/*
 * Called in a copy of nfamem whose process is a child that `thread` forked. From now on only events
 * of the child are written.
 */
enum nfart_status outputs_inherit(struct outputs *u, const struct outputs_process *p,
				  uint32_t thread, struct nfart_error *e);

/*
 * Called in a copy of nfamem whose process is a newly executed program. The outputs begin anew,
 * with another memory.
 */
enum nfart_status outputs_renew(struct outputs *u, struct memory *m,
				const struct outputs_process *p, struct nfart_error *e);

/* Writes the lines that are collected. */
bool outputs_flush(struct outputs *u, struct nfart_error *e);

/* Writes the rest, and the summary of a channel. Afterwards only outputs_commit() may be called. */
bool outputs_end(struct outputs *u, struct mem_channel *c, const struct outputs_process *p,
		 struct nfart_error *e);

/* Gives the files the names that the user asked for. */
enum nfart_status outputs_commit(struct outputs *u, const struct outputs_process *p,
				 struct nfart_error *e);

#endif
