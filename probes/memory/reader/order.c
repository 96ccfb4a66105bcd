/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Stamps are consecutive numbers, and each is in one ring. So the reader knows which stamp comes
 * next: it is due. A ring waits if its next stamp is not due yet. It is then noted under the number
 * of that stamp. When that stamp is due, the reader goes to this ring at once and need not look at
 * all rings.
 *
 * The reader cannot get stuck while the threads run. Take the thread that took the due stamp. All
 * stamps that it wrote before have smaller numbers, so they were passed. So its ring has been read
 * to the end, and it has room for the stamp.
 */
#include "probes/memory/reader/order.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* words after the head of an event; the longest event holds a path of 4096 bytes */
	MOST_WORDS = 3 + 512,
	WAITING = 1024, /* number of stamps under which a ring can be noted, a power of two */
	MOST_RINGS = 1 << 16
};

/* The least number of words after the head of an event. */
static const uint8_t needs[MEM_EVENTS] = {
	[MEM_STAMP] = 1, [MEM_ACCESS] = 4, [MEM_COPY] = 4, [MEM_STORE] = 3, [MEM_FETCH] = 3,
	[MEM_FILL] = 3, [MEM_MALLOC] = 3, [MEM_CALLOC] = 3, [MEM_REALLOC] = 5, [MEM_FREE] = 3,
	[MEM_MMAP] = 5, [MEM_MREMAP] = 5, [MEM_MUNMAP] = 3, [MEM_BRK] = 3, [MEM_MODULE] = 3,
	[MEM_UNMODULE] = 1, [MEM_REGION] = 3, [MEM_UNREGION] = 2, [MEM_LOCK] = 3, [MEM_UNLOCK] = 2,
	[MEM_INIT] = 2, [MEM_DESTROY] = 2, [MEM_THREAD] = 3, [MEM_FORK] = 2, [MEM_JOIN] = 2,
	[MEM_SPAWN] = 1, [MEM_GIVE] = 3, [MEM_TAKE] = 3, [MEM_LANES] = 1,
	[MEM_STACK] = 1, [MEM_LEAK] = 3, [MEM_FUNCTION] = 3, [MEM_LOCAL] = 9
};

struct ring_state {
	struct mem_ring *head;
	const uint64_t *words;
	uint64_t read;  /* words read so far */
	uint64_t stamp; /* if `waits`: the number of the stamp at `read` */
	bool waits;
};

struct order {
	struct mem_channel *channel;
	struct order_sink sink;
	uint32_t rings_max, ring_words;
	uint64_t due;                 /* the number of the next stamp */
	uint32_t waiting[WAITING];    /* 1 + the ring that waits for this stamp; 0: not known */
	uint64_t bounce[MOST_WORDS];  /* copy of an event that goes over the end of its ring */
	struct ring_state ring[];
};

struct order *order_new(struct mem_channel *c, const struct order_sink *sink)
{
	uint32_t n = c->size.threads_max;
	struct order *o;

	if (n == 0 || n > MOST_RINGS || c->size.ring_words < 2 * MOST_WORDS ||
	    (c->size.ring_words & (c->size.ring_words - 1)) != 0 ||
	    c->size.sites_max > MEM_SITES_MAX || c->bytes < mem_channel_bytes(c))
		return NULL;
	o = calloc(1, sizeof *o + n * sizeof o->ring[0]);
	if (o == NULL)
		return NULL;
	o->channel = c;
	o->sink = *sink;
	o->rings_max = n;
	o->ring_words = c->size.ring_words;
	for (uint32_t i = 0; i < n; i++) {
		o->ring[i].head = mem_ring(c, i);
		o->ring[i].words = mem_words(o->ring[i].head);
	}
	return o;
}

void order_free(struct order *o)
{
	free(o);
}

static bool damaged(struct nfart_error *e, uint32_t ring, const char *what)
{
	nfart_fail(e, NFART_INPUT,
		   "the program has overwritten the memory that it shares with nfamem: "
		   "ring %u has %s",
		   ring, what);
	return false;
}

/*
 * Passes the event at r->read to the sink. A stamp is passed if it is due; otherwise the ring
 * waits. Returns false on failure, as order_read() does.
 */
