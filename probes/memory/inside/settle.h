/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Puts threads that are in copies of instructions back to the program's own code. */
#ifndef NFACC_PROBES_MEMORY_INSIDE_SETTLE_H
#define NFACC_PROBES_MEMORY_INSIDE_SETTLE_H
#include "probes/memory/inside/sites.h"

/* The part of a copy that counts at an offset; NULL if none is there. */
const struct copy_part *settle_part(const struct site *s, uintptr_t away);

/*
 * Restores the registers that the head of a copy has saved. The context is that of a thread in the
 * head, or in the hlt that the head jumps to.
 */
void settle_unsave(const struct site *s, ucontext_t *context);

/* After an atomic instruction: writes the stamp that was being taken. */
void settle_stamp(const struct site *s, uintptr_t away, ucontext_t *context);

/* Puts the context of a thread in the copy of a return back. Called with sites_lock held. */
void settle_return(const struct site *s, ucontext_t *context);
#endif
