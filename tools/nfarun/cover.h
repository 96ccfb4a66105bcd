/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cover.h: nfarun --count --by rule, which says what rules of coherence traces exercise.
 */
#ifndef NFART_NFARUN_COVER_H
#define NFART_NFARUN_COVER_H

#include <signal.h>

#include "runtime/explain/coverage.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/reading.h"

/* Takes all batches of a trace. Returns NFART_OK, NFART_PARTIAL if it was interrupted or is
 * damaged, or what went wrong, and *e says more. */
enum nfart_status cover_trace(struct coverage *c, struct nfart_reader *r, struct reading *reading,
			      const volatile sig_atomic_t *stop, struct nfart_error *e);

/* Prints a row for each rule to f, and a summary to standard error. False: out of memory. */
bool cover_print(const struct coverage *c, const struct nfarun_options *o, FILE *f);

#endif
