/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The engines: the ways to execute an instruction that faulted. All functions are called in the
 * handler, with sites_lock held. They record what the instruction accesses, or its copy records it.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_ENGINES_H
#define NFACC_PROBES_MEMORY_INSIDE_ENGINES_H
#include "probes/memory/inside/sites.h"

/*
 * Records the operands of a site that are watched, loads before stores. If the instruction is
 * atomic, a stamp comes first.
 */
void engine_record(const struct site *s, const ucontext_t *context);

/*
 * Opens the pages that the instruction accesses, and sets the trap flag. `at` is the address that
 * faulted.
 */
void engine_step(const struct site *s, ucontext_t *context, uintptr_t at);

/*
 * A single step for the instruction in a site's copy, if its access crosses a border of watched
 * memory. The instruction then uses own addresses instead of aliases. The access is already
 * recorded. If none of the memory is watched, returns false and changes nothing.
 */
bool engine_step_copy(const struct site *s, ucontext_t *context);

/*
 * Opens one more page for the single step that is running, or a page that was closed meanwhile.
 * Returns false if no step is running, or if the program itself may not access the page in this
 * way.
 */
bool engine_step_more(uintptr_t at, bool store);

/*
 * After the single step, or if it cannot be completed (not `trapped`): closes the pages that were
 * opened. Returns false if there was no step.
 */
bool engine_stepped(ucontext_t *context, bool trapped);

/*
 * Continues in the site's copy. Returns false if the site has no copy, or if the access needs a
 * single step.
 */
bool engine_stub(struct site *s, ucontext_t *context);

/*
 * Replaces the instruction by a jump to its logging copy. Also replaces instructions after it that
 * may access watched memory. Does not change the context. Returns false if the instruction cannot
 * be replaced.
 */
bool engine_patch(struct site *s, const ucontext_t *context);

/*
 * The same for an instruction that has not faulted, and for none after it. Called between
 * pages_begin and pages_end.
 */
bool engine_patch_one(struct site *s);

/*
 * Replaces the return at pc. If its jump has no place, replaces an instruction before it, with a
 * copy that goes on up to the return: `before` are the `n` instructions that come right before it,
 * the last one first. Called between pages_begin and pages_end.
 */
void engine_patch_return(uintptr_t pc, const uintptr_t *before, unsigned n);

/* The same for the return at `back`, or else for a jump at pc that leads there. */
void engine_patch_jump_to_return(uintptr_t pc, uintptr_t back);

/*
 * Replaces a call whose target has a stretch, which it goes to then. Called between pages_begin and
 * pages_end. Returns false if it cannot be replaced.
 */
bool engine_patch_call(struct site *s);
#endif
