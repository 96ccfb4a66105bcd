/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random accesses and events of an invented program go through filters: without messages that
 * change nothing (messages.h, Note [messages left out]), and with all messages, because a taker is
 * there that needs all. What the filters find must be the same text. All accesses must be counted.
 *
 *   quiet NAME=IMAGE...
 */
#include <stdlib.h>
#include <string.h>

#include "include/nfart.h"
#include "probes/memory/reader/matches.h"
#include "probes/memory/tests/random.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { BLOCKS = 60, SITES = 40, STEPS = 4000, THREADS = 9, RUN = 40, ROOM = 512 };

static const uint64_t base = 0x600000000000;

/* A way to run: what else is there besides the filter. */
enum way {
	WAY_ALONE,  /* nothing, so memory.c leaves accesses out */
	WAY_BESIDE, /* other outputs, so messages.c leaves them out */
	WAY_ALL,    /* a taker that needs all messages */
	WAYS
};

struct run {
	struct mem_channel *channel;
	struct memory memory;
	struct messages *messages, *words; /* words: another output, of protocol mem-word */
	struct matches *matches;
	struct findings *findings;
	FILE *out;
	char *text;
	size_t bytes;
	uint64_t taken; /* messages */
	uint64_t accesses, loads, stores; /* of the program */
	uint64_t seen;                    /* accesses that came to the output of WAY_BESIDE */
	uint64_t nwords;                  /* messages of `words` */
};

static uint64_t all_quiet(void *ctx, uint32_t slot, uint64_t header, uint64_t varies)
{
	(void)ctx;
	(void)slot;
	(void)header;
	(void)varies;
	return UINT64_MAX;
}

static bool take_all(void *ctx, const struct message_block *b, struct nfart_error *e)
{
	struct run *x = ctx;

	(void)e;
	x->taken += b->n;
	return true;
}

static bool take_word(void *ctx, const struct message_block *b, struct nfart_error *e)
{
	struct run *x = ctx;

	(void)e;
	x->nwords += b->n;
	return true;
}

static bool see_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	struct run *x = ctx;

	(void)a;
	(void)e;
	x->seen++;
	return true;
}

static bool no_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	(void)ctx;
	(void)v;
	(void)e;
	return true;
}

/* Adds an output of protocol mem-word. */
static bool add_words(struct run *x)
{
	struct nfart_error e = { 0 };
	struct nfart_proto *p = nfart_proto_open("mem-word", &e);
	struct memory_output output;

	x->words = p != NULL ? messages_new(&x->memory, p, &e) : NULL;
	nfart_proto_free(p);
	if (x->words == NULL)
		return false;
	messages_add(x->words, take_word, NULL, x);
	output = messages_output(x->words);
	memory_add_output(&x->memory, &output);
	return true;
}

static bool begin_run(struct run *x, const struct nfart_image *im, enum way way)
{
	const struct memory_output other = { .access = see_access, .event = no_event,
					    .ctx = x };
	struct nfart_error e = { 0 };
	struct memory_output output;

	x->channel = calloc(1, mem_sites_at() + (MEM_SITE_FIRST + SITES) * sizeof(struct mem_site));
	x->out = open_memstream(&x->text, &x->bytes);
	if (x->channel == NULL || x->out == NULL || !memory_init(&x->memory, x->channel, "program"))
		return false;
	x->memory.recording = true;
	x->messages = messages_new(&x->memory, nfart_image_proto(im), &e);
	x->findings = findings_new(x->out, FINDINGS_TEXT);
	if (x->messages == NULL || x->findings == NULL)
		return false;
	output = messages_output(x->messages);
	memory_add_output(&x->memory, &output);
	if (way == WAY_BESIDE)
		memory_add_output(&x->memory, &other);
	if (way != WAY_ALONE && !add_words(x))
		return false;
	/* Without WAY_ALL it counts what is left, as it needs none. */
	messages_add(x->messages, take_all, way == WAY_ALL ? NULL : all_quiet, x);
	x->matches = matches_new(&x->memory, x->messages, im, x->findings, &e);
	return x->matches != NULL;
}

