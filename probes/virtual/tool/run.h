/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* run.h: for each kind of output, a function that runs the model and writes the output. */
#ifndef NFACC_NFAVIRT_RUN_H
#define NFACC_NFAVIRT_RUN_H

#include "probes/virtual/program/images.h"
#include "probes/virtual/program/lackey.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "probes/virtual/tool/nfavirt_options.h"

struct run {
	const struct nfavirt_options *o;
	struct lackey trace;        /* empty: use synthetic accesses */
	struct images images;       /* what --elf names, or empty */
	struct symbol_slots slots;  /* slots of the protocol */
	uint64_t base; /* subtract it from an address of the traced process to find the symbol */
	FILE *f;                    /* the output */
};

/*
 * Runs the model with these options, for all accesses. `sink` and `ctx` are those of struct sys. If
 * there is no memory, or if the memory of the model is used up, returns NULL and sets *e. The
 * caller frees the result.
 */
struct sys *run_system(const struct run *x, const struct sys_options *o,
		       void (*sink)(void *ctx, const struct sys_snoop *s), void *ctx,
		       struct nfart_error *e);

/*
 * The same for a recording of a bus (--bus). Their causes are not known. The front end at the end
 * becomes *end. On failure returns what is wrong, and sets *e.
 */
enum nfart_status run_bus(const struct run *x, void (*sink)(void *ctx, const struct sys_snoop *s),
			  void *ctx, struct virt_front *end, struct nfart_error *e);

/*
 * Warns of functions that have no line, and so no messages, and of points of --observe that are
 * objects in the line of another name. Writes to standard error.
 */
void warn_lines(const struct run *x);

/* Each function writes one kind of output. Returns an exit code, and sets *e on failure. */
enum nfart_status run_counts(struct run *x, struct nfart_error *e);
enum nfart_status run_snoops(struct run *x, struct nfart_error *e);
enum nfart_status run_records(struct run *x, struct nfart_error *e);
enum nfart_status run_trace(struct run *x, struct nfart_error *e);
enum nfart_status run_protocol(struct run *x, struct nfart_error *e);
enum nfart_status run_ranges(struct run *x, struct nfart_error *e);
enum nfart_status run_overhead(struct run *x, struct nfart_error *e);

#endif
