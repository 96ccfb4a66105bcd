/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/sites.h"

#include "probes/memory/inside/own.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/stretch.h"

/* At most half of the TABLE entries are used. */
enum { TABLE_BITS = 20, TABLE = 1 << TABLE_BITS, SITES_MAX = TABLE / 2, BLOCK_BITS = 10 };

struct lock sites_lock;

/*
 * A hash table by pc, with open addressing. It is not one of support/hash.h, because signal
 * handlers read it, so it may neither allocate nor move. An entry is 1 + the number of a site, or
 * 0. The array `sites` holds the sites. All pcs of one KiB of code have their entries in one page
 * of the table. So look-ups around one instruction touch few pages. The first touch of a page costs
 * more than a hundred look-ups.
 */
static uint32_t *table;
static struct site *sites;
static uint32_t count;

bool sites_start(void)
{
	void *t = own_map(0, TABLE * sizeof *table);
	void *s = own_map(0, SITES_MAX * sizeof *sites);
	if (!t || !s) {
		inside_reason("there is no memory for a table of its instructions");
		return false;
	}
	table = t;
	sites = s;
	return pages_start() && decode_start();
}

static uint32_t place_of(uintptr_t pc)
{
	uint64_t block = (pc >> BLOCK_BITS) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(block >> (64 - TABLE_BITS + BLOCK_BITS) << BLOCK_BITS |
			  (pc & ((1U << BLOCK_BITS) - 1)));
}

/* The entry of a pc. If there is none, the free entry where it belongs. */
static uint32_t *entry_of_pc(uintptr_t pc)
{
	uint32_t i = place_of(pc);
	while (table[i] && sites[table[i] - 1].pc != pc)
		i = (i + 1) & (TABLE - 1);
	return &table[i];
}

struct site *sites_find(uintptr_t pc)
{
	uint32_t number = *entry_of_pc(pc);
	struct site *s = number ? &sites[number - 1] : NULL;
	return s && !s->gone ? s : NULL;
}

/* The lanes that the channel knows: those of an operand whose mask comes with each access. */
static struct mem_lanes lanes_of(const struct decode *d, const struct decode_operand *o)
{
	if (o->shape != DECODE_MASKED)
		return (struct mem_lanes){ MEM_MASK_NONE, 0, 0 };
	return (struct mem_lanes){ d->mask.kind, d->mask.element, d->mask.lanes };
}

/* Makes a number for an operand of a site. Returns 0 if no number is left. */
static uint32_t number_operand(const struct site *s, const struct decode_operand *o)
{
	struct mem_channel *c = inside.channel;
	uint32_t n = atomic_load(&c->sites);
	if (n < MEM_SITE_FIRST)
		n = MEM_SITE_FIRST;
	if (n >= c->size.sites_max)
		return 0;
	mem_sites(c)[n] = (struct mem_site){ .pc = s->pc,
					     .bytes = o->bytes,
					     .kind = (unsigned char)(o->kind & 0x7f),
					     .atomic = s->d.is.atomic,
					     .state = MEM_SITE_STEPPED,
					     .lanes = lanes_of(&s->d, o) };
	atomic_store_explicit(&c->sites, n + 1, memory_order_release);
	return n;
}

/* Whether accesses to operand i look the same in the channel. */
static bool operands_alike(const struct decode *a, const struct decode *b, unsigned i)
{
	const struct decode_operand *x = &a->operand[i], *y = &b->operand[i];
	return i < a->operands && x->bytes == y->bytes && x->kind == y->kind &&
	       x->shape == y->shape && a->mask.kind == b->mask.kind &&
	       a->mask.element == b->mask.element && a->mask.lanes == b->mask.lanes;
}

/* Whether an instruction is a load or store that a compiler may have made of an atomic one. */
static bool can_be_ordered(const struct decode *d)
{
	return d->form == FORM_PLAIN && d->operands == 1 && d->operand[0].shape == DECODE_WHOLE &&
	       d->operand[0].bytes <= 8;
}

struct site *sites_make(uintptr_t pc)
{
	uint32_t *e = entry_of_pc(pc);
	struct site *s = &sites[*e ? *e - 1 : count];
	struct decode d;
	if (*e && !s->gone)
		return s;
	if ((!*e && count == SITES_MAX) || !decode_again(pc, &d))
		return NULL;
	/* A new page of `sites` is only written: to read it first would be a second page fault. */
	struct site before = { 0 };
	if (*e)
		before = *s;
	else
		*e = ++count;
	/* Counts have no order. */
	d.is.stamped = !inside.counting &&
		       (d.is.atomic || (inside.channel->ordered && can_be_ordered(&d)));
	*s = (struct site){ .pc = pc, .d = d };
	for (unsigned i = 0; i < d.operands; i++) {
		if (operands_alike(&before.d, &d, i))
			s->number[i] = before.number[i];
		else
			s->number[i] = number_operand(s, &d.operand[i]);
	}
	if (before.gone)
		sites_state(s, MEM_SITE_STEPPED);
	return s;
}

