/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain.h: nfarun --explain: why a batch was accepted, or why not.
 */
#ifndef NFART_EXPLAIN_H
#define NFART_EXPLAIN_H

#include <signal.h>

#include "include/nfart.h"
#include "support/buf.h"

enum explain_what {
	EXPLAIN_TIME,  /* the batch at a time */
	EXPLAIN_FIRST, /* the first batch accepted (with the label, if one is given) */
	EXPLAIN_ALL    /* all of these */
};

struct explain {
	const struct nfart_image *image;
	struct nfart_engine_options engine;
	enum explain_what what;
	uint64_t time;
	const char *label;                 /* only this one; `log`: why it is logged; NULL: all */
	struct nfart_reader *reader;
	FILE *out;
	const volatile sig_atomic_t *stop; /* set by a signal handler */
};

/* Reads as much as it needs, and writes the text. NFART_OK; NFART_NO: there is no such batch, and
 * the text says what there is; NFART_PARTIAL: as NFART_OK, but the trace is damaged or the run was
 * interrupted; else *e says why (NFART_USAGE: no such label). */
enum nfart_status explain_run(const struct explain *x, struct nfart_error *e);

#endif
