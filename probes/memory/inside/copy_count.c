/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Copies that count. The parts of such a copy take it for certain that each access is to watched
 * memory, and go there by gs (count.c). They do not end at the next instruction, but go on until
 * there is a call or the like, also past forward jumps, so that the program jumps seldom:
 *
 *     hlt
 *     part 0:  counter of the site += 1
 *              the instruction, with prefix gs
 *     part 1:  instructions that access at most the stack, as they are
 *     part 2:  counter of the next site += 1
 *              that instruction, with prefix gs
 *     ...
 *              jump to the next instruction of the program
 *     other:   the head and the tail of copy.h, with the counter in place of the ring
 *
 * If the memory is not watched, there is nothing at that distance, so the instruction faults. The
 * handler takes 1 from the counter, and makes the part a jump: part 0 to `other`, others to their
 * instruction in the program (fault.c). If an instruction that is copied as it is faults, it is
 * tried again in the program.
 *
 * The counter is added to by inc if nobody needs the flags: the instruction sets them all, or those
 * behind it do before any is read, whichever way a conditional jump goes. Otherwise a register is
 * needed. The best one is that which the instruction sets anyway. A register is saved in any case,
 * so that the handler can restore it.
 *
 * All parts are of one page of code, so they go when it is changed.
 */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/emit.h"

enum { REX_W = 0x48, REX_R = 4, REX_B = 1, PREFIX_GS = 0x65, LONGEST = 15, R12 = 12 };
/* PART_MOST: no part is longer. HEAD_MOST: the piece after the parts is not longer. */
enum { PART_MOST = 128, HEAD_MOST = 256, JUMP_MOST = 14, FOLLOWED = 32, PLANS = 4, SEGMENT_FS = 4 };
enum { FLAG_STEPS = 16 }; /* so many instructions are looked at for a use of flags */

/* mov between a register, which may be one of the upper eight, and [disp32], in fs or not. */
static void move_far(struct code *c, bool fs, bool store, unsigned r, uint32_t at)
{
	if (fs)
		byte(c, 0x64);
	BYTES(c, (uint8_t)(REX_W | (r > 7 ? REX_R : 0)), store ? 0x89 : 0x8b,
	      (uint8_t)(0x04 | (r & 7) << 3), 0x25);
	emit_word(c, at, 4);
}

static uint32_t counter_at(const struct site *s)
{
	return s->number[0] * (uint32_t)sizeof(uint64_t);
}

/* value += 1 by lea. It is neither rsp nor r12. */
static void add_one(struct code *c, unsigned value)
{
	BYTES(c, (uint8_t)(REX_W | (value > 7 ? REX_R | REX_B : 0)), 0x8d,
	      (uint8_t)(0x40 | (value & 7) << 3 | (value & 7)), 1);
}

void copy_count_access(struct code *c, const struct site *s, const struct copy *l)
{
	const unsigned b = l->temporary;
	thread_move(c, false, b, &inside_self.counters);
	BYTES(c, REX_W, 0x8b, (uint8_t)(0x80 | RCX << 3 | b));
	emit_word(c, counter_at(s), 4);
	add_one(c, RCX);
	BYTES(c, REX_W, 0x89, (uint8_t)(0x80 | RCX << 3 | b));
	emit_word(c, counter_at(s), 4);
}

/* Whether the instruction itself, or what comes after it, sets all flags before any is read. */
static bool flags_are_free(const struct site *s)
{
	if (s->d.flags_read)
		return false;
	return s->d.flags_set == DECODE_FLAGS || s->flags_free;
}

static void keep(struct code *c, bool store, unsigned r, unsigned where)
{
	move_far(c, true, store, r, in_thread(&inside_self.scratch[where]));
}

/* Counts, with the counters at a fixed address. */
static void count_alone(struct code *c, const struct site *s, struct copy_part *l, unsigned free)
{
	const uint32_t at = (uint32_t)(uintptr_t)inside.counters + counter_at(s);
	if (flags_are_free(s)) {
		l->saved = (uint16_t)c->n;
		BYTES(c, REX_W, 0xff, 0x04, 0x25);
		emit_word(c, at, 4);
		l->committed = (uint16_t)c->n;
		return;
	}
	const unsigned value = free != REGISTER_NONE ? free : RCX;
	l->value = (uint8_t)value;
	keep(c, true, value, KEEP_RCX);
	l->saved = (uint16_t)c->n;
	move_far(c, false, false, value, at);
	add_one(c, value);
	move_far(c, false, true, value, at);
	l->committed = (uint16_t)c->n;
	if (value != free)
		keep(c, false, value, KEEP_RCX);
}

