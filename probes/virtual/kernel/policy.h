/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * policy.h: what the driver of the front end decides: which registers it writes, which entries of
 * page tables it marks, and what its commands are. It needs no kernel and no library, so the
 * kernel module (main.c), the model of a computer and nfavirt --bus all have this code.
 */
#ifndef NFACC_PROBES_VIRTUAL_KERNEL_POLICY_H
#define NFACC_PROBES_VIRTUAL_KERNEL_POLICY_H

#include "probes/virtual/contract/virtual.h"
#ifndef __KERNEL__
#include <stdbool.h>
#endif

enum { NFAVIRT_WRITES = 5 + VIRT_POINTS };

/* The mark of an entry whose frame has others. */
#define NFAVIRT_SHARED ((uint64_t)1 << VIRT_PTE_SHARED_BIT)

/* What is traced. */
struct nfavirt_setup {
	uint64_t pgd; /* physical address of the root of the page tables */
	uint64_t asid;
	uint64_t start, end;         /* the range; `end` is the first address after it */
	unsigned levels;             /* of the page tables, 3 or 4 */
	bool published;              /* the front end works as published */
	unsigned npoints;            /* at most VIRT_POINTS */
	uint64_t point[VIRT_POINTS]; /* addresses */
	uint32_t data;               /* a bit for each point that holds no instructions */
};

struct nfavirt_write {
	unsigned offset;
	uint64_t value;
};

/* Lists the writes to registers that begin to trace, CTRL last. Returns how many there are. */
unsigned nfavirt_writes(const struct nfavirt_setup *s, struct nfavirt_write w[NFAVIRT_WRITES]);

/*
 * Returns an entry of the last level, or of a huge page, as it must be if its frame has, or is
 * about to get, other entries; and as it may be if it has none. One that is not valid stays.
 */
uint64_t nfavirt_shared(uint64_t entry);
uint64_t nfavirt_alone(uint64_t entry);

/*
 * Commands, one in a text:
 *
 *	trace PID START END   traces the addresses from START up to END of a process
 *	point ADDRESS         observes a line of instructions, from the next `trace` on
 *	watch ADDRESS         observes a line of data
 *	forget                observes no lines
 *	stop
 *
 * Numbers are decimal, or hexadecimal with 0x.
 */
enum nfavirt_verb { NFAVIRT_TRACE, NFAVIRT_POINT, NFAVIRT_WATCH, NFAVIRT_FORGET, NFAVIRT_STOP };

struct nfavirt_command {
	enum nfavirt_verb verb;
	uint64_t number[3]; /* in the order above */
};

/* Reads a command. Returns NULL, or else what is wrong with it. */
const char *nfavirt_parse(const char *text, struct nfavirt_command *c);

/* Adds a point. Returns NULL, or else what is wrong with it. */
const char *nfavirt_add_point(struct nfavirt_setup *s, uint64_t address, bool code);

#endif
