/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * emit.h: outputs for hardware and firmware. Every function prints the contract or an image, so that no
 * two outputs can disagree. Each appends text to b; b->failed says that memory was short. The output is
 * BSD-2-Clause, like the engine that it belongs to.
 */
#ifndef NFACC_BACKENDS_EMIT_H
#define NFACC_BACKENDS_EMIT_H

#include "contract/image.h"

/* The parameters of nfacc_engine for an overlay (slots and op_bits set, not none): an include for its
 * parameter list, rtl/nfacc_engine.v. */
void emit_verilog(const struct overlay *o, const struct nfart_proto *p, const char *name,
		  struct buf *b);

/* The registers of the engine, as a page of Markdown. */
void emit_regs(const struct overlay *o, const struct nfart_proto *p, const char *name,
	       struct buf *b);

/* The configuration words for $readmemh, one a line. */
void emit_mem(const struct nfart_image *im, struct buf *b);

/* A C header for firmware: contract_header(), words, labels (C11, C++17, freestanding). */
void emit_header(const struct nfart_image *im, struct buf *b);

#endif
