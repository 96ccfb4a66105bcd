/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Invalidation Helper in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vhelper *helper = new Vhelper;
static struct virt_helper *helper_own = new virt_helper; /* for random steps */

static void helper_reset();
static void helper_random(uint64_t *random);
static rig_part helper_part("helper", helper_reset, helper_random);

static void helper_reset()
{
	rig_reset(&helper_part, helper);
	*helper_own = {};
}

template <class Request> static void helper_step(Request *request, const char *what)
{
	rig_step(&helper_part, helper, request, &helper->done, what);
}

/* Compares the requests under way. */
static void helper_same(const struct virt_helper *h)
{
	const struct virt_clean *c = &h->clean_now;
	const struct virt_send *s = &h->send_now;

	helper->eval();
	helper_part.same("cleaning", h->cleaning, helper->cleaning);
	helper_part.same("sending", h->sending, helper->sending);
	helper_part.same("busy", h->cleaning || h->sending || h->ncleans > 0 || h->nsends > 0,
			 helper->busy);
	if (h->cleaning) {
		helper_part.same("line", c->pa >> VIRT_LINE_BITS, helper->clean_pa);
		helper_part.same("line of a table", c->table, helper->clean_table);
		helper_part.same("known entries", c->known, helper->clean_known);
		helper_part.same("since of the line", c->since, helper->clean_since);
	}
	if (h->sending) {
		helper_part.same("kind of the message", s->kind, helper->send_kind);
		helper_part.same("address of the message", s->va >> VIRT_LINE_BITS,
				 helper->send_va);
		helper_part.same("window", s->window, helper->send_window);
		if (s->window)
			helper_part.same("since of the message", s->since, helper->send_since);
	}
}

static void helper_line(const struct virt_clean *c)
{
	helper->pa = c->pa >> VIRT_LINE_BITS;
	helper->table_line = c->table;
	helper->known = c->known;
	helper->since_in = c->since;
}

extern "C" {
bool __real_virt_helper_clean(struct virt_helper *h, const struct virt_clean *c);
bool __real_virt_helper_send(struct virt_helper *h, const struct virt_send *s);
bool __real_virt_helper_next_clean(struct virt_helper *h);
bool __real_virt_helper_next_send(struct virt_helper *h);
void __real_virt_helper_begin_clean(struct virt_helper *h, const struct virt_clean *c);
struct virt_clean __real_virt_helper_done_clean(struct virt_helper *h);
struct virt_send __real_virt_helper_done_send(struct virt_helper *h);
void __real_virt_helper_clear_cleans(struct virt_helper *h);
const struct virt_entry *__real_virt_helper_victim(const struct virt_helper *h, uint64_t pa);
void __real_virt_helper_drop(struct virt_helper *h, uint64_t va);
void __real_virt_helper_drop_all(struct virt_helper *h);
uint64_t __real_virt_helper_distrust(struct virt_helper *h, uint64_t since);
void __real_virt_helper_distrust_entry(struct virt_helper *h, uint64_t entry);

bool __wrap_virt_helper_clean(struct virt_helper *h, const struct virt_clean *c)
{
	bool room = __real_virt_helper_clean(h, c);

	helper_line(c);
	helper_step(&helper->clean, "clean");
	helper_part.same("clean: room", room, helper->ok);
	helper_same(h);
	return room;
}

bool __wrap_virt_helper_send(struct virt_helper *h, const struct virt_send *s)
{
	const struct virt_entry *v = &s->victim;
	bool room = __real_virt_helper_send(h, s);

	helper->kind = s->kind;
	helper->va = s->va >> VIRT_LINE_BITS;
	helper->window = s->window;
	helper->since_in = s->since;
	helper->used = v->used;
	helper->pa = v->m.pa >> VIRT_LINE_BITS;
	helper->level = v->m.level;
	helper->shared = v->m.shared;
	helper->aliased = v->alias;
	helper_step(&helper->send, "send");
	helper_part.same("send: room", room, helper->ok);
	helper_same(h);
	return room;
}

bool __wrap_virt_helper_next_clean(struct virt_helper *h)
{
	bool some = __real_virt_helper_next_clean(h);

	helper_step(&helper->next_clean, "next_clean");
	helper_part.same("next_clean", some, helper->ok);
	helper_same(h);
	return some;
}

bool __wrap_virt_helper_next_send(struct virt_helper *h)
{
	bool some = __real_virt_helper_next_send(h);

	helper_step(&helper->next_send, "next_send");
	helper_part.same("next_send", some, helper->ok);
	helper_same(h);
	return some;
}

void __wrap_virt_helper_begin_clean(struct virt_helper *h, const struct virt_clean *c)
{
	__real_virt_helper_begin_clean(h, c);
	helper_line(c);
	helper_step(&helper->begin_clean, "begin_clean");
	helper_same(h);
}

struct virt_clean __wrap_virt_helper_done_clean(struct virt_helper *h)
{
	struct virt_clean c = __real_virt_helper_done_clean(h);

	helper_step(&helper->done_clean, "done_clean");
	helper_same(h);
	return c;
}

struct virt_send __wrap_virt_helper_done_send(struct virt_helper *h)
{
	struct virt_send s = __real_virt_helper_done_send(h);

	helper_step(&helper->done_send, "done_send");
	helper_same(h);
	return s;
}

void __wrap_virt_helper_clear_cleans(struct virt_helper *h)
{
	__real_virt_helper_clear_cleans(h);
	helper_step(&helper->clear_cleans, "clear_cleans");
	helper_same(h);
}

const struct virt_entry *__wrap_virt_helper_victim(const struct virt_helper *h, uint64_t pa)
{
	const struct virt_entry *e = __real_virt_helper_victim(h, pa);

	helper->pa = pa >> VIRT_LINE_BITS;
	helper_step(&helper->victim, "victim");
	helper_part.same("victim: found", e != nullptr, helper->ok);
	if (e != nullptr) {
		helper_part.same("victim: address", e->m.va >> VIRT_PAGE_BITS, helper->out_va);
		helper_part.same("victim: level", e->m.level, helper->out_level);
		helper_part.same("victim: shared", e->m.shared, helper->out_shared);
		helper_part.same("victim: alias", e->alias, helper->out_alias);
	}
	return e;
}

void __wrap_virt_helper_drop(struct virt_helper *h, uint64_t va)
{
	__real_virt_helper_drop(h, va);
	helper->va = va >> VIRT_LINE_BITS;
	helper_step(&helper->drop, "drop");
	helper_same(h);
}

void __wrap_virt_helper_drop_all(struct virt_helper *h)
{
	__real_virt_helper_drop_all(h);
	helper_step(&helper->drop_all, "drop_all");
	helper_same(h);
}

uint64_t __wrap_virt_helper_distrust(struct virt_helper *h, uint64_t since)
{
	uint64_t first = __real_virt_helper_distrust(h, since);

	helper->since_in = since;
	helper_step(&helper->distrust, "distrust");
	helper_part.same("distrust: since", first, helper->since);
	helper_same(h);
	return first;
}

void __wrap_virt_helper_distrust_entry(struct virt_helper *h, uint64_t entry)
{
	__real_virt_helper_distrust_entry(h, entry);
	helper->pa = entry >> VIRT_LINE_BITS;
	helper->index = entry >> 3 & 7;
	helper_step(&helper->distrust_entry, "distrust_entry");
	helper_same(h);
}
}

