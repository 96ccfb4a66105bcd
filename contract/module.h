/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * module.h: what nfarun and the module with the compiler agree on. The module is a shared object
 * that nfarun opens for -e, so that a run without -e does not load the compiler. It compiles
 * filters for the software engine alone.
 */
#ifndef NFACC_CONTRACT_MODULE_H
#define NFACC_CONTRACT_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "include/nfart_status.h"

#define MODULE_FILE "nfacc-filter.so"
#define MODULE_VERSION "nfacc_filter_version" /* a const char[]: the version of the package */
#define MODULE_COMPILE "nfacc_filter_compile" /* a function of type module_compile */

struct module_request {
	/* An expression, or statements, the last of which ends in ';'. An expression is the filter
	 * `match`. */
	const char *text;
	const char *name;     /* of the text, in diagnostics */
	const char *protocol; /* name of the protocol; NULL: the text says it, or eci */
	const char *const *dirs; /* folders in which protocols are looked for first */
	size_t ndirs;
	bool statements;      /* the text is statements, however it ends */
	bool colour;          /* diagnostics are coloured */
};

/* Compiles a filter into an image. Errors and warnings go to standard error. Returns the exit code
 * of nfacc; with NFART_OK *image are *n bytes, which the caller frees. */
typedef enum nfart_status module_compile(const struct module_request *r, char **image, size_t *n);

#endif
