/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_ports.h: the names in the module of a protocol's taps.
 *
 * Note [names in a tap's module]. The ports are the clock and the signals. With several interfaces
 * the name of a signal has that of its interface before it: cpu_awvalid. A name in the module that
 * is not a port has a `$` in it, which no name of a description has. A port that is called like a
 * word of SystemVerilog has a backslash before it and a blank after it.
 *
 * The clock is the first name that all interfaces give their clock. Of several resets the module
 * has the first. Its signals are ports, and those that only the others have are not.
 */
#ifndef NFACC_COMPILER_TAP_PORTS_H
#define NFACC_COMPILER_TAP_PORTS_H

#include "contract/proto/proto.h"
#include "contract/proto/tap.h"
#include "include/nfart_status.h"
#include "support/vec.h"

/* The port of a signal. */
struct tap_port {
	const char *name;      /* as it stands in Verilog */
	const char *plain;     /* the same without a backslash */
	const char *param;     /* the parameter that is its width; NULL: it has one bit */
	uint32_t side, signal; /* the interface and the signal */
};

struct tap_ports {
	struct arena arena;
	const struct nfart_proto *p;
	const char *module, *clock; /* their names, as they stand in Verilog */
	bool falling;               /* samples are taken at falling edges */
	VEC(struct tap_port) list;  /* without the clock */
};

/* Finds the ports. Returns NFART_OK, NFART_INPUT if there can't be a module, or NFART_SYSTEM if
 * memory is short; *e says why. Free *x with tap_ports_free() in any case. */
enum nfart_status tap_ports_find(struct tap_ports *x, const struct nfart_proto *p,
				 struct nfart_error *e);
void tap_ports_free(struct tap_ports *x);

/* Is this signal the clock of the module? */
bool tap_is_clock(const struct tap_ports *x, const struct tap_interface *side, uint32_t signal);

/* Returns a copy of the formatted text in the arena. NULL: out of memory. */
const char *tap_text(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
