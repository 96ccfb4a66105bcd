/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/stretch.h"

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/emit.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/made.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/settle.h"

#include <sys/ucontext.h>

/*
 * OFTEN: a site with so many faults gets stretches; each time it has to have twice as many, up to
 * OFTEN << TWICE_MOST. If its own stretch was dropped more than SPOILT times, it has to have more
 * from the beginning. AGAIN: so often a stretch is made. TOGETHER: so many are made at once.
 */
enum {
	DOORS = 1 << DOORS_BITS,
	TRIES = 8,
	STRETCHES = 1 << 14,
	OFTEN = 16,
	TWICE_MOST = 8,
	SPOILT = 4,
	AGAIN = 250,
	TOGETHER = 256,
	FUNCTIONS = 1024,
	NEAR = 32, /* bytes from the beginning of a function */
	BEFORE = 4, /* instructions, of at most 15 bytes */
	SCANNED = 4096
};

/* Copies reach the doors by a distance of 32 bits (pages_take_anywhere). */
static const uintptr_t tables_at = 0x18fff0000000;

struct door *stretch_doors;

static struct tables {
	struct door door[DOORS];
	uint8_t times[DOORS]; /* how often a stretch was made for each door */
	/* All stretches that were made. Their rooms are not used again: a thread may be in one. */
	struct site *made[STRETCHES];
	uint32_t made_count;
	/* Functions whose returns were looked for. */
	uint32_t function_count;
	uintptr_t function[FUNCTIONS];
} *tables;

struct door *stretch_door(uintptr_t pc)
{
	for (uintptr_t i = 0; i < TRIES; i++) {
		struct door *d = &stretch_doors[(pc + i) % DOORS];
		if (d->pc == pc)
			return d;
		if (d->pc)
			continue;
		d->target = pc;
		/* Copies of returns read pc first. */
		atomic_signal_fence(memory_order_seq_cst);
		d->pc = pc;
		return d;
	}
	return NULL;
}

static uint8_t *times_of(const struct door *d)
{
	return &tables->times[d - stretch_doors];
}

static void set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

static bool has_stretch(const struct door *d)
{
	return d->target != d->pc;
}

/* A thread that comes to the beginning once more faults there. */
static void drop(struct site *s)
{
	static const uint8_t halt = 0xf4;
	struct door *d = stretch_door(s->pc);
	if (d && d->target == s->copy.at + s->copy.entry)
		d->target = d->pc;
	pages_write(s->copy.at + s->copy.entry, &halt, 1);
	s->gone = true;
}

void stretch_forget(uintptr_t at, size_t bytes)
{
	if (!tables)
		return;
	tables->function_count = 0;
	for (uint32_t i = 0; i < tables->made_count; i++) {
		struct site *s = tables->made[i];
		if (!s->gone && s->pc < at + bytes && s->pc + STRETCH_BYTES + STRETCH_WORD > at)
			drop(s);
	}
}

/* Whether stretches can be made at all. */
static bool works(void)
{
	static bool tried;
	if (!inside.gs || !inside.counting || inside.attached)
		return false;
	if (!tried)
		tables = own_map(tables_at, sizeof *tables);
	if (tables)
		stretch_doors = tables->door;
	tried = true;
	return tables;
}

/* Notes in the channel that a copy goes on to instructions; until they fault the next time. */
static void mark_parts(const struct stretch_plan *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->counts[i])
			mem_sites(inside.channel)[p->counts[i]->number[0]].state =
				MEM_SITE_PATCHED;
}

/* Makes a stretch, and says in *p what it leads to. Returns false if there can be none. */
static bool make(uintptr_t pc, struct stretch_plan *p)
{
	uint8_t code[COPY_MAX];
	struct copy l;
	struct door *d = stretch_door(pc);
	if (!d || *times_of(d) == AGAIN || tables->made_count == STRETCHES ||
	    !copy_plan_stretch(pc, p))
		return false;
	size_t n = copy_stretch(p, tables_at, code, &l);
	const uintptr_t at = n ? pages_take_anywhere(n) : 0;
	if (!at)
		return false;
	n = copy_stretch(p, at, code, &l);
	struct site *s = n && pages_write(at, code, n) ? sites_add_stretch(pc, &l, n) : NULL;
	if (!s)
		return false;
	tables->made[tables->made_count++] = s;
	++*times_of(d);
	mark_parts(p);
	d->target = at + l.entry;
	return true;
}