/* Counts, with the counters of the thread that runs the copy. */
static void count_in_thread(struct code *c, const struct site *s, struct copy_part *l,
			    unsigned free)
{
	const bool flags = flags_are_free(s);
	const unsigned pointer = flags && free < 8 ? free : RAX;
	const unsigned value = free != REGISTER_NONE && free != RAX ? free : RCX;
	l->pointer = (uint8_t)pointer;
	keep(c, true, pointer, KEEP_TEMPORARY);
	if (!flags) {
		l->value = (uint8_t)value;
		keep(c, true, value, KEEP_RCX);
	}
	l->saved = (uint16_t)c->n;
	thread_move(c, false, pointer, &inside_self.counters);
	if (flags) {
		BYTES(c, REX_W, 0xff, (uint8_t)(0x80 | pointer));
		emit_word(c, counter_at(s), 4);
	} else {
		const uint8_t rex = (uint8_t)(REX_W | (value > 7 ? REX_R : 0));
		const uint8_t modrm = (uint8_t)(0x80 | (value & 7) << 3 | pointer);
		BYTES(c, rex, 0x8b, modrm);
		emit_word(c, counter_at(s), 4);
		add_one(c, value);
		BYTES(c, rex, 0x89, modrm);
		emit_word(c, counter_at(s), 4);
	}
	l->committed = (uint16_t)c->n;
	if (pointer != free)
		keep(c, false, pointer, KEEP_TEMPORARY);
	if (!flags && value != free)
		keep(c, false, value, KEEP_RCX);
}

/*
 * The instruction with prefix gs. If its address is relative to rip, the distance is changed.
 * Returns false if it cannot be.
 */
static bool with_gs(struct code *c, const struct site *s, uintptr_t at)
{
	const struct decode *d = &s->d;
	const bool relative = d->operand[0].base == REGISTER_RIP;
	bool past = false;
	byte(c, PREFIX_GS);
	for (unsigned i = 0; i < d->length; i++) {
		const unsigned b = d->bytes[i];
		past |= i >= d->modrm || !(b == 0x66 || b == 0xf2 || b == 0xf3 || b == 0xf0 ||
					   b == 0x67 || b == 0x26 || b == 0x2e || b == 0x36 ||
					   b == 0x3e);
		if (past || !(b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e))
			byte(c, b);
	}
	if (!relative)
		return true;
	const uintptr_t to = s->pc + d->length + (uint64_t)d->operand[0].displacement;
	const int64_t far = (int64_t)(to - (at + c->n));
	const struct code place = { c->to, c->n - d->length + d->modrm + 1 };
	struct code distance = place;
	emit_word(&distance, (uint64_t)far, 4);
	return far == (int32_t)far;
}

bool copy_count_can_be_sure(const struct site *s)
{
	const struct decode *d = &s->d;
	if (!inside.gs || (d->form != FORM_PLAIN && d->form != FORM_JUMP) || s->number[0] == 0 ||
	    d->operand[0].shape != DECODE_WHOLE || d->length == LONGEST)
		return false;
	if (d->operand[0].base != REGISTER_RIP)
		return true;
	const uintptr_t to = s->pc + d->length + (uint64_t)d->operand[0].displacement;
	return !d->is.short_address && mirror_covers(to) && mirror_pages[to >> 12] == mirror_gs;
}

bool copy_count_part(struct code *c, const struct site *s, uintptr_t at, struct copy_part *p)
{
	const unsigned set = s->d.set;
	const unsigned free = set == RSP || set == R12 ? REGISTER_NONE : set;
	p->value = p->pointer = REGISTER_NONE;
	p->number = s->number[0];
	p->at = (uint16_t)c->n;
	if (inside.counters)
		count_alone(c, s, p, free);
	else
		count_in_thread(c, s, p, free);
	const bool fits = with_gs(c, s, at);
	if (!fits)
		c->n = p->at;
	p->end = (uint16_t)c->n;
	return fits;
}

