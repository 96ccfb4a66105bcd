/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * blocks: generates traffic of the block layer, and follows credits, acknowledgements and the state
 * of the link from the messages of eci-block alone; runs the bandwidth benchmark, and checks what
 * the thesis observes of it (T 4.1).
 *
 *   blocks [-s SEED]
 *
 * NFACC_SEED sets the same.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "testsuite/bench/streams.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/blocks/block_random.h"
#include "tools/nfagen/blocks/block_streams.h"

enum { BATCHES = 4000, FAULT_AT = 2000, SEEDS = 6, ROUNDS = 4 };

/* The slots of eci-block, and opcodes of it. */
enum { IN, OUT, WORDS, SLOTS = 16 };
enum { OP_HI = 23, OP_EMPTY = 3, OP_DATA_MREQ = 7, OP_DATA_MRSP = 11 };

/* What was seen of a direction. */
struct watch {
	int32_t credits[BLOCK_VCS];  /* words that its sender may still send */
	uint32_t overrun;            /* a bit for each virtual channel on which it sent more */
	int32_t unacked, least, most; /* data blocks without acknowledgement, and their extremes */
	uint32_t states;             /* a bit for each state of the link that it had */
	uint32_t state;              /* the last one */
	bool fell;                   /* a state was lower than the one before it */
};

struct trial {
	const struct nfart_proto *proto;
	struct watch of[2];
	uint64_t outcomes[NFART_PAIR_UNASKED + 1];
	uint64_t hash, batches, plain, first, last;
};

static uint32_t bits(uint64_t header, int low, int n)
{
	return (uint32_t)(header >> low & ((1u << n) - 1));
}

static uint32_t opcode(uint64_t header)
{
	return (uint32_t)(header >> 57);
}

/* Follows the words of a direction. All words of a message are taken when it begins. */
static void see_words(struct trial *t, const struct nfart_batch *b, int d)
{
	struct watch *w = &t->of[d];

	for (int i = 0; i < BLOCK_WORDS; i++) {
		uint32_t slot = WORDS + (uint32_t)(d * BLOCK_WORDS + i);
		uint64_t h = b->header[slot];
		uint32_t op = opcode(h), vc = bits(h, 0, 4);
		if ((b->mask >> slot & 1) == 0 || op == OP_EMPTY || op == OP_DATA_MREQ ||
		    op == OP_DATA_MRSP)
			continue;
		bool long_one = vc >= 2 && vc <= 5;
		w->credits[vc] -= long_one ? 1 + 4 * __builtin_popcount(bits(h, 46, 4)) : 1;
		if (w->credits[vc] < 0)
			w->overrun |= 1u << vc;
	}
}

static void see(struct trial *t, const struct nfart_batch *b)
{
	for (int d = 0; d < 2; d++)
		if (b->mask >> d & 1)
			see_words(t, b, d);
	for (int d = 0; d < 2; d++) {
		struct watch *w = &t->of[d], *other = &t->of[1 - d];
		uint64_t h = b->header[d];
		if ((b->mask >> d & 1) == 0)
			continue;
		uint32_t state = bits(h, 16, 3), data = bits(h, 1, 1);
		w->fell |= state < w->state;
		w->state = state;
		w->states |= 1u << state;
		w->unacked += (int32_t)data;
		w->most = w->unacked > w->most ? w->unacked : w->most;
		if (data || opcode(h) == 31)
			other->unacked -= (int32_t)bits(h, 21, 1);
		other->least = other->unacked < other->least ? other->unacked : other->least;
		for (int i = 0; data && i < 8; i++)
			if (bits(h, 22 + i, 1))
				other->credits[i + (opcode(h) == OP_HI ? 8 : 0)] += BLOCK_CREDIT;
	}
	t->first = t->batches == 0 ? b->time : t->first;
	t->last = b->time;
	t->batches++;
	t->plain += (b->mask & 3) == 3 && bits(b->header[IN], 21, 1) == 0 &&
		    opcode(b->header[IN]) == 31 && opcode(b->header[OUT]) == 31 &&
		    bits(b->header[OUT], 21, 1) == 0;
	for (uint32_t s = 0; s < SLOTS; s++)
		if (b->mask >> s & 1)
			t->hash = (t->hash ^ b->header[s] ^ b->time) * 0x9e3779b97f4a7c15u;
}

static bool take_pair(void *ctx, const struct nfart_pair *pair)
{
	((struct trial *)ctx)->outcomes[pair->outcome]++;
	return true;
}

/* Runs a trial. `fault` may be NULL. */
static struct trial blocks_run(const struct nfart_proto *p, uint64_t seed, bool idle,
			       struct gen_fault *fault)
{
	struct trial t = { .proto = p };
	struct gen_blocks *g = calloc(1, sizeof *g);
	struct block_random r = { .random.state = seed, .first_line = 0x101, .lines = 16,
				  .rate = (uint64_t)1 << 29 };
	struct gen_blocks_options o = { .seed = seed, .idle = idle, .faults = fault,
					.nfaults = fault != NULL };
	struct block_traffic traffic = block_random_init(&r);
	struct nfart_pairs *pairs = nfart_pairs_new(p, take_pair, &t, NULL);
	struct nfart_batch b;

	if (g == NULL || pairs == NULL || !gen_blocks_begin(g, p, &o, &traffic))
		exit(99);
	while (g->batches < BATCHES && gen_blocks_next(g, &b)) {
		see(&t, &b);
		if (!nfart_pairs_put(pairs, &b))
			exit(99);
	}
	nfart_pairs_free(pairs);
	gen_blocks_end(g);
	free(g);
	return t;
}

