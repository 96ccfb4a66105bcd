/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pipeline.h: the compiler as a library. Filter text goes in, and an image comes out. The results
 * of all stages are kept in struct pipeline. The library neither reads files, except descriptions
 * of protocols, nor prints; nfacc's commands do that. Tests call the library directly.
 */
#ifndef NFACC_COMPILER_PIPELINE_H
#define NFACC_COMPILER_PIPELINE_H

#include "backends/etm/etm_map.h"
#include "backends/overlay/map/map.h"
#include "backends/target.h"
#include "compiler/coherence/coherence.h"
#include "compiler/proof/verify.h"
#include "grammar/describe/overlay_text.h"
#include "grammar/front.h"
#include "ir/count/count.h"
#include "ir/pass/passes.h"
#include "ir/pass/split.h"

struct target_row;

/* The stages, named by their results. */
enum pipeline_stage { STAGE_AST, STAGE_SPEC, STAGE_NFA, STAGE_MAP, STAGE_IMAGE, NSTAGES };

/* What a file holds. */
enum pipeline_form {
	FORM_FILTERS,
	FORM_YAML,     /* filters in the form of the thesis */
	FORM_COHERENCE /* rules of coherence, from which a filter is derived */
};

struct pipeline_file {
	const char *name, *text;
	size_t n;
	enum pipeline_form form;
};

/* What becomes of warnings. */
struct pipeline_warnings {
	const char *const *disabled; /* codes of the warnings that are off */
	size_t ndisabled;
	const char *const *fatal;    /* codes of the warnings that are errors */
	size_t nfatal;
	bool werror;                 /* all warnings are errors */
};

struct pipeline_options {
	enum pipeline_stage last; /* the last stage to run */
	const char *const *dirs; /* folders in which protocols are looked for first */
	size_t ndirs;
	struct front_options front; /* the pipeline itself sets the callbacks in it */
	struct coherence_options coherence;
	struct overlay_desc overlay;
	struct pass_options passes;
	uint32_t count;          /* repetitions with at least this bound become counters; 0: none */
	struct map_options map;
	struct etm_map_options etm; /* for the trace unit of a core, if it names a core */
	struct {
		enum verify_level level;
		uint64_t steps;    /* most steps of the proof; 0: the limit of the level */
		unsigned readings; /* to compare in: bit i for reading i (etm_readings.h) */
	} proof;
	/* Sections of the image. */
	struct {
		bool names,        /* the one with the names */
			source;    /* the one with the text of the filters */
	} sections;
	struct pipeline_warnings warnings;
	bool unexplained;        /* if the filters don't fit, nothing says what would */
	const struct progress *progress; /* shows the progress of all stages; or NULL */
};

struct pipeline {
	struct pipeline_options options;
	struct diags diags;
	struct {
		VEC(struct nfart_proto *) found; /* owned */
		char usual[64];           /* the protocol of filters that name none */
	} protocols;
	bool failed;                      /* a protocol's file can't be read, or memory is short */
	/* the numbers that the filter files, and filters derived from rules, have in `diags` */
	VEC(uint32_t) filters;
	struct front front;
	struct spec spec;
	struct count_log counts;          /* which large repetitions became counters, or why not */
	struct nfa nfa;
	struct pass_report passes;
	/* Bounds on the automaton (T eq. 33 and 34). */
	struct {
		uint64_t states, edges;
	} bound;
	struct {
		const struct target_row *row; /* compiler/targets.h */
		struct target_setup setup;
		struct target_limits limits;
		struct buf kept; /* the rules that its image keeps (contract/image/kept.h) */
		bool follow;     /* engines follow them */
	} target;
	struct target_job job;            /* placement, image, and the image as it was loaded */
	struct verify_report verify;      /* the proof of the image */
	/* from the beginning of the run to the end of each stage; 0: the stage was not reached. The
	 * time of the proof is in `verify`. */
	uint64_t nanoseconds[NSTAGES];
};

/* Fills *o with the defaults: the default overlay, level -O1, all stages. */
void pipeline_options_init(struct pipeline_options *o);

/* Compiles n files as one unit into *p, which need not be initialised. Free *p with pipeline_free()
 * in any case. Returns the exit code of nfacc. Errors in the input are reported in p->diags. */
enum nfart_status pipeline_run(struct pipeline *p, const struct pipeline_options *o,
			       const struct pipeline_file *files, size_t n);
void pipeline_free(struct pipeline *p);

#endif
