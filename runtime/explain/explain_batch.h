/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_batch.h: what nfarun --explain and nfart_explainer share. The engine decides what is
 * accepted and output. A witness runs next to it and remembers why. A batch is explained in
 * explain_state.text.
 */
#ifndef NFART_EXPLAIN_BATCH_H
#define NFART_EXPLAIN_BATCH_H

#include "runtime/explain/explain.h"
#include "runtime/explain/explain_text.h"
#include "runtime/explain/timed.h"
#include "runtime/rules/rules.h"

struct explain_state {
	const struct explain *x;
	struct nfart_error *e;
	struct nfart_engine *en;
	struct nfart_window *window;
	struct witness *w;
	struct rules rules;       /* the checkers whose rules the image keeps */
	struct explain_text text;
	uint32_t *goals, ngoals;

	struct timed timed;       /* the records */
	struct nfart_batch b;     /* the current record */
	/* The current record is a tick alone that changed nothing. */
	bool quiet;
	/* What came before the current record. */
	struct {
		bool any;         /* there was a batch */
		uint64_t last;    /* the time of the last batch */
		uint64_t losses;  /* number of loss records after the last batch */
	} before;
	/* The batches that were output. */
	struct {
		uint64_t n, last; /* how many, and the time of the last one */
		bool target;      /* the batch that was asked for is among them */
	} output;
	uint64_t found;           /* how many batches have been explained */
};

/* Sets *s->e, and returns its status. */
enum nfart_status explain_no_memory(struct explain_state *s);

/* Makes engine, witness and window for s->x; the other members must be 0. Errors are as for
 * explain_run(). Call explain_end() in either case. */
enum nfart_status explain_begin(struct explain_state *s);
void explain_end(struct explain_state *s);

/* Is a goal an output of a machine? It is given by its index in s->goals. */
bool explain_is_output(const struct explain_state *s, uint32_t goal);

/* Has the result one of the goals? Outputs are not asked for unless `outputs` is set. */
bool explain_any_goal(const struct explain_state *s, const struct nfart_result *r, bool outputs);

/* Reads the next record to s->b. Returns 1; 0 at the end, if the run was interrupted, or if there
 * is none yet (timed.h); -1 if *s->e says why not. */
int explain_next(struct explain_state *s);

/* Gives the current record to engine, witness and window. Puts the engine's result into *r. False:
 * out of memory. */
bool explain_take(struct explain_state *s, struct nfart_result *r);

/* Appends to s->text why the current batch, which was taken, is accepted with each goal; or why
 * not, if it is accepted with none. *r is its result. */
enum nfart_status explain_batch(struct explain_state *s, const struct nfart_result *r);

#endif