/* Is a link without faults as it must be? It comes up, and stays up. */
static bool is_clean(const struct trial *t)
{
	for (int d = 0; d < 2; d++) {
		const struct watch *w = &t->of[d];
		uint32_t stages = 1u << LINK_START | 1u << LINK_READY | 1u << LINK_UP;
		if (w->overrun != 0 || w->least < 0 || w->most > BLOCK_UNACKED || w->most == 0 ||
		    w->fell || w->state != LINK_UP || (w->states & stages) != stages)
			return false;
	}
	return t->outcomes[NFART_PAIR_ANSWERED] > 20 &&
	       t->outcomes[NFART_PAIR_UNASKED] == 0 && t->outcomes[NFART_PAIR_REPLACED] == 0;
}

/* Was a block lost, asked for and sent again, after which the link is up? */
static bool is_repaired(const struct trial *t, const struct gen_fault *f)
{
	const struct watch *sender = &t->of[f->from_cpu ? IN : OUT];
	const struct watch *receiver = &t->of[f->from_cpu ? OUT : IN];

	return f->shown && (sender->states >> LINK_REPLAY & 1) != 0 &&
	       (receiver->states >> LINK_RETRY & 1) != 0 && sender->state == LINK_UP &&
	       receiver->state == LINK_UP &&
	       ((sender->states | receiver->states) >> LINK_ERROR & 1) == 0 &&
	       t->outcomes[NFART_PAIR_REPLACED] == 0 && t->outcomes[NFART_PAIR_OPEN] <= 32;
}

static void blocks_links(struct tap *tap, const struct nfart_proto *p, uint64_t seed)
{
	bool clean = true, same = true, whole = true, repaired = true, overran = true;
	uint32_t senders[2] = { 0, 0 }, overruns = 0;

	for (uint64_t i = 0; i < SEEDS; i++) {
		struct trial t = blocks_run(p, seed + i, false, NULL);
		struct trial again = blocks_run(p, seed + i, false, NULL);
		clean &= is_clean(&t) && t.plain == 0;
		same &= t.hash == again.hash;
		t = blocks_run(p, seed + i, true, NULL);
		whole &= is_clean(&t) && t.first == 1 && t.last == BATCHES && t.plain > 0;
		struct gen_fault lost = { .kind = GEN_LOST_BLOCK, .at = FAULT_AT };
		t = blocks_run(p, seed + i, false, &lost);
		repaired &= is_repaired(&t, &lost);
		senders[lost.from_cpu]++;
		struct gen_fault over = { .kind = GEN_CREDIT_OVERRUN, .at = FAULT_AT };
		t = blocks_run(p, seed + i, false, &over);
		uint32_t seen = t.of[over.from_cpu ? IN : OUT].overrun;
		/* Credits on the way to the CPU hide some overruns of it from the tap. */
		overran &= over.shown && t.of[over.from_cpu ? OUT : IN].overrun == 0 &&
			   (seen == 1u << over.vc || (over.from_cpu && seen == 0));
		overruns += seen != 0;
	}
	tap_case(tap, clean, "the link comes up and keeps to credits and acknowledgements");
	tap_case(tap, same, "the same seed gives the same trace");
	tap_case(tap, whole, "with idle blocks there is a batch in every cycle");
	tap_case(tap, repaired, "a lost block is asked for and sent again");
	tap_case(tap, overran && overruns > 0, "%u of %d overruns of credits are seen", overruns,
		 SEEDS);
	printf("# lost blocks of the FPGA %u, of the CPU %u\n", senders[0], senders[1]);
}

static void streams(struct tap *tap, uint64_t seed)
{
	struct streams_numbers b = streams_run("eci-block", seed, STREAM_CORES, ROUNDS);
	struct streams_numbers v = streams_run("eci", seed, STREAM_CORES, ROUNDS);

	tap_case(tap, b.most_of_core == 1, "1: a core has one request in flight");
	tap_case(tap, b.most == 16 && b.full > 0.05, "2: 16 in flight in %.3f of the time", b.full);
	tap_case(tap, b.waiting > 0.7, "3: a core waits in %.3f of its time", b.waiting);
	tap_case(tap, b.barrier_most > 0.2, "4: a core is at the barrier for %.3f of two rounds",
		 b.barrier_most);
	tap_case(tap, b.reversed > 0.95, "5: the last to finish starts first, %.3f of the pairs",
		 b.reversed);
	tap_case(tap, b.correlation > 0.5, "6: latency and load correlate, %.3f", b.correlation);
	tap_case(tap, b.falling[0] == 0 && b.falling[1] == 1, "7: core 7 goes through addresses "
		 "from the highest to the lowest");
	tap_case(tap, v.most == 2 && v.latency > 38 && v.latency < 43 && b.latency > 20 * v.latency,
		 "latency %.1f and at most 2 in flight at the VC layer, %.1f at the block layer",
		 v.latency, b.latency);
}

int main(int argc, char **argv)
{
	uint64_t seed = setting("NFACC_SEED", 1);
	struct nfart_proto *p = proto_builtin("eci-block");
	struct tap tap = { 0 };

	if (!setting_arguments(argc, argv, NULL, &seed, NULL))
		return NFART_USAGE;
	if (p == NULL)
		return 99;
	blocks_links(&tap, p, seed);
	streams(&tap, seed);
	printf("# seed %" PRIu64 "\n", seed);
	proto_free(p);
	return tap_end(&tap);
}
