/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_text.h: protocol descriptions, text to table. The form is described in nfacc-protocol(5)
 * and, by example, in protocols/eci.proto.
 */
#ifndef NFACC_GRAMMAR_PROTO_TEXT_H
#define NFACC_GRAMMAR_PROTO_TEXT_H

#include "contract/proto.h"
#include "support/diag.h"

/* Parses a description into *out, which the caller frees with proto_free(). NFART_OK; NFART_INPUT:
 * errors went to d, located; NFART_SYSTEM: memory, or a file that can't be read (reported). *out is
 * NULL then. `dirs` (ndirs) are where `extends` looks, see proto_find. */
enum nfart_status proto_parse(struct diags *d, const char *const *dirs, size_t ndirs,
			      const char *file, const char *text, size_t n,
			      struct nfart_proto **out);

/* Finds protocol `name` (n bytes) as NAME.proto in the folders `dirs`, in order, or among the
 * shipped ones, and parses it. Returns what proto_parse() does, or NFART_NO if there is none. */
enum nfart_status proto_find(struct diags *d, const char *const *dirs, size_t ndirs,
			     const char *name, size_t n, struct nfart_proto **out);

#endif
