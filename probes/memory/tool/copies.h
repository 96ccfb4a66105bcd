/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * copies.h: what the processes of nfamem do where the program forks, or executes another (follow.h
 * says why). A copy does not return from these functions.
 */
#ifndef NFACC_NFAMEM_COPIES_H
#define NFACC_NFAMEM_COPIES_H

#include "probes/memory/tool/run.h"

/* Takes an event that the process of x has written, after its memory has. False: *e says what went
 * wrong. */
bool copies_event(struct run *x, uint32_t thread, enum mem_event kind, const uint64_t *words,
		  size_t n, struct nfart_error *e);

/* Makes copies for programs that were executed. Only the first process of nfamem does. */
bool copies_arrivals(struct run *x, struct nfart_error *e);

/* The process of x has ended: makes copies for children of which it could not tell, and says if it
 * executed what can't be watched. */
bool copies_orphans(struct run *x, struct nfart_error *e);

#endif
