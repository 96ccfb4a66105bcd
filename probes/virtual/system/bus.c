/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bus.c: the interconnect. It passes snoops and DVM messages to the front end, and carries out the
 * requests of the front end. It also knows the truth about each snoop. The times that requests take
 * come from their own random numbers. So the cores do the same with and without a front end.
 */
#include <stddef.h>

#include "probes/virtual/system/parts.h"

bool sys_is_point(const struct sys *s, uint64_t va)
{
	for (unsigned i = 0; i < s->o.tracing.npoints; i++)
		if (virt_align(s->o.tracing.point[i], 6) == virt_align(va, 6))
			return va >= s->o.tracing.start && va < s->o.tracing.end;
	return false;
}

/* Compares an annotation with what caused the snoop. */
static void judge_snoop(struct sys *s, const struct virt_annotated *a)
{
	const struct sys_cause *c = &s->known.cause;
	bool own = c->process == 0 && (c->kind == SYS_ACCESS || c->kind == SYS_PREFETCH);

	if (a->shared)
		s->known.truth.shared++;
	else if (a->hit && !own)
		s->known.truth.foreign++;
	else if (a->hit && a->va != virt_align(c->va, 6))
		s->known.truth.wrong++;
	else if (a->hit)
		s->known.truth.right++;
	else if (own && c->va >= s->o.tracing.start && c->va < s->o.tracing.end)
		s->known.truth.missed++;
	if (s->tracing && own && c->kind == SYS_PREFETCH && sys_is_point(s, c->va))
		s->known.truth.point_prefetches++;
	if (a->observed && (a->hit || own))
		s->known.truth.point_hits++;
}

void sys_snoop(struct sys *s, enum virt_snoop_kind kind, uint64_t pa)
{
	struct sys_snoop x = { .snoop = { .kind = kind,
					  .pa = virt_align(pa, VIRT_LINE_BITS),
					  .time = s->schedule.step,
					  .word = (unsigned)(pa % VIRT_LINE_BYTES) },
			       .cause = s->known.cause };
	uint64_t reads;

	s->counts.snoops++;
	if (s->front == NULL)
		return;
	reads = s->front->regs.count[VIRT_COUNT_READS];
	x.annotated = virt_front_snoop(s->front, &x.snoop,
				       s->frames.memory + x.snoop.pa / sizeof s->frames.memory[0]);
	if (s->front->regs.count[VIRT_COUNT_READS] == reads)
		return;
	judge_snoop(s, &x.annotated);
	if (s->listener.sink != NULL)
		s->listener.sink(s->listener.ctx, &x);
}

/* The time that a request of the front end takes, in sixteenths of a step. */
static uint64_t delay(struct sys *s)
{
	return s->o.machine.latency == 0
		       ? 0
		       : 1 + sys_random(&s->requests.front_random) % (16 * s->o.machine.latency);
}

static uint64_t bus_time(const struct sys *s)
{
	return s->schedule.step * 16 + (s->schedule.micro < 15 ? s->schedule.micro : 15);
}

/* Makes a core carry out a message. */
static void take_message(struct sys *s, unsigned core, const struct virt_dvm *m)
{
	uint64_t entry;
	unsigned level;

	if (m->kind != VIRT_ICACHE_VA) {
		sys_tlb_take(&s->core[core], m);
		return;
	}
	entry = sys_entry_of(s, 0, m->va, &level);
	if (entry != 0 && (sys_peek(s, entry) & VIRT_PTE_VALID) != 0)
		sys_drop_code(s, virt_align(sys_peek(s, entry) & VIRT_PTE_ADDRESS,
					    virt_span_bits(level)) +
					 m->va % (UINT64_C(1) << virt_span_bits(level)));
}

static void take_due(struct sys *s, bool all)
{
	for (unsigned i = 0; i < s->o.machine.cores; i++) {
		struct sys_core *c = &s->core[i];

		while (c->nmessages > 0 &&
		       (all || c->message[c->first_message].due <= s->schedule.step)) {
			take_message(s, i, &c->message[c->first_message].dvm);
			c->first_message = (c->first_message + 1) % SYS_MESSAGES;
			c->nmessages--;
		}
	}
}

