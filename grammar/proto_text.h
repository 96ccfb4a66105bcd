/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_text.h: protocol descriptions, text to table. The form is described in nfacc-protocol(5)
 * and, by example, in protocols/eci.proto.
 */
#ifndef NFACC_GRAMMAR_PROTO_TEXT_H
#define NFACC_GRAMMAR_PROTO_TEXT_H

#include "compiler/support/diag.h"
#include "runtime/proto.h"

/* Parses a description. Errors go to d, located; NULL then, or where memory is short. The caller
 * frees the table with proto_free(). `dirs` (ndirs) are where `extends` looks, see proto_find. */
struct nfart_proto *proto_parse(struct diags *d, const char *const *dirs, size_t ndirs,
				const char *file, const char *text, size_t n);

/* Finds protocol `name` (n bytes) as NAME.proto in the folders `dirs`, in order, or among the
 * shipped ones, and parses it. NULL with no error in d: there is none. */
struct nfart_proto *proto_find(struct diags *d, const char *const *dirs, size_t ndirs,
			       const char *name, size_t n);

#endif
