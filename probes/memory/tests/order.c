/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads invented channels. In the first part, one thread plays all writers and the reader, in a
 * random order. To take a stamp and to write it are separate steps. What is read is compared with
 * what was written. In the second part, several threads with a lock write at once. In the third
 * part, the channel holds random words.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/order.h"
#include "probes/memory/tests/random.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { RINGS = 5, WORDS = 4096, MOST_STAMPS = 100000, LOCKERS = 4, TURNS = 20000 };

static struct mem_channel *channel_new(void)
{
	struct mem_channel geometry = { .size.sites_max = MEM_SITE_FIRST,
					.size.threads_max = RINGS,
					.size.ring_words = WORDS };
	struct mem_channel *c;

	geometry.bytes = mem_channel_bytes(&geometry);
	c = aligned_alloc(4096, geometry.bytes);
	memset(c, 0, geometry.bytes);
	*c = geometry;
	return c;
}

static uint64_t *ring_word(struct mem_ring *r, uint64_t i)
{
	return mem_words(r) + i % WORDS;
}

/* ---- one thread plays all ---- */

/* What the writers did. An item is an access or an event. Its payload is its number in its ring. */
struct play {
	struct mem_channel *c;
	struct order *order;
	uint64_t wrote[RINGS], got[RINGS], stamps;
	uint64_t taken[RINGS]; /* 1 + a stamp that was taken but not written yet; 0: none */
	struct {
		uint32_t ring;
		uint64_t items; /* number of items in this ring before the stamp */
		bool lost;
	} stamp[MOST_STAMPS];
	/* For each ring: the stamps that it wrote, and how many of them were read. */
	uint64_t stamp_of[RINGS][MOST_STAMPS];
	uint64_t nstamps[RINGS], met[RINGS];
	uint64_t seen[RINGS]; /* stamps below this one were checked for this ring */
	const char *wrong;
};

/*
 * An item of a ring was read. Look at the last stamp of the ring before it: everything in other
 * rings before smaller stamps must have been read, too.
 */
static void check_item(struct play *p, uint32_t ring, uint64_t payload)
{
	uint64_t last = 0;

	if (payload != p->got[ring])
		p->wrong = "an item is missing, or comes twice";
	while (p->met[ring] < p->nstamps[ring] &&
	       p->stamp[p->stamp_of[ring][p->met[ring]]].items <= payload)
		p->met[ring]++;
	if (p->met[ring] > 0)
		last = p->stamp_of[ring][p->met[ring] - 1];
	for (; p->seen[ring] < last; p->seen[ring]++)
		if (!p->stamp[p->seen[ring]].lost &&
		    p->got[p->stamp[p->seen[ring]].ring] < p->stamp[p->seen[ring]].items)
			p->wrong = "an item comes before one that is before it";
	p->got[ring]++;
}

static bool play_accesses(void *ctx, uint32_t ring, const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_item(ctx, ring, words[i] & (((uint64_t)1 << MEM_ADDRESS_BITS) - 1));
	return true;
}

static bool play_event(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words,
		       size_t n)
{
	struct play *p = ctx;

	check_item(p, ring, words[0]);
	for (size_t i = 1; i < n; i++)
		if (words[i] != words[0] + i || kind != MEM_MODULE)
			p->wrong = "an event has other words";
	return true;
}

static uint64_t ring_room(struct play *p, uint32_t ring)
{
	struct mem_ring *r = mem_ring(p->c, ring);

	return WORDS - (r->written - r->read);
}

static void write_stamp(struct play *p, uint32_t ring)
{
	struct mem_ring *r = mem_ring(p->c, ring);

	*ring_word(r, r->written) = (uint64_t)MEM_STAMP << MEM_ADDRESS_BITS | 1;
	*ring_word(r, r->written + 1) = p->taken[ring] - 1;
	r->written += 2;
	p->taken[ring] = 0;
}

