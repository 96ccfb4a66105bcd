/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * warn.h: what spec and automaton show about filters that their author may not have meant: a label that is
 * never set, two that are equal or of which one contains the other, a log that makes no difference; and
 * what the proof of the image leaves open.
 */
#ifndef NFACC_COMPILER_WARN_H
#define NFACC_COMPILER_WARN_H

#include "compiler/verify.h"
#include "ir/nfa.h"

/* Reports into d what is proved (ir/decide/decide.h) within a small number of steps; what isn't is not reported.
 * False: out of memory. */
bool warn_automaton(const struct nfa *a, struct diags *d);

/* Reports what can begin to match only with the first batch (Note [anchored]). The spec is as written,
 * without counters of the compiler's own. False: out of memory. Linear. */
bool warn_anchored(const struct spec *s, struct diags *d);

/* Reports where the proof is not one for all streams. `full_helps`: VERIFY_FULL would go further. */
void warn_bounded(const struct spec *s, const struct verify_report *r, bool full_helps, struct diags *d);

#endif
