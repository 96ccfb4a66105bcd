/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * helper.h: the Invalidation Helper. It keeps requests in the order in which they came, has one
 * under way on each of its two channels, and merges those that mean the same.
 *
 * A request may close a window: a time in which a translation may have been overlooked. The window
 * begins with the read of number `since` that got no address, and ends when the request is done.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_HELPER_H
#define NFACC_PROBES_VIRTUAL_MODEL_HELPER_H

#include "probes/virtual/model/rtlb.h"
#include "probes/virtual/model/virtual.h"

/* A line to be cleaned and invalidated. */
struct virt_clean {
	uint64_t pa;
	bool table;     /* it holds table entries: they are looked at when it is done */
	uint8_t known;  /* a bit for each of its entries that was seen when it was read */
	uint64_t since;
};

/* A DVM message to be sent, with a Sync behind it. */
struct virt_send {
	enum virt_dvm_kind kind;
	uint64_t va;
	struct virt_entry victim; /* the evicted entry that holds until this is done, if `used` */
	bool window;              /* the request closes a window */
	uint64_t since;
};

struct virt_helper {
	struct virt_clean clean[VIRT_CLEANS]; /* waiting, oldest first */
	struct virt_send send[VIRT_TLBIS];
	unsigned ncleans, nsends;
	bool cleaning, sending; /* a request is under way: */
	struct virt_clean clean_now;
	struct virt_send send_now;
};

/* Asks for a line to be cleaned. False: there is no room. */
bool virt_helper_clean(struct virt_helper *h, const struct virt_clean *c);

/* Asks for a message. For those that keep annotations right there always is room: when it gets
 * scarce, one invalidation of the whole address space replaces those of addresses, and closes a
 * window in place of keeping victims. An instruction-cache message does not take the last place,
 * which is that invalidation's: it is discarded. This happens only if software sets up again with
 * other observation points while messages for earlier ones wait; each set of points by itself has
 * room. A core may then keep the point's line, and its accesses are not seen until it reads it
 * again. False: it was discarded. */
bool virt_helper_send(struct virt_helper *h, const struct virt_send *s);

/* Takes the next request of a channel and marks it as under way. False: none waits, or one is under
 * way. */
bool virt_helper_next_clean(struct virt_helper *h);
bool virt_helper_next_send(struct virt_helper *h);

/* A line of a table that is cleaned for the first time comes without waiting: marks it as under way. */
void virt_helper_begin_clean(struct virt_helper *h, const struct virt_clean *c);

/* The request that was under way is done. Returns what it was. */
struct virt_clean virt_helper_done_clean(struct virt_helper *h);
struct virt_send virt_helper_done_send(struct virt_helper *h);

/* Forgets the lines that wait to be cleaned. */
void virt_helper_clear_cleans(struct virt_helper *h);

/* Finds an evicted entry that still holds, by its physical address. */
const struct virt_entry *virt_helper_victim(const struct virt_helper *h, uint64_t pa);

/* Ends victims: those that translate `va`, or all. */
void virt_helper_drop(struct virt_helper *h, uint64_t va);
void virt_helper_drop_all(struct virt_helper *h);

/* The process has changed table entries. Nothing that was seen of the lines that are still to be
 * cleaned is trusted. Returns where the earliest of their windows begins, or `since`. */
uint64_t virt_helper_distrust(struct virt_helper *h, uint64_t since);

/* The same for one table entry, of which the reverse TLB has lost the translation. */
void virt_helper_distrust_entry(struct virt_helper *h, uint64_t entry);

#endif