void sites_state(struct site *s, enum mem_site_state state)
{
	s->state = (uint8_t)state;
	for (unsigned i = 0; i < s->d.operands; i++)
		if (s->number[i])
			mem_sites(inside.channel)[s->number[i]].state = (uint8_t)state;
}

void sites_fault(struct site *s)
{
	atomic_fetch_add_explicit(&inside.channel->count.faults, 1, memory_order_relaxed);
	if (!s || !s->number[0])
		return;
	mem_sites(inside.channel)[s->number[0]].faults++;
	/* Until now it may have had that of a copy which goes on to it. */
	sites_state(s, (enum mem_site_state)s->state);
}

void sites_placed(struct site *s, size_t room)
{
	s->room = (uint16_t)room;
	struct code_page *p = pages_find(s->copy.at);
	s->next = p->first;
	p->first = s;
}

/* The pointer to a site in its list of the copies in a page. */
static struct site **listed(const struct site *s)
{
	struct site **at = &pages_find(s->copy.at)->first;
	while (*at != s)
		at = &(*at)->next;
	return at;
}

/* The old copy goes to a new struct site, which has no entry in the hash table. */
bool sites_keep_copy(const struct site *s)
{
	if (count == SITES_MAX)
		return false;
	struct site *old = &sites[count++];
	*old = *s;
	*listed(s) = old;
	return true;
}

struct site *sites_add_stretch(uintptr_t pc, const struct copy *copy, size_t room)
{
	if (count == SITES_MAX)
		return NULL;
	struct site *s = &sites[count++];
	*s = (struct site){ .pc = pc, .copy = *copy, .stretch = true };
	sites_placed(s, room);
	return s;
}

static void drop_copy(struct site *s)
{
	*listed(s) = s->next;
	pages_return(s->copy.at, s->room);
}

void sites_forget(uintptr_t at, size_t bytes)
{
	pages_begin();
	stretch_forget(at, bytes);
	pages_end();
	for (uint32_t i = 0; i < count; i++) {
		struct site *s = &sites[i];
		if (s->pc - at >= bytes || s->gone || s->stretch)
			continue;
		if (s->copy.at)
			drop_copy(s);
		s->copy.at = 0;
		s->gone = true;
	}
}

/* Removes a site, and its copy if no thread can be in it. */
static void remove_site(struct site *s)
{
	if (s->copy.at && (!inside.threads || !sites_keep_copy(s)))
		drop_copy(s);
	s->copy.at = 0;
	s->gone = true;
}

/* Whether bytes of an instruction, or bytes that its jump depends on, lie in a range. */
static bool touches(const struct site *s, uintptr_t at, size_t bytes)
{
	const uintptr_t end = s->pc + (s->reach > s->d.length ? s->reach : s->d.length);
	const uintptr_t apart = s->pc + (uint64_t)(int64_t)s->apart;
	return (s->pc < at + bytes && end > at) ||
	       (s->apart && apart < at + bytes && apart + DECODE_BYTES > at);
}

void sites_restore(uintptr_t at, size_t bytes, bool kept)
{
	const uint32_t known = count;
	pages_begin();
	stretch_forget(at, bytes);
	for (uint32_t i = 0; i < known; i++) {
		struct site *s = &sites[i];
		if (s->gone || !touches(s, at, bytes))
			continue;
		/* An old copy that is kept has the pc of its site, but no entry in the table. */
		if (*entry_of_pc(s->pc) != i + 1)
			continue;
		/* A jump outside the range may depend on bytes in the range. */
		if ((kept || s->pc - at >= bytes) && s->reach)
			pages_write(s->pc, s->d.bytes, s->d.length);
		remove_site(s);
	}
	pages_end();
}

void sites_check(uintptr_t pc)
{
	struct site *s = sites_find(pc);
	if (s && !s->reach && !raw_same((const char *)pc, (const char *)s->d.bytes, s->d.length))
		remove_site(s);
}

uintptr_t sites_of_nop(uintptr_t pc)
{
	const struct site *s = sites_find(pc - SITES_IN_NOP);
	return s && s->nop ? s->pc + (uint64_t)(int64_t)s->apart : 0;
}

struct site *sites_of_copy(uintptr_t pc)
{
	for (unsigned back = 0; back < 2; back++) {
		struct code_page *p = pages_find(pc - back * INSIDE_PAGE);
		for (struct site *s = p ? p->first : NULL; s; s = s->next)
			if (pc >= s->copy.at && pc < s->copy.at + s->copy.bytes)
				return s;
	}
	return NULL;
}
