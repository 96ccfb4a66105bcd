/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_verilog.h: writes the taps of a protocol as a module in Verilog-2005, which stands before the
 * engine, and the SystemVerilog `bind` that puts the module into a design, alone or with a monitor.
 *
 * The module makes the messages that the reader of waveforms makes (runtime/wave/tap_run.h), for
 * signals with two values. Each message comes one cycle after its sample.
 */
#ifndef NFACC_COMPILER_TAP_VERILOG_H
#define NFACC_COMPILER_TAP_VERILOG_H

#include "contract/proto/proto.h"
#include "include/nfart_status.h"

/* Where signals are in a design, as options say it. */
struct tap_where {
	const char *const *at;      /* [nat]: PREFIX, or USE=PREFIX */
	size_t nat;
	const char *const *signals; /* [nsignals]: NAME=EXPRESSION */
	size_t nsignals;
};

/* Appends the module to b. Returns NFART_OK, NFART_INPUT if the protocol has no taps or there can't
 * be such a module, or NFART_SYSTEM if memory is short; *e says why. Cost: linear in the operations
 * of the taps, and quadratic in their signals. */
enum nfart_status tap_verilog_print(const struct nfart_proto *p, struct buf *b,
				    struct nfart_error *e);

/* Appends the `bind` of this module; with `monitor` also that of nfacc_monitor.sv behind it. Returns what tap_verilog_print() does, or NFART_USAGE if
 * `where` does not fit the protocol. */
enum nfart_status tap_bind_print(const struct nfart_proto *p, const struct tap_where *where,
				 bool monitor, struct buf *b, struct nfart_error *e);

#endif
