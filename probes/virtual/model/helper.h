/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * helper.h: the Invalidation Helper. It keeps requests in the order in which they came, in two
 * queues. Each queue belongs to a channel, and has at most one request under way. Requests with the
 * same effect are merged.
 *
 * A request may close a window. A window is a time in which a translation may have been missed. It
 * begins with read number `since` (of the reads that got no address), and ends when the request is
 * done.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_HELPER_H
#define NFACC_PROBES_VIRTUAL_MODEL_HELPER_H

#include "probes/virtual/model/rtlb.h"
#include "probes/virtual/model/virtual.h"

/* A line to clean and invalidate. */
struct virt_clean {
	uint64_t pa;
	bool table;     /* the line holds table entries: they are read when it is cleaned */
	uint8_t known;  /* a bit for each entry that was seen when a core read the line */
	uint64_t since;
};

/* A DVM message to send. A Sync follows it. */
struct virt_send {
	enum virt_dvm_kind kind;
	uint64_t va;
	struct virt_entry victim; /* evicted entry that is valid until this is done, if `used` */
	bool window;              /* the request closes a window */
	uint64_t since;
};

struct virt_helper {
	struct virt_clean clean[VIRT_CLEANS]; /* waiting, the oldest first */
	struct virt_send send[VIRT_TLBIS];
	unsigned ncleans, nsends;
	bool cleaning, sending; /* whether a request is under way: */
	struct virt_clean clean_now;
	struct virt_send send_now;
};

/* Asks for a line to be cleaned. Returns false if the queue is full. */
bool virt_helper_clean(struct virt_helper *h, const struct virt_clean *c);

/*
 * Asks for a message to be sent. Returns false if the message was discarded.
 *
 * There is always room for the messages that keep annotations right. When room gets scarce, one
 * invalidation of the whole address space replaces invalidations of single addresses. It then
 * closes a window instead of keeping evicted entries valid. The last place is kept for that
 * invalidation. So an instruction-cache message that finds only the last place free is discarded.
 * This happens only if software sets up other observation points while messages for the earlier
 * points still wait. For one set of points there is always room. If a message is discarded, a core
 * may keep the line of the point. Its accesses are then not seen until it reads the line again.
 */
bool virt_helper_send(struct virt_helper *h, const struct virt_send *s);

/*
 * Takes the next request of a channel and marks it as under way. Returns false if none waits, or if
 * one is under way.
 */
bool virt_helper_next_clean(struct virt_helper *h);
bool virt_helper_next_send(struct virt_helper *h);

/*
 * Marks a line as under way that does not come from the queue: the first cleaning of a table line.
 */
void virt_helper_begin_clean(struct virt_helper *h, const struct virt_clean *c);

/* Ends the request under way, and returns it. */
struct virt_clean virt_helper_done_clean(struct virt_helper *h);
struct virt_send virt_helper_done_send(struct virt_helper *h);

/* Drops all lines that wait to be cleaned. */
void virt_helper_clear_cleans(struct virt_helper *h);

/* Finds an evicted entry that is still valid, by a physical address. */
const struct virt_entry *virt_helper_victim(const struct virt_helper *h, uint64_t pa);

/* Ends the validity of evicted entries: of those that translate `va`, or of all. */
void virt_helper_drop(struct virt_helper *h, uint64_t va);
void virt_helper_drop_all(struct virt_helper *h);

/*
 * Called when the process has changed table entries. What was seen of the lines that are still to
 * be cleaned is no longer trusted. Returns where the earliest of their windows begins, at most
 * `since`.
 */
uint64_t virt_helper_distrust(struct virt_helper *h, uint64_t since);

/* The same for one table entry: the reverse TLB has lost its translation. */
void virt_helper_distrust_entry(struct virt_helper *h, uint64_t entry);

#endif
