/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virt_events.h: a front end, the memory that it sees, and events by hand for it. A test program
 * includes it once: all that it has is static. What not all of them use is inline.
 */
#ifndef NFACC_TESTSUITE_UNIT_VIRT_EVENTS_H
#define NFACC_TESTSUITE_UNIT_VIRT_EVENTS_H

#include <string.h>

#include "probes/virtual/model/front.h"

enum {
	FRAMES = 256,
	WORDS = 1 << VIRT_INDEX_BITS, /* of a frame */
	ROOT = 1,
	MIDDLE = 2,
	LAST = 3, /* frames of tables: those of the last level begin at LAST */
	DATA = 200,
	OTHER = 240, /* frames of pages; OTHER is none of the process's */
	ASID = 7,
	LOG = 32768
};

#define PAGE (VIRT_PTE_VALID | VIRT_PTE_TABLE | VIRT_PTE_ACCESSED)
#define TABLE (VIRT_PTE_VALID | VIRT_PTE_TABLE)

/* A front end, the memory that it sees, and what it has requested. */
struct rig {
	struct virt_front f;
	uint64_t memory[FRAMES * WORDS];
	uint64_t clean[LOG];
	enum virt_dvm_kind sent[LOG];
	unsigned ncleans, nsent;
};

static struct rig rig;

static uint64_t address(unsigned frame)
{
	return (uint64_t)frame << VIRT_PAGE_BITS;
}

static uint64_t *entry(struct rig *r, unsigned frame, unsigned i)
{
	return &r->memory[frame * WORDS + i];
}

/* Returns the address of a line of a frame. */
static uint64_t line(unsigned frame, unsigned i)
{
	return address(frame) + i * VIRT_LINE_BYTES;
}

static struct virt_annotated read_line(struct rig *r, uint64_t pa)
{
	struct virt_snoop s = { .kind = VIRT_READ_SHARED, .pa = pa };

	return virt_front_snoop(&r->f, &s, r->memory + virt_align(pa, 6) / sizeof r->memory[0]);
}

static void hear(struct rig *r, enum virt_dvm_kind kind, uint64_t va)
{
	struct virt_dvm m = { .kind = kind, .va = va, .asid = ASID };

	virt_front_dvm(&r->f, &m);
}

static bool take_clean(struct rig *r)
{
	struct virt_request q;

	if (!virt_front_request(&r->f, VIRT_CHANNEL_CLEAN, &q))
		return false;
	r->clean[r->ncleans++ % LOG] = q.pa;
	return true;
}

/* The line that is under way is clean. */
static void done_clean(struct rig *r)
{
	uint64_t pa = r->clean[(r->ncleans - 1) % LOG];

	virt_front_done(&r->f, VIRT_CHANNEL_CLEAN, r->memory + pa / sizeof r->memory[0]);
}

/* Lets all that the front end requests be done. */
static void drain(struct rig *r)
{
	for (bool some = true; some && r->ncleans < LOG && r->nsent < LOG;) {
		struct virt_request q;

		some = false;
		if (take_clean(r)) {
			done_clean(r);
			some = true;
		} else if (virt_front_request(&r->f, VIRT_CHANNEL_DVM, &q)) {
			r->sent[r->nsent++ % LOG] = q.message.kind;
			virt_front_done(&r->f, VIRT_CHANNEL_DVM, NULL);
			some = true;
		}
	}
}

/* Makes a process with so many tables of the last level, in which nothing is mapped. */
static void make(struct rig *r, unsigned entries, unsigned tables)
{
	memset(r, 0, sizeof *r);
	virt_front_init(&r->f, entries);
	*entry(r, ROOT, 0) = address(MIDDLE) | TABLE;
	for (unsigned i = 0; i < tables; i++)
		*entry(r, MIDDLE, i) = address(LAST + i) | TABLE;
}

/* Traces all of its addresses, from 0 on. */
static inline void trace(struct rig *r, uint64_t published)
{
	virt_front_write(&r->f, VIRT_PGD_AT, address(ROOT));
	virt_front_write(&r->f, VIRT_ASID_AT, ASID);
	virt_front_write(&r->f, VIRT_START_AT, 0);
	virt_front_write(&r->f, VIRT_END_AT, UINT64_C(1) << 39);
	virt_front_write(&r->f, VIRT_CTRL_AT,
			 VIRT_PUT(CTRL, ENABLE, 1) | VIRT_PUT(CTRL, PUBLISHED, published) |
				 VIRT_PUT(CTRL, LEVELS, 3));
}

static uint64_t counter(const struct rig *r, enum virt_counter c)
{
	return virt_front_read(&r->f, VIRT_COUNT_AT + (unsigned)c * 8);
}

#define STATUS(r, field) (VIRT_GET(STATUS, field, virt_front_read(&(r)->f, VIRT_STATUS_AT)) != 0)

/* Returns how many lines of a frame were cleaned since request `from`. */
static inline unsigned cleaned(const struct rig *r, unsigned from, unsigned frame)
{
	unsigned n = 0;

	for (unsigned i = from; i < r->ncleans; i++)
		n += r->clean[i] >> VIRT_PAGE_BITS == frame;
	return n;
}

static inline unsigned sent(const struct rig *r, unsigned from, enum virt_dvm_kind kind)
{
	unsigned n = 0;

	for (unsigned i = from; i < r->nsent; i++)
		n += r->sent[i] == kind;
	return n;
}

#endif
