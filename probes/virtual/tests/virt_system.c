/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The computer around the front end for virtual addresses copies a page that is shared after a fork
 * when it is written. A run with a front end and one without would agree if it did not.
 */
#include "probes/virtual/system/parts.h"
#include "testsuite/unit/tap.h"

enum { VA = 0x10000000, FRAMES = 4096 };

/* Returns the table entry of VA in a process. */
static uint64_t mapping(const struct sys *s, int p)
{
	unsigned level;
	uint64_t entry = sys_entry_of(s, p, VA, &level);

	return entry == 0 ? 0 : sys_peek(s, entry);
}

static uint64_t frame(const struct sys *s, int p)
{
	return mapping(s, p) & VIRT_PTE_ADDRESS;
}

static void makes_copies(struct tap *t, struct sys *s)
{
	uint64_t old, before, now;

	for (unsigned i = 0; i < 5; i++)
		sys_access(s, 0, SYS_STORE, VA, 8);
	old = frame(s, 0);
	before = sys_peek(s, old);
	tap_case(t, before != 0, "a store is in memory");
	tap_case(t, sys_begin(s, 0, SYS_FORK, 0, 0) && frame(s, 2) == old, "a child has its page");
	tap_case(t, (mapping(s, 0) & mapping(s, 2) & VIRT_PTE_SHARED) != 0,
		 "and both entries say so");
	sys_access(s, 0, SYS_LOAD, VA, 8);
	tap_case(t, frame(s, 0) == old, "a load copies nothing");
	sys_access(s, 0, SYS_STORE, VA, 8);
	now = sys_peek(s, frame(s, 0));
	tap_case(t, frame(s, 0) != old && now != before, "a store goes to a page of its own");
	tap_case(t, frame(s, 2) == old && sys_peek(s, old) == before,
		 "the child's page is as it was");
	tap_case(t, (mapping(s, 0) & (VIRT_PTE_SHARED | VIRT_PTE_READ_ONLY)) == 0,
		 "the process's own page is not shared");
}

/* The child ends before the process writes: nothing is copied. */
static void keeps(struct tap *t, struct sys *s)
{
	uint64_t old;

	sys_access(s, 0, SYS_STORE, VA, 8);
	old = frame(s, 0);
	tap_case(t,
		 sys_begin(s, 0, SYS_FORK, 0, 0) && sys_begin(s, 0, SYS_FORK, 0, 0) &&
			 !s->process[2].alive,
		 "a child ends");
	sys_access(s, 0, SYS_STORE, VA, 8);
	tap_case(t,
		 frame(s, 0) == old &&
			 (mapping(s, 0) & (VIRT_PTE_SHARED | VIRT_PTE_READ_ONLY)) == 0,
		 "then the process keeps its page");
}

int main(void)
{
	void (*const part[])(struct tap *, struct sys *) = { makes_copies, keeps };
	struct sys_options o = sys_options_board();
	struct tap t = { 0 };

	o.machine.cores = 1;
	o.machine.frames = FRAMES;
	o.tracing.front = false;
	for (unsigned i = 0; i < sizeof part / sizeof part[0]; i++) {
		struct sys *s = sys_new(&o);

		if (s == NULL)
			return 99;
		part[i](&t, s);
		sys_free(s);
	}
	return tap_end(&t);
}
