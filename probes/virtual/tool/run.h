/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: what nfavirt does for each output: it runs the model, and writes.
 */
#ifndef NFACC_NFAVIRT_RUN_H
#define NFACC_NFAVIRT_RUN_H

#include "probes/virtual/program/elf_symbols.h"
#include "probes/virtual/program/lackey.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "probes/virtual/tool/nfavirt_options.h"

struct run {
	const struct nfavirt_options *o;
	struct lackey trace;        /* empty: synthetic accesses */
	struct elf_symbols symbols; /* of --elf, else empty */
	struct symbol_slots slots;  /* of the protocol */
	uint64_t base;              /* what is to be subtracted from addresses for the symbols */
	FILE *f;                    /* the output */
};

/* Runs the model with these options, from the beginning of the accesses to the end. `sink` and
 * `ctx` are those of struct sys. NULL: memory is short, or that of the model is used up, and *e
 * says which. The caller frees the system. */
struct sys *run_system(const struct run *x, const struct sys_options *o,
		       void (*sink)(void *ctx, const struct sys_snoop *s), void *ctx,
		       struct nfart_error *e);

/* Write one kind of output each. They return an exit code, and *e says what went wrong. */
enum nfart_status run_counts(struct run *x, struct nfart_error *e);
enum nfart_status run_snoops(struct run *x, struct nfart_error *e);
enum nfart_status run_records(struct run *x, struct nfart_error *e);
enum nfart_status run_trace(struct run *x, struct nfart_error *e);
enum nfart_status run_protocol(struct run *x, struct nfart_error *e);
enum nfart_status run_ranges(struct run *x, struct nfart_error *e);
enum nfart_status run_overhead(struct run *x, struct nfart_error *e);

#endif
