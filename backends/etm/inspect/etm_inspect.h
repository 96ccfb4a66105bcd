/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_inspect.h: shows what registers of a trace unit mean, to people and as the text of a machine
 * (nfacc-filter(5), Machines) that means the same.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_INSPECT_H
#define NFACC_BACKENDS_ETM_ETM_INSPECT_H

#include "backends/etm/etm_decode.h"
#include "contract/etm/etm_core.h"
#include "support/buf.h"
#include "support/diag.h"

/* Fills in what a dump does not state: counters start at their reload values, and the sequencer in
 * state 0. `stated` has 1 for each register that the dump states, and 0 for the others. Warns in d
 * of each such register that matters, and of settings that are reserved, have no effect, or refer
 * to what the core does not have. */
void etm_check(struct etm_regs *r, const struct etm_regs *stated, const struct etm_core *core,
	       struct diags *d);

/* Appends a line of comment for each selector that is programmed or used: what it selects. */
void etm_print_selectors(const struct etm_regs *r, const struct etm_core *core, struct buf *b);

/* Appends what the registers mean in a reading, as text that the compiler reads: a machine with the
 * sequencer's states, the counters, and outputs out0 … out3 and trace. A counter that counts every
 * cycle becomes the ticks. States in which a counter without RLDSELF is at zero are states of their
 * own. Returns NULL, or why no machine says the same; what was appended then has no meaning. */
const char *etm_print_machine(const struct etm_regs *r, const struct etm_core *core,
			      struct etm_reading reading, struct buf *b);

/* Appends the name of input `input` (etm_decode.h) as a predicate of the protocol of the core.
 * False: the protocol has no name for it. */
bool etm_print_input(const struct etm_regs *r, const struct etm_core *core, unsigned input,
		     struct buf *b);

#endif
