/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ace.c: an ACE port, by the messages of protocol ace-front. A snoop, or a DVM message, counts
 * when the port answers it, as the front end answers it when it is done with it.
 */
#include "probes/virtual/bus/dvm.h"
#include "probes/virtual/bus/port.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_SET, SLOT_SET_HIGH, SLOT_BEAT, SLOT_BEAT_HIGH, SLOT_SNOOP, SLOT_ASK };

enum { READ_SNOOPED, READ_CLEANED, READS }; /* ARID, RID: what a line is read for */

enum field { OFFSET, REGISTER, LOW, HIGH, ID, LAST, PART, FIELDS };

static const char *const field_names[FIELDS] = { "offset", "register", "low", "high",
						 "id",     "last",     "part" };

struct line_read {
	bool asked;
	unsigned beats; /* VIRT_LINE_ENTRIES: the line is there */
	uint64_t pa;
	uint64_t line[VIRT_LINE_ENTRIES];
};

struct virt_port {
	const struct nfart_proto *p;
	struct virt_replay *r;
	uint32_t field[FIELDS];
	const struct nfart_batch *b;
	struct line_read read[READS];
	struct virt_dvm_parts came, sent;
	bool sync_follows; /* a message was sent, and the Sync that belongs to it was not */
};

static struct virt_port *make(const struct nfart_proto *p, struct virt_replay *r)
{
	struct virt_port *x = calloc(1, sizeof *x);

	if (x == NULL)
		return NULL;
	x->p = p;
	x->r = r;
	for (unsigned i = 0; i < FIELDS; i++)
		while (x->field[i] < nfart_proto_nfields(p) &&
		       strcmp(nfart_proto_field_name(p, x->field[i]), field_names[i]) != 0)
			x->field[i]++;
	return x;
}

static bool has(const struct virt_port *x, unsigned slot)
{
	return (x->b->mask >> slot & 1) != 0;
}

static bool is(const struct virt_port *x, unsigned slot, const char *name)
{
	const char *type = nfart_proto_type(x->p, slot, x->b->header[slot]);

	return type != NULL && strcmp(type, name) == 0;
}

static uint64_t get(const struct virt_port *x, unsigned slot, enum field f)
{
	uint64_t value = 0;

	nfart_proto_field(x->p, x->field[f], slot, x->b->header[slot], &value);
	return value;
}

static uint64_t line_of(const struct virt_port *x, unsigned slot)
{
	uint64_t address = 0;

	nfart_proto_address(x->p, slot, x->b->header[slot], &address);
	return address;
}

static uint16_t own_asid(const struct virt_port *x)
{
	return (uint16_t)x->r->front.regs.asid[0];
}

/* A beat of data. The answers to requests that read nothing are beats, too. */
static void take_beat(struct virt_port *x)
{
	uint64_t id = get(x, SLOT_BEAT, ID);
	struct line_read *l = &x->read[id < READS ? id : 0];

	if (id >= READS || !l->asked)
		return;
	if (l->beats < VIRT_LINE_ENTRIES)
		l->line[l->beats++] = get(x, SLOT_BEAT, LOW) | get(x, SLOT_BEAT_HIGH, HIGH) << 32;
	if (get(x, SLOT_BEAT, LAST) == 0)
		return;
	l->asked = false;
	if (id == READ_CLEANED && l->beats == VIRT_LINE_ENTRIES)
		virt_replay_done(x->r, VIRT_CHANNEL_CLEAN, l->line);
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
	struct line_read *l = &x->read[READ_SNOOPED];
	struct virt_snoop s = { .pa = line_of(x, SLOT_SNOOP), .time = x->b->time,
				.word = (unsigned)get(x, SLOT_SNOOP, OFFSET) };
	bool there = l->beats == VIRT_LINE_ENTRIES && l->pa == s.pa;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (is(x, SLOT_SNOOP, kinds[i].name)) {
			s.kind = kinds[i].kind;
			virt_replay_snoop(x->r, &s, there ? l->line : NULL);
			l->beats = 0;
		}
}

static void take_answer(struct virt_port *x)
{
	struct virt_dvm m;

	if (is(x, SLOT_SNOOP, "COMPLETE"))
		virt_replay_done(x->r, VIRT_CHANNEL_DVM, NULL);
	else if (!is(x, SLOT_SNOOP, "DVM"))
		take_snoop(x);
	else if (virt_dvm_part(&x->came, get(x, SLOT_SNOOP, PART), own_asid(x), &m))
		virt_replay_dvm(x->r, &m);
}

static void take_request(struct virt_port *x)
{
	uint64_t id = get(x, SLOT_ASK, ID);
	struct virt_dvm m;

	if (is(x, SLOT_ASK, "ASK_CLEAN")) {
		virt_replay_clean(x->r, line_of(x, SLOT_ASK));
	} else if (is(x, SLOT_ASK, "ASK_READ") && id < READS) {
		x->read[id] = (struct line_read){ .asked = true, .pa = line_of(x, SLOT_ASK) };
	} else if (is(x, SLOT_ASK, "ASK_DVM") &&
		   virt_dvm_part(&x->sent, get(x, SLOT_ASK, PART), own_asid(x), &m)) {
		if (m.kind != VIRT_SYNC || !x->sync_follows)
			virt_replay_send(x->r, &m);
		x->sync_follows = m.kind != VIRT_SYNC;
	}
}

static void step(struct virt_port *x, const struct nfart_batch *b)
{
	x->b = b;
	if (has(x, SLOT_SET))
		virt_replay_write(x->r, (unsigned)get(x, SLOT_SET, REGISTER),
				  get(x, SLOT_SET, LOW) | get(x, SLOT_SET_HIGH, HIGH) << 32);
	if (has(x, SLOT_BEAT))
		take_beat(x);
	if (has(x, SLOT_SNOOP))
		take_answer(x);
	if (has(x, SLOT_ASK))
		take_request(x);
}

const struct virt_port_kind virt_port_ace = {
	.protocol = "ace-front",
	.make = make,
	.step = step,
};
