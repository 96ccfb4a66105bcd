/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [the experiment]. The thesis describes it in words (T 4.2, figure 28). These points are open
 * there, and decided here:
 *
 *   - The tree has 511 entries and is perfectly balanced, so it has nine levels, and a lookup of an
 *     even number, which is in a leaf, visits nine nodes. The thesis says eight.
 *   - 511 entries in 3072 bytes leave 6 bytes for a node. Some nodes lie across two lines. A visit
 *     reads the whole node, and accesses both lines then. The accesses of a line are the visits of
 *     nodes in it, so that a lookup may access a line several times.
 *   - The directory has four sets of four tags. The set of a line is the lowest two bits of the
 *     line's index. The thesis has a tag evicted when the directory is full. Here it is evicted
 *     when the request's set is full, since a tag fits nowhere else.
 *   - "By the clock" is a random number. Its seed is not that of keys and flushes, because the
 *     thesis repeats runs with the same keys and gets other victims.
 *   - A flush is visible by the lines that the CPU gives up. The memory that the flushing
 *     computation reads belongs to the CPU, and its messages do not pass the tap. The computation
 *     lasts until all lines have arrived at the directory.
 *   - A load is an MREQ_RLDD, as in T 4.1, which is answered by MRSP_PEMD. The line is clean.
 *     With gen_misses_options.shared_loads it is answered by MRSP_PSHA.
 *
 * The program waits for each line before it goes on. So a forward never crosses another message,
 * and the reason for a miss can be told from the messages of its line.
 */
#include "tools/nfagen/traffic/gen_misses.h"

#include <assert.h>
#include <stdlib.h>

#include "tools/nfagen/traffic/gen_message.h"
#include "tools/nfagen/traffic/gen_random.h"

enum {
	LINE_BYTES = 128,
	NODES = 511,
	NODE_BYTES = 6,
	LEVELS = 9,
	LEAVES = 256,
	SETS = 4,
	WAYS = 4,
	LINK_CYCLES = 35,        /* latency of the link in one direction */
	DIRECTORY_CYCLES = 4,    /* from a message that the directory gets to a forward */
	COMPUTE_CYCLES = 10,     /* from a line that the CPU gets to the next access */
	FLUSH_CYCLES = 5000,     /* duration of the computation that flushes the cache */
	/* A lookup makes at most a victim for each line, and for each of two lines of each node a
	 * request, its answer, a forward and its acknowledgement. */
	MOST_WAITING = GEN_TREE_LINES + LEVELS * 2 * 4
};

_Static_assert(NODES * NODE_BYTES <= GEN_TREE_LINES * LINE_BYTES, "the tree fits its lines");

/* Where a line is, as the CPU knows it. */
enum place { NEVER_LOADED, CACHED, GIVEN_UP, TAKEN_AWAY };

struct set {
	uint32_t n;
	uint8_t line[WAYS]; /* [n]: the lines whose tags are in the set */
};

/* A message that passes the tap at `time`. */
struct passing {
	uint64_t time;
	struct gen_message m;
};

struct gen_misses {
	struct gen_misses_options o;
	struct gen_codec codec;
	struct gen_random program;   /* keys and flushes */
	struct gen_random hardware;  /* victims and latencies */
	uint64_t now;                /* time at the CPU */
	uint32_t done;               /* lookups done */
	uint8_t rreq_id, hreq_id;    /* those of the next request and of the next forward */
	uint8_t place[GEN_TREE_LINES]; /* by line: enum place */
	struct set sets[SETS];
	struct gen_misses_line lines[GEN_TREE_LINES];
	uint32_t first, nwaiting;    /* waiting[first] to waiting[nwaiting - 1] are not out yet */
	struct passing waiting[MOST_WAITING];
};

struct gen_misses *gen_misses_new(const struct nfart_proto *p, const struct gen_misses_options *o,
				  struct nfart_error *e)
{
	struct gen_misses *g = calloc(1, sizeof *g);

