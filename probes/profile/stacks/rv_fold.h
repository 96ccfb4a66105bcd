/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_fold.h: merges what processes that have ended have left.
 *
 * Note [folding]
 * Each process has a tree of its own, because a file that was found in it may still be withdrawn.
 * Once it has ended, its tree can become one with those of other processes of its program, and a
 * new process can have its number. So memory is taken for the code that processes execute, and for
 * those that have not ended, but not for each that there ever was.
 *
 * A process has ended when its satp, or another satp with the same page table, is that of another
 * process. So no more processes are alive than there are page tables in the machine's memory.
 */
#ifndef NFACC_RISCV_RV_FOLD_H
#define NFACC_RISCV_RV_FOLD_H

#include "probes/profile/stacks/rv_profile.h"

/* After so many processes have ended, their trees are merged. */
enum { RV_FOLD_ENDS = 64 };

/* Merges the trees of all processes that have ended, and forgets their address spaces and the
 * threads that stopped in them; also their mappings, unless p->keeps_mappings, and their numbers,
 * unless p->keeps_numbers. Nodes of the tree get other numbers. False: out of memory; *p is as it
 * was. Cost: linear in the nodes, times the mappings that are known if some were withdrawn. */
bool rv_fold(struct rv_profile *p);

/* Was the function's module found in the process, or in the kernel, and withdrawn later, so that
 * what was added to it is unknown? */
bool rv_is_withdrawn(const struct rv_profile *p, uint32_t process, uint32_t function);

#endif
