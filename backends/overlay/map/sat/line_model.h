/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * line_model.h: writes the mapping onto a line of columns as clauses and cardinality constraints.
 *
 * Columns are numbered from 0. A state is in a column, on a ring, and so in a clique. Its column is
 * said by variables "at most j", which follow from each other, so that an edge is one clause for
 * each column. The room of cliques and columns is said, and that of every interval of columns: with
 * it, distances from a state at the end soon leave too little room.
 */
#ifndef NFACC_MAP_LINE_MODEL_H
#define NFACC_MAP_LINE_MODEL_H

#include "backends/overlay/map/sat/clauses.h"
#include "backends/overlay/map/task.h"

/* What all lines of a task have in common. */
struct line_input {
	const struct map_task *task;
	uint32_t rings, diameter;
	uint32_t *dist;  /* [n * n]: distances of states */
	uint32_t *apart; /* [rings]: distance of ring 0 and each ring in a column, or MAP_FAR */
};

struct line_model {
	const struct line_input *in;
	uint32_t columns;
	struct clauses *clauses;
	/* [n]: how many columns at each end the state cannot be in, because too many states are
	 * near it */
	uint32_t *first;
};

/* Builds the model of m->in and m->columns. False: out of memory. line_model_free() frees it in any
 * case. */
bool line_model_build(struct line_model *m);
void line_model_free(struct line_model *m);

/* Returns the assumption that state v is in the first column, on ring 0. */
literal_t line_model_leftmost(const struct line_model *m, uint32_t v);

/* Adds that state v is neither in the first nor in the last column. */
void line_model_exclude(struct line_model *m, uint32_t v);

/* Reads the cliques from the values that were found. */
void line_model_read(const struct line_model *m, uint32_t *clique);

#endif
