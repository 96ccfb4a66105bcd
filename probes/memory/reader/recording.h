/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * recording.h: messages.h as a compact trace, for nfarun(1).
 */
#ifndef NFACC_PROBES_MEMORY_READER_RECORDING_H
#define NFACC_PROBES_MEMORY_READER_RECORDING_H

#include <stdio.h>

#include "include/nfart.h"
#include "probes/memory/reader/messages.h"

struct recording;

/* Makes a writer of the messages of `x`, of protocol p, to f. All of them must outlive it. NULL: *e
 * says why. */
struct recording *recording_new(struct messages *x, const struct nfart_proto *p, FILE *f,
				struct nfart_error *e);

/* Writes what is left; and begins again with another file, for the messages that come then. */
enum nfart_status recording_end(struct recording *r, struct nfart_error *e);
enum nfart_status recording_again(struct recording *r, const struct nfart_proto *p, FILE *f,
				  struct nfart_error *e);

/* Writes what is left, and frees r, which may be NULL. */
enum nfart_status recording_close(struct recording *r, struct nfart_error *e);

#endif
