/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * oracle_machine.h: the part of the reference matcher that runs a machine, from the sentences of
 * nfacc-filter(5), Machines. Internal to oracle_copy.c.
 */
#ifndef NFACC_IR_ORACLE_MACHINE_H
#define NFACC_IR_ORACLE_MACHINE_H

#include "grammar/ast.h"

/* Does the predicate of node `pred` hold for batch i? */
typedef bool oracle_holds(const void *ctx, ast_id_t pred, size_t i);

/* Runs machine m of the tree over n batches, and puts into after[i] the state after batch i, as an
 * index into its states. False: out of memory. */
bool oracle_machine_run(const struct ast *a, const struct ast_machine *m, oracle_holds *holds,
			const void *ctx, size_t n, uint32_t *after);

#endif
