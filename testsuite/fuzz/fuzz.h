/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fuzz.h: what the fuzz targets share. A target is a file here that defines LLVMFuzzerTestOneInput();
 * fuzz.sh links it with libFuzzer, make check with driver.c, which runs the kept inputs in
 * corpus/TARGET. A target takes any bytes; what must hold of them it says with fuzz_expect().
 */
#ifndef NFACC_TESTSUITE_FUZZ_H
#define NFACC_TESTSUITE_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/nfart.h"
#include "support/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define fuzz_expect(x)                                                                             \
	((x) ? (void)0                                                                             \
	     : (fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #x), abort()))

/* The n bytes as a filter file, or as YAML: parsed, printed, and where it isn't large compiled. */
void fuzz_compile(const uint8_t *data, size_t n, bool yaml);

/* Prints the diagnostics to nowhere. */
void fuzz_print(struct diags *d);

/* The shipped protocol, kept for the life of the process. */
const struct nfart_proto *fuzz_proto(const char *name);

/* Reads n bytes as a trace; what comes out is written as batch text and compact, and read again. */
void fuzz_trace(const void *data, size_t n, const char *proto,
		const struct nfart_reader_options *o);

#endif
