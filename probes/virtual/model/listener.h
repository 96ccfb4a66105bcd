/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * listener.h: the Snoop Listener. It lets reads pass and nothing else, and gives each the virtual
 * address that the reverse TLB, or an evicted entry that still holds, has for it.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_LISTENER_H
#define NFACC_PROBES_VIRTUAL_MODEL_LISTENER_H

#include "probes/virtual/model/helper.h"
#include "probes/virtual/model/rtlb.h"

/* Is this kind of snoop a read? */
bool virt_listener_is_read(enum virt_snoop_kind kind);

/* Annotates the snoop of a read. `aliases`: an address is not given if the process knows the frame
 * by several, or shares it. */
struct virt_annotated virt_listener_annotate(const struct virt_rtlb *t, const struct virt_helper *h,
					     uint64_t pa, bool aliases);

#endif
