/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * front.h: the front end: its parts, its registers, and the connections between the parts.
 * probes/virtual/virtual.md gives the reason for each step.
 *
 * Snoops and DVM messages come in the order in which they pass the port. A snoop is answered when
 * virt_front_snoop() returns. Only then does the reader get its line.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_FRONT_H
#define NFACC_PROBES_VIRTUAL_MODEL_FRONT_H

#include "probes/virtual/model/helper.h"
#include "probes/virtual/model/logger.h"
#include "probes/virtual/model/rtlb.h"
#include "probes/virtual/model/stalker.h"
#include "probes/virtual/model/watchdog.h"
#include "probes/virtual/model/window.h"

struct virt_front {
	struct virt_regs regs;
	struct virt_stalker stalker;
	struct virt_rtlb rtlb;
	struct virt_watchdog watchdog;
	struct virt_helper helper;
	struct virt_logger logger;
	bool log;            /* the logger makes and keeps records */
	struct virt_window window;
	uint32_t due; /* a bit for each observation point whose line must leave the caches */
	unsigned storm_reads, storm_evictions; /* counts in this round of STORM_SNOOPS */
	/* Number of the table that has a line in its first cleaning now; -1: none. */
	int page;
};

/* Initialises a front end, which is disabled at first. `entries`: size of the reverse TLB. */
void virt_front_init(struct virt_front *f, unsigned entries);

/*
 * Writes a register. To write CTRL with ENABLE starts the set-up. To write ASID while it traces
 * tells the front end that the process has a new number. A write to an offset without a register,
 * or to a read-only register, has no effect. Reading such an offset without a register gives 0.
 */
void virt_front_write(struct virt_front *f, unsigned offset, uint64_t value);
uint64_t virt_front_read(const struct virt_front *f, unsigned offset);

/* Handles a snoop. `line` is the content of that line in memory. */
struct virt_annotated virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
				       const uint64_t line[VIRT_LINE_ENTRIES]);

/*
 * Handles a DVM message. When this function returns, all translations that earlier messages
 * invalidate have left the reverse TLB. So a Sync may then be answered.
 */
void virt_front_dvm(struct virt_front *f, const struct virt_dvm *m);

/* Takes the next request of a channel. Returns false if there is none, or if one is under way. */
bool virt_front_request(struct virt_front *f, enum virt_channel channel, struct virt_request *r);

/*
 * Tells that the request under way is done. For VIRT_CHANNEL_CLEAN, `line` is the content of the
 * line in memory.
 */
void virt_front_done(struct virt_front *f, enum virt_channel channel,
		     const uint64_t line[VIRT_LINE_ENTRIES]);

#endif
