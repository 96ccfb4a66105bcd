/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/blocks/gen_blocks.h"

bool gen_blocks_begin(struct gen_blocks *g, const struct nfart_proto *p,
		      const struct gen_blocks_options *o, const struct block_traffic *traffic)
{
	*g = (struct gen_blocks){ .o = *o, .traffic = *traffic };
	g->at_blocks = block_tap_init(&g->tap, p);
	g->link = block_link_new(o->seed, traffic->receive, traffic->context);
	return g->link != NULL;
}

void gen_blocks_end(struct gen_blocks *g)
{
	block_link_free(g->link);
}

/* Returns the first fault of a kind that is due and has not happened. NULL: there is none. */
static struct gen_fault *due(const struct gen_blocks *g, enum gen_fault_kind kind)
{
	uint64_t progress = g->o.by_message ? g->messages : g->batches;

	for (uint32_t i = 0; i < g->o.nfaults; i++) {
		struct gen_fault *f = &g->o.faults[i];
		if (f->kind == kind && !f->shown && progress >= f->at)
			return f;
	}
	return NULL;
}

static void blocks_show(struct gen_fault *f, uint64_t time, const struct block_faults *now)
{
	f->taken = f->shown = true;
	f->time = time;
	f->from_cpu = now->sender == BLOCK_CPU;
	f->vc = now->vc;
}

/* Is it an idle block that says nothing? */
static bool is_plain(const struct block *b)
{
	return !b->damaged && b->header == (uint64_t)BLOCK_IDLE << 61;
}

/* Simulates a cycle, and stores what the tap sees in *b. False: it sees nothing worth a batch. */
static bool see_cycle(struct gen_blocks *g, struct nfart_batch *b, bool *more)
{
	struct gen_fault *lose = due(g, GEN_LOST_BLOCK), *overrun = due(g, GEN_CREDIT_OVERRUN);
	struct block_faults faults = { .lose = lose != NULL, .overrun = overrun != NULL };
	struct block blocks[2];
	bool has[2];

	*b = (struct nfart_batch){ .time = ++g->now };
	*more = g->traffic.cycle(g->traffic.context, g->link, g->now, b);
	block_link_cycle(g->link, &faults, blocks, has);
	if (faults.lost)
		blocks_show(lose, g->now, &faults);
	if (faults.overran)
		blocks_show(overrun, g->now, &faults);
	if (!g->at_blocks)
		return b->mask != 0;
	const struct block *seen[2] = { has[0] ? &blocks[0] : NULL, &blocks[1] };
	block_tap_see(&g->tap, seen, b);
	return g->o.idle || !is_plain(&blocks[1]) || (has[0] && !is_plain(&blocks[0]));
}

bool gen_blocks_next(struct gen_blocks *g, struct nfart_batch *b)
{
	bool more;

	while (!see_cycle(g, b, &more) || b->mask == 0)
		if (!more && block_link_is_quiet(g->link))
			return false;
	g->batches++;
	g->messages += (uint64_t)__builtin_popcountll(b->mask);
	return true;
}
