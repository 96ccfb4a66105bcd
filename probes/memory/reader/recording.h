/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* recording.h: writes the messages of messages.h to a compact trace, for nfarun(1). */
#ifndef NFACC_PROBES_MEMORY_READER_RECORDING_H
#define NFACC_PROBES_MEMORY_READER_RECORDING_H

#include <stdio.h>

#include "include/nfart.h"
#include "probes/memory/reader/messages.h"

struct recording;

/*
 * Makes a writer that writes the messages of `x`, of protocol p, to f. All arguments must outlive
 * it. On failure returns NULL and sets *e.
 */
struct recording *recording_new(struct messages *x, const struct nfart_proto *p, FILE *f,
				struct nfart_error *e);

/*
 * recording_end() writes the rest of the trace. recording_again() then begins a new trace in f, for
 * the messages that follow.
 */
enum nfart_status recording_end(struct recording *r, struct nfart_error *e);
enum nfart_status recording_again(struct recording *r, const struct nfart_proto *p, FILE *f,
				  struct nfart_error *e);

/* Writes the rest of the trace and frees r. r may be NULL. */
enum nfart_status recording_close(struct recording *r, struct nfart_error *e);

#endif
