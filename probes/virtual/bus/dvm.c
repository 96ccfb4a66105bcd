/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/bus/dvm.h"

enum { TLBI = 0, ICACHE_VIRTUAL = 3, SYNC = 4 }; /* bits 14 to 12 */

static uint64_t bits_of(uint64_t x, unsigned high, unsigned low)
{
	return x >> low & ((UINT64_C(1) << (high - low + 1)) - 1);
}

static uint64_t va_of(uint64_t first, uint64_t second)
{
	return bits_of(first, 43, 40) << 45 | bits_of(second, 43, 40) << 41 |
	       bits_of(second, 3, 3) << 40 | bits_of(second, 39, 4) << 4;
}

bool virt_dvm_part(struct virt_dvm_parts *x, uint64_t part, uint16_t asid, struct virt_dvm *m)
{
	uint64_t first = x->open ? x->first : part, second = part;
	bool va = bits_of(first, 0, 0) != 0;
	bool one = bits_of(first, 5, 5) != 0, last = bits_of(first, 4, 4) != 0;

	if (va && !x->open) {
		*x = (struct virt_dvm_parts){ .first = part, .open = true };
		return false;
	}
	x->open = false;
	*m = (struct virt_dvm){
		.va = va ? virt_va(va_of(first, second)) : 0,
		.asid = asid
	};
	if (one)
		m->asid = (uint16_t)(bits_of(first, 39, 32) << 8 | bits_of(first, 23, 16));
	switch (bits_of(first, 14, 12)) {
	case TLBI:
		if (bits_of(first, 3, 2) == 2 || (!va && !one))
			m->kind = VIRT_TLBI_ALL;
		else
			m->kind = !va ? VIRT_TLBI_ASID : last ? VIRT_TLBI_VA_LAST : VIRT_TLBI_VA;
		return true;
	case ICACHE_VIRTUAL:
		m->kind = VIRT_ICACHE_VA;
		return va;
	case SYNC:
		m->kind = VIRT_SYNC;
		return true;
	default:
		return false;
	}
}
