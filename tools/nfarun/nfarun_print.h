/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_print.h: what nfarun says besides batches: the summary of a run, its counts, an image.
 */
#ifndef NFART_NFARUN_PRINT_H
#define NFART_NFARUN_PRINT_H

#include "tools/nfarun/nfarun_options.h"

/* The summary, as text for people. */
void print_summary(const struct run *r, const struct nfarun_options *o, FILE *f);

/* What --count writes, in the form that o->to names (text, json or csv): the summary's numbers, or with
 * --by line those of each label and line. False: out of memory; whether f took it, f knows. */
bool print_counts(const struct run *r, const struct nfarun_options *o, FILE *f);

/* The sections and registers of an image. */
void print_image(const struct nfart_image *im, FILE *f);

#endif
