/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * proto_text.h: parses descriptions of protocols into tables. nfacc-protocol(5) describes the form,
 * and protocols/eci.proto is an example.
 */
#ifndef NFACC_GRAMMAR_PROTO_TEXT_H
#define NFACC_GRAMMAR_PROTO_TEXT_H

#include "contract/proto/proto.h"
#include "support/diag.h"

/* Parameters that are set from outside, as by -D. */
struct proto_given {
	const char *const *params; /* [n]: NAME=NUMBER */
	size_t n;
	bool *used;                /* [n]: becomes true if the description has the parameter */
};

/* Is this NAME=NUMBER? */
bool proto_given_fine(const char *param);

/* Parses a description of n bytes into *out, which the caller frees with proto_free(). `file` is
 * the name of the description in messages. A description that it extends is looked for as in
 * proto_find(), in the ndirs folders `dirs`. Returns NFART_OK, NFART_INPUT after errors (reported
 * in d), or NFART_SYSTEM if memory is short or a file can't be read (reported in d). If the answer
 * is not NFART_OK, *out is NULL. */
enum nfart_status proto_parse(struct diags *d, const char *const *dirs, size_t ndirs,
			      const char *file, const char *text, size_t n,
			      struct nfart_proto **out);

/* Finds the description of protocol `name` (n bytes) and parses it. The file NAME.proto is looked
 * for in the ndirs folders `dirs`, in their order, and then among the shipped protocols. Returns
 * what proto_parse() does, or NFART_NO if there is no such protocol. */
enum nfart_status proto_find(struct diags *d, const char *const *dirs, size_t ndirs,
			     const char *name, size_t n, struct nfart_proto **out);

/* The same with parameters that are set. `given` may be NULL. */
enum nfart_status proto_parse_given(struct diags *d, const char *const *dirs, size_t ndirs,
				    const struct proto_given *given, const char *file,
				    const char *text, size_t n, struct nfart_proto **out);
enum nfart_status proto_find_given(struct diags *d, const char *const *dirs, size_t ndirs,
				   const struct proto_given *given, const char *name, size_t n,
				   struct nfart_proto **out);

#endif
