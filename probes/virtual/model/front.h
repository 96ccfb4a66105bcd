/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * front.h: the front end: its parts, its registers, and what connects them. probes/virtual/virtual.md says why
 * each step is as it is.
 *
 * Snoops and DVM messages come in the order of the port. A snoop is answered when virt_front_snoop()
 * has returned, and the reader gets its line only then.
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
	bool log;            /* the logger keeps records; else they are not made */
	struct virt_window window;
	uint32_t due; /* a bit for each observation point whose line is to leave the caches */
	unsigned storm_reads, storm_evictions; /* of the current STORM_SNOOPS */
	/* The table whose lines are being cleaned for the first time; -1: none. */
	int page;
};

/* Makes a front end that does nothing yet, with a reverse TLB of so many entries. */
void virt_front_init(struct virt_front *f, unsigned entries);

/* Writes a register. Writing CTRL with ENABLE begins the set-up; writing ASID while it traces tells
 * that the process got a new number. A write to an offset that has no register, or one that is read
 * only, does nothing. Reading such an offset gives 0. */
void virt_front_write(struct virt_front *f, unsigned offset, uint64_t value);
uint64_t virt_front_read(const struct virt_front *f, unsigned offset);

/* Takes a snoop in. `line` is what memory holds at that line. */
struct virt_annotated virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
				       const uint64_t line[VIRT_LINE_ENTRIES]);

/* Takes a DVM message in. A Sync may be answered when this has returned: what earlier messages
 * invalidate has left the reverse TLB. */
void virt_front_dvm(struct virt_front *f, const struct virt_dvm *m);

/* Takes the next request of a channel out. False: there is none, or one is under way. */
bool virt_front_request(struct virt_front *f, enum virt_channel channel, struct virt_request *r);

/* The request that was under way is done. For VIRT_CHANNEL_CLEAN, `line` is what memory holds. */
void virt_front_done(struct virt_front *f, enum virt_channel channel,
		     const uint64_t line[VIRT_LINE_ENTRIES]);

#endif