/* What comes after an instruction in its copy. */
struct follow {
	/* GO: a jump without condition, which needs no code. */
	enum { FOLLOW_AS_IS, FOLLOW_SURE, FOLLOW_JUMP, FOLLOW_GO, FOLLOW_LEA } how;
	bool last;               /* a jump by an address in memory: nothing follows it */
	struct site *site;       /* FOLLOW_SURE */
	uintptr_t to;            /* FOLLOW_JUMP, FOLLOW_GO, FOLLOW_LEA */
	uint8_t condition, set;  /* second byte of a jump; register of a lea */
	uint8_t length, bytes[DECODE_BYTES];
};

/*
 * The plans of the last copies. A copy is made several times, for different places, and decoding
 * takes longer than that.
 */
static struct plan {
	uintptr_t pc;
	unsigned n;
	struct follow follow[FOLLOWED];
} plans[PLANS];
static unsigned next_plan;

void copy_count_begin(void)
{
	for (unsigned i = 0; i < PLANS; i++)
		plans[i].pc = 0;
}

/* Whether an instruction runs as well in another place and accesses at most the stack or fs. */
static bool goes_as_is(const struct decode *d)
{
	const struct decode_operand *o = &d->operand[0];
	if (d->is.relative || d->is.branch || d->is.ends)
		return false;
	if (d->form == FORM_NONE)
		return true;
	return d->operands == 1 && o->shape == DECODE_WHOLE &&
	       ((d->form == FORM_PLAIN && o->base == RSP) ||
		(d->form == FORM_OTHER && o->segment == SEGMENT_FS && o->base != REGISTER_RIP));
}

/* Decodes the program's own instruction, which may have been replaced. */
static bool instruction_at(uintptr_t pc, struct decode *d)
{
	const struct site *known = sites_find(pc);
	if (!known)
		return decode_again(pc, d);
	*d = known->d;
	return true;
}

/*
 * Whether none of the `needed` flags is read from pc on before it is set. Follows relative jumps,
 * but not into another page, which may be changed without notice of this one. Looks at *steps
 * instructions.
 */
static bool flags_are_unused(uintptr_t pc, unsigned needed, unsigned *steps)
{
	const uintptr_t page = pc / INSIDE_PAGE;
	while (needed) {
		struct decode d;
		unsigned condition;
		int64_t away;
		if (*steps == 0 || (pc + DECODE_BYTES) / INSIDE_PAGE != page ||
		    !instruction_at(pc, &d) || d.flags_read & needed)
			return false;
		--*steps;
		needed &= ~(unsigned)d.flags_set;
		pc += d.length;
		if (!copy_is_jump(&d, &condition, &away)) {
			if (needed && (d.is.branch || d.is.ends))
				return false;
			continue;
		}
		const uintptr_t to = pc + (uint64_t)away;
		if (to / INSIDE_PAGE != page)
			return false;
		if (!condition)
			pc = to;
		else if (!flags_are_unused(to, needed, steps))
			return false;
	}
	return true;
}

void copy_count_flags(struct site *s)
{
	unsigned steps = FLAG_STEPS;
	const uintptr_t next = s->pc + s->d.length;
	s->flags_free = !s->d.is.branch && !s->d.is.ends &&
			next / INSIDE_PAGE == s->pc / INSIDE_PAGE &&
			flags_are_unused(next, DECODE_FLAGS & ~(unsigned)s->d.flags_set, &steps);
}

/* Plans how the instruction at pc follows in a copy. Returns false if the copy ends before it. */
static bool plan_one(uintptr_t pc, struct follow *f)
{
	struct site *known = sites_find(pc);
	struct decode d;
	unsigned condition;
	int64_t away;
	if (!instruction_at(pc, &d))
		return false;
	f->length = d.length;
	f->last = d.form == FORM_JUMP;
	raw_copy(f->bytes, d.bytes, d.length);
	if (goes_as_is(&d)) {
		f->how = FOLLOW_AS_IS;
		return true;
	}
	if (copy_is_jump(&d, &condition, &away)) {
		f->how = condition ? FOLLOW_JUMP : FOLLOW_GO;
		f->condition = (uint8_t)condition;
		f->to = pc + d.length + (uint64_t)away;
		return true;
	}
	/* lea of an address relative to rip: 8d, ModRM, distance */
	if (d.form == FORM_NONE && d.is.relative && d.length == 7 && d.bytes[1] == 0x8d &&
	    (d.bytes[2] & 0xc7) == 5 && (d.bytes[0] & 0xf8) == REX_W && d.set < 16) {
		int32_t distance;
		raw_copy(&distance, d.bytes + 3, sizeof distance);
		f->how = FOLLOW_LEA;
		f->set = d.set;
		f->to = pc + d.length + (uint64_t)(int64_t)distance;
		return true;
	}
	/* By the frame pointer it may be a variable on the stack. Then there is no site. */
	if ((d.form != FORM_PLAIN && !f->last) || (!known && d.operand[0].base == RBP))
		return false;
	f->how = FOLLOW_SURE;
	f->site = known ? known : sites_make(pc);
	if (!f->site || !copy_count_can_be_sure(f->site) || f->site->copy_unsure)
		return false;
	copy_count_flags(f->site);
	return true;
}

