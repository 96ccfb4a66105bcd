/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay_text.h: reads and writes descriptions of overlays. A description has a statement `NAME
 * VALUE;` for each parameter in contract/contract.def. nfacc-overlay(5) describes the form, and
 * overlays/default.ov is an example.
 */
#ifndef NFACC_GRAMMAR_OVERLAY_TEXT_H
#define NFACC_GRAMMAR_OVERLAY_TEXT_H

#include "contract/contract.h"
#include "support/diag.h"

struct overlay_desc {
	struct overlay o;  /* the overlay; slots and op_bits are 0 until a protocol is known */
	char name[64];
	char protocol[64]; /* name of the protocol that the overlay taps; "": any protocol */
};

/* Fills *v with the overlay "default", whose parameters are those of nfacc-overlay(5). */
void overlay_desc_default(struct overlay_desc *v);

/* Parses a description of n bytes into *v. `file` is its name in messages. False: there were
 * errors, which are reported in d, or memory is short. */
bool overlay_parse(struct diags *d, const char *file, const char *text, size_t n,
		   struct overlay_desc *v);

/* Reads the value s of option --overlay if it is `none` or consists of numbers, `C,L,R,N[,NCLS]`.
 * True: *v is the overlay, or *bad says that the numbers describe no overlay. False: s is something
 * else, such as the name of a file or of a shipped overlay. */
bool overlay_numbers(const char *s, struct overlay_desc *v, bool *bad);

/* Appends the description to b as text. overlay_parse() reads it back. */
void overlay_print(const struct overlay_desc *v, struct buf *b);

#endif
