/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * port.h: ports of interconnects, one file each. Each turns the messages of a tap into what the
 * front end's ports see (replay.h).
 */
#ifndef NFACC_PROBES_VIRTUAL_BUS_PORT_H
#define NFACC_PROBES_VIRTUAL_BUS_PORT_H

#include "include/nfart.h"
#include "probes/virtual/bus/replay.h"

struct virt_port;

struct virt_port_kind {
	const char *protocol; /* a shipped protocol with taps */
	/* Makes a port, which borrows both. NULL: out of memory. Free it with free(). */
	struct virt_port *(*make)(const struct nfart_proto *p, struct virt_replay *r);
	/* A cycle in which something was accepted. */
	void (*step)(struct virt_port *port, const struct nfart_batch *b);
};

extern const struct virt_port_kind virt_port_ace;

#endif
