/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * events.h: a file with the inputs of the front end in a run of nfavirt, and its answers. It
 * consists of struct event as it is in memory. events.c writes the file. engine.cc repeats the
 * events in Verilog.
 */
#ifndef NFACC_PROBES_VIRTUAL_TESTS_RTL_EVENTS_H
#define NFACC_PROBES_VIRTUAL_TESTS_RTL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/virtual/model/virtual.h"

enum event_what {
	EVENT_INIT,
	EVENT_WRITE,         /* address, value */
	EVENT_SNOOP,         /* physical address that the reader wants, kind, time, `line` */
	EVENT_DVM,           /* virtual address, kind, address space */
	EVENT_CLEAN,         /* whether there is a line to clean; its physical address */
	EVENT_SEND,          /* whether there is a message; its address, kind, address space */
	EVENT_CLEANED,       /* `line` */
	EVENT_SENT
};

struct event {
	uint64_t what;
	uint64_t address, value, more; /* values as listed above, in that order */
	uint64_t answer; /* SNOOP: it has an address; CLEAN, SEND: there is one */
	uint64_t line[VIRT_LINE_ENTRIES]; /* in the file only if event_has_line() */
};

static inline bool event_has_line(const struct event *e)
{
	return e->what == EVENT_SNOOP || e->what == EVENT_CLEANED;
}

/* Returns how many bytes of an event come before its line. */
static inline size_t event_head(void)
{
	return offsetof(struct event, line);
}

#endif
