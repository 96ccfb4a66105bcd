/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * eci.c: a port on a link of ECI, by the messages of protocol eci-front. A snoop counts when the
 * port answers it, and a DVM message when the port accepts it, as it does so when the front end is
 * done with it. A line of ECI has 128 bytes, which are two lines of the front end.
 */
#include "probes/virtual/bus/port.h"

enum { SLOT_OUT = VIRT_PORT_OWN, SLOT_READ, SLOT_IN };

/*
 * The halves of the line that were asked for are snoops. That with the byte that the core wants
 * comes first; the other comes along, as if it was read ahead from its first byte on.
 */
static void take_snoop(struct virt_port *x)
{
	uint64_t wanted = virt_port_line(x, SLOT_OUT);
	uint64_t kind = virt_port_get(x, SLOT_OUT, VIRT_PORT_KIND);
	uint64_t quarters = virt_port_get(x, SLOT_OUT, VIRT_PORT_QUARTERS);

	for (unsigned i = 0; i < 2 && kind <= VIRT_MAKE_UNIQUE; i++) {
		uint64_t pa = wanted ^ i * VIRT_LINE_BYTES;
		unsigned half = (unsigned)(pa / VIRT_LINE_BYTES % 2);

		if (quarters == 0 || (quarters >> 2 * half & 3) != 0)
			virt_port_snoop(x, (enum virt_snoop_kind)kind, pa,
					i > 0 ? 0
					      : (unsigned)virt_port_get(x, SLOT_OUT,
									VIRT_PORT_OFFSET));
	}
	x->read[VIRT_READ_SNOOPED].beats = 0;
}

/* Returns the message of a GINV. Its kind may be none of the front end's. */
static struct virt_dvm message(const struct virt_port *x, unsigned slot)
{
	return (struct virt_dvm){
		.kind = (enum virt_dvm_kind)virt_port_get(x, slot, VIRT_PORT_KIND),
		.va = virt_va(virt_port_get(x, slot, VIRT_PORT_VA) << VIRT_LINE_BITS),
		.asid = (uint16_t)virt_port_get(x, slot, VIRT_PORT_ASID)
	};
}

static const struct virt_dvm sync = { .kind = VIRT_SYNC };

static void take_in(struct virt_port *x)
{
	struct virt_dvm m = message(x, SLOT_IN);

	if (virt_port_is(x, SLOT_IN, "COMPLETE")) {
		virt_replay_done(x->r, VIRT_CHANNEL_DVM, NULL);
		return;
	}
	if (m.kind >= VIRT_SYNC)
		m.kind = VIRT_TLBI_ALL;
	virt_replay_dvm(x->r, &m);
}

static void take_out(struct virt_port *x)
{
	struct virt_dvm m = message(x, SLOT_OUT);

	if (virt_port_is(x, SLOT_OUT, "SNOOP"))
		take_snoop(x);
	else if (virt_port_is(x, SLOT_OUT, "SYNC"))
		virt_replay_dvm(x->r, &sync);
	else if (virt_port_is(x, SLOT_OUT, "ASK_CLEAN"))
		virt_replay_clean(x->r, virt_port_line(x, SLOT_OUT));
	else if (virt_port_is(x, SLOT_OUT, "ASK_SYNC"))
		virt_port_send(x, &sync);
	else if (virt_port_is(x, SLOT_OUT, "ASK_DVM"))
		virt_port_send(x, m.kind < VIRT_SYNC ? &m : NULL);
}

static void step(struct virt_port *x)
{
	if (virt_port_has(x, SLOT_IN))
		take_in(x);
	if (virt_port_has(x, SLOT_OUT))
		take_out(x);
	if (virt_port_has(x, SLOT_READ))
		virt_port_ask(x, SLOT_READ);
}

const struct virt_port_kind virt_port_eci = { .protocol = "eci-front", .step = step };