/* One step of a ring: it takes a stamp, writes the stamp, or writes an item. */
static void play_writer(struct play *p, uint32_t ring)
{
	struct mem_ring *r = mem_ring(p->c, ring);
	uint64_t n = 3 + random_below(300), payload = p->wrote[ring];

	if (p->taken[ring] != 0) {
		if (ring_room(p, ring) >= 2 && random_below(3) == 0)
			write_stamp(p, ring);
		return;
	}
	if (random_below(8) == 0 && p->stamps < MOST_STAMPS) {
		p->stamp[p->stamps].ring = ring;
		p->stamp[p->stamps].items = p->wrote[ring];
		p->stamp_of[ring][p->nstamps[ring]++] = p->stamps;
		p->taken[ring] = ++p->stamps;
		return;
	}
	if (random_below(10) > 0) {
		for (n = random_below(20); n > 0 && ring_room(p, ring) > 0; n--)
			*ring_word(r, r->written++) = p->wrote[ring]++ |
				(uint64_t)MEM_SITE_FIRST << MEM_ADDRESS_BITS;
	} else if (ring_room(p, ring) > n) {
		*ring_word(r, r->written) = (uint64_t)MEM_MODULE << MEM_ADDRESS_BITS | n;
		for (uint64_t i = 0; i < n; i++)
			*ring_word(r, r->written + 1 + i) = payload + i;
		r->written += n + 1;
		p->wrote[ring]++;
	}
}

/*
 * Plays some steps, and then reads to the end. With `killed`, some rings never write their stamp.
 */
static bool play_once(uint64_t seed, bool killed)
{
	struct play *p = calloc(1, sizeof *p);
	struct order_sink sink = { play_accesses, play_event, p, NULL };
	struct nfart_error e = { 0 };
	enum order_found found;
	bool fine = true;

	random_state = seed * 2 + 1;
	p->c = channel_new();
	p->c->threads = RINGS;
	p->order = order_new(p->c, &sink);
	for (int step = 0; step < 20000; step++)
		if (random_below(20) > 0)
			play_writer(p, (uint32_t)random_below(RINGS));
		else if (order_read(p->order, &e) == ORDER_FAILED)
			p->wrong = e.what;
	for (uint32_t i = 0; i < RINGS; i++)
		if (p->taken[i] != 0) {
			while (ring_room(p, i) < 2 && order_read(p->order, &e) == ORDER_SOME)
				;
			p->stamp[p->taken[i] - 1].lost = killed;
			if (!killed)
				write_stamp(p, i);
		}
	while ((found = order_read(p->order, &e)) == ORDER_SOME || (killed && found == ORDER_WAITS))
		if (found == ORDER_WAITS)
			order_skip(p->order);
	for (uint32_t i = 0; i < RINGS; i++)
		fine &= p->got[i] == p->wrote[i];
	if (!fine || found != ORDER_NOTHING || p->wrong != NULL)
		printf("# seed %llu: %s\n", (unsigned long long)seed,
		       p->wrong != NULL ? p->wrong : "not all was read");
	fine &= p->wrong == NULL && found == ORDER_NOTHING;
	order_free(p->order);
	free(p->c);
	free(p);
	return fine;
}

