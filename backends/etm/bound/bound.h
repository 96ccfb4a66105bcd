/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound.h: how many lines a regulator lets through, proved from the values of its registers. What
 * is bounded, and for which behaviour of the core, says Note [bounds] in bound_form.h.
 */
#ifndef NFACC_BACKENDS_ETM_BOUND_H
#define NFACC_BACKENDS_ETM_BOUND_H

#include "backends/etm/bound/bound_graph.h"
#include "backends/etm/etm_decode.h"
#include "backends/etm/etm_rate.h"
#include "backends/etm/proof/etm_readings.h"
#include "support/buf.h"

/* A decoded machine as a regulator. */
struct etm_bound_parts {
	const struct etm_machine *machine; /* borrowed */
	unsigned tick, lines;              /* the counters of cycles and of lines */
	struct bound_form form;
};

/* Finds the counters and the output of a machine, and fills p->form. Returns NULL, or why the
 * machine is not a regulator that can be judged. */
const char *etm_bound_form(struct etm_bound_parts *p, const struct etm_machine *m);

/* A path in the graph of configurations, spread over the cycles of real periods. */
struct bound_run {
	const struct bound_path *to; /* from the start to the window */
	const struct bound_path *in; /* the window */
	unsigned turns;              /* how often the window is run through */
	uint64_t *idle; /* cycles without any input before each edge of `to`, then of `in` */
};

/* Executes the decoded machine with real counters along a run. Returns whether the machine takes
 * every edge of it, ticks where it should, and in a window with n > 0 ticks has no more than n
 * periods of cycles. Writes run->idle, which has an element for each edge. */
bool bound_replay(const struct etm_bound_parts *p, const struct bound_graph *g,
		  struct bound_run *run);

/* What is proved of the registers in a reading. */
struct etm_bound {
	struct etm_reading reading;
	const char *unjudged;     /* why there is no bound to prove; then nothing below is set */
	uint32_t k;               /* how many lines make the counter pulse in this reading */
	uint64_t period;          /* cycles of a period in this reading */
	size_t nodes;             /* how many configurations there are */
	struct bound_most most;
	struct bound_form form;   /* what the edges of paths mean */
	/* The witness of a window, of `over` and of the rate were executed at the real period, and
	 * have as many lines as the bound says. */
	struct {
		bool window, over, rate;
	} attained;
	/* Without a finite bound: so many lines were executed between two ticks; 0: none were,
	 * since only the abstraction from time allows them. */
	uint64_t endless;
	/* The smallest budget (reload value plus 1) that has a bound: with it there is a bound,
	 * with one less there is none. 0: no budget up to `searched` has one. */
	uint32_t least, searched;
	/* A bit for each state in which a tick is lost, or a pulse of the lines, if both counters
	 * pulse in one cycle: the state afterwards is that of the other pulse alone, and not what
	 * one pulse after the other would give. */
	uint8_t tick_lost, lines_lost;
	uint8_t outside; /* a bit for each state whose lines are outside of the regulation */
};

/* Does a window of n periods have at most n * k lines and a constant? */
bool etm_bound_holds(const struct etm_bound *b);

/* Proves the bound of the registers in a reading, with `overrun` lines after the output rises.
 * `ete` is that of etm_decode(). NFART_GAVEUP: there are too many configurations. Free *b with
 * etm_bound_free() in any case. */
enum nfart_status etm_bound(struct etm_bound *b, const struct etm_regs *r, bool ete,
			    struct etm_reading reading, uint32_t overrun);
void etm_bound_free(struct etm_bound *b);

/* Proves the bounds in all nine readings and appends the report to `out`, as text or, with `json`,
 * as an object of JSON: the worst reading first, with witnesses, then each of them; and, if
 * rate->clock is not 0, what that is in bytes and in seconds. Returns
 * NFART_OK if all readings have a bound; NFART_NO if one has none; NFART_GAVEUP, and then *why says
 * why, if the registers cannot be judged; NFART_SYSTEM if memory is short. */
enum nfart_status etm_bound_report(struct buf *out, const struct etm_regs *r, bool ete,
				   uint32_t overrun, const struct etm_rate *rate, bool json,
				   const char **why);

#endif
