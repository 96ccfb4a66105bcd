/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * target.h: what a target of the compiler is. The compiler makes a homogeneous NFA of a filter. A
 * target makes of that NFA something that an engine executes, for example an image.
 * `compiler/pipeline.c` calls the functions of a target in the order in which they stand in struct
 * target. The pipeline never asks which target it has.
 *
 * To add a target, add a folder beside this file with a `const struct target`, and a row in
 * compiler/targets.c.
 */
#ifndef NFACC_BACKENDS_TARGET_H
#define NFACC_BACKENDS_TARGET_H

#include "contract/etm/etm_core.h"
#include "contract/image/image.h"
#include "ir/count/count.h"
#include "ir/nfa.h"
#include "ir/pass/split.h"
#include "support/progress.h"

/* An overlay that comes with the compiler. */
struct target_shipped {
	char name[64],   /* the name by which --overlay NAME finds the overlay */
		tap[64]; /* the protocol that the overlay taps; "": it can tap any protocol */
	struct overlay overlay; /* parameters of the overlay; slots and op_bits are not set */
};

/* What the user asks of the target. All pointers are borrowed. */
struct target_setup {
	const char *name; /* the overlay's name, for messages */
	const char *tap;  /* the protocol that the overlay taps; "": the filters' protocol */
	const struct overlay *overlay; /* the overlay's parameters; slots and op_bits are ignored */
	const void *options; /* what this target alone is asked; its header says of which type */
	bool names,                      /* true: the image gets the optional section `names` */
		source;                  /* true: the image gets the optional section `source` */
	const struct progress *progress; /* where progress is reported; NULL: nowhere */
	/* Writes the i-th overlay that comes with the compiler to *out. explain() recommends one of
	 * these overlays. False: there are not so many. The pointer may be NULL. */
	bool (*shipped)(size_t i, struct target_shipped *out);
};

/* What the target offers to the passes before fit(). */
struct target_limits {
	const char *tap;    /* the protocol whose slots an engine sees; NULL: any protocol */
	uint64_t counters;  /* how many counters the target has */
	uint32_t max_k;     /* the highest count that a counter can reach; 0: no counters */
	bool machines;      /* an engine can execute machines */
	size_t most_degree; /* most neighbours a state can have without a split; 0: no limit */
};

/* One compilation, from the NFA to the image. */
/* What a target makes of a job. Each comment says which function makes the field.
 * target_job_free() frees them. */
struct target_made {
	struct overlay overlay; /* made by fit(): the image's overlay, with slots and op_bits */
	/* made by fit(): private data of the target, which free() releases */
	void *own;
	/* made by place(): [states] the node of each state; NULL: state s is on node s */
	uint32_t *ste;
	struct split_log splits; /* made by place(): which states were split, and how */
	struct buf report;       /* made by place(): text that --stats prints */
	struct buf image;        /* made by pack(): the image, as the bytes of a file */
	/* made by load(): the image that `image` holds, loaded by the code that engines use */
	struct nfart_image *loaded;
};

struct target_job {
	/* The compiler sets these fields before the first call. They are borrowed. */
	const struct target *target;
	const struct target_setup *setup;
	/* Makes the automaton of the filters, `nfa`, from `spec`, and runs the passes over it. */
	enum nfart_status (*automaton)(struct target_job *job);
	void *compiler; /* whatever automaton() needs; the target does not look at it */
	struct spec *spec;
	/* The NFA of the filters: homogeneous, with sorted edges; empty before prepare(). place()
	 * may replace it by an equivalent NFA in which states are split. */
	struct nfa *nfa;
	const struct count_log *counts;
	struct diags *diags;
	const struct buf *kept; /* the section `rules` of the image; NULL or empty: it has none */
	const bool *follow;     /* engines follow these rules (section `follow`); NULL: no */
	/* [nfiles]: the filter files, as indices into the sources of `diags` */
	const uint32_t *files;
	size_t nfiles;

	struct target_made made; /* the target makes it */
};

/* The automaton that verify() reads out of a loaded image, for the proof (compiler/proof/verify.c).
 * It borrows from the image. */
struct target_reading {
	struct spec spec;
	struct nfa nfa;
	/* [counters of nfa]: a guess, as index into the counters of job->nfa, which counter each
	 * one was made of. It is only a hint to the proof (ir/decide/decide.h). */
	uint32_t *counter;
};

/* One output of a target, which --emit=NAME asks for. One of the functions is not NULL; it appends
 * the output to b. */
struct target_output {
	const char *name;
	/* Appends what the image holds. */
	void (*image)(const struct nfart_image *im, struct buf *b);
	/* Appends a description of the target itself, without any filter. `o` has the slots of
	 * protocol p; `name` is the overlay's name. */
	void (*setup)(const struct overlay *o, const struct nfart_proto *p, const char *name,
		      struct buf *b);
	/* Appends what fit() made. */
	void (*job)(const struct target_job *job, struct buf *b);
	/* Returns why job() has nothing to make an output of, or NULL. May be NULL itself. */
	const char *(*against)(const struct target_job *job);
};

/*
 * The functions report what is wrong with the input to job->diags and return:
 *
 *   NFART_OK        go on
 *   NFART_NOFIT     proved that the filter does not fit this target
 *   NFART_GAVEUP    a limit was reached before an answer
 *   NFART_SYSTEM    out of memory
 *   NFART_INTERNAL  this program has a bug
 */
struct target {
	const char *name;

	/* Fills *limits for this setup. */
	void (*limits)(const struct target_setup *s, struct target_limits *limits);

	/* Brings the filters into the form that the target maps: target_automaton() for a target
	 * that places states, target_nothing() for one that takes the spec as it is. */
	enum nfart_status (*prepare)(struct target_job *job);

	/* Compares how many labels, lines, window entries and counters the filters need with how
	 * many the target has. A target without states to place maps here. */
	enum nfart_status (*fit)(struct target_job *job);

	/* Gives every state a node. The pipeline also calls it after fit() returned NFART_NOFIT, so
	 * that one run reports all errors. */
	enum nfart_status (*place)(struct target_job *job);

	/* Called after fit() or place() returned NFART_NOFIT or NFART_GAVEUP. Adds notes to the
	 * error that say what would have to be different. False: out of memory. */
	bool (*explain)(struct target_job *job);

	/* pack() writes the image to job->image; load() loads it from there into job->loaded. A
	 * target without images has target_nothing() in these places. */
	enum nfart_status (*pack)(struct target_job *job);
	enum nfart_status (*load)(struct target_job *job);

	/* The inverse of pack(): fills *r with the automaton that the bits of job->loaded mean.
	 * Compares everything else (registers, names, protocol) with `source`, which the proof has
	 * read from the syntax tree; `wrong` receives a line for the first difference. False: out
	 * of memory. Free *r with target_reading_free() in any case. NULL: the target has no
	 * images. */
	bool (*verify)(const struct target_job *job, const struct spec *source,
		       struct target_reading *r, struct buf *wrong);

	const struct target_output *outputs; /* table of outputs; the last row has no name */
};

/* Returns the output of target t that is called `name`, or NULL if there is none. */
const struct target_output *target_find_output(const struct target *t, const char *name);

/* For tables of targets: prepare() of a target that places states, and what does nothing. */
enum nfart_status target_automaton(struct target_job *job);
enum nfart_status target_nothing(struct target_job *job);

void target_job_free(struct target_job *job);
void target_reading_free(struct target_reading *r);

#endif