/* ---- threads with a lock ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared;

struct locker {
	struct mem_channel *c;
	uint32_t ring;
	pthread_t thread;
};

static void put_words(struct mem_channel *c, uint32_t ring, const uint64_t *words, uint64_t n)
{
	struct mem_ring *r = mem_ring(c, ring);
	uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);

	while (at + n - atomic_load_explicit(&r->read, memory_order_acquire) > WORDS)
		sched_yield();
	for (uint64_t i = 0; i < n; i++)
		*ring_word(r, at + i) = words[i];
	atomic_store_explicit(&r->written, at + n, memory_order_release);
}

static void put_stamp(struct mem_channel *c, uint32_t ring)
{
	uint64_t words[] = { (uint64_t)MEM_STAMP << MEM_ADDRESS_BITS | 1,
			     atomic_fetch_add(&c->stamp, 1) };

	put_words(c, ring, words, 2);
}

static void *locker(void *ctx)
{
	struct locker *l = ctx;

	for (int i = 0; i < TURNS; i++) {
		uint64_t word = (uint64_t)MEM_SITE_FIRST << MEM_ADDRESS_BITS;

		pthread_mutex_lock(&lock);
		put_stamp(l->c, l->ring);
		word |= shared++;
		put_words(l->c, l->ring, &word, 1);
		put_stamp(l->c, l->ring);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

struct sequence {
	uint64_t next;
	bool wrong;
};

static bool sequence_accesses(void *ctx, uint32_t ring, const uint64_t *words, size_t n)
{
	struct sequence *s = ctx;

	(void)ring;
	for (size_t i = 0; i < n; i++)
		s->wrong |= (words[i] & (((uint64_t)1 << MEM_ADDRESS_BITS) - 1)) != s->next++;
	return true;
}

static bool any_event(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words,
		      size_t n)
{
	(void)ctx;
	(void)ring;
	return kind < MEM_EVENTS && (n == 0 || words[n - 1] != UINT64_MAX);
}

static bool play_lockers(void)
{
	struct locker l[LOCKERS];
	struct sequence s = { 0, false };
	struct order_sink sink = { sequence_accesses, any_event, &s, NULL };
	struct mem_channel *c = channel_new();
	struct order *o = order_new(c, &sink);
	struct nfart_error e;
	enum order_found found = ORDER_NOTHING;

	c->threads = LOCKERS;
	for (uint32_t i = 0; i < LOCKERS; i++) {
		l[i] = (struct locker){ .c = c, .ring = i };
		pthread_create(&l[i].thread, NULL, locker, &l[i]);
	}
	while (s.next < (uint64_t)LOCKERS * TURNS && found != ORDER_FAILED) {
		found = order_read(o, &e);
		if (found != ORDER_SOME)
			sched_yield();
	}
	for (uint32_t i = 0; i < LOCKERS; i++)
		pthread_join(l[i].thread, NULL);
	order_free(o);
	free(c);
	return !s.wrong && found != ORDER_FAILED;
}

/* ---- random words ---- */

static bool play_noise(uint64_t seed)
{
	struct sequence s = { 0, false };
	struct order_sink sink = { sequence_accesses, any_event, &s, NULL };
	struct mem_channel *c = channel_new();
	struct order *o = order_new(c, &sink);
	struct nfart_error e = { 0 };
	enum order_found found = ORDER_SOME;

	random_state = seed * 2 + 1;
	c->threads = (uint32_t)random_below(2 * RINGS);
	for (uint32_t i = 0; i < RINGS; i++) {
		struct mem_ring *r = mem_ring(c, i);

		for (uint64_t k = 0; k < WORDS; k++)
			*ring_word(r, k) =
				random_below(4) == 0
					? random_below(UINT64_MAX)
					: random_below(70) << MEM_ADDRESS_BITS | random_below(6);
		r->written = random_below(4) == 0 ? random_below(UINT64_MAX) : random_below(WORDS);
	}
	for (int i = 0; i < 100 && found != ORDER_FAILED; i++) {
		found = order_read(o, &e);
		if (found == ORDER_WAITS)
			order_skip(o);
	}
	order_free(o);
	free(c);
	return found != ORDER_FAILED || e.what[0] != 0;
}

int main(void)
{
	struct tap t = { 0, 0 };
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_ORDER_SEEDS", 30);
	bool fine[3] = { true, true, true };

	for (uint64_t i = seed; i < seed + n; i++) {
		fine[0] &= play_once(i, false);
		fine[1] &= play_once(i, true);
		fine[2] &= play_noise(i);
	}
	tap_case(&t, fine[0], "what stamps order comes in order, from seed %llu",
		 (unsigned long long)seed);
	tap_case(&t, fine[1], "stamps that never come are skipped");
	tap_case(&t, fine[2], "random words end in an error, or are read");
	tap_case(&t, play_lockers(), "what threads write under a lock comes in its order");
	return tap_end(&t);
}
