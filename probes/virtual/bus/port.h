/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * port.h: ports of interconnects. Each kind turns the messages of a tap into what the front end's
 * ports see (replay.h). This is what all have: writes to registers, lines that the port reads from
 * memory, and messages to send. A file for each kind has the rest.
 */
#ifndef NFACC_PROBES_VIRTUAL_BUS_PORT_H
#define NFACC_PROBES_VIRTUAL_BUS_PORT_H

#include "include/nfart.h"
#include "probes/virtual/bus/dvm.h"
#include "probes/virtual/bus/replay.h"

/* Channels of the protocols: these first ones are the same in all. */
enum virt_port_slot {
	VIRT_PORT_SET,
	VIRT_PORT_SET_HIGH,
	VIRT_PORT_BEAT,
	VIRT_PORT_BEAT_HIGH,
	VIRT_PORT_OWN /* the first that each kind has for itself */
};

/* Fields of messages. */
enum virt_port_field {
	VIRT_PORT_OFFSET,
	VIRT_PORT_REGISTER,
	VIRT_PORT_LOW,
	VIRT_PORT_HIGH,
	VIRT_PORT_ID,
	VIRT_PORT_LAST,
	VIRT_PORT_PART,
	VIRT_PORT_KIND,
	VIRT_PORT_QUARTERS,
	VIRT_PORT_VA,
	VIRT_PORT_ASID,
	VIRT_PORT_FIELDS
};

/* ARID, RID: what the port reads for. */
enum virt_port_read { VIRT_READ_SNOOPED, VIRT_READ_CLEANED, VIRT_PORT_READS };

enum {
	VIRT_PORT_WORDS = 2 * VIRT_LINE_ENTRIES, /* in the longest line of an interconnect */
	VIRT_PORT_WAITING = 64 /* snoops that the queues of the taps can hold */
};

struct virt_line_read {
	bool asked;
	unsigned beats; /* of `word`, from address `pa` on */
	uint64_t pa;
	uint64_t word[VIRT_PORT_WORDS];
};

struct virt_port {
	const struct virt_port_kind *kind;
	const struct nfart_proto *p;
	struct virt_replay *r;
	uint32_t field[VIRT_PORT_FIELDS];
	const struct nfart_batch *b; /* the current cycle */
	struct virt_line_read read[VIRT_PORT_READS];
	struct virt_dvm_parts came, sent;
	unsigned waiting;  /* snoops that were accepted and not answered, if the kind counts them */
	bool sync_follows; /* a message was sent, and the Sync that belongs to it was not */
};

struct virt_port_kind {
	const char *protocol; /* a shipped protocol with taps */
	/* The messages of a cycle in the slots from VIRT_PORT_OWN on. */
	void (*step)(struct virt_port *port);
};

extern const struct virt_port_kind virt_port_ace, virt_port_eci;

/* Makes a port, which borrows all three. NULL: out of memory. Free it with free(). */
struct virt_port *virt_port_new(const struct virt_port_kind *kind, const struct nfart_proto *p,
				struct virt_replay *r);

/*
 * A cycle in which something was accepted. False: more snoops wait for their answers than the taps
 * can tell apart, and nothing after this can be trusted.
 */
bool virt_port_step(struct virt_port *port, const struct nfart_batch *b);

/* Messages were lost: the front end forgets all translations, and the taps all that waits. */
void virt_port_lost(struct virt_port *port);

/* ---- for the kinds ---- */

/* Whether the current cycle has a message in a slot, and whether that is of a type. */
bool virt_port_has(const struct virt_port *x, unsigned slot);
bool virt_port_is(const struct virt_port *x, unsigned slot, const char *type);

/* Returns a field of the message in a slot, and its line. Without one they are 0. */
uint64_t virt_port_get(const struct virt_port *x, unsigned slot, enum virt_port_field f);
uint64_t virt_port_line(const struct virt_port *x, unsigned slot);

/* The port asks its memory for a line, whose beats have the number of the message in the slot. */
void virt_port_ask(struct virt_port *x, unsigned slot);

/* A snoop of the line `pa` was answered. The content of the line is what was read for it, if so. */
void virt_port_snoop(struct virt_port *x, enum virt_snoop_kind kind, uint64_t pa, unsigned word);

/* The port has sent a message. NULL: what it is was not recorded. */
void virt_port_send(struct virt_port *x, const struct virt_dvm *m);

#endif
