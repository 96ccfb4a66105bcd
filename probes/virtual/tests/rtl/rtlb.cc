/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The reverse TLB in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vrtlb *rtlb = new Vrtlb;
static struct virt_rtlb rtlb_own;        /* for random steps */
static const struct virt_rtlb *rtlb_now; /* the one in C that the module must equal */

static void rtlb_reset();
static void rtlb_random(uint64_t *random);
static rig_part rtlb_part("rtlb", rtlb_reset, rtlb_random);

static void rtlb_reset()
{
	rtlb->find = rtlb->refill = rtlb->drop = rtlb->clear = 0;
	rig_reset(&rtlb_part, rtlb);
	rtlb_now = nullptr;
}

static void rtlb_same(const struct virt_entry *e)
{
	rtlb_part.same("address", e->m.va >> VIRT_PAGE_BITS, rtlb->out_va);
	rtlb_part.same("frame", e->m.pa >> VIRT_PAGE_BITS, rtlb->out_pa);
	rtlb_part.same("table entry", e->m.entry >> 3, rtlb->out_entry);
	rtlb_part.same("level", e->m.level, rtlb->out_level);
	rtlb_part.same("shared", e->m.shared, rtlb->out_shared);
	rtlb_part.same("alias", e->alias, rtlb->out_alias);
}

extern "C" {
void __real_virt_rtlb_init(struct virt_rtlb *t, unsigned entries);
const struct virt_entry *__real_virt_rtlb_find(const struct virt_rtlb *t, uint64_t pa);
bool __real_virt_rtlb_refill(struct virt_rtlb *t, const struct virt_mapping *m, bool aliases,
			     struct virt_entry *out);
bool __real_virt_rtlb_drop(struct virt_rtlb *t, uint64_t va);
void __real_virt_rtlb_clear(struct virt_rtlb *t);

void __wrap_virt_rtlb_init(struct virt_rtlb *t, unsigned entries)
{
	__real_virt_rtlb_init(t, entries);
	if (entries != VIRT_ENTRIES)
		return; /* it belongs to another part */
	rtlb_reset();
	rtlb_now = t;
}

const struct virt_entry *__wrap_virt_rtlb_find(const struct virt_rtlb *t, uint64_t pa)
{
	const struct virt_entry *e = __real_virt_rtlb_find(t, pa);

	if (t != rtlb_now)
		return e;
	rtlb->pa = pa >> VIRT_PAGE_BITS;
	rig_step(&rtlb_part, rtlb, &rtlb->find, &rtlb->done, "find");
	rtlb_part.same("find: hit", e != nullptr, rtlb->hit);
	if (e != nullptr)
		rtlb_same(e);
	return e;
}

bool __wrap_virt_rtlb_refill(struct virt_rtlb *t, const struct virt_mapping *m, bool aliases,
			     struct virt_entry *out)
{
	bool evicts = __real_virt_rtlb_refill(t, m, aliases, out);

	if (t != rtlb_now)
		return evicts;
	rtlb->va = m->va >> VIRT_PAGE_BITS;
	rtlb->pa = m->pa >> VIRT_PAGE_BITS;
	rtlb->entry = m->entry >> 3;
	rtlb->level = m->level;
	rtlb->shared = m->shared;
	rtlb->aliases = aliases;
	rig_step(&rtlb_part, rtlb, &rtlb->refill, &rtlb->done, "refill");
	rtlb_part.same("refill: eviction", evicts, rtlb->hit);
	if (evicts)
		rtlb_same(out);
	return evicts;
}

bool __wrap_virt_rtlb_drop(struct virt_rtlb *t, uint64_t va)
{
	bool alias = __real_virt_rtlb_drop(t, va);

	if (t != rtlb_now)
		return alias;
	rtlb->va = va >> VIRT_PAGE_BITS;
	rig_step(&rtlb_part, rtlb, &rtlb->drop, &rtlb->done, "drop");
	rtlb_part.same("drop: alias", alias, rtlb->hit);
	return alias;
}

void __wrap_virt_rtlb_clear(struct virt_rtlb *t)
{
	__real_virt_rtlb_clear(t);
	if (t == rtlb_now)
		rig_step(&rtlb_part, rtlb, &rtlb->clear, &rtlb->done, "clear");
}
}

/*
 * One of a few addresses, so that pages of all sizes overlap. They are in a few sets, or in any
 * set.
 */
static uint64_t rtlb_address(uint64_t *random, unsigned bits, unsigned sets)
{
	uint64_t r = rig_random(random);
	uint64_t high = rig_bits(r, 0, 2) == 0 ? rig_random(random) >> 24
					       : rig_bits(r, 2, 1) << 9 | rig_bits(r, 3, 1) << 18 |
							 rig_bits(r, 4, 1);

	return rig_bits(high << 21 | rig_bits(r, 8, 30) % sets << VIRT_PAGE_BITS, 0, bits);
}

static void rtlb_random(uint64_t *random)
{
	unsigned sets = 1;

	virt_rtlb_init(&rtlb_own, VIRT_ENTRIES);
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t r = rig_random(random);
		bool huge = rig_bits(r, 0, 2) == 0;
		unsigned level = huge ? 1 + (unsigned)rig_bits(r, 2, 1) : VIRT_LAST_LEVEL;
		struct virt_mapping m = {};
		struct virt_entry out;

		if (i % 500 == 0)
			sets = rig_bits(r, 40, 2) == 0 ? 512 : 1 + (unsigned)rig_bits(r, 42, 3);
		m.va = rtlb_address(random, VIRT_VA_BITS, sets);
		m.pa = rtlb_address(random, VIRT_PA_BITS, sets);
		switch (rig_bits(r, 8, 5)) {
		case 0:
			if (rig_bits(r, 16, 3) == 0)
				virt_rtlb_clear(&rtlb_own);
			break;
		case 1: case 2: case 3:
			virt_rtlb_drop(&rtlb_own, m.va);
			break;
		case 4: case 5: case 6: case 7: case 8: case 9: case 10: case 11: case 12:
			virt_rtlb_find(&rtlb_own, m.pa);
			break;
		default:
			m.va = virt_align(m.va, virt_span_bits(level));
			m.pa = virt_align(m.pa, virt_span_bits(level));
			m.entry = virt_align(virt_pa(rig_random(random)), 3);
			m.level = level;
			m.shared = rig_bits(r, 16, 2) == 0;
			virt_rtlb_refill(&rtlb_own, &m, rig_bits(r, 18, 3) != 0, &out);
			break;
		}
	}
}
