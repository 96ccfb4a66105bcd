/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine_decide.h: compares what two machines do, over all streams of batches. Machines are equal
 * if after every stream their labels, log marks and outputs are the same.
 *
 * Two machines that are written alike, part by part, are equal whatever their counters count to.
 * Others are run side by side over every batch that their predicates tell apart, breadth first; so
 * a witness is a shortest one. That ends when no new pair of configurations (states and counts) is
 * found, or at a limit of steps.
 */
#ifndef NFACC_IR_MACHINE_DECIDE_H
#define NFACC_IR_MACHINE_DECIDE_H

#include "ir/decide/decide.h"
#include "ir/machine.h"

struct machine_answer {
	enum decide_verdict verdict; /* DECIDE_YES, _NO, _BOUNDED, _GAVEUP or _NO_MEMORY */
	/* DECIDE_NO: what differs after the witness: "labels", "outputs" or "the log mark" */
	const char *what;
	struct decide_stream witness; /* of DECIDE_NO */
	uint64_t depth; /* of DECIDE_BOUNDED: streams of so many batches are proved */
	uint64_t work;  /* how many steps were taken */
};

/* Compares machine x, whose predicates are those of px, with machine y, whose predicates are those
 * of py. Both tables have the same letters and see the same. Labels and outputs with the same index
 * are the same. `most` limits the steps: a step is a pair of configurations and a batch. Free *out
 * with machine_answer_free() in any case. */
void machine_decide(const struct pred_table *px, const struct machine *x,
		    const struct pred_table *py, const struct machine *y, uint64_t most,
		    struct machine_answer *out);
void machine_answer_free(struct machine_answer *out);

#endif
