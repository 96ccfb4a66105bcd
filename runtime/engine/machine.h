/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine.h: steps the machines of an image (nfacc-filter(5), Machines). The state of a machine is
 * a state of the image, one of which is active in each copy. Its counts are among those of the
 * copy.
 */
#ifndef NFART_MACHINE_H
#define NFART_MACHINE_H

#include "contract/image/image.h"

/* Returns the state of the image that is active among those of the machine. */
uint32_t machine_state(const struct image_machine *m, const uint64_t *active);

/* Is exactly one state of the machine active? */
bool machine_has_state(const struct image_machine *m, const uint64_t *active);

enum { MACHINE_NO_MOVE = UINT32_MAX };

enum machine_event { MACHINE_KEPT, MACHINE_RESET, MACHINE_COUNTED };

/* What a batch did to a counter. */
struct machine_counting {
	enum machine_event event;
	uint32_t cond; /* which of its `reset` or `count` conditions held, unless MACHINE_KEPT */
	uint32_t n;    /* the count, before a rolling counter is set back */
	bool at;       /* what `@C` was in transitions */
};

/* What a batch did to a machine. */
struct machine_done {
	uint32_t move;                     /* the transition that was taken, or MACHINE_NO_MOVE */
	struct machine_counting *counters; /* [the machine's counters] */
};

/* Steps a machine from a state by a batch for which the predicates `truth` hold. `counts` are those
 * of the whole copy; the machine changes its own. Fills *done, unless it is NULL. Returns the state
 * after the batch. */
uint32_t machine_step(const struct image_machine *m, const uint64_t *truth, uint32_t state,
		      uint32_t *counts, struct machine_done *done);

#endif
