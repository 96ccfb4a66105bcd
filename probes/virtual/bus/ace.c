/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ace.c: an ACE port, by the messages of protocol ace-front. A snoop, or a DVM message, counts
 * when the port answers it, as the front end answers it when it is done with it.
 */
#include "probes/virtual/bus/port.h"

enum { SLOT_SNOOP = VIRT_PORT_OWN, SLOT_ASK, SLOT_TAKEN };

static uint16_t own_asid(const struct virt_port *x)
{
	return (uint16_t)x->r->front.regs.asid[0];
}

static void take_snoop(struct virt_port *x)
{
	static const struct {
		const char *name;
		enum virt_snoop_kind kind;
	} kinds[] = { { "READ_ONCE", VIRT_READ_ONCE },
		      { "READ_SHARED", VIRT_READ_SHARED },
		      { "READ_CLEAN", VIRT_READ_CLEAN },
		      { "READ_UNIQUE", VIRT_READ_UNIQUE },
		      { "MAKE_UNIQUE", VIRT_MAKE_UNIQUE } };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (virt_port_is(x, SLOT_SNOOP, kinds[i].name)) {
			virt_port_snoop(x, kinds[i].kind, virt_port_line(x, SLOT_SNOOP),
					(unsigned)virt_port_get(x, SLOT_SNOOP, VIRT_PORT_OFFSET));
			x->read[VIRT_READ_SNOOPED].beats = 0;
		}
}

static void take_answer(struct virt_port *x)
{
	struct virt_dvm m;

	if (virt_port_is(x, SLOT_SNOOP, "COMPLETE"))
		virt_replay_done(x->r, VIRT_CHANNEL_DVM, NULL);
	else if (!virt_port_is(x, SLOT_SNOOP, "DVM"))
		take_snoop(x);
	else if (virt_dvm_part(&x->came, virt_port_get(x, SLOT_SNOOP, VIRT_PORT_PART), own_asid(x),
			       &m))
		virt_replay_dvm(x->r, &m);
}

static void take_request(struct virt_port *x)
{
	struct virt_dvm m;

	if (virt_port_is(x, SLOT_ASK, "ASK_CLEAN"))
		virt_replay_clean(x->r, virt_port_line(x, SLOT_ASK));
	else if (virt_port_is(x, SLOT_ASK, "ASK_READ"))
		virt_port_ask(x, SLOT_ASK);
	else if (virt_port_is(x, SLOT_ASK, "ASK_DVM") &&
		 virt_dvm_part(&x->sent, virt_port_get(x, SLOT_ASK, VIRT_PORT_PART), own_asid(x),
			       &m))
		virt_port_send(x, &m);
}

static void step(struct virt_port *x)
{
	x->waiting += virt_port_has(x, SLOT_TAKEN);
	if (virt_port_has(x, SLOT_SNOOP)) {
		/* To a stray answer the taps have no snoop, as after a reset. */
		if (x->waiting > 0)
			x->waiting = virt_port_is(x, SLOT_SNOOP, "STRAY") ? 0 : x->waiting - 1;
		take_answer(x);
	}
	if (virt_port_has(x, SLOT_ASK))
		take_request(x);
}

const struct virt_port_kind virt_port_ace = { .protocol = "ace-front", .step = step };
