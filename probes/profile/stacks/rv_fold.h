/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_fold.h: merges the data of processes that have ended.
 *
 * Note [folding]
 * Each process has its own tree, because a module that was found in it may still be withdrawn. When
 * the process has ended, its tree can be merged with those of other processes of the same program.
 * A new process can then use its number. So memory is needed for the code that processes execute,
 * and for processes that are alive, but not for each process that ever was.
 *
 * A process has ended when another process has its satp, or another satp with the same page table.
 * So the number of living processes is at most the number of page tables in the machine's memory.
 */
#ifndef NFACC_RISCV_RV_FOLD_H
#define NFACC_RISCV_RV_FOLD_H

#include "probes/profile/stacks/rv_profile.h"

/* Trees are merged when this many processes have ended. */
enum { RV_FOLD_ENDS = 64 };

/*
 * Merges the trees of all processes that have ended. Frees their address spaces and the threads
 * that stopped in them. Also drops their mappings, unless p->keeps_mappings, and frees their
 * numbers, unless p->keeps_numbers. Nodes of the tree get new numbers. Returns false if there is no
 * memory; *p does not change then. Cost: linear in the nodes; if mappings were withdrawn, times the
 * known mappings.
 */
bool rv_fold(struct rv_profile *p);

/*
 * Whether the module of a function was found in the process or in the kernel, and was later
 * withdrawn. What was counted for it is then unknown.
 */
bool rv_is_withdrawn(const struct rv_profile *p, uint32_t process, uint32_t function);

#endif
