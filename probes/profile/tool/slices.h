/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * slices.h: call stacks as slices of time, in a Perfetto trace.
 *
 * Note [slices]
 * Each thread of a process has a track. Its outermost slice is the program, and functions stand
 * within it, then `[kernel]` and what the kernel does for the program. A thread that the kernel
 * switches out ends all its slices, and begins them again when it goes on: so what the slices of a
 * stack last adds up to the cycles of this stack. The trace is that of one hart, because the cycles
 * of different harts need not be of one clock.
 *
 * Which program a process executes is known only some time after it has begun. So events are kept
 * in a temporary file until all names are known, and tracks and names are written before them.
 */
#ifndef NFART_NFAPERF_SLICES_H
#define NFART_NFAPERF_SLICES_H

#include <stdio.h>

#include "runtime/trace/format/perfetto.h"
#include "probes/profile/stacks/rv_profile.h"

/* A thread, as long as it belongs to one process. */
struct slice_track {
	uint32_t base;   /* function of the stack's first node: the process, or the kernel */
	uint32_t thread; /* its number */
	uint32_t number; /* among all tracks, from 0 on */
};

struct slices {
	struct perfetto_packets packets;
	struct buf out;
	const struct rv_code *code;
	uint16_t hart;
	uint64_t frequency;  /* cycles a second; 0: a cycle is shown as a nanosecond */
	uint64_t from;       /* the trace's first time */
	FILE *events;        /* the temporary file */
	VEC(struct slice_track) tracks;
	VEC(uint32_t) newest; /* for each thread: number + 1 of its newest track; 0: none */
	VEC(uint32_t) path;  /* nodes that begin */
	uint32_t track;      /* number of the track whose slices are open */
	uint32_t top;        /* node of the innermost slice that is open; 0: none is */
	bool any;            /* a slice has begun */
	bool failed;         /* out of memory */
	int error;           /* errno of the temporary file; 0: none */
};

/* On failure *e says why. slices_free() must be called in every case. */
enum nfart_status slices_init(struct slices *x, const struct rv_code *code, uint16_t hart,
			      uint64_t frequency, struct nfart_error *e);
void slices_free(struct slices *x);

/* Takes a step of a hart (struct rv_profile's `changed`). */
void slices_take(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		 const struct rv_move *change);

/* Ends all slices, and writes the trace to f. */
enum nfart_status slices_end(struct slices *x, const struct rv_profile *p, FILE *f,
			     struct nfart_error *e);

#endif
