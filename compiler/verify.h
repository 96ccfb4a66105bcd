/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * verify.h: the proof that comes with a compilation. The bytes of the image were loaded as the runtime
 * does; what they say is turned back into an automaton (backends/image/inspect.h), and that is held against the
 * spec: registers, names and protocol directly; labels and log as languages, against the automaton built
 * from the spec as it is written (ir/decide/decide.h). Passes, mapper and packer are not trusted; lowering,
 * construction and the runtime's decoder are what the proof rests on.
 */
#ifndef NFACC_COMPILER_VERIFY_H
#define NFACC_COMPILER_VERIFY_H

#include "backends/target.h"
#include "support/progress.h"

enum verify_level { VERIFY_OFF, VERIFY_BOUNDED, VERIFY_FULL };

enum verify_verdict {
	VERIFY_NOTHING,  /* switched off, or there is no image */
	VERIFY_PROVED,
	VERIFY_UP_TO,    /* true of all streams of up to `depth` batches; 0: nothing was proved */
	VERIFY_REFUTED   /* the image is wrong: `text` says how */
};

struct verify_report {
	enum verify_verdict verdict;
	uint64_t depth;
	size_t proved, total; /* languages: labels and log; total is 0 where the source's automaton is too
			       * large to compare anything */
	uint32_t weakest;     /* VERIFY_UP_TO: the label that `depth` is of; the log comes after the labels */
	uint64_t work, nanoseconds;
	struct buf text; /* of VERIFY_REFUTED: one line, then the stream as batch text, if there is one */
};

struct verify_input {
	const struct target_job *job; /* loaded from the bytes that were packed */
	uint64_t steps;               /* most steps in all; 0: what the level says */
	const struct progress *progress; /* or NULL */
};

/* Fills *r, which is zeroed or was filled before. False: out of memory. Work is bounded by counts, at
 * VERIFY_BOUNDED such that it stays short beside the rest of a compilation. */
bool verify_image(const struct verify_input *in, enum verify_level level, struct verify_report *r);
void verify_report_free(struct verify_report *r);

#endif
