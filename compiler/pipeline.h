/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pipeline.h: the compiler as a library: filter text in, image out, everything in between kept for
 * whoever wants to look at it. `main` adds files and printing; tests call it in-process.
 */
#ifndef NFACC_COMPILER_PIPELINE_H
#define NFACC_COMPILER_PIPELINE_H

#include "backends/overlay/map/map.h"
#include "backends/target.h"
#include "compiler/verify.h"
#include "grammar/describe/overlay_text.h"
#include "grammar/front.h"
#include "ir/count/count.h"
#include "ir/pass/passes.h"
#include "ir/pass/split.h"

/* How far to go. */
enum pipeline_stage { STAGE_AST, STAGE_SPEC, STAGE_NFA, STAGE_MAP, STAGE_IMAGE, NSTAGES };

struct pipeline_file {
	const char *name, *text;
	size_t n;
	bool yaml;
};

struct pipeline_options {
	enum pipeline_stage last;
	const char *const *dirs; /* where protocol descriptions are looked for first */
	size_t ndirs;
	struct front_options front; /* its callbacks are set by the pipeline */
	struct overlay_desc overlay;
	struct pass_options passes;
	uint32_t count;          /* repetitions from this bound on become counters; 0: none */
	struct map_options map;
	enum verify_level verify;
	uint64_t proof_steps;    /* the most for the proof; 0: what the level says */
	bool names, source;      /* sections of the image */
	const char *const *disabled; /* codes of warnings turned off */
	size_t ndisabled;
	bool werror;
	const struct progress *progress; /* for all stages; or NULL */
};

struct pipeline {
	struct pipeline_options options;
	struct diags diags;
	VEC(struct nfart_proto *) protos; /* owned */
	bool failed;                      /* finding one: memory, or a file that can't be read */
	VEC(uint32_t) filters;            /* the sources that are filter files */
	struct front front;
	struct spec spec;
	struct count_log counts;          /* what became of large repetitions */
	struct nfa nfa;
	struct pass_report passes;
	uint64_t bound_states, bound_edges; /* T eq. 33 and 34 */
	struct target_setup setup;
	struct target_limits limits;
	struct target_job job;            /* placement, image, and the image as it was loaded */
	struct verify_report verify;      /* of the image; its time is not in nanoseconds */
	uint64_t nanoseconds[NSTAGES];          /* spent up to and with each stage */
};

/* The options' defaults: the default overlay, -O1, everything up to the image. */
void pipeline_options_init(struct pipeline_options *o);

/* Compiles n files as one unit. *p is overwritten; free it with pipeline_free() whatever the answer.
 * The answer is the exit code of nfacc; what is wrong with the input is in p->diags. */
enum nfart_status pipeline_run(struct pipeline *p, const struct pipeline_options *o,
			       const struct pipeline_file *files, size_t n);
void pipeline_free(struct pipeline *p);

#endif
