/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fuzz.h: what the fuzz targets share. A target is a file of this folder that defines
 * LLVMFuzzerTestOneInput(). fuzz.sh links it with libFuzzer. `make check` links it with driver.c,
 * which runs the kept inputs in corpus/TARGET. A target takes any bytes. It calls fuzz_expect() for
 * what must hold.
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

/* Parses the n bytes as a filter file or as YAML, and prints them. Compiles them unless the
 * automaton is large. */
void fuzz_compile(const uint8_t *data, size_t n, bool yaml);

/* Prints the diagnostics to /dev/null, so that printing is fuzzed, too. */
void fuzz_print(struct diags *d);

/* Returns the shipped protocol of this name. It is kept until the process ends. */
const struct nfart_proto *fuzz_proto(const char *name);

/* Reads n bytes as a trace. The records are written as batch text and as a compact trace, and read
 * again. */
void fuzz_trace(const void *data, size_t n, const char *proto,
		const struct nfart_reader_options *o);

/* Reads n bytes as a waveform: all values or every third one, each time stamp or those with
 * changes, by scanning (with `avx2` by no better instructions) or word by word. Returns a hash of
 * the changes and of how it ended. */
struct fuzz_wave_options {
	bool few, every, plain, avx2;
};
uint64_t fuzz_wave(const uint8_t *data, size_t n, const struct fuzz_wave_options *o);

#endif
