/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain.h: the implementation of nfarun --explain. It says why a batch was accepted, or why not.
 */
#ifndef NFART_EXPLAIN_H
#define NFART_EXPLAIN_H

#include <signal.h>

#include "include/nfart.h"
#include "support/buf.h"

enum explain_what {
	EXPLAIN_TIME,  /* the batch at the time in explain.time */
	EXPLAIN_FIRST, /* the first batch that is accepted (with the label, if one is given) */
	EXPLAIN_ALL    /* all batches that are accepted (with the label, if one is given) */
};

/* What is written of the batch that is explained. */
enum explain_chart {
	EXPLAIN_TEXT,
	EXPLAIN_MSC,  /* a message sequence chart of the line, as SVG: of a checker with rules */
	EXPLAIN_NODES /* the automata of the nodes, for Graphviz: likewise */
};

struct explain {
	const struct nfart_image *image;
	struct nfart_engine_options engine;
	enum explain_what what;
	uint64_t time;
	uint64_t until; /* the stream's last time, as it was stated; 0: it was not */
	/* The label to explain. "log": explain why a batch is logged. NULL: explain all labels. */
	const char *label;
	enum explain_chart chart; /* another one than EXPLAIN_TEXT goes without EXPLAIN_ALL */
	struct nfart_reader *reader;
	FILE *out;
	const volatile sig_atomic_t *stop; /* a signal handler sets it: the run ends early */
	/* If not NULL, called now and then with how much of the trace was read. */
	void (*progress)(void *ctx, const struct nfart_reader_stats *s);
	void *progress_ctx;
};

/* Reads as much of the trace as it needs, and writes the text to x->out. Returns NFART_OK; NFART_NO
 * if the trace has no batch to explain, and then the text says so; NFART_PARTIAL if the trace is
 * damaged or the run was interrupted, and the text is as for NFART_OK; else *e says why
 * (NFART_USAGE: no such label, or no chart of what was asked for; NFART_NO where a
 * chart was asked for, and there is nothing to draw). */
enum nfart_status explain_run(const struct explain *x, struct nfart_error *e);

#endif
