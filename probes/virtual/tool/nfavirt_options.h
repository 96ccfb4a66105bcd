/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfavirt_options.h: reads and checks the command line of nfavirt.
 */
#ifndef NFACC_NFAVIRT_OPTIONS_H
#define NFACC_NFAVIRT_OPTIONS_H

#include "probes/virtual/program/images.h"
#include "probes/virtual/system/system.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "runtime/trace/trace_options.h"
#include "support/option.h"

enum nfavirt_emit {
	EMIT_COUNTS,
	EMIT_SNOOPS,
	EMIT_RECORDS,
	EMIT_TRACE,
	EMIT_PROTOCOL,
	EMIT_RANGES,
	EMIT_OVERHEAD
};

enum nfavirt_bus { BUS_NONE, BUS_ACE, BUS_ECI };

struct nfavirt_options {
	const char *trace;      /* from Lackey, or of a bus; NULL: synthetic accesses */
	enum nfavirt_bus bus;
	struct trace_wave wave; /* how a waveform of a bus is read */
	bool pgd_given, asid_given;
	uint64_t pgd;           /* registers of the front end at a bus */
	uint32_t asid;
	const char *out;        /* NULL: standard output */
	struct image image[IMAGES_MOST]; /* the ELF files */
	size_t nimages;
	const char *process[IMAGES_MOST_PROCESSES]; /* names; without any there is one process */
	size_t nprocesses;
	bool early;             /* a file stands before all names of processes */
	const char *traced;     /* the process of the trace; NULL: the first */
	size_t traced_process;  /* its number */
	const char *name;       /* name of the protocol */
	struct symbol_slots slots; /* least numbers of slots of the protocol */
	uint32_t ranges;        /* number of ranges that the hardware has room for */
	enum nfavirt_emit emit;
	uint64_t accesses;      /* synthetic accesses of each thread */
	uint64_t after;         /* accesses before the tracing begins */
	bool base_given;
	uint64_t base;          /* of the first file, if it stands before that */
	uint32_t cache_kib;     /* size of the second-level cache */
	uint32_t move;          /* accesses until the program moves to the next core */
	const char *observe[VIRT_POINTS]; /* arguments of --observe: addresses or names */
	struct sys_options sys;
};

extern const struct option_table nfavirt_options;

/*
 * Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after it has printed all
 * messages.
 */
int nfavirt_options_parse(struct nfavirt_options *o, int argc, char **argv);

#endif
