/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/watchdog.h"

void virt_watchdog_set(struct virt_watchdog *w, unsigned i, uint64_t value)
{
	w->point[i] = (struct virt_point){
		.enabled = VIRT_GET(POINT, ENABLE, value) != 0,
		.code = VIRT_GET(POINT, CODE, value) != 0,
		.va = VIRT_GET(POINT, LINE, value) << VIRT_POINT_LINE_LSB,
	};
}

uint32_t virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m)
{
	unsigned bits = virt_span_bits(m->level);
	uint32_t moved = 0;

	for (unsigned i = 0; i < VIRT_POINTS; i++) {
		struct virt_point *p = &w->point[i];
		uint64_t pa = m->pa + (p->va - m->va);

		if (!p->enabled || virt_align(p->va, bits) != m->va ||
		    (p->mapped && p->pa == pa))
			continue;
		p->mapped = true;
		p->pa = pa;
		p->level = m->level;
		moved |= 1u << i;
	}
	return moved;
}

void virt_watchdog_drop(struct virt_watchdog *w, uint64_t va)
{
	for (unsigned i = 0; i < VIRT_POINTS; i++)
		if (virt_align(w->point[i].va ^ va, virt_span_bits(w->point[i].level)) == 0)
			w->point[i].mapped = false;
}

void virt_watchdog_clear(struct virt_watchdog *w)
{
	for (unsigned i = 0; i < VIRT_POINTS; i++)
		w->point[i].mapped = false;
}

uint32_t virt_watchdog_mapped(const struct virt_watchdog *w)
{
	uint32_t mapped = 0;

	for (unsigned i = 0; i < VIRT_POINTS; i++)
		if (w->point[i].mapped)
			mapped |= 1u << i;
	return mapped;
}

uint32_t virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa)
{
	uint32_t hits = 0;

	for (unsigned i = 0; i < VIRT_POINTS; i++)
		if (w->point[i].mapped && w->point[i].pa == virt_align(pa, 6))
			hits |= 1u << i;
	return hits;
}
