/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * emit.h: prints the outputs for hardware and firmware. Every function prints the contract or an
 * image, so no two outputs can disagree. Each appends text to b; b->failed says that memory was
 * short. The output is BSD-2-Clause, like the engine that it belongs to.
 */
#ifndef NFACC_BACKENDS_EMIT_H
#define NFACC_BACKENDS_EMIT_H

#include "contract/image/image.h"

/* Prints the parameters of rtl/engine/nfacc_engine.v for an overlay, as an include for the parameter list
 * of that module. `o` must not be overlay none, and its slots and op_bits must be set. `name` is
 * the overlay's name. */
void emit_verilog(const struct overlay *o, const struct nfart_proto *p, const char *name,
		  struct buf *b);

/* Prints the registers of the engine as a page of Markdown. The arguments are
 * those of emit_verilog(). */
void emit_regs(const struct overlay *o, const struct nfart_proto *p, const char *name,
	       struct buf *b);

/* Prints the registers as SystemRDL 2.0, with the constants of this overlay and the values after
 * power-up. The arguments are those of emit_verilog(). */
void emit_rdl(const struct overlay *o, const struct nfart_proto *p, const char *name,
	      struct buf *b);

/* Prints the configuration words in the form that $readmemh reads, one in each line. */
void emit_mem(const struct nfart_image *im, struct buf *b);

/* Draws the automaton on the overlay, as SVG (T figure 16). */
void emit_svg(const struct nfart_image *im, struct buf *b);

/* Prints a C header for firmware: the registers (contract_header()), the configuration words and
 * the label names. It compiles as C11 and as C++17, without a hosted C library. */
void emit_header(const struct nfart_image *im, struct buf *b);

#endif