static uintptr_t next_after(uintptr_t pc, const struct follow *f)
{
	return f->how == FOLLOW_GO ? f->to : pc + f->length;
}

static const struct plan *plan_of(const struct site *s)
{
	for (unsigned i = 0; i < PLANS; i++)
		if (plans[i].pc == s->pc)
			return &plans[i];
	struct plan *p = &plans[next_plan++ % PLANS];
	uintptr_t pc = s->pc + s->d.length;
	p->pc = s->pc;
	p->n = 0;
	bool last = false;
	while (!last && p->n < FOLLOWED && pc > s->pc &&
	       (pc + DECODE_BYTES) / INSIDE_PAGE == s->pc / INSIDE_PAGE &&
	       plan_one(pc, &p->follow[p->n])) {
		const struct follow *f = &p->follow[p->n++];
		pc = next_after(pc, f);
		last = f->last;
	}
	return p;
}

/* Writes what a follow says. Returns false if it cannot be, and writes nothing. */
static bool follow(struct code *c, const struct follow *f, uintptr_t at, struct copy_part *p)
{
	p->at = (uint16_t)c->n;
	p->committed = 0;
	if (f->how == FOLLOW_SURE)
		return copy_count_part(c, f->site, at, p);
	if (f->how == FOLLOW_AS_IS) {
		bytes_of(c, f->bytes, f->length);
	} else if (f->how == FOLLOW_LEA) {
		BYTES(c, (uint8_t)(REX_W | (f->set > 7 ? REX_B : 0)),
		      (uint8_t)(0xb8 | (f->set & 7)));
		emit_word(c, f->to, 8);
	} else if (f->how == FOLLOW_JUMP) {
		const int64_t far = (int64_t)(f->to - (at + c->n + 6));
		if (far != (int32_t)far)
			return false;
		BYTES(c, 0x0f, f->condition);
		emit_word(c, (uint64_t)far, 4);
	}
	p->end = (uint16_t)c->n;
	return true;
}

void copy_count_parts(struct code *c, const struct site *s, struct copy *l)
{
	l->parts = 0;
	if (!copy_count_can_be_sure(s) || s->copy_unsure ||
	    !copy_count_part(c, s, l->at, &l->part[0]))
		return;
	l->part[0].away = 0;
	l->parts = 1;
	if (s->d.form == FORM_JUMP)
		return;
	static const struct plan none;
	const struct plan *plan = s->copy_alone ? &none : plan_of(s);
	uintptr_t pc = s->pc + s->d.length, counted = pc;
	size_t n = c->n;
	unsigned parts = 1, i = 0;
	bool ended = false;
	struct copy_part p;
	while (i < plan->n && c->n + PART_MOST + JUMP_MOST + HEAD_MOST < COPY_MAX &&
	       l->parts < COPY_PARTS && follow(c, &plan->follow[i], l->at, &p)) {
		const struct follow *f = &plan->follow[i];
		const struct copy_part *last = &l->part[l->parts - 1];
		const bool none_since = c->n == n;
		p.away = (uint16_t)(pc - s->pc);
		/* Instructions as they are have the same distances in the copy. */
		if (f->how == FOLLOW_AS_IS && i > 0 &&
		    plan->follow[i - 1].how == FOLLOW_AS_IS && last->end == p.at)
			l->part[l->parts - 1].end = p.end;
		else if (f->how != FOLLOW_GO)
			l->part[l->parts++] = p;
		pc = next_after(pc, f);
		i++;
		if (f->how == FOLLOW_SURE || (f->how == FOLLOW_GO && none_since)) {
			counted = pc;
			n = c->n;
			parts = l->parts;
			ended = f->last;
		}
	}
	/* What comes after the last access stays in the program. */
	c->n = n;
	l->parts = (uint16_t)parts;
	if (!ended)
		emit_jump(c, l->at, counted);
}
