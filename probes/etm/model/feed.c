/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/feed.h"

#include <stdlib.h>
#include <string.h>

/* TRCACATR excludes exception levels. It has a bit for each level, first for the secure ones. */
enum { EL3 = 3, NONSECURE_LSB = 4 };

/*
 * Gets the number after the name of a group, such as 21 in "pmu@21". Returns false if the slot
 * belongs to another group.
 */
static bool slot_number(const char *name, const char *group, uint32_t *number)
{
	size_t n = strlen(group);

	if (strncmp(name, group, n) != 0 || (name[n] != '@' && name[n] != 0))
		return false;
	*number = name[n] == '@' ? (uint32_t)strtoul(name + n + 1, NULL, 10) : 0;
	return true;
}

void feed_init(struct feed *f, const struct etm_regs *regs, const struct etm_core *core,
	       const struct nfart_proto *proto)
{
	*f = (struct feed){ .proto = proto, .regs = *regs, .fetch = -1 };
	for (uint32_t slot = 0; slot < nfart_proto_nslots(proto); slot++) {
		char name[64];
		uint32_t input, n;

		if (!nfart_proto_slot_name(proto, slot, name, sizeof name))
			continue;
		if (slot_number(name, ETM_GROUP_FETCH, &n))
			f->fetch = (int)slot;
		if (slot_number(name, ETM_GROUP_CTI, &n))
			input = core->ete ? ETM_ETE_CTI + n : n;
		else if (slot_number(name, ETM_GROUP_PMU, &n))
			input = core->ete ? n : core->cti + n;
		else
			continue;
		for (unsigned s = 0; s < ETM_EXTIN; s++)
			if (macrocell_input(regs, s, core->ete) == input)
				f->selected[s] |= (uint64_t)1 << slot;
	}
}

/* Whether a comparator includes an exception level. Levels are non-secure, except for EL3. */
static bool level_counts(uint64_t type, uint32_t level)
{
	uint32_t excluded = ETM_GET(TRCACATR, EXLEVEL, type);
	uint32_t bit = level == EL3 ? EL3 : NONSECURE_LSB + level;

	return (excluded >> bit & 1) == 0;
}

/* Bits 63:56 of a virtual address are copies of bit 55. */
static uint64_t whole_address(uint64_t a)
{
	return (a >> (ETM_FETCH_BITS - 1) & 1) != 0 ? a | ~(uint64_t)0 << ETM_FETCH_BITS : a;
}

static void match_addresses(const struct feed *f, uint64_t address, uint32_t level,
			    struct macrocell_inputs *in)
{
	const struct etm_regs *r = &f->regs;
	enum { ADDRESSES = sizeof r->acv / sizeof r->acv[0] };

	for (unsigned i = 0; i < ADDRESSES; i++)
		if (r->acv[i] == address && level_counts(r->acat[i], level))
			in->group[ETM_GROUP_ADDRESS] |= (uint16_t)(1u << i);
	for (unsigned i = 0; i < ADDRESSES / 2; i++)
		if (r->acv[2 * i] <= address && address <= r->acv[2 * i + 1] &&
		    level_counts(r->acat[2 * i], level) && level_counts(r->acat[2 * i + 1], level))
			in->group[ETM_GROUP_RANGE] |= (uint16_t)(1u << i);
}

void feed_inputs(const struct feed *f, const struct nfart_batch *b, struct macrocell_inputs *in)
{
	*in = (struct macrocell_inputs){ .group = { 0 } };
	for (unsigned s = 0; s < ETM_EXTIN; s++)
		if ((b->mask & f->selected[s]) != 0)
			in->group[ETM_GROUP_EXTIN] |= (uint16_t)(1u << s);
	if (f->fetch >= 0 && (b->mask >> f->fetch & 1) != 0) {
		uint64_t header = b->header[f->fetch], address = 0;
		uint32_t level;
		const char *type = nfart_proto_type(f->proto, (uint32_t)f->fetch, header);

		/* The types of the slot are FETCH_EL0 to FETCH_EL3. */
		if (type == NULL || !nfart_proto_address(f->proto, (uint32_t)f->fetch, header,
							  &address))
			return;
		level = (uint32_t)(type[strlen(type) - 1] - '0');
		match_addresses(f, whole_address(address), level, in);
	}
}
