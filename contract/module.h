/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * module.h: what the tools and the module with the compiler agree on. The module is a shared object
 * that nfarun opens for -e and nfamem for -f FILE.re, so that other runs do not load the compiler.
 * It compiles filters for the software engine alone.
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
	const char *const *params; /* [nparams]: NAME=NUMBER, of the protocol or the text */
	size_t nparams;
	bool statements;      /* the text is statements, however it ends */
	bool colour;          /* diagnostics are coloured */
};

/* Compiles a filter into an image. Errors and warnings go to standard error. Returns the exit code
 * of nfacc; with NFART_OK *image are *n bytes, which the caller frees. */
typedef enum nfart_status module_compile(const struct module_request *r, char **image, size_t *n);

/* Opens the module where beside_find() finds it, and compiles a filter. Returns what module_compile
 * does. After an error *e says what failed, or has an empty text if the module has reported errors
 * in the filter. */
enum nfart_status module_call(const struct module_request *r, char **image, size_t *n,
			      struct nfart_error *e);

#endif
