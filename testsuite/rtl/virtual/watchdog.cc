/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Observation Points Watchdog in Verilog, beside the one in C. */
#include "testsuite/rtl/virtual/rig.h"

static Vwatchdog *module = new Vwatchdog;
static struct virt_watchdog own; /* the watchdog of random steps */

static void reset();
static void random_steps(uint64_t *random);
static rig_part part("watchdog", reset, random_steps);

static void reset()
{
	rig_reset(&part, module);
	own = {};
}

/* Compares what both know of all points. */
static void same_places(const struct virt_watchdog *w)
{
	uint32_t mapped = 0;

	for (unsigned i = 0; i < VIRT_POINTS; i++) {
		const struct virt_point *p = &w->point[i];

		if (!p->mapped)
			continue;
		mapped |= 1u << i;
		module->index = i;
		module->eval();
		part.same("a point's place", p->pa >> VIRT_LINE_BITS, module->out_pa);
		part.same("a point's address", p->va >> VIRT_LINE_BITS, module->out_va);
		part.same("a point's code", p->code, module->out_code);
	}
	part.same("points with a place", mapped, module->mapped);
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
	module->index = i;
	module->enable = VIRT_GET(POINT, ENABLE, value);
	module->code = VIRT_GET(POINT, CODE, value);
	module->va = VIRT_GET(POINT, LINE, value);
	rig_step(&part, module, &module->write, &module->done, "set");
	same_places(w);
}

uint32_t __wrap_virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m)
{
	uint32_t moved = __real_virt_watchdog_refill(w, m);

	module->va = m->va >> VIRT_LINE_BITS;
	module->pa = m->pa >> VIRT_LINE_BITS;
	module->level = m->level;
	rig_step(&part, module, &module->refill, &module->done, "refill");
	part.same("refill: points", moved, module->points);
	same_places(w);
	return moved;
}

void __wrap_virt_watchdog_drop(struct virt_watchdog *w, uint64_t va)
{
	__real_virt_watchdog_drop(w, va);
	module->va = va >> VIRT_LINE_BITS;
	rig_step(&part, module, &module->drop, &module->done, "drop");
	same_places(w);
}

void __wrap_virt_watchdog_clear(struct virt_watchdog *w)
{
	__real_virt_watchdog_clear(w);
	rig_step(&part, module, &module->clear, &module->done, "clear");
	same_places(w);
}

uint32_t __wrap_virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa)
{
	uint32_t hits = __real_virt_watchdog_hits(w, pa);

	module->pa = pa >> VIRT_LINE_BITS;
	rig_step(&part, module, &module->look, &module->done, "look");
	part.same("look: points", hits, module->points);
	return hits;
}
}

/* An address of few, such that pages of all sizes meet. */
static uint64_t address(uint64_t *random, unsigned bits)
{
	uint64_t r = rig_random(random), a = rig_bits(r, 0, 1) << 6 | rig_bits(r, 1, 1) << 12 |
					     rig_bits(r, 2, 1) << 21 | rig_bits(r, 3, 1) << 30 |
					     rig_bits(r, 4, 1) << (bits - 1);

	return r >> 60 == 0 ? a ^ UINT64_C(1) << (6 + (r >> 8) % (bits - 6)) : a;
}

static void random_steps(uint64_t *random)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t r = rig_random(random), va = address(random, VIRT_VA_BITS);
		uint64_t pa = address(random, VIRT_PA_BITS);
		unsigned level = 1 + (unsigned)(r >> 8) % 3;
		struct virt_mapping m = {};

		m.va = virt_align(va, virt_span_bits(level));
		m.pa = virt_align(pa, virt_span_bits(level));
		m.level = level;
		switch (r % 32) {
		case 0:
			virt_watchdog_clear(&own);
			break;
		case 1: case 2: case 3: case 4:
			virt_watchdog_set(&own, (unsigned)(r >> 16) % VIRT_POINTS,
					  va | (r >> 32 & 3));
			break;
		case 5: case 6: case 7:
			virt_watchdog_drop(&own, va);
			break;
		case 8: case 9: case 10: case 11: case 12: case 13: case 14: case 15:
			virt_watchdog_hits(&own, pa);
			break;
		default:
			virt_watchdog_refill(&own, &m);
			break;
		}
	}
}
