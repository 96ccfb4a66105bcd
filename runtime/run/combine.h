/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * combine.h: pieces that were run (piece.h, Note [pieces]) become the result of the trace, in order.
 */
#ifndef NFART_JOIN_H
#define NFART_JOIN_H

#include "include/nfart.h"
#include "runtime/run/piece.h"
#include "runtime/run/run.h"

struct join_cursor {
	const struct piece_found *found;
	size_t at, end; /* words */
};

struct join {
	struct run *r;
	bool by_line;
	struct stepper stepper;      /* by time: for repairs */
	struct piece_state truth;    /* by time: after the pieces joined so far */
	struct piece_found repaired;
	struct join_cursor *cursor;  /* [parts] */
	uint64_t *labels;            /* of the batch at hand */
	VEC(struct nfart_line) lines;
};

/* Sets a stepper up for r, as part `part` of `parts`. */
void join_stepper(const struct run *r, struct stepper *s, uint32_t part, uint32_t parts);

/* decoded: the pieces are, where they can be. False: *e says why; join_close() in every case. */
bool join_open(struct join *j, struct run *r, bool by_line, bool decoded, uint32_t parts,
	       struct nfart_error *e);
void join_close(struct join *j);

/* Joins the next piece: r's counters, statistics, window and writer go on. NFART_OK; what reading it
 * ended with; NFART_SYSTEM. Where run_finished(r), what is behind the last batch was left out. */
enum nfart_status join_piece(struct join *j, struct piece *p, struct nfart_error *e);

#endif
