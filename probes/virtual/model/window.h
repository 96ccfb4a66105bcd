/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * window.h: counts what may have been missed.
 *
 * Note [windows]: a read that gets no address is counted as perhaps missed if it lies in a window:
 * between the moment from which on a core may have translated unseen, and the moment at which every
 * core has forgotten such translations. Reads without an address are numbered; a window is a stretch
 * of these numbers. Stretches overlap: only the part that the last one did not have is added.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_WINDOW_H
#define NFACC_PROBES_VIRTUAL_MODEL_WINDOW_H

#include "probes/virtual/model/virtual.h"

#define VIRT_WINDOW_MOST ((UINT64_C(1) << VIRT_SINCE_BITS) - 1)

struct virt_window {
	uint64_t now;      /* reads without an address, at most VIRT_WINDOW_MOST */
	uint64_t perhaps;  /* of these: counted */
	uint64_t from, to; /* the last stretch that was counted */
	bool over;         /* there were more reads: `perhaps` is no bound any more */
};

/* Counts a read without an address. */
void virt_window_read(struct virt_window *w);

/* Counts the stretch from `since` until now. */
void virt_window_close(struct virt_window *w, uint64_t since);

#endif