static bool end_run(struct run *x)
{
	struct nfart_error e = { 0 };

	return memory_settle(&x->memory) && matches_end(x->matches, &e) && fflush(x->out) == 0;
}

static void free_run(struct run *x)
{
	matches_free(x->matches);
	messages_free(x->messages);
	messages_free(x->words);
	findings_free(x->findings);
	memory_free(&x->memory);
	if (x->out != NULL)
		fclose(x->out);
	free(x->text);
	free(x->channel);
}

/* ---- an invented program ---- */

/* One that always begins with the same `random_state` does the same. */
struct program {
	struct run *x;
	struct order_sink sink;
	uint64_t at[BLOCKS], bytes[BLOCKS];
	uint32_t busy; /* most accesses are to the first so many blocks */
};

static bool give_event(struct program *p, enum mem_event kind, const uint64_t *words, size_t n)
{
	uint32_t ring = (uint32_t)random_below(THREADS);

	return p->sink.event(p->sink.ctx, ring, kind, words, n);
}

static bool allocate_block(struct program *p, unsigned i)
{
	const enum mem_event kind = random_below(3) == 0 ? MEM_CALLOC : MEM_MALLOC;

	p->bytes[i] = 1 + random_below(ROOM - 48);
	return give_event(p, kind, (const uint64_t[]){ p->at[i], p->bytes[i], 7000 + i }, 3);
}

static uint64_t some_address(const struct program *p, bool inside)
{
	unsigned i = (unsigned)random_below(random_below(4) == 0 ? BLOCKS : p->busy);

	return p->at[i] + random_below(inside ? p->bytes[i] : p->bytes[i] + 32);
}

static bool some_accesses(struct program *p)
{
	uint64_t words[RUN], n = 1 + random_below(RUN), ring = random_below(THREADS), site = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (i == 0 || random_below(3) == 0)
			site = MEM_SITE_FIRST + random_below(SITES);
		words[i] = site << MEM_ADDRESS_BITS | some_address(p, random_below(40) != 0);
		p->x->loads += mem_sites(p->x->channel)[site].kind != MEM_SAVE;
		p->x->stores += mem_sites(p->x->channel)[site].kind != MEM_LOAD;
	}
	p->x->accesses += n;
	return p->sink.accesses(p->sink.ctx, (uint32_t)ring, words, n);
}

static bool some_event(struct program *p)
{
	static const enum mem_event locks[] = { MEM_LOCK, MEM_UNLOCK, MEM_INIT, MEM_DESTROY };
	static const enum mem_event ranges[] = { MEM_STORE, MEM_FETCH, MEM_FILL };
	unsigned i = (unsigned)random_below(BLOCKS);
	const uint64_t at = some_address(p, true), bytes = 1 + random_below(300);

	switch (random_below(8)) {
	case 0:
	case 1:
		return give_event(p, MEM_FREE, (const uint64_t[]){ p->at[i], 11, 0 }, 3) &&
		       (random_below(5) == 0 || allocate_block(p, i));
	case 2:
		return give_event(p, locks[random_below(4)],
				  (const uint64_t[]){ random_below(2) == 0 ? p->at[i] : at, 12, 0 }, 3);
	case 3:
		return give_event(p, MEM_COPY,
				  (const uint64_t[]){ at, some_address(p, true), bytes, 13 }, 4);
	case 4:
		return random_below(3) != 0 ||
		       give_event(p, MEM_THREAD, (const uint64_t[]){ random_below(3), 14, 0 }, 3);
	case 5:
		return random_below(9) != 0 || give_event(p, MEM_EXIT, NULL, 0);
	case 6:
		return memory_settle(&p->x->memory);
	default:
		return give_event(p, ranges[random_below(3)], (const uint64_t[]){ at, bytes, 15 }, 3);
	}
}