/* Addresses that are to be looked at, and those that were. */
struct pending {
	uintptr_t at[TOGETHER];
	unsigned n;
};

static void add(struct pending *p, uintptr_t pc)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->at[i] == pc)
			return;
	if (pc && p->n < TOGETHER)
		p->at[p->n++] = pc;
}

/* Whether an instruction at pc can be read. `*known`: the last page of which that is known. */
static bool is_readable(uintptr_t pc, uintptr_t *known)
{
	uint8_t bytes[DECODE_BYTES];
	const uintptr_t page = (pc + DECODE_BYTES - 1) / INSIDE_PAGE;
	const bool good = page == *known || calls_read(bytes, pc, sizeof bytes);
	*known = good ? page : 0;
	return good;
}

/* Looks for a return from pc on up to a jump or a call. Adds the targets of jumps. */
static unsigned look_for_return(uintptr_t pc, struct pending *p)
{
	uintptr_t before[BEFORE], page = 0;
	unsigned n = 0, steps = 0, condition;
	struct decode d = { .length = 0 };
	while (!d.is.branch && !d.is.ends && steps++ < SCANNED) {
		int64_t away;
		const struct site *known = sites_find(pc);
		if (made_writable(pc) || !is_readable(pc, &page))
			break;
		if (known)
			d = known->d;
		else if (!decode_again(pc, &d))
			break;
		if (copy_is_return(d.bytes))
			engine_patch_return(pc, before, n);
		for (unsigned i = BEFORE - 1; i > 0; i--)
			before[i] = before[i - 1];
		before[0] = pc;
		n += n < BEFORE;
		pc += d.length;
		if (copy_is_jump(&d, &condition, &away)) {
			const uintptr_t to = pc + (uint64_t)away;
			if (!made_writable(to) && is_readable(to, &page) &&
			    copy_is_return((const uint8_t *)to))
				engine_patch_jump_to_return(pc - d.length, to);
			add(p, to);
			if (condition)
				add(p, pc);
		}
	}
	return steps;
}

/* Replaces the returns of a function. */
static void replace_returns(uintptr_t function)
{
	struct pending p = { .at = { function }, .n = 1 };
	unsigned steps = 0;
	for (uint32_t i = 0; i < tables->function_count; i++)
		if (tables->function[i] == function)
			return;
	if (tables->function_count == FUNCTIONS || inside_library(function))
		return;
	tables->function[tables->function_count++] = function;
	for (unsigned i = 0; i < p.n && steps < SCANNED; i++)
		steps += look_for_return(p.at[i], &p);
}

/* Makes a stretch, unless there is one, and says in *p what it leads to. */
static bool make_missing(uintptr_t pc, struct stretch_plan *p)
{
	const struct door *d = stretch_door(pc);
	if (!d)
		return false;
	return has_stretch(d) ? copy_plan_stretch(pc, p) : make(pc, p);
}

/* Makes a stretch at pc, and those that it leads to. */
static void make_all(uintptr_t pc)
{
	struct pending p = { .at = { pc }, .n = 1 };
	for (unsigned i = 0; i < p.n; i++) {
		struct stretch_plan plan;
		if (!made_writable(p.at[i]) || !make_missing(p.at[i], &plan))
			continue;
		add(&p, plan.next);
		add(&p, plan.to);
		if (plan.calls && !made_writable(plan.to))
			replace_returns(plan.to);
	}
}

/* How many faults a site has to have before stretches are made for it. */
static unsigned faults_wanted(const struct site *s, const struct door *d)
{
	const unsigned spoilt = *times_of(d) / SPOILT;
	const unsigned twice = s->tries > spoilt ? s->tries : spoilt;
	return OFTEN << (twice < TWICE_MOST ? twice : TWICE_MOST);
}

bool stretch_enter(struct site *s, ucontext_t *context)
{
	s->watched = true;
	if (!works() || s->copy_unsure || !copy_count_can_be_sure(s))
		return false;
	struct door *d = stretch_door(s->pc);
	if (!d)
		return false;
	if (++s->waits >= faults_wanted(s, d)) {
		s->waits = 0;
		if (s->tries < TWICE_MOST)
			s->tries++;
		make_all(s->pc);
	}
	if (!has_stretch(d))
		return false;
	set_pc(context, d->target);
	return true;
}

/* The call that led to a function in which the thread is, and the function. */
struct led {
	uintptr_t call, function;
};

/*
 * Finds the call by the address on the stack. Before that address is e8 and a distance, unless
 * these are the end of a longer call by memory: ff, ModRM from 90 on, SIB.
 */
