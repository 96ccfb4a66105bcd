/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * events.h: writes begins and ends of chosen functions, traps, and switches of tasks as a trace for
 * nfarun. Also makes the protocol of that trace.
 *
 * Note [events]
 * The trace is that of one hart, because different harts may count cycles by different clocks. A
 * batch has the events of one cycle, in order, in lanes 0, 1 and so on. Function i of the list has
 * the opcodes 2i for its begin and 2i + 1 for its end. A function does not end when it is
 * interrupted, or when its thread does not run. Each event has the number of its thread. Where
 * tokens are missing, the trace has a loss record. A batch is written as soon as it is complete, so
 * memory does not grow with the trace.
 */
#ifndef NFART_NFAPERF_EVENTS_H
#define NFART_NFAPERF_EVENTS_H

#include <stdio.h>

#include "include/nfart.h"
#include "probes/profile/stacks/rv_profile.h"
#include "support/buf.h"

enum { EVENTS_MOST = 120, EVENTS_LANES = 64 };

struct events {
	const char *names[EVENTS_MOST]; /* names of the functions */
	size_t n;
	uint16_t hart;
	uint8_t *chosen;        /* for each function of the code: its number in the list + 1 */
	VEC(uint32_t) nearest;  /* for each node of the tree: itself or the nearest chosen one above
				 * it; 0: none */
	uint32_t folded;        /* p->folded at the time when `nearest` was made */
	VEC(uint32_t) path;     /* nodes that begin in this step */
	struct nfart_proto *proto;
	struct nfart_writer *writer;
	struct nfart_batch batch; /* the current batch */
	size_t lanes;           /* number of its events; 0: there is no current batch */
	bool any;               /* there was a batch before */
	uint64_t lost;          /* events for which there was no lane */
	bool failed;            /* there was too little memory */
};

/*
 * Chooses the functions of a list of names, separated by commas, and makes the protocol. `list` is
 * changed, and must outlive *x. On failure sets *e. events_free() must be called in any case.
 */
enum nfart_status events_init(struct events *x, const struct rv_code *code, char *list,
			      uint16_t hart, struct nfart_error *e);
void events_free(struct events *x);

/* Begins the trace in a file. The file must outlive the call of events_end(). */
enum nfart_status events_begin(struct events *x, FILE *f, enum nfart_format format,
			       struct nfart_error *e);

/* Takes a step of a hart: the function `changed` of struct rv_profile. */
void events_take(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		 const struct rv_move *change);

/* Ends the trace. The caller closes the file. */
enum nfart_status events_end(struct events *x, struct nfart_error *e);

/* Appends the description of the protocol. */
void events_protocol(const struct events *x, struct buf *b);

#endif
