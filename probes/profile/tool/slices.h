/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * slices.h: call stacks as slices of time, in a Perfetto trace.
 *
 * Note [slices]
 * Each thread of a process has a track. Its outermost slice is the program. Functions are inside
 * it, and then `[kernel]` and what the kernel does for the program. When the kernel switches a
 * thread out, all its slices end. They begin again when the thread goes on. So the slices of a
 * stack last as long as the cycles of that stack. The trace is that of one hart, because different
 * harts may count cycles by different clocks.
 *
 * The program of a process is known only some time after it has begun. So events are kept in a
 * temporary file until all names are known. Tracks and names are then written before the events.
 */
#ifndef NFART_NFAPERF_SLICES_H
#define NFART_NFAPERF_SLICES_H

#include <stdio.h>

#include "runtime/trace/format/perfetto.h"
#include "probes/profile/stacks/rv_profile.h"

/* A thread, for the time in which it belongs to one process. */
struct slice_track {
	uint32_t base;   /* function of the stack's first node: the process, or the kernel */
	uint32_t thread; /* number of the thread */
	uint32_t number; /* number of the track, from 0 */
};

struct slices {
	struct perfetto_packets packets;
	struct buf out;
	const struct rv_code *code;
	uint16_t hart;
	uint64_t frequency;  /* cycles per second; 0: a cycle is shown as a nanosecond */
	uint64_t from;       /* the first time in the trace */
	FILE *events;        /* the temporary file */
	VEC(struct slice_track) tracks;
	VEC(uint32_t) newest; /* for each thread: number + 1 of its newest track; 0: none */
	VEC(uint32_t) path;  /* nodes that begin in this step */
	uint32_t track;      /* number of the track with the open slices */
	uint32_t top;        /* node of the innermost open slice; 0: none is open */
	bool any;            /* a slice has begun */
	bool failed;         /* there was too little memory */
	int error;           /* errno of the temporary file; 0: no error */
};

/* On failure sets *e. slices_free() must be called in any case. */
enum nfart_status slices_init(struct slices *x, const struct rv_code *code, uint16_t hart,
			      uint64_t frequency, struct nfart_error *e);
void slices_free(struct slices *x);

/* Takes a step of a hart: the function `changed` of struct rv_profile. */
void slices_take(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		 const struct rv_move *change);

/* Ends all slices, and writes the trace to f. */
enum nfart_status slices_end(struct slices *x, const struct rv_profile *p, FILE *f,
			     struct nfart_error *e);

#endif
