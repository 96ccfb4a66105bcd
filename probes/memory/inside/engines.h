/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The ways in which an instruction that faulted gets on. All are called in the handler, with
 * sites_lock held, and record what the instruction accesses, or let its copy do so.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_ENGINES_H
#define NFACC_PROBES_MEMORY_INSIDE_ENGINES_H
#include "probes/memory/inside/sites.h"

/*
 * Records the operands of a site that lie in watched memory: loads first. If the instruction is
 * atomic a stamp comes before them.
 */
void engine_record(const struct site *s, const ucontext_t *context);

/* Opens what the instruction touches, and sets the trap flag. `at` is where it faulted. */
void engine_step(const struct site *s, ucontext_t *context, uintptr_t at);

/*
 * The same for the instruction in a site's copy, where its access goes over a border of watched
 * memory: it works on the program's own addresses. What it accesses is recorded already. False,
 * with nothing changed, if none of it is watched.
 */
bool engine_step_copy(const struct site *s, ucontext_t *context);

/*
 * Opens one more page for the single step that is under way, or one that was closed meanwhile.
 * False if no step is under way, or the program itself may not access the page so.
 */
bool engine_step_more(uintptr_t at, bool store);

/* After the single step: closes what was opened. False if there was none. */
bool engine_stepped(ucontext_t *context);

/* Goes on in the site's copy. False where it has none, or this access needs a single step. */
bool engine_stub(struct site *s, ucontext_t *context);

/*
 * Puts a jump to a logging copy in the place of the instruction, and of those behind it that may
 * access watched memory; the context is not changed. False where the instruction cannot be
 * replaced.
 */
bool engine_patch(struct site *s, const ucontext_t *context);
#endif
