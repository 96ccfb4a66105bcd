/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virt_dvm.c: DVM messages of ACE. The table says bit by bit where the parts have an address and a
 * number (IHI 0022, DVMv8).
 */
#include "probes/virtual/bus/dvm.h"
#include "testsuite/unit/tap.h"

enum { VA_TLBI = 1 << 5 | 1, LEAF = 1 << 4, ASID_TLBI = 1 << 5, ICACHE = 3 << 12, SYNC = 4 << 12 };

/* Returns which bit of which part has a bit of the address. */
static unsigned place(unsigned bit, unsigned *part)
{
	*part = bit < 45 ? 1 : 0;
	if (bit >= 45)
		return bit - 45 + 40;
	if (bit >= 41)
		return bit - 41 + 40;
	return bit == 40 ? 3 : bit;
}

static bool message(uint64_t first, uint64_t second, struct virt_dvm *m)
{
	struct virt_dvm_parts parts = { 0 };

	if ((first & 1) != 0 && virt_dvm_part(&parts, first, 7, m))
		return false; /* a message in one part */
	return virt_dvm_part(&parts, (first & 1) != 0 ? second : first, 7, m);
}

static bool is_bit(unsigned bit)
{
	uint64_t part[2] = { VA_TLBI, 0 };
	struct virt_dvm m;
	unsigned n, at = place(bit, &n);

	part[n] |= UINT64_C(1) << at;
	return message(part[0], part[1], &m) && m.kind == VIRT_TLBI_VA && m.asid == 0 &&
	       m.va == UINT64_C(1) << bit;
}

static bool is_kind(uint64_t first, enum virt_dvm_kind kind, uint16_t asid)
{
	struct virt_dvm m;

	return message(first, 0, &m) && m.kind == kind && m.asid == asid;
}

int main(void)
{
	struct tap t = { 0 };
	struct virt_dvm m;
	bool all = true;

	for (unsigned bit = 12; bit < 48; bit++)
		all &= is_bit(bit);
	tap_case(&t, all, "each bit of an address");
	all = true;
	for (unsigned bit = 0; bit < 16; bit++)
		all &= is_kind(ASID_TLBI | UINT64_C(1) << (bit < 8 ? 16 + bit : 32 + bit - 8),
			       VIRT_TLBI_ASID, (uint16_t)(1u << bit));
	tap_case(&t, all, "each bit of a number");
	tap_case(&t, is_kind(VA_TLBI | LEAF, VIRT_TLBI_VA_LAST, 0), "only the last level");
	tap_case(&t, is_kind(1, VIRT_TLBI_VA, 7), "an address in any space is one of the process");
	tap_case(&t, is_kind(0, VIRT_TLBI_ALL, 7), "everything");
	tap_case(&t, is_kind(2 << 2 | 1, VIRT_TLBI_ALL, 7), "stage 2 may concern everything");
	tap_case(&t, is_kind(ICACHE | VA_TLBI, VIRT_ICACHE_VA, 0), "instruction caches");
	tap_case(&t, is_kind(SYNC, VIRT_SYNC, 7), "a Sync");
	tap_case(&t, !message(1 << 12, 0, &m) && !message(6 << 12, 0, &m),
		 "others are none of ours");
	return tap_end(&t);
}
