/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * All blocks stand in a table, in the order of addresses. Blocks whose contents are still to be
 * read wait in a stack. First everything is marked to which pointers to starts lead. Then come the
 * blocks to which only pointers to insides lead, with all that they lead to.
 *
 * The blocks that are left lead to each other in some way. As few of them as can lead to all others
 * count as lost, and the others as indirect. They are found in two rounds. The first one goes
 * through the table and notes the blocks to which none before them leads. The second one goes
 * through these backwards, and leaves out those to which one after them leads. (That is the method
 * of Kosaraju for strongly connected components.)
 */
#include "probes/memory/inside/leaks.h"

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/heap.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/roots.h"

struct block {
	uintptr_t at;
	size_t bytes;
	uint32_t leader; /* MEM_LEAK_INDIRECT: a lost block that leads to it */
	uint8_t state;   /* enum mem_leak */
	bool inner;      /* there is a pointer to its inside */
	bool first;      /* no block before it leads to it */
};

struct search {
	struct block *block;
	uint32_t n;
	uint32_t *waiting;
	uint32_t nwaiting;
	uint8_t state;   /* what blocks become now, to which a pointer leads */
	uint32_t leader; /* the lost block at which this began; UINT32_MAX: at the roots */
};

static void count_block(void *with, uintptr_t at, size_t bytes)
{
	struct search *s = with;
	(void)at;
	(void)bytes;
	s->n++;
}

static void add_block(void *with, uintptr_t at, size_t bytes)
{
	struct search *s = with;
	s->block[s->n++] = (struct block){ .at = at, .bytes = bytes, .state = MEM_LEAK_LOST };
}

/* The block to which an address belongs; NULL: none. A block of 0 bytes has its start. */
static struct block *find_block(const struct search *s, uintptr_t at)
{
	uint32_t from = 0, to = s->n;
	if (!s->n || at < s->block[0].at)
		return NULL;
	while (to - from > 1) {
		const uint32_t middle = from + (to - from) / 2;
		if (s->block[middle].at <= at)
			from = middle;
		else
			to = middle;
	}
	struct block *b = &s->block[from];
	return at - b->at < b->bytes || at == b->at ? b : NULL;
}

static void mark(struct search *s, struct block *b)
{
	b->state = s->state;
	b->leader = s->leader;
	s->waiting[s->nwaiting++] = (uint32_t)(b - s->block);
}

static void take_words(void *with, const uint64_t *words, size_t n)
{
	struct search *s = with;
	for (size_t i = 0; i < n; i++) {
		struct block *b = find_block(s, words[i]);
		if (!b)
			continue;
		if (s->state == MEM_LEAK_REACHABLE && words[i] != b->at)
			b->inner = true;
		else if (b->state < s->state && (uint32_t)(b - s->block) != s->leader)
			mark(s, b);
	}
}

static void follow(struct search *s)
{
	while (s->nwaiting) {
		const struct block *b = &s->block[s->waiting[--s->nwaiting]];
		roots_read(b->at, b->bytes, take_words, s);
	}
}

/* Tells lost blocks from indirect ones, among those that are left. */
static void search_lost(struct search *s)
{
	s->state = MEM_LEAK_INDIRECT;
	for (s->leader = 0; s->leader < s->n; s->leader++) {
		struct block *b = &s->block[s->leader];
		if (b->state != MEM_LEAK_LOST)
			continue;
		b->first = true;
		s->waiting[s->nwaiting++] = s->leader;
		follow(s);
	}
	for (uint32_t i = 0; i < s->n; i++)
		if (s->block[i].state == MEM_LEAK_INDIRECT)
			s->block[i].state = MEM_LEAK_LOST;
	while (s->leader-- > 0) {
		const struct block *b = &s->block[s->leader];
		if (b->state != MEM_LEAK_LOST || !b->first)
			continue;
		s->waiting[s->nwaiting++] = s->leader;
		follow(s);
	}
}

static void search(struct search *s, const ucontext_t *context)
{
	s->state = MEM_LEAK_REACHABLE;
	roots_each(context, take_words, s);
	follow(s);
	s->state = MEM_LEAK_POSSIBLE;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->block[i].inner && s->block[i].state < MEM_LEAK_POSSIBLE)
			mark(s, &s->block[i]);
	follow(s);
	search_lost(s);
}

static void record_blocks(const struct search *s)
{
	ring_stamp();
	for (uint32_t i = 0; i < s->n; i++) {
		const struct block *b = &s->block[i];
		const bool led = b->state == MEM_LEAK_INDIRECT;
		RECORD(MEM_LEAK, b->at, b->state, led ? s->block[b->leader].at : 0);
	}
	/* So nfamem knows that the search was made. */
	RECORD(MEM_LEAK, 0, 0, 0);
}

/* Makes room for a search. Returns false if there is none. */
static bool prepare(struct search *s)
{
	heap_each(count_block, s);
	s->block = own_map(0, (s->n + 1) * sizeof *s->block);
	s->waiting = own_map(0, (s->n + 1) * sizeof *s->waiting);
	if (!s->block || !s->waiting)
		return false;
	s->n = 0;
	heap_each(add_block, s);
	return true;
}

void leaks_find(const ucontext_t *context)
{
	static _Atomic bool once;
	struct search s = { .leader = UINT32_MAX };
	if (!life_own_process() || !inside.channel->leaks || atomic_exchange(&once, true))
		return;
	inside_enter();
	heap_hold();
	const bool fine = prepare(&s);
	if (fine)
		search(&s, context);
	heap_release();
	if (fine)
		record_blocks(&s);
	inside_leave();
}
