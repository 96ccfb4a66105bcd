/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfavirt with one addition: it writes the events of its front end to the file $NFACC_EVENTS. It is
 * linked with --wrap for the functions of the front end, so all calls of the system come here.
 */
#include "probes/virtual/tests/rtl/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/virtual/model/front.h"

/* The file, and the time of the last snoop that has an address. */
static FILE *file;
static uint64_t last;
static bool any;

static void put_event(const struct event *e)
{
	if (file == NULL) {
		const char *name = getenv("NFACC_EVENTS");

		file = name == NULL ? NULL : fopen(name, "wb");
		if (file == NULL)
			exit(99);
	}
	if (fwrite(e, event_has_line(e) ? sizeof *e : event_head(), 1, file) != 1)
		exit(99);
}

static void put_line(struct event *e, const uint64_t line[VIRT_LINE_ENTRIES])
{
	memcpy(e->line, line, sizeof e->line);
	put_event(e);
}

void __real_virt_front_init(struct virt_front *f, unsigned entries);
void __real_virt_front_write(struct virt_front *f, unsigned offset, uint64_t value);
struct virt_annotated __real_virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
					      const uint64_t line[VIRT_LINE_ENTRIES]);
void __real_virt_front_dvm(struct virt_front *f, const struct virt_dvm *m);
bool __real_virt_front_request(struct virt_front *f, enum virt_channel channel,
			       struct virt_request *r);
void __real_virt_front_done(struct virt_front *f, enum virt_channel channel,
			    const uint64_t line[VIRT_LINE_ENTRIES]);

void __wrap_virt_front_init(struct virt_front *f, unsigned entries);
void __wrap_virt_front_write(struct virt_front *f, unsigned offset, uint64_t value);
struct virt_annotated __wrap_virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
					      const uint64_t line[VIRT_LINE_ENTRIES]);
void __wrap_virt_front_dvm(struct virt_front *f, const struct virt_dvm *m);
bool __wrap_virt_front_request(struct virt_front *f, enum virt_channel channel,
			       struct virt_request *r);
void __wrap_virt_front_done(struct virt_front *f, enum virt_channel channel,
			    const uint64_t line[VIRT_LINE_ENTRIES]);

void __wrap_virt_front_init(struct virt_front *f, unsigned entries)
{
	put_event(&(struct event){ .what = EVENT_INIT });
	__real_virt_front_init(f, entries);
}

void __wrap_virt_front_write(struct virt_front *f, unsigned offset, uint64_t value)
{
	put_event(&(struct event){ .what = EVENT_WRITE, .address = offset, .value = value });
	__real_virt_front_write(f, offset, value);
}

struct virt_annotated __wrap_virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
					      const uint64_t line[VIRT_LINE_ENTRIES])
{
	struct virt_annotated a = __real_virt_front_snoop(f, s, line);
	struct event e = { .what = EVENT_SNOOP, .address = s->pa + s->word, .value = s->kind,
			   .more = s->time, .answer = a.hit };

	/*
	 * The times of messages must rise. Hardware counts cycles, and a snoop takes several
	 * cycles.
	 */
	if (any && e.more <= last)
		e.more = last + 1;
	if (a.hit) {
		last = e.more;
		any = true;
	}
	put_line(&e, line);
	return a;
}

void __wrap_virt_front_dvm(struct virt_front *f, const struct virt_dvm *m)
{
	put_event(&(struct event){
		.what = EVENT_DVM, .address = virt_va(m->va), .value = m->kind, .more = m->asid });
	__real_virt_front_dvm(f, m);
}

bool __wrap_virt_front_request(struct virt_front *f, enum virt_channel channel,
			       struct virt_request *r)
{
	struct event e = { .what = channel == VIRT_CHANNEL_CLEAN ? EVENT_CLEAN : EVENT_SEND };

	e.answer = __real_virt_front_request(f, channel, r);
	if (e.answer && e.what == EVENT_CLEAN) {
		e.address = r->pa;
	} else if (e.answer) {
		e.address = r->message.va;
		e.value = r->message.kind;
		e.more = r->message.asid;
	}
	put_event(&e);
	return e.answer;
}

void __wrap_virt_front_done(struct virt_front *f, enum virt_channel channel,
			    const uint64_t line[VIRT_LINE_ENTRIES])
{
	struct event e = { .what = channel == VIRT_CHANNEL_CLEAN ? EVENT_CLEANED : EVENT_SENT };

	if (channel == VIRT_CHANNEL_CLEAN)
		put_line(&e, line);
	else
		put_event(&e);
	__real_virt_front_done(f, channel, line);
}
