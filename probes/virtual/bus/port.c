/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/bus/port.h"

#include <stdlib.h>
#include <string.h>

static const char *const field_names[VIRT_PORT_FIELDS] = {
	"offset", "register", "low", "high", "id", "last", "part", "kind", "quarters", "va", "asid"
};

struct virt_port *virt_port_new(const struct virt_port_kind *kind, const struct nfart_proto *p,
				struct virt_replay *r)
{
	struct virt_port *x = calloc(1, sizeof *x);

	if (x == NULL)
		return NULL;
	x->kind = kind;
	x->p = p;
	x->r = r;
	for (unsigned i = 0; i < VIRT_PORT_FIELDS; i++)
		while (x->field[i] < nfart_proto_nfields(p) &&
		       strcmp(nfart_proto_field_name(p, x->field[i]), field_names[i]) != 0)
			x->field[i]++;
	return x;
}

bool virt_port_has(const struct virt_port *x, unsigned slot)
{
	return (x->b->mask >> slot & 1) != 0;
}

bool virt_port_is(const struct virt_port *x, unsigned slot, const char *type)
{
	const char *name = nfart_proto_type(x->p, slot, x->b->header[slot]);

	return name != NULL && strcmp(name, type) == 0;
}

uint64_t virt_port_get(const struct virt_port *x, unsigned slot, enum virt_port_field f)
{
	uint64_t value = 0;

	nfart_proto_field(x->p, x->field[f], slot, x->b->header[slot], &value);
	return value;
}

uint64_t virt_port_line(const struct virt_port *x, unsigned slot)
{
	uint64_t address = 0;

	nfart_proto_address(x->p, slot, x->b->header[slot], &address);
	return address;
}

void virt_port_ask(struct virt_port *x, unsigned slot)
{
	uint64_t id = virt_port_get(x, slot, VIRT_PORT_ID);

	if (id < VIRT_PORT_READS)
		x->read[id] = (struct virt_line_read){ .asked = true,
						       .pa = virt_port_line(x, slot) };
}

/* A beat of data. The answers to requests that read nothing are beats, too. */
static void take_beat(struct virt_port *x)
{
	uint64_t id = virt_port_get(x, VIRT_PORT_BEAT, VIRT_PORT_ID);
	struct virt_line_read *l = &x->read[id < VIRT_PORT_READS ? id : 0];

	if (id >= VIRT_PORT_READS || !l->asked)
		return;
	if (l->beats < VIRT_PORT_WORDS)
		l->word[l->beats++] = virt_port_get(x, VIRT_PORT_BEAT, VIRT_PORT_LOW) |
				      virt_port_get(x, VIRT_PORT_BEAT_HIGH, VIRT_PORT_HIGH) << 32;
	if (virt_port_get(x, VIRT_PORT_BEAT, VIRT_PORT_LAST) == 0)
		return;
	l->asked = false;
	if (id == VIRT_READ_CLEANED && l->beats == VIRT_LINE_ENTRIES)
		virt_replay_done(x->r, VIRT_CHANNEL_CLEAN, l->word);
}

/* Returns the content of a line of the front end, if it was read; NULL if it was not. */
static const uint64_t *content(const struct virt_line_read *l, uint64_t pa)
{
	uint64_t at = (pa - l->pa) / sizeof l->word[0];

	if (pa < l->pa || at + VIRT_LINE_ENTRIES > l->beats)
		return NULL;
	return l->word + at;
}

void virt_port_snoop(struct virt_port *x, enum virt_snoop_kind kind, uint64_t pa, unsigned word)
{
	const struct virt_snoop s = { .kind = kind, .pa = pa, .time = x->b->time, .word = word };

	virt_replay_snoop(x->r, &s, content(&x->read[VIRT_READ_SNOOPED], pa));
}

void virt_port_send(struct virt_port *x, const struct virt_dvm *m)
{
	bool sync = m != NULL && m->kind == VIRT_SYNC;

	if (!sync || !x->sync_follows)
		virt_replay_send(x->r, m);
	x->sync_follows = !sync;
}

static void take_write(struct virt_port *x)
{
	uint64_t low = virt_port_get(x, VIRT_PORT_SET, VIRT_PORT_LOW);
	uint64_t high = virt_port_get(x, VIRT_PORT_SET_HIGH, VIRT_PORT_HIGH);

	virt_replay_write(x->r, (unsigned)virt_port_get(x, VIRT_PORT_SET, VIRT_PORT_REGISTER),
			  low | high << 32);
}

bool virt_port_step(struct virt_port *x, const struct nfart_batch *b)
{
	x->b = b;
	if (virt_port_has(x, VIRT_PORT_SET))
		take_write(x);
	if (virt_port_has(x, VIRT_PORT_BEAT))
		take_beat(x);
	x->kind->step(x);
	return x->waiting <= VIRT_PORT_WAITING;
}

void virt_port_lost(struct virt_port *x)
{
	x->waiting = 0;
	virt_replay_lost(x->r);
}