static bool find_call(const ucontext_t *context, struct led *led)
{
	enum { FAR_CALL = 7, CALL = 5, INDIRECT = 0xff, BY_MEMORY = 0x90, MASK = 0xf8 };
	uintptr_t back;
	uint8_t code[FAR_CALL];
	int32_t away;
	if (!calls_read(&back, (uint64_t)context->uc_mcontext.gregs[REG_RSP], sizeof back) ||
	    !calls_read(code, back - FAR_CALL, sizeof code) || code[FAR_CALL - CALL] != 0xe8 ||
	    (code[0] == INDIRECT && (code[1] & MASK) == BY_MEMORY))
		return false;
	raw_copy(&away, code + FAR_CALL - CALL + 1, sizeof away);
	*led = (struct led){ back - CALL, back + (uint64_t)(int64_t)away };
	return !made_writable(led->call) && !inside_library(led->call);
}

/*
 * Whether the instructions from a function's beginning lead to pc and leave the stack as it is.
 * Then what is on the stack is where the function returns to.
 */
static bool leads_to(uintptr_t function, uintptr_t pc)
{
	enum { RSP_USED = 1 << RSP };
	uintptr_t at = function;
	if (pc - function >= NEAR)
		return false;
	while (at < pc) {
		const struct site *known = sites_find(at);
		struct decode d;
		unsigned condition;
		int64_t away;
		if (known)
			d = known->d;
		else if (!decode_again(at, &d))
			return false;
		if (d.is.ends || d.is.stack || d.used & RSP_USED ||
		    (d.is.branch && !copy_is_jump(&d, &condition, &away)))
			return false;
		at += d.length;
	}
	return at == pc;
}

/* Makes the stretches from a function's beginning up to pc. */
static void make_up_to(uintptr_t function, uintptr_t pc)
{
	struct pending p = { .at = { function }, .n = 1 };
	for (unsigned i = 0; i < p.n; i++) {
		struct stretch_plan plan;
		if (!make_missing(p.at[i], &plan))
			continue;
		if (plan.next > function && plan.next <= pc)
			add(&p, plan.next);
		if (plan.to > function && plan.to <= pc)
			add(&p, plan.to);
	}
}

void stretch_lead(struct site *s, const ucontext_t *context)
{
	struct led led;
	if (!works() || s->copy_unsure || !copy_count_can_be_sure(s) ||
	    ++s->waits < OFTEN << s->tries)
		return;
	s->waits = 0;
	s->watched = true;
	if (s->tries < TWICE_MOST)
		s->tries++;
	if (!find_call(context, &led) || !leads_to(led.function, s->pc))
		return;
	make_up_to(led.function, s->pc);
	const struct door *d = stretch_door(led.function);
	struct site *call = d && has_stretch(d) ? sites_make(led.call) : NULL;
	/* Other calls of the function may follow. */
	if (call && engine_patch_call(call))
		s->tries = 0;
}

/* Makes a stretch anew: one of its instructions is another one now, or is copied otherwise. */
static void make_anew(struct site *s)
{
	struct stretch_plan plan;
	drop(s);
	make(s->pc, &plan);
}

/*
 * Notes that an instruction accesses watched memory. Returns whether its part can count from now
 * on.
 */
static bool note_watched(uintptr_t pc)
{
	decode_forget();
	sites_check(pc);
	struct site *s = sites_make(pc);
	if (!s)
		return false;
	s->watched = true;
	return !s->copy_unsure && copy_count_can_be_sure(s);
}

/* A part that counts accessed memory that has no alias by gs. */
static void note_unsure(uintptr_t pc)
{
	struct site *s = sites_find(pc);
	if (s)
		s->copy_unsure = true;
}

bool stretch_fault(struct site *s, ucontext_t *context, uintptr_t at)
{
	const uintptr_t away = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - s->copy.at;
	const struct copy_part *p = settle_part(s, away);
	const uintptr_t pc = p ? s->pc + p->away : s->pc;
	const bool closed = p && !p->committed && at && mirror_covers(at);
	stretch_settle(s, context);
	pages_begin();
	if (!p) {
		drop(s);
	} else if (p->committed && away < p->committed) {
		/* The thread has no counters yet. */
		ring_wait();
	} else if (p->committed) {
		note_unsure(pc);
		make_anew(s);
	} else if (closed && note_watched(pc)) {
		make_anew(s);
	}
	pages_end();
	return closed;
}
