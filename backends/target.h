/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * target.h: what a target is. The compiler makes a homogeneous NFA of a filter; a target makes of that
 * NFA something that an engine executes. `compiler/pipeline.c` calls the functions of a target in the
 * order in which they stand here and never asks which target it has.
 *
 * To add a target, add a folder beside this file with a `const struct target`, and a row in
 * compiler/targets.c.
 */
#ifndef NFACC_BACKENDS_TARGET_H
#define NFACC_BACKENDS_TARGET_H

#include "contract/image.h"
#include "ir/count/count.h"
#include "ir/nfa.h"
#include "ir/pass/split.h"
#include "support/progress.h"

struct map_options; /* backends/overlay/map/map.h */

/* An overlay that comes with the compiler. */
struct target_shipped {
	char name[64], tap[64]; /* as --overlay names it; the protocol that it taps, or "" */
	struct overlay overlay; /* without slots and op_bits */
};

/* What the user says about the target. All borrowed. */
struct target_setup {
	const char *name;              /* of what is compiled for, in messages: the overlay's */
	const char *tap;               /* the protocol that it taps; "": that of the filters */
	const struct overlay *overlay; /* slots and op_bits are not looked at */
	const struct map_options *map;
	bool names, source;            /* sections of the image */
	const struct progress *progress; /* or NULL */
	/* The i-th overlay that is shipped, for advice; false: there are no more. Or NULL. */
	bool (*shipped)(size_t i, struct target_shipped *out);
};

/* What the optimiser may count on. */
struct target_limits {
	const char *tap;    /* NULL: any protocol */
	uint64_t counters;  /* how many */
	uint32_t max_k;     /* the largest bound of one */
	size_t most_degree; /* the most neighbours of a state that stays in one piece; 0: any number */
};

/* One compilation, from the NFA to the image. */
struct target_job {
	/* The compiler's, borrowed. */
	const struct target *target;
	const struct target_setup *setup;
	struct spec *spec;
	struct nfa *nfa; /* homogeneous, edges sorted; place() may replace its contents by an
			  * equivalent NFA with states split */
	const struct count_log *counts;
	struct diags *diags;
	const uint32_t *files; /* [nfiles]: the sources that are filter files */
	size_t nfiles;

	/* What the target made. Freed by target_job_free(). */
	struct overlay overlay;     /* fit(): what the image is for, with the protocol's slots */
	void *own;                  /* fit(): what only this target knows; free() suffices */
	uint32_t *ste;              /* place(): [states] the node of each; NULL: its own number */
	struct split_log splits;    /* place(): states that were split */
	struct buf report;          /* place(): lines for --stats */
	struct buf image;           /* pack(): the bytes */
	struct nfart_image *loaded; /* load(): from these bytes, as an engine loads them */
};

/* What a loaded image says, for the proof. It borrows from the image. */
struct target_reading {
	struct spec spec;
	struct nfa nfa;
	uint32_t *counter; /* [counters of nfa]: which of job->nfa it is likely to be (decide.h):
			    * a hint */
};

/* One value of --emit=NAME. One of the two functions is NULL. Both append text to b. */
struct target_output {
	const char *name;
	void (*image)(const struct nfart_image *im, struct buf *b);
	/* Of the target alone, without a filter; `o` has the slots of p. */
	void (*setup)(const struct overlay *o, const struct nfart_proto *p, const char *name,
		      struct buf *b);
};

/*
 * The functions report what is wrong with the input to job->diags and answer:
 *
 *   NFART_OK        go on
 *   NFART_NOFIT     proved that the filter can't be had on this target
 *   NFART_GAVEUP    a limit was reached before an answer
 *   NFART_SYSTEM    out of memory
 *   NFART_INTERNAL  a bug
 */
struct target {
	const char *name;

	void (*limits)(const struct target_setup *s, struct target_limits *limits);

	/* Compares sizes: labels, lines, window, counters. */
	enum nfart_status (*fit)(struct target_job *job);

	/* Gives every state its place. Also called after fit() said NFART_NOFIT, so that one run reports
	 * all that is wrong. */
	enum nfart_status (*place)(struct target_job *job);

	/* After fit() or place() said no, or gave up: adds notes that say what would have to be
	 * different. False: out of memory. */
	bool (*explain)(struct target_job *job);

	enum nfart_status (*pack)(struct target_job *job);
	enum nfart_status (*load)(struct target_job *job);

	/* The inverse of pack(): what the loaded image says. Whatever is not a language (registers, names,
	 * protocol) is compared here; `wrong` receives a line for the first difference. False: out of
	 * memory. Free with target_reading_free() whatever the answer. */
	bool (*verify)(const struct target_job *job, struct target_reading *r, struct buf *wrong);

	const struct target_output *outputs; /* ended by a row without a name */
};

/* The output of that name, or NULL. */
const struct target_output *target_find_output(const struct target *t, const char *name);

void target_job_free(struct target_job *job);
void target_reading_free(struct target_reading *r);

#endif
