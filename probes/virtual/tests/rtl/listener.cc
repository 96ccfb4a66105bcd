/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Snoop Listener in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

extern "C" {
#include "probes/virtual/model/listener.h"
}

static Vlistener *listener = new Vlistener;
static struct virt_rtlb listener_rtlb; /* for random steps */
static struct virt_helper listener_helper;

static void listener_reset();
static void listener_random(uint64_t *random);
static rig_part listener_part("listener", listener_reset, listener_random);

static void listener_reset()
{
	virt_rtlb_init(&listener_rtlb, VIRT_WAYS);
	listener_helper = {};
}

extern "C" {
bool __real_virt_listener_is_read(enum virt_snoop_kind kind);
struct virt_annotated __real_virt_listener_annotate(const struct virt_rtlb *t,
						    const struct virt_helper *h, uint64_t pa,
						    bool aliases);

bool __wrap_virt_listener_is_read(enum virt_snoop_kind kind)
{
	bool read = __real_virt_listener_is_read(kind);

	listener_part.steps++;
	listener->kind = kind;
	listener->eval();
	listener_part.same("read", read, listener->read);
	return read;
}

struct virt_annotated __wrap_virt_listener_annotate(const struct virt_rtlb *t,
						    const struct virt_helper *h, uint64_t pa,
						    bool aliases)
{
	struct virt_annotated a = __real_virt_listener_annotate(t, h, pa, aliases);
	const struct virt_entry *e = virt_rtlb_find(t, pa);

	if (e == nullptr)
		e = virt_helper_victim(h, pa);
	listener_part.steps++;
	listener->pa = pa >> VIRT_LINE_BITS;
	listener->aliases = aliases;
	listener->found = e != nullptr;
	if (e != nullptr) {
		listener->entry_va = e->m.va >> VIRT_PAGE_BITS;
		listener->entry_level = e->m.level;
		listener->entry_shared = e->m.shared;
		listener->entry_alias = e->alias;
	}
	listener->eval();
	listener_part.same("hit", a.hit, listener->hit);
	listener_part.same("shared", a.shared, listener->shared);
	if (e != nullptr)
		listener_part.same("address", a.va >> VIRT_LINE_BITS, listener->va);
	return a;
}
}

static void listener_random(uint64_t *random)
{
	for (unsigned i = 0; i < 500; i++) {
		uint64_t r = rig_random(random), va = virt_va(rig_random(random));
		uint64_t pa = virt_pa(rig_random(random));
		unsigned level = 1 + (unsigned)r % 3;
		struct virt_mapping m = {};
		struct virt_entry out;

		m.level = level;
		m.va = virt_align(va, virt_span_bits(level));
		m.pa = virt_align(pa, virt_span_bits(level));
		m.shared = (r >> 8 & 3) == 0;
		virt_rtlb_init(&listener_rtlb, VIRT_WAYS);
		if ((r >> 10 & 7) == 0) { /* another address of the frame */
			virt_rtlb_refill(&listener_rtlb, &m, true, &out);
			m.va ^= UINT64_C(1) << virt_span_bits(level);
		}
		if ((r >> 13 & 7) != 0)
			virt_rtlb_refill(&listener_rtlb, &m, true, &out);
		virt_listener_annotate(&listener_rtlb, &listener_helper, pa, (r >> 16 & 3) != 0);
		virt_listener_is_read((enum virt_snoop_kind)((r >> 20) % VIRT_SNOOP_KINDS));
	}
}