/*
 * Sends a message to all cores. Returns the step in which the last core has received it. Each core
 * receives messages in the order in which they were sent.
 */
static uint64_t post(struct sys *s, const struct virt_dvm *m, uint64_t *random)
{
	uint64_t last = s->schedule.step;

	for (unsigned i = 0; i < s->o.machine.cores; i++) {
		struct sys_core *c = &s->core[i];
		uint64_t due =
			s->schedule.step +
			(s->o.machine.latency == 0 ? 0 : sys_random(random) % s->o.machine.latency);

		if (c->nmessages == SYS_MESSAGES) {
			take_due(s, true);
			due = s->schedule.step;
		}
		if (c->nmessages > 0) {
			unsigned newest = (c->first_message + c->nmessages - 1) % SYS_MESSAGES;

			if (c->message[newest].due > due)
				due = c->message[newest].due;
		}
		c->message[(c->first_message + c->nmessages++) % SYS_MESSAGES] =
			(struct sys_message){ *m, due };
		if (due > last)
			last = due;
	}
	return last;
}

/* Cleans the lines that the front end asks for, if their time has come. */
static void do_cleans(struct sys *s)
{
	for (;;) {
		if (!s->requests.cleaning) {
			if (!virt_front_request(s->front, VIRT_CHANNEL_CLEAN, &s->requests.clean))
				return;
			s->requests.cleaning = true;
			s->requests.clean_due = bus_time(s) + delay(s);
		}
		if (s->requests.clean_due > bus_time(s))
			return;
		sys_clean_line(s, s->requests.clean.pa);
		s->requests.cleaning = false;
		virt_front_done(s->front, VIRT_CHANNEL_CLEAN,
				s->frames.memory +
					s->requests.clean.pa / sizeof s->frames.memory[0]);
	}
}

/*
 * Sends the messages that the front end asks for, and ends those whose time has come. Returns
 * whether any ended.
 */
static bool do_sends(struct sys *s)
{
	bool some = false;

	for (;;) {
		if (!s->requests.sending) {
			if (!virt_front_request(s->front, VIRT_CHANNEL_DVM, &s->requests.send))
				return some;
			s->requests.sending = true;
			s->requests.send_due =
				post(s, &s->requests.send.message, &s->requests.front_random) +
				(s->o.machine.latency == 0 ? 0 : 1);
			if (s->o.machine.latency == 0)
				take_due(s, true);
		}
		if (s->requests.send_due > s->schedule.step)
			return some;
		s->requests.sending = false;
		some = true;
		virt_front_done(s->front, VIRT_CHANNEL_DVM, NULL);
	}
}

/*
 * Does all that the front end asks for. Without races that takes no time. Returns whether a message
 * was sent.
 */
static bool do_all(struct sys *s)
{
	bool some = false;

	for (;;) {
		do_cleans(s);
		if (!do_sends(s))
			return some;
		some = true;
	}
}

void sys_after_operation(struct sys *s)
{
	s->schedule.micro++;
	if (s->front == NULL)
		return;
	if (s->o.machine.latency == 0 && s->known.cause.kind == SYS_KERNEL)
		do_all(s);
	else
		do_cleans(s);
}

uint64_t sys_broadcast(struct sys *s, const struct virt_dvm *m)
{
	static const struct virt_dvm sync = { .kind = VIRT_SYNC };

	post(s, m, &s->schedule.random);
	if (s->o.machine.latency == 0)
		take_due(s, true);
	if (s->front != NULL) {
		virt_front_dvm(s->front, m);
		virt_front_dvm(s->front, &sync);
		if (s->o.machine.latency == 0)
			do_all(s);
	}
	return s->schedule.step + s->o.machine.latency;
}

bool sys_between_operations(struct sys *s)
{
	return s->front != NULL && s->o.machine.latency == 0 && do_all(s);
}

void sys_between_steps(struct sys *s)
{
	s->schedule.step++;
	s->schedule.micro = 0;
	take_due(s, false);
	if (s->front != NULL)
		do_all(s);
}
