/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen.h: what gencontract prints, one file for each kind of output. All of it goes to stdout.
 */
#ifndef NFART_GEN_H
#define NFART_GEN_H

#include <stdbool.h>
#include <stdio.h>

/* The include of the engine, rtl/nfacc_contract.vh. */
void gen_verilog(void);

/* The page doc/contract.md. */
void gen_doc(void);

/* Copies a manual page from `in`; what stands between marks is made anew. False: there are no marks, or
 * one has no end. */
bool gen_man(FILE *in);

/* What each made file begins with, as comments between `open` and `close`. */
void gen_heading(const char *open, const char *close);

/* s in capital letters. */
void gen_upper(const char *s);

/* 1 to 4096, or rows, ste, bank: what the parameter can be; `comma` stands between values. */
struct overlay_param;
void gen_values(const struct overlay_param *p, const char *comma);

/* Its default: a number, or a value's word. */
void gen_preset(const struct overlay_param *p);

#endif
