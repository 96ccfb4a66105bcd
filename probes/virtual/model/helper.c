/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/helper.h"

#include <string.h>

/*
 * Places in the queue of messages that evictions may not use: one for each observation point, one
 * for the invalidation of the address space, and one for a Sync.
 */
enum { RESERVED = VIRT_POINTS + 2 };

static void min_since(uint64_t *since, uint64_t other)
{
	if (other < *since)
		*since = other;
}

bool virt_helper_clean(struct virt_helper *h, const struct virt_clean *c)
{
	for (unsigned i = 0; i < h->ncleans; i++)
		if (h->clean[i].pa == c->pa) {
			h->clean[i].known &= c->known;
			h->clean[i].table |= c->table;
			min_since(&h->clean[i].since, c->since);
			return true;
		}
	if (h->ncleans == VIRT_CLEANS)
		return false;
	h->clean[h->ncleans++] = *c;
	return true;
}

/* Makes a waiting message also close the window of s. */
static void merge_requests(struct virt_send *into, const struct virt_send *s)
{
	if (!s->window)
		return;
	if (into->window)
		min_since(&into->since, s->since);
	else
		into->since = s->since;
	into->window = true;
}

/* Finds a waiting message that has the same effect as s. */
static struct virt_send *find_alike(struct virt_helper *h, const struct virt_send *s)
{
	if (s->kind == VIRT_SYNC) /* each message is followed by a Sync */
		return h->nsends > 0 ? &h->send[h->nsends - 1] : NULL;
	for (unsigned i = 0; i < h->nsends; i++)
		if (h->send[i].kind == s->kind &&
		    (s->kind == VIRT_TLBI_ASID || h->send[i].va == s->va) && !s->victim.used)
			return &h->send[i];
	return NULL;
}

bool virt_helper_send(struct virt_helper *h, const struct virt_send *s)
{
	struct virt_send all = { .kind = VIRT_TLBI_ASID, .window = true, .since = s->since };
	struct virt_send *same;

	if ((s->kind == VIRT_TLBI_VA || s->victim.used) && h->nsends >= VIRT_TLBIS - RESERVED)
		s = &all;
	same = find_alike(h, s);
	if (same != NULL)
		merge_requests(same, s);
	else if (s->kind == VIRT_ICACHE_VA && h->nsends >= VIRT_TLBIS - 1)
		return false;
	else
		h->send[h->nsends++] = *s;
	return true;
}

bool virt_helper_next_clean(struct virt_helper *h)
{
	if (h->cleaning || h->ncleans == 0)
		return false;
	h->clean_now = h->clean[0];
	h->cleaning = true;
	memmove(h->clean, h->clean + 1, --h->ncleans * sizeof h->clean[0]);
	return true;
}

bool virt_helper_next_send(struct virt_helper *h)
{
	if (h->sending || h->nsends == 0)
		return false;
	h->send_now = h->send[0];
	h->sending = true;
	memmove(h->send, h->send + 1, --h->nsends * sizeof h->send[0]);
	return true;
}

void virt_helper_begin_clean(struct virt_helper *h, const struct virt_clean *c)
{
	h->clean_now = *c;
	h->cleaning = true;
}

struct virt_clean virt_helper_done_clean(struct virt_helper *h)
{
	h->cleaning = false;
	return h->clean_now;
}

struct virt_send virt_helper_done_send(struct virt_helper *h)
{
	h->sending = false;
	h->send_now.victim.used = false;
	return h->send_now;
}

void virt_helper_clear_cleans(struct virt_helper *h)
{
	h->ncleans = 0;
}

static bool request_holds(const struct virt_send *s, uint64_t pa)
{
	return s->victim.used && virt_align(pa, virt_span_bits(s->victim.m.level)) == s->victim.m.pa;
}

const struct virt_entry *virt_helper_victim(const struct virt_helper *h, uint64_t pa)
{
	if (h->sending && request_holds(&h->send_now, pa))
		return &h->send_now.victim;
	for (unsigned i = 0; i < h->nsends; i++)
		if (request_holds(&h->send[i], pa))
			return &h->send[i].victim;
	return NULL;
}

static void drop_address(struct virt_send *s, uint64_t va)
{
	if (s->victim.used &&
	    (s->victim.alias ||
	     virt_align(va, virt_span_bits(s->victim.m.level)) == s->victim.m.va))
		s->victim.used = false;
}

void virt_helper_drop(struct virt_helper *h, uint64_t va)
{
	drop_address(&h->send_now, va);
	for (unsigned i = 0; i < h->nsends; i++)
		drop_address(&h->send[i], va);
}

void virt_helper_drop_all(struct virt_helper *h)
{
	h->send_now.victim.used = false;
	for (unsigned i = 0; i < h->nsends; i++)
		h->send[i].victim.used = false;
}

uint64_t virt_helper_distrust(struct virt_helper *h, uint64_t since)
{
	if (h->cleaning && h->clean_now.table) {
		h->clean_now.known = 0;
		min_since(&since, h->clean_now.since);
	}
	for (unsigned i = 0; i < h->ncleans; i++)
		if (h->clean[i].table) {
			h->clean[i].known = 0;
			min_since(&since, h->clean[i].since);
		}
	return since;
}

static void distrust(struct virt_clean *c, uint64_t entry)
{
	if (c->table && c->pa == virt_align(entry, 6))
		c->known &= (uint8_t)~(1u << (entry >> 3) % VIRT_LINE_ENTRIES);
}

void virt_helper_distrust_entry(struct virt_helper *h, uint64_t entry)
{
	if (h->cleaning)
		distrust(&h->clean_now, entry);
	for (unsigned i = 0; i < h->ncleans; i++)
		distrust(&h->clean[i], entry);
}
