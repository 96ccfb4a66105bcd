/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_print.h: prints the outputs of nfarun that are not batches: the summary of a run, its
 * counts, and a description of an image.
 */
#ifndef NFART_NFARUN_PRINT_H
#define NFART_NFARUN_PRINT_H

#include "tools/nfarun/nfarun_options.h"

/* Prints the summary of a run to f, as text for people. */
void print_summary(const struct run *r, const struct nfarun_options *o, FILE *f);

/* Prints the output of --count to f, in the form of the options: text, json or csv. It has the
 * numbers of the summary, or with --by line a number for each label and line. False: out of memory.
 * The caller checks f for write errors. */
bool print_counts(const struct run *r, const struct nfarun_options *o, FILE *f);

/* Prints the sections and registers of an image to f. */
void print_image(const struct nfart_image *im, FILE *f);

#endif