static bool take_event(struct order *o, uint32_t i, uint64_t written, struct nfart_error *e)
{
	struct ring_state *r = &o->ring[i];
	uint64_t mask = o->ring_words - 1, from = r->read & mask, head = r->words[from], n;
	enum mem_event kind = (enum mem_event)(head >> MEM_ADDRESS_BITS);
	const uint64_t *words = &r->words[from + 1];

	n = head & (((uint64_t)1 << MEM_ADDRESS_BITS) - 1);
	if (kind == MEM_NONE || kind >= MEM_EVENTS)
		return damaged(e, i, "an event of no kind");
	if (n < needs[kind] || n > MOST_WORDS || n > written - r->read - 1)
		return damaged(e, i, "an event of a wrong size");
	if (from + 1 + n > o->ring_words) {
		uint64_t first = o->ring_words - from - 1;

		memcpy(o->bounce, words, first * 8);
		memcpy(o->bounce + first, r->words, (n - first) * 8);
		words = o->bounce;
	}
	if (kind != MEM_STAMP) {
		r->read += 1 + n;
		return o->sink.event(o->sink.ctx, i, kind, words, n);
	}
	r->stamp = words[0];
	r->waits = r->stamp > o->due;
	if (r->waits) {
		o->waiting[r->stamp % WAITING] = i + 1;
		return true;
	}
	/* After order_skip() there can be stamps with a smaller number than the due one. */
	if (r->stamp == o->due)
		o->due++;
	r->read += 1 + n;
	return o->sink.stamp == NULL || o->sink.stamp(o->sink.ctx, i);
}

/* Reads a ring up to a stamp that is not due. Sets *some to true if it read anything. */
static bool read_ring(struct order *o, uint32_t i, bool *some, struct nfart_error *e)
{
	struct ring_state *r = &o->ring[i];
	uint64_t written = atomic_load_explicit(&r->head->written, memory_order_acquire);
	uint64_t before = r->read, mask = o->ring_words - 1;
	bool fine = true;

	if (r->waits && r->stamp > o->due)
		return true;
	r->waits = false;
	if (written - r->read > o->ring_words)
		return damaged(e, i, "more words than it holds");
	while (fine && !r->waits && r->read < written) {
		uint64_t from = r->read & mask, most = written - r->read, n = 0;
		const uint64_t *words = &r->words[from];

		if (most > o->ring_words - from)
			most = o->ring_words - from;
		while (n < most && words[n] >> MEM_ADDRESS_BITS >= MEM_SITE_FIRST)
			n++;
		r->read += n;
		if (n > 0)
			fine = o->sink.accesses(o->sink.ctx, i, words, n);
		else
			fine = take_event(o, i, written, e);
	}
	if (r->read != before) {
		atomic_store_explicit(&r->head->read, r->read, memory_order_release);
		*some = true;
	}
	return fine;
}

/*
 * Reads the ring that waits for the due stamp, then the one that waits for the next stamp, and so
 * on. Stops after WAITING rounds, so that other rings are read too.
 */
static bool follow_stamps(struct order *o, bool *some, struct nfart_error *e)
{
	for (unsigned n = 0; n < WAITING; n++) {
		uint32_t i = o->waiting[o->due % WAITING];

		if (i == 0 || !o->ring[i - 1].waits || o->ring[i - 1].stamp != o->due)
			break;
		if (!read_ring(o, i - 1, some, e))
			return false;
	}
	return true;
}

enum order_found order_read(struct order *o, struct nfart_error *e)
{
	uint32_t rings = atomic_load_explicit(&o->channel->threads, memory_order_acquire);
	bool some = false, waits = false;

	if (rings > o->rings_max)
		rings = o->rings_max;
	for (uint32_t i = 0; i < rings; i++)
		if (!read_ring(o, i, &some, e) || !follow_stamps(o, &some, e))
			return ORDER_FAILED;
	for (uint32_t i = 0; i < rings && !some; i++)
		waits |= o->ring[i].waits;
	return some ? ORDER_SOME : waits ? ORDER_WAITS : ORDER_NOTHING;
}

void order_skip(struct order *o)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < o->rings_max; i++)
		if (o->ring[i].waits && o->ring[i].stamp < least)
			least = o->ring[i].stamp;
	if (least != UINT64_MAX && least > o->due)
		o->due = least;
}
