/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * window.h: counts reads whose address may have been missed.
 *
 * Note [windows]: a window begins when a core may have made a translation that the front end did
 * not see. It ends when every core has forgotten such translations. A read without an address
 * counts as perhaps missed if it lies in a window. Reads without an address are numbered, and a
 * window is an interval of these numbers. Windows overlap. So each window adds only the reads that
 * were not in the last one.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_WINDOW_H
#define NFACC_PROBES_VIRTUAL_MODEL_WINDOW_H

#include "probes/virtual/model/virtual.h"

#define VIRT_WINDOW_MOST ((UINT64_C(1) << VIRT_SINCE_BITS) - 1)

struct virt_window {
	uint64_t now;      /* number of reads without an address, at most VIRT_WINDOW_MOST */
	uint64_t perhaps;  /* of these, the number of reads in windows */
	uint64_t from, to; /* the last interval that was counted */
	bool over;         /* there were too many reads: `perhaps` is not a bound any more */
};

/* Counts a read without an address. */
void virt_window_read(struct virt_window *w);

/* Counts the reads from number `since` until now. */
void virt_window_close(struct virt_window *w, uint64_t since);

#endif
