/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * warn.h: warns of filters that may not be what their author meant. A label may never accept, may
 * accept the same as another label or only a part of it, or the log may make no difference. It also
 * warns if an image is not proved for all streams.
 */
#ifndef NFACC_COMPILER_WARN_H
#define NFACC_COMPILER_WARN_H

#include "compiler/proof/verify.h"
#include "ir/nfa.h"

/* Reports in d what the automaton shows: empty, equal and contained labels, and a useless log. Only
 * what can be proved in a small number of steps (ir/decide/decide.h) is reported. False: out of
 * memory. */
bool warn_automaton(const struct nfa *a, struct diags *d);

/* Reports in d the filters, log and counters that can begin to match only with the first batch of a
 * stream (Note [anchored]). The spec must be as written, before spec_count() makes counters of
 * repetitions. False: out of memory. Linear. */
bool warn_anchored(const struct spec *s, struct diags *d);

/* Reports in d the transitions of machines that are never taken, because of an earlier one. The
 * cost grows with the square of the transitions that start in the same state. False: out of
 * memory. */
bool warn_machines(const struct spec *s, struct diags *d);

/* Reports in d if proof r does not hold for all streams. `full_helps`: --verify=full would prove
 * more, which a note says. */
void warn_bounded(const struct spec *s, const struct verify_report *r, bool full_helps,
		  struct diags *d);

#endif
