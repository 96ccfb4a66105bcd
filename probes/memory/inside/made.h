/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Code that the program makes at run time: what may be done with its instructions. */
#ifndef NFACC_PROBES_MEMORY_INSIDE_MADE_H
#define NFACC_PROBES_MEMORY_INSIDE_MADE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Called before the protection of a range becomes `prot`, or before it is mapped or unmapped (prot
 * 0). If the range holds code made at run time, its instructions get their own bytes back, unless
 * the memory goes away (not `kept`). Cost: linear in the sites, if it held such code.
 */
void made_change(uintptr_t at, size_t bytes, int prot, bool kept);

/*
 * Whether the program may change the instruction at pc at any time. Called with sites_lock held.
 */
bool made_writable(uintptr_t pc);

/* Whether pc lies in code that was made at run time. */
bool made_contains(uintptr_t pc);
#endif