/*
 * One of a few addresses, so that pages of all sizes overlap. It has one of `lines` lines in its
 * page.
 */
static uint64_t helper_address(uint64_t *random, unsigned bits, unsigned lines)
{
	uint64_t r = rig_random(random);

	return (r >> 8) % lines << 6 | rig_bits(r, 0, 1) << 12 | rig_bits(r, 1, 1) << 21 |
	       rig_bits(r, 2, 1) << 30 | rig_bits(r, 3, 1) << (bits - 1);
}

static void helper_random_send(uint64_t *random)
{
	uint64_t r = rig_random(random);
	unsigned level = 1 + (unsigned)(r >> 8) % 3;
	struct virt_send s = {};

	s.va = helper_address(random, VIRT_VA_BITS, 4);
	s.kind = r % 4 == 0 ? VIRT_SYNC : r % 4 == 1 ? VIRT_TLBI_ASID : VIRT_TLBI_VA;
	s.window = (r >> 16 & 1) != 0;
	s.since = rig_random(random) >> (64 - VIRT_SINCE_BITS);
	if (s.kind == VIRT_TLBI_VA)
		s.va = virt_align(s.va, VIRT_PAGE_BITS);
	if ((r >> 17 & 1) != 0 && s.kind != VIRT_SYNC) { /* an eviction */
		s.va = virt_align(s.va, virt_span_bits(level));
		s.victim.used = true;
		s.victim.m.va = s.va;
		s.victim.m.pa =
			virt_align(helper_address(random, VIRT_PA_BITS, 1), virt_span_bits(level));
		s.victim.m.level = level;
		s.victim.m.shared = (r >> 18 & 3) == 0;
		s.victim.alias = s.kind == VIRT_TLBI_ASID;
	} else if (s.kind == VIRT_TLBI_VA && (r >> 20 & 1) == 0) { /* more points than room */
		s.kind = VIRT_ICACHE_VA;
		s.va = (r >> 24) % (2 * VIRT_TLBIS) << VIRT_LINE_BITS;
		s.window = false;
	} else if (s.kind != VIRT_TLBI_VA) {
		s.va = 0;
	}
	virt_helper_send(helper_own, &s);
}

static void helper_random(uint64_t *random)
{
	struct virt_helper *h = helper_own;

	for (unsigned i = 0; i < 3000; i++) {
		uint64_t r = rig_random(random);
		bool filling = i / 300 % 2 == 0;
		struct virt_clean c = { helper_address(random, VIRT_PA_BITS, 8), (r >> 8 & 1) != 0,
					(uint8_t)(r >> 16),
					rig_random(random) >> (64 - VIRT_SINCE_BITS) };

		switch (r % (filling ? 16 : 12)) {
		case 0:
			virt_helper_next_clean(h);
			break;
		case 1:
			virt_helper_next_send(h);
			break;
		case 2:
			if (h->cleaning)
				virt_helper_done_clean(h);
			else if ((r >> 24 & 3) == 0)
				virt_helper_begin_clean(h, &c);
			break;
		case 3:
			if (h->sending)
				virt_helper_done_send(h);
			break;
		case 4:
		case 5:
			virt_helper_victim(h, helper_address(random, VIRT_PA_BITS, 4));
			break;
		case 6:
			virt_helper_drop(h, helper_address(random, VIRT_VA_BITS, 1));
			break;
		case 7:
			virt_helper_distrust_entry(h, c.pa | (r >> 24 & 7) << 3);
			break;
		case 8:
			if ((r >> 24 & 7) == 0)
				virt_helper_distrust(h, c.since);
			else if ((r >> 24 & 63) == 1)
				virt_helper_drop_all(h);
			else if ((r >> 24 & 63) == 2)
				virt_helper_clear_cleans(h);
			break;
		case 9:
		case 10:
		case 11:
		case 12:
			virt_helper_clean(h, &c);
			break;
		default:
			helper_random_send(random);
			break;
		}
	}
}
