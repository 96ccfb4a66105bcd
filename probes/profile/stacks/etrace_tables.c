/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/etrace_tables.h"

#include <string.h>

static size_t index_of(const struct etrace_encoder *e, unsigned size, uint64_t pc)
{
	return pc >> e->iaddress_lsb & ((UINT64_C(1) << size) - 1);
}

void etrace_tables_clear(struct etrace_tables *t, const struct etrace_encoder *e)
{
	memset(t->states, 1, (size_t)1 << e->bpred_size);
	memset(t->targets, 0, sizeof t->targets[0] << e->cache_size);
}

bool etrace_predict(const struct etrace_tables *t, const struct etrace_encoder *e, uint64_t pc)
{
	return (t->states[index_of(e, e->bpred_size, pc)] & 2) != 0;
}

void etrace_learn(struct etrace_tables *t, const struct etrace_encoder *e, uint64_t pc, bool taken)
{
	uint8_t *state = &t->states[index_of(e, e->bpred_size, pc)];
	bool certain = *state == 0 || *state == 3;
	unsigned predicted = certain ? *state & 2 : taken ? 2 : 0;

	*state = (uint8_t)(predicted | (taken ? 1 : 0));
}

void etrace_keep_target(struct etrace_tables *t, const struct etrace_encoder *e, uint64_t target)
{
	t->targets[index_of(e, e->cache_size, target)] = target | 1;
}

bool etrace_find_target(const struct etrace_tables *t, uint32_t index, uint64_t *target)
{
	*target = t->targets[index] & ~UINT64_C(1);
	return t->targets[index] != 0;
}