static bool run_program(struct run *x)
{
	struct program p = { .x = x, .sink = memory_sink(&x->memory),
			     .busy = 1 + (uint32_t)random_below(6) };
	struct mem_site *sites = mem_sites(x->channel);
	unsigned rare = 1 + (unsigned)random_below(60);
	bool fine = give_event(&p, MEM_REGION,
			       (const uint64_t[]){ base, (uint64_t)BLOCKS * ROOM, MEM_HEAP }, 3);

	for (unsigned i = 0; i < SITES; i++)
		sites[MEM_SITE_FIRST + i] = (struct mem_site){
			.pc = 0x1000 + i, .bytes = (uint16_t)(1 << random_below(5)),
			.kind = random_below(3) & 3, .atomic = random_below(9) == 0 };
	for (unsigned i = 0; i < BLOCKS && fine; i++) {
		p.at[i] = base + (uint64_t)i * ROOM;
		fine = allocate_block(&p, i);
	}
	for (unsigned i = 0; i < STEPS && fine; i++)
		fine = random_below(rare) == 0 ? some_event(&p) : some_accesses(&p);
	return fine;
}

/* ---- comparisons ---- */

struct totals {
	uint64_t matches, bad, made, all; /* made: messages that were not left out */
};

static bool counts_all(const struct run *x)
{
	const struct memory_counts *n = &x->memory.counts;

	return n->accesses == x->accesses && n->loads == x->loads && n->stores == x->stores;
}

static void play(const struct nfart_image *im, uint64_t seed, struct totals *t)
{
	struct run run[WAYS] = { 0 };
	const struct run *all = &run[WAY_ALL];
	bool fine = true;

	for (enum way way = 0; way < WAYS && fine; way++) {
		fine = begin_run(&run[way], im, way);
		random_state = seed * 2 + 1;
		fine = fine && run_program(&run[way]) && end_run(&run[way]);
	}
	for (enum way way = 0; way < WAYS && fine; way++)
		fine = run[way].bytes == all->bytes &&
		       memcmp(run[way].text, all->text, all->bytes) == 0 && counts_all(&run[way]);
	fine = fine && run[WAY_BESIDE].seen == run[WAY_BESIDE].accesses &&
	       run[WAY_BESIDE].nwords == all->nwords && all->nwords > 0;
	if (fine)
		t->matches += matches_count(all->matches);
	else
		printf("# seed %llu differs: %zu, %zu and %zu bytes\n", (unsigned long long)seed,
		       run[WAY_ALONE].bytes, run[WAY_BESIDE].bytes, all->bytes);
	t->bad += !fine || run[WAY_ALONE].taken > all->taken;
	t->made += run[WAY_ALONE].taken;
	t->all += all->taken;
	for (enum way way = 0; way < WAYS; way++)
		free_run(&run[way]);
}

int main(int argc, char **argv)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_QUIET_SEEDS", 6);
	uint64_t made = 0, all = 0;
	struct tap t = { 0, 0 };

	for (int i = 1; i < argc; i++) {
		const char *path = strchr(argv[i], '=');
		struct totals totals = { 0 };
		struct nfart_error e = { 0 };
		struct nfart_image *im = path != NULL ? nfart_image_open(path + 1, &e) : NULL;

		for (uint64_t s = seed; s < seed + n && im != NULL; s++)
			play(im, s, &totals);
		tap_case(&t, im != NULL && totals.bad == 0 && totals.matches > 0,
			 "%.*s finds the same without messages that change nothing, from seed %llu: "
			 "%llu matches, %llu of %llu messages", path != NULL ? (int)(path - argv[i]) : 0, argv[i],
			 (unsigned long long)seed, (unsigned long long)totals.matches,
			 (unsigned long long)totals.made, (unsigned long long)totals.all);
		nfart_image_free(im);
		made += totals.made;
		all += totals.all;
	}
	tap_case(&t, made < all / 8 * 7, "an eighth of the messages is left out");
	return tap_end(&t);
}
