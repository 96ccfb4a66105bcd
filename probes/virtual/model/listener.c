/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/listener.h"

#include <stddef.h>

bool virt_listener_is_read(enum virt_snoop_kind kind)
{
	return kind != VIRT_MAKE_UNIQUE;
}

struct virt_annotated virt_listener_annotate(const struct virt_rtlb *t, const struct virt_helper *h,
					     uint64_t pa, bool aliases)
{
	const struct virt_entry *e = virt_rtlb_find(t, pa);
	struct virt_annotated a = { 0 };

	if (e == NULL)
		e = virt_helper_victim(h, pa);
	if (e == NULL)
		return a;
	a.va = e->m.va + (virt_align(pa, 6) - e->m.pa);
	a.shared = aliases && (e->m.shared || e->alias);
	a.hit = !a.shared;
	return a;
}
