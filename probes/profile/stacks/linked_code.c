/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/linked_code.h"

/* Whether a module has an instruction at an address. */
static bool has_code(const struct rv_module *m, uint64_t pc)
{
	return m->fixed && pc - m->low < m->span && m->code[(pc - m->low) / 2] != 0;
}

uint32_t linked_code_at(struct linked_code *c, uint64_t pc)
{
	const struct rv_module *m = c->all->modules.at;
	size_t n = c->all->modules.n, found = n;
	bool kernel = pc >> 63 != 0;

	if (pc % 2 != 0)
		return 0;
	if (n == 1 || kernel) {
		if (c->module < n && has_code(&m[c->module], pc))
			return (uint32_t)m[c->module].code[(pc - m[c->module].low) / 2];
	}
	for (size_t i = 0; i < n; i++) {
		if (!has_code(&m[i], pc))
			continue;
		if (found != n && !kernel)
			return 0;
		if (found == n)
			found = i;
	}
	if (found == n)
		return 0;
	c->module = found;
	return (uint32_t)m[found].code[(pc - m[found].low) / 2];
}

bool linked_code_jumps(uint32_t x, uint64_t *target)
{
	*target = (uint64_t)(int64_t)((int32_t)x >> 20) & ~UINT64_C(1);
	return (x & 127) == 0x67 && (x >> 15 & 31) == 0;
}

bool linked_code_returns(uint32_t x)
{
	return x == 0x00200073 || x == 0x7b200073;
}

void linked_load_note(struct linked_load *l, uint64_t pc, uint32_t x)
{
	unsigned to = x >> 7 & 31;
	uint64_t high = (uint64_t)(int64_t)(int32_t)(x & 0xfffff000);

	l->to = 0;
	if ((x & 127) == 0x37 || (x & 127) == 0x17) {
		l->to = to;
		l->value = high + ((x & 127) == 0x17 ? pc : 0);
	} else if ((x & 0xe003) == 0x6001 && to != 2) {
		uint32_t bits = (x >> 2 & 31) | (x >> 7 & 32);

		l->to = to;
		l->value = ((uint64_t)bits ^ 32) - 32;
		l->value <<= 12;
	}
}

bool linked_load_jumps(const struct linked_load *l, uint32_t x, uint64_t *target)
{
	unsigned from = (x & 3) == 3 ? x >> 15 & 31 : x >> 7 & 31;

	*target = l->value + ((x & 3) == 3 ? (uint64_t)(int64_t)((int32_t)x >> 20) : 0);
	*target &= ~UINT64_C(1);
	return l->to != 0 && l->to == from;
}