	if (g == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	g->o = *o;
	if (!gen_codec_init(&g->codec, p, o->plain)) {
		nfart_fail(e, NFART_USAGE, "protocol %s lacks the messages of ECI", p->name);
		gen_misses_free(g);
		return NULL;
	}
	/* Shifted, so that equal seeds don't make both draw the same numbers. */
	g->program.state = (uint64_t)o->keys << 32;
	g->hardware.state = o->seed;
	for (uint32_t i = 0; i < GEN_TREE_LINES; i++)
		g->lines[i].address = (o->first_line + i) * LINE_BYTES;
	return g;
}

void gen_misses_free(struct gen_misses *g)
{
	free(g);
}

const struct gen_misses_line *gen_misses_line(const struct gen_misses *g, uint32_t i)
{
	return &g->lines[i];
}

/* ---- the directory -------------------------------------------------------------------------- */

static struct set *set_of(struct gen_misses *g, uint32_t line)
{
	return &g->sets[(g->o.first_line + line) % SETS];
}

static void misses_forget(struct set *s, uint32_t way)
{
	s->line[way] = s->line[--s->n];
}

static void pass(struct gen_misses *g, uint64_t time, struct gen_message m)
{
	assert(g->nwaiting < MOST_WAITING);
	m.line = g->o.first_line + m.line;
	g->waiting[g->nwaiting++] = (struct passing){ .time = time, .m = m };
}

/* Takes a line of the set away from the CPU. The directory begins with that at `time`. Returns when
 * it has the acknowledgement. */
static uint64_t take_away(struct gen_misses *g, struct set *s, uint64_t time)
{
	uint32_t way = gen_random_below(&g->hardware, s->n), line = s->line[way];
	uint64_t sent = time + DIRECTORY_CYCLES, acknowledged = sent + 2 * LINK_CYCLES;
	uint8_t id = g->hreq_id++ & 63;

	pass(g, sent, (struct gen_message){ .kind = g->o.shared_loads ? GEN_F21 : GEN_F31,
					    .line = line, .id = id, .dmask = 0xf });
	pass(g, acknowledged, (struct gen_message){ .kind = g->o.shared_loads ? GEN_A21 : GEN_A31,
						    .line = line, .id = id });
	g->place[line] = TAKEN_AWAY;
	misses_forget(s, way);
	return acknowledged;
}

/* Serves a request for a line that arrives at `time`. Returns when the answer passes the tap. */
static uint64_t serve(struct gen_misses *g, uint32_t line, uint8_t id, uint64_t time)
{
	struct set *s = set_of(g, line);

	if (s->n == WAYS)
		time = take_away(g, s, time);
	s->line[s->n++] = (uint8_t)line;
	time += 70 + gen_random_below(&g->hardware, 60);
	pass(g, time, (struct gen_message){ .kind = g->o.shared_loads ? GEN_RA2 : GEN_RA3,
					    .line = line, .id = id, .dmask = 0xf });
	return time;
}

/* ---- the program ---------------------------------------------------------------------------- */

static void access_line(struct gen_misses *g, uint32_t line)
{
	struct gen_misses_line *l = &g->lines[line];
	uint8_t id = g->rreq_id & 31;

	l->accesses++;
	switch ((enum place)g->place[line]) {
	case CACHED:
		return;
	case NEVER_LOADED:
		l->compulsory++;
		break;
	case GIVEN_UP:
		l->capacity++;
		break;
	case TAKEN_AWAY:
		l->coherency++;
		break;
	}
	g->rreq_id++;
	uint64_t arrives = g->now + LINK_CYCLES;
	pass(g, arrives, (struct gen_message){ .kind = GEN_R13, .line = line, .id = id,
					       .dmask = 0xf });
	g->now = serve(g, line, id, arrives) + LINK_CYCLES + COMPUTE_CYCLES;
	g->place[line] = CACHED;
}

/* Gives up all lines that are in the cache. Each cycle one of an even and one of an odd index can
 * pass, since they have different slots. */
static void misses_flush(struct gen_misses *g)
{
	for (uint32_t line = 0; line < GEN_TREE_LINES; line++) {
		struct set *s = set_of(g, line);
		if (g->place[line] != CACHED)
			continue;
		pass(g, g->now + LINK_CYCLES + line / 2,
		     (struct gen_message){ .kind = g->o.shared_loads ? GEN_V21 : GEN_V31,
					   .line = line });
		g->place[line] = GIVEN_UP;
		for (uint32_t way = 0; way < s->n; way++)
			if (s->line[way] == line)
				misses_forget(s, way);
	}
	g->now += FLUSH_CYCLES;
}

/* Looks a key up. The nodes are in memory in the order of their keys, from 0 on, so that the node
 * in the middle is the root. */
static void look_up(struct gen_misses *g, uint32_t key)
{
	uint32_t node = NODES / 2;

	for (uint32_t step = (NODES + 1) / 4;; step /= 2) {
		uint32_t first = node * NODE_BYTES / LINE_BYTES;
		uint32_t last = (node * NODE_BYTES + NODE_BYTES - 1) / LINE_BYTES;
		access_line(g, first);
		if (last != first)
			access_line(g, last);
		if (node == key)
			return;
		node = key < node ? node - step : node + step;
	}
}

static void run_lookup(struct gen_misses *g)
{
	/* Both are drawn each time, so that the keys don't depend on the probability. */
	bool flushed = gen_random(&g->program) >> 32 < g->o.flush;
	uint32_t key = 2 * gen_random_below(&g->program, LEAVES);

	if (flushed)
		misses_flush(g);
	look_up(g, key);
	g->done++;
}

bool gen_misses_next(struct gen_misses *g, struct nfart_batch *b)
{
	if (g->first == g->nwaiting) {
		g->first = g->nwaiting = 0;
		while (g->nwaiting == 0 && g->done < g->o.lookups)
			run_lookup(g);
	}
	if (g->nwaiting == 0)
		return false;
	*b = (struct nfart_batch){ .time = g->waiting[g->first].time };
	for (; g->first < g->nwaiting && g->waiting[g->first].time == b->time; g->first++) {
		const struct gen_message *m = &g->waiting[g->first].m;
		uint32_t slot = gen_slot(&g->codec, m);
		b->mask |= (uint64_t)1 << slot;
		b->header[slot] = gen_header(&g->codec, m);
	}
	return true;
}
