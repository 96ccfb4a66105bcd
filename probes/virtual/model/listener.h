/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * listener.h: the Snoop Listener. Of all snoops it passes only reads. It gives each read a virtual
 * address, from the reverse TLB or from an evicted entry that is still valid.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_LISTENER_H
#define NFACC_PROBES_VIRTUAL_MODEL_LISTENER_H

#include "probes/virtual/model/helper.h"
#include "probes/virtual/model/rtlb.h"

/* Whether this kind of snoop is a read. */
bool virt_listener_is_read(enum virt_snoop_kind kind);

/*
 * Annotates a read. With `aliases`, it gives no address if the frame has several addresses or
 * belongs to several processes.
 */
struct virt_annotated virt_listener_annotate(const struct virt_rtlb *t, const struct virt_helper *h,
					     uint64_t pa, bool aliases);

#endif
