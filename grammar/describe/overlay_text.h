/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay_text.h: overlay descriptions, text to parameters. The form is that of overlays/default.ov
 * and of nfacc-overlay(5): a statement `NAME VALUE;` for each parameter of contract/contract.def.
 */
#ifndef NFACC_GRAMMAR_OVERLAY_TEXT_H
#define NFACC_GRAMMAR_OVERLAY_TEXT_H

#include "contract/contract.h"
#include "support/diag.h"

struct overlay_desc {
	struct overlay o;  /* slots and op_bits are 0 until a protocol is known */
	char name[64];
	char protocol[64]; /* what it taps; "": any protocol's slots */
};

/* The defaults of language.md 8, named "default". */
void overlay_desc_default(struct overlay_desc *v);

/* Parses a description; false: errors went to d. */
bool overlay_parse(struct diags *d, const char *file, const char *text, size_t n,
		   struct overlay_desc *v);

/* `C,L,R,N[,NCLS]` or `none`, as --overlay takes them. False: it is neither (a file name then).
 * *bad is set where it looks like numbers and they are wrong. */
bool overlay_numbers(const char *s, struct overlay_desc *v, bool *bad);

/* The description as text that parses back to it. */
void overlay_print(const struct overlay_desc *v, struct buf *b);

#endif
