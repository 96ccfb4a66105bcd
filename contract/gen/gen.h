/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen.h: the functions of gencontract. Each kind of output has a file of its
 * own. All print to stdout.
 */
#ifndef NFART_GEN_H
#define NFART_GEN_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the include of the engine, rtl/nfacc_contract.vh. */
void gen_verilog(void);

/* Prints the page doc/develop/contract.md. */
void gen_doc(void);

/* Copies a manual page from `in` to stdout, and generates anew what stands between the page's
 * marks. False: the page has no marks, a mark has no end, or reading failed. */
bool gen_man(FILE *in);

/* Prints the lines with which each generated file begins, as comments
 * between `open` and `close`; `source` is what the file is made from. */
void gen_heading(const char *open, const char *close, const char *source);

/* Prints s in capital letters. */
void gen_upper(const char *s);

/* Prints the values that a parameter can have. A number is printed as its range `1 to 4096`, a
 * choice as its values `rows, ste, bank`, with the text `comma` between them. */
struct overlay_param;
void gen_values(const struct overlay_param *p, const char *comma);

/* Prints the default of a parameter: a number or, for a choice, the word of its default value. */
void gen_preset(const struct overlay_param *p);

#endif
