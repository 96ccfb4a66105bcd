/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Observation Points Watchdog in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vwatchdog *watchdog = new Vwatchdog;
static struct virt_watchdog watchdog_own; /* for random steps */

static void watchdog_reset();
static void watchdog_random(uint64_t *random);
static rig_part watchdog_part("watchdog", watchdog_reset, watchdog_random);

static void watchdog_reset()
{
	rig_reset(&watchdog_part, watchdog);
	watchdog_own = {};
}

/* Compares what both know about all points. */
static void watchdog_same(const struct virt_watchdog *w)
{
	uint32_t mapped = 0;

	for (unsigned i = 0; i < VIRT_POINTS; i++) {
		const struct virt_point *p = &w->point[i];

		if (!p->mapped)
			continue;
		mapped |= 1u << i;
		watchdog->index = i;
		watchdog->eval();
		watchdog_part.same("a point's place", p->pa >> VIRT_LINE_BITS, watchdog->out_pa);
		watchdog_part.same("a point's address", p->va >> VIRT_LINE_BITS, watchdog->out_va);
		watchdog_part.same("a point's code", p->code, watchdog->out_code);
	}
	watchdog_part.same("points with a place", mapped, watchdog->mapped);
}

extern "C" {
void __real_virt_watchdog_set(struct virt_watchdog *w, unsigned i, uint64_t value);
uint32_t __real_virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m);
void __real_virt_watchdog_drop(struct virt_watchdog *w, uint64_t va);
void __real_virt_watchdog_clear(struct virt_watchdog *w);
uint32_t __real_virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa);

void __wrap_virt_watchdog_set(struct virt_watchdog *w, unsigned i, uint64_t value)
{
	__real_virt_watchdog_set(w, i, value);
	watchdog->index = i;
	watchdog->enable = VIRT_GET(POINT, ENABLE, value);
	watchdog->code = VIRT_GET(POINT, CODE, value);
	watchdog->va = VIRT_GET(POINT, LINE, value);
	rig_step(&watchdog_part, watchdog, &watchdog->write, &watchdog->done, "set");
	watchdog_same(w);
}

uint32_t __wrap_virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m)
{
	uint32_t moved = __real_virt_watchdog_refill(w, m);

	watchdog->va = m->va >> VIRT_LINE_BITS;
	watchdog->pa = m->pa >> VIRT_LINE_BITS;
	watchdog->level = m->level;
	rig_step(&watchdog_part, watchdog, &watchdog->refill, &watchdog->done, "refill");
	watchdog_part.same("refill: points", moved, watchdog->points);
	watchdog_same(w);
	return moved;
}

void __wrap_virt_watchdog_drop(struct virt_watchdog *w, uint64_t va)
{
	__real_virt_watchdog_drop(w, va);
	watchdog->va = va >> VIRT_LINE_BITS;
	rig_step(&watchdog_part, watchdog, &watchdog->drop, &watchdog->done, "drop");
	watchdog_same(w);
}

void __wrap_virt_watchdog_clear(struct virt_watchdog *w)
{
	__real_virt_watchdog_clear(w);
	rig_step(&watchdog_part, watchdog, &watchdog->clear, &watchdog->done, "clear");
	watchdog_same(w);
}

uint32_t __wrap_virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa)
{
	uint32_t hits = __real_virt_watchdog_hits(w, pa);

	watchdog->pa = pa >> VIRT_LINE_BITS;
	rig_step(&watchdog_part, watchdog, &watchdog->look, &watchdog->done, "look");
	watchdog_part.same("look: points", hits, watchdog->points);
	return hits;
}
}

/* One of a few addresses, so that pages of all sizes overlap. */
static uint64_t watchdog_address(uint64_t *random, unsigned bits)
{
	uint64_t r = rig_random(random), a = rig_bits(r, 0, 1) << 6 | rig_bits(r, 1, 1) << 12 |
					     rig_bits(r, 2, 1) << 21 | rig_bits(r, 3, 1) << 30 |
					     rig_bits(r, 4, 1) << (bits - 1);

	return r >> 60 == 0 ? a ^ UINT64_C(1) << (6 + (r >> 8) % (bits - 6)) : a;
}

static void watchdog_random(uint64_t *random)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t r = rig_random(random), va = watchdog_address(random, VIRT_VA_BITS);
		uint64_t pa = watchdog_address(random, VIRT_PA_BITS);
		unsigned level = 1 + (unsigned)(r >> 8) % 3;
		struct virt_mapping m = {};

		m.va = virt_align(va, virt_span_bits(level));
		m.pa = virt_align(pa, virt_span_bits(level));
		m.level = level;
		switch (r % 32) {
		case 0:
			virt_watchdog_clear(&watchdog_own);
			break;
		case 1:
		case 2:
		case 3:
		case 4:
			virt_watchdog_set(&watchdog_own, (unsigned)(r >> 16) % VIRT_POINTS,
					  va | (r >> 32 & 3));
			break;
		case 5:
		case 6:
		case 7:
			virt_watchdog_drop(&watchdog_own, va);
			break;
		case 8:
		case 9:
		case 10:
		case 11:
		case 12:
		case 13:
		case 14:
		case 15:
			virt_watchdog_hits(&watchdog_own, pa);
			break;
		default:
			virt_watchdog_refill(&watchdog_own, &m);
			break;
		}
	}
}
