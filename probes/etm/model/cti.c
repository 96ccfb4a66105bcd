/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/cti.h"

#include <stddef.h>

enum { ALL_CHANNELS = (1 << CTI_CHANNELS) - 1, ALL_TRIGGERS = (1 << CTI_TRIGGERS) - 1 };

void cti_init(struct cti *c, bool edge)
{
	*c = (struct cti){ .edge = edge, .gate = ALL_CHANNELS };
}

uint32_t cti_step(struct cti *c, uint32_t outputs, uint32_t from)
{
	uint32_t before = c->channels, own = 0;

	if ((c->control & 1) == 0) {
		c->channels = c->latched = 0;
		return 0;
	}
	for (unsigned i = 0; i < 4; i++)
		if ((outputs >> i & 1) != 0)
			own |= c->inen[CTI_ETM_INPUT + i];
	c->channels = own | (from & c->gate);
	for (unsigned i = 0; i < CTI_TRIGGERS; i++) {
		uint32_t sets = c->edge ? c->channels & ~before : c->channels;

		if ((sets & c->outen[i]) != 0)
			c->latched |= 1u << i;
	}
	return own & c->gate;
}

/* The array element at a register offset; NULL if the offset is not in one of the two arrays. */
static uint32_t *trigger_register(struct cti *c, uint32_t offset)
{
	if (offset % 4 != 0)
		return NULL;
	if (offset >= CTI_INEN && offset < CTI_INEN + 4 * CTI_TRIGGERS)
		return &c->inen[(offset - CTI_INEN) / 4];
	if (offset >= CTI_OUTEN && offset < CTI_OUTEN + 4 * CTI_TRIGGERS)
		return &c->outen[(offset - CTI_OUTEN) / 4];
	return NULL;
}

uint32_t cti_read(const struct cti *c, uint32_t offset)
{
	struct cti copy = *c;
	const uint32_t *array = trigger_register(&copy, offset);

	switch (offset) {
	case CTI_CONTROL: return c->control;
	case CTI_TRIGOUTSTATUS: return c->latched;
	case CTI_GATE: return c->gate;
	default: return array != NULL ? *array : 0;
	}
}

void cti_write(struct cti *c, uint32_t offset, uint32_t value)
{
	uint32_t *array = trigger_register(c, offset);

	if (array != NULL)
		*array = value & ALL_CHANNELS;
	else if (offset == CTI_CONTROL)
		c->control = value & 1;
	else if (offset == CTI_INTACK)
		c->latched &= ~(value & ALL_TRIGGERS);
	else if (offset == CTI_GATE)
		c->gate = value & ALL_CHANNELS;
}
