/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_machine.h: what machines do, by definition, against what a witness remembers.
 */
#ifndef NFACC_TESTSUITE_EXPLAIN_MACHINE_H
#define NFACC_TESTSUITE_EXPLAIN_MACHINE_H

#include "runtime/explain/witness.h"

/* A batch, as one copy saw it. */
struct seen {
	const struct nfart_batch *b;
	uint64_t slots;
	uint64_t *active;           /* states active after the batch, as a bit set */
};

/* Does the predicate, given by its index, hold for the batch? */
bool batch_satisfies(const struct nfart_image *im, uint32_t pred, const struct seen *s);

/* Runs the machines of a copy over the n batches that it saw since its start. Returns NULL if the
 * witness remembers the same, else what is different. *moves grows by the transitions compared. */
const char *machines_differ(const struct nfart_image *im, const struct witness_copy *c,
			    const struct seen *seen, size_t n, uint64_t *moves);

#endif
