/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [time at the tap]. The tap is at the home. A message of the home passes the tap at once, and
 * reaches the CPU after the latency of the link. A message of the CPU passes the tap when it
 * arrives, after that latency. The latency is constant for a line, so messages of one line and
 * direction keep their order. A forward can cross a message that the CPU has just sent.
 *
 * A message that has come to the tap waits in `ready` until its slot is free. It changes the state
 * of the home only when it is in a batch. So the home's states are exactly those that an observer
 * of the batches can deduce.
 */
#include "tools/nfagen/traffic/gen_coherence.h"

#include <assert.h>
#include <stdlib.h>

#include "tools/nfagen/traffic/gen_sim.h"

/* ---- beginning transactions ----------------------------------------------------------------- */

/* Draws an operation by the weights. If a fault is due that needs a certain operation, returns
 * that. */
static enum gen_op draw_op(struct gen *g)
{
	if (sim_is_due(g, GEN_WRONG_RESPONSE))
		return GEN_UPGRADE;
	if (sim_is_due(g, GEN_LOST_ACK))
		return GEN_FORWARD;
	uint32_t x = sim_below(g, g->begin.total_weight), op = 0;
	for (; x >= g->o.mix.weights[op]; op++)
		x -= g->o.mix.weights[op];
	return (enum gen_op)op;
}

/* Begins a transaction. It is the operation that was drawn, if a line is found that allows it. Else
 * it is an operation that changes the state of a line, so that later draws find one. False: no line
 * was found for that either. */
static bool coherence_start(struct gen *g)
{
	if ((gen_random(&g->random) >> 32) < g->o.mix.io) {
		sim_start_io(g);
		return true;
	}
	enum gen_op op = draw_op(g);
	for (int i = 0; i < PROBES; i++)
		if (sim_try(g, op, sim_below(g, g->o.lines.n)))
			return true;
	enum gen_op away = g->o.mix.weights[GEN_EVICT] == 0 && g->o.mix.weights[GEN_FORWARD] > 0
				   ? GEN_FORWARD : GEN_EVICT;
	for (int i = 0; i < PROBES; i++) {
		uint32_t at = sim_below(g, g->o.lines.n);
		if (sim_try(g, away, at) || sim_try(g, GEN_READ, at))
			return true;
	}
	return false;
}

/* Can there be any more traffic? The cost is linear in the lines, so this is called only when no
 * message is under way. */
static bool is_alive(const struct gen *g)
{
	for (uint32_t i = 0; i < g->o.lines.n; i++)
		if (!g->lines[i].silent)
			return true;
	return g->o.mix.io > 0;
}

/* ---- the tap -------------------------------------------------------------------------------- */

/* Marks the messages that go into the batch of this cycle: for each slot and each line, the one
 * that was ready first. Drops forwards that have become pointless. Returns how many marked messages
 * will be in the batch; an acknowledgement that a fault loses is marked, but not counted. */
static uint32_t plan(struct gen *g)
{
	uint64_t blocked = 0;
	uint32_t kept = 0, count = 0, most = g->o.batch.gather > 1 ? g->ready.wanted : NFART_SLOTS;

	for (uint32_t i = 0; i < g->ready.n; i++) {
		struct gen_flight *f = &g->ready.flights[i];
		struct line *l = f->line == GEN_NO_LINE ? NULL : &g->lines[f->line];
		bool free_line = l == NULL || l->looked != g->now;
		bool forward = f->m.kind >= GEN_F21 && f->m.kind <= GEN_F32;
		if (free_line && forward && !sim_settle_forward(g, f))
			continue;
		if (l != NULL)
			l->looked = g->now;
		uint32_t slot = gen_slot(&g->codec, &f->m);
		bool free_slot = (blocked >> slot & 1) == 0 && g->free.slot[slot] <= g->now &&
				 count < most;
		if (!f->silent)
			blocked |= (uint64_t)1 << slot;
		g->ready.taken[kept] = free_line && (free_slot || f->silent);
		count += g->ready.taken[kept] && !f->silent;
		g->ready.flights[kept++] = *f;
	}
	g->ready.n = kept;
	return count;
}

/* Makes *b of the marked messages and lets them act. b->mask is 0 if none of them is in the
 * trace. */
static void coherence_emit(struct gen *g, struct nfart_batch *b)
{
	uint32_t kept = 0;

	b->time = g->now;
	b->mask = b->lost = 0;
	b->damaged = false;
	b->payload_words = 0;
	for (uint32_t i = 0; i < g->ready.n; i++) {
		const struct gen_flight *f = &g->ready.flights[i];
		if (!g->ready.taken[i]) {
			g->ready.flights[kept++] = *f;
			continue;
		}
		if (!f->silent) {
			uint32_t slot = gen_slot(&g->codec, &f->m);
			b->mask |= (uint64_t)1 << slot;
			b->header[slot] = gen_header(&g->codec, &f->m);
			bool slow = gen_has_data(&f->m) && g->o.batch.gather <= 1;
			g->free.slot[slot] = g->now + (slow ? DATA_CYCLES : 1);
		}
		sim_seen(g, f);
	}
	g->ready.n = kept;
	if (g->o.batch.gather > 1 && b->mask != 0)
		g->ready.wanted = 1 + sim_below(g, 2 * g->o.batch.gather - 1);
}

/* Begins a gap if a fault GEN_LOST_SAMPLES is due. The gap waits while another fault was taken but
 * is not in the trace yet, because the gap could take away the message that shows that fault. */
static void begin_gap(struct gen *g)
{
	if (g->fault.unshown > 0)
		return;
	g->gap.fault = sim_take_fault(g, GEN_LOST_SAMPLES);
	if (g->gap.fault != NULL)
		g->gap.left = 8 + sim_below(g, 57);
}

static void make_loss(struct gen *g, struct nfart_batch *b)
{
	b->mask = 0;
	b->lost = g->gap.fault->lost;
	g->gap.fault->time = b->time;
	g->gap.fault->shown = true;
	g->gap.fault = NULL;
	g->fault.unshown--;
	g->stats.losses++;
}

static void count_batch(struct gen *g, const struct nfart_batch *b)
{
	g->stats.batches++;
	g->stats.messages += (uint64_t)__builtin_popcountll(b->mask);
	if (sim_progress(g) >= g->fault.next)
		sim_update_due(g);
}

/* Prepares *b for the caller of gen_next(). False: the batch is in a gap and therefore lost. The
 * first batch after a gap is held back, and *b becomes a loss record of the same time. Captures
 * that don't know the time of a gap have their loss record in this place, too. */
static bool give_out(struct gen *g, struct nfart_batch *b)
{
	uint32_t n = (uint32_t)__builtin_popcountll(b->mask);

	if (g->gap.left > 0) {
		g->gap.fault->lost += n;
		g->gap.left = g->gap.left > n ? g->gap.left - n : 0;
		g->gap.end = b->time;
		return false;
	}
	if (g->gap.fault != NULL) {
		g->kept.held = *b;
		make_loss(g, b);
	}
	return true;
}

/* Handles the events that are due up to this cycle. */
static void happen(struct gen *g)
{
	while (g->queue.n > 0 && g->queue.at[0].time <= g->now) {
		struct gen_event e;
		gen_queue_pop(&g->queue, &e);
		if (e.at_cpu)
			sim_at_cpu(g, &e.f);
		else
			g->ready.flights[g->ready.n++] = e.f;
	}
}

/* Begins as many transactions as the rate asks for. False: not all of them can begin now. */
static bool start_all(struct gen *g)
{
	if (g->begin.drained)
		return false;
	while (g->begin.credit > 0)
		if (g->queue.n + g->ready.n >= MAX_UNDER_WAY || !coherence_start(g))
			return false;
	return true;
}

/* Moves the time to the next cycle in which something can happen. `stuck`: no transaction can begin
 * now, however large the credit is. */
static void coherence_advance(struct gen *g, bool stuck)
{
	uint64_t next = g->queue.n > 0 ? g->queue.at[0].time : NEVER;

	if (!stuck) {
		uint64_t paid = g->now + (uint64_t)-g->begin.credit / g->o.rate + 1;
		next = paid < next ? paid : next;
	}
	if (g->ready.n > 0 || next <= g->now || next == NEVER)
		next = g->now + 1;
	g->begin.credit += (int64_t)((next - g->now) * g->o.rate);
	if (g->begin.credit > 16 * ONE)
		g->begin.credit = 16 * ONE;
	g->now = next;
}

/* Stores the next record of the tap in *b, as gen_next() does, without merging or counting. */
static bool next_of_tap(struct gen *g, struct nfart_batch *b)
{
	if (g->kept.held.mask != 0) {
		*b = g->kept.held;
		g->kept.held.mask = 0;
		return true;
	}
	for (;;) {
		happen(g);
		bool stuck = !start_all(g);
		bool idle = stuck && g->queue.n == 0;
		bool enough = g->ready.n > 0 && (g->ready.n >= g->ready.wanted || idle);
		if (enough &&
		    (plan(g) >= g->ready.wanted || g->ready.n >= CROWD * g->ready.wanted || idle)) {
			begin_gap(g);
			coherence_emit(g, b);
			coherence_advance(g, stuck);
			if (b->mask != 0 && give_out(g, b))
				return true;
			continue;
		}
		if (idle && g->ready.n == 0 && (g->begin.drained || !is_alive(g)))
			break;
		coherence_advance(g, stuck);
	}
	if (g->gap.fault == NULL)
		return false;
	g->gap.left = 0;
	b->time = g->now;
	make_loss(g, b);
	return true;
}

/* Puts the messages of the following cycles into the batch, as far as gen_options.merge asks for.
 * */
static void coherence_merge(struct gen *g, struct nfart_batch *b)
{
	while ((g->kept.is_ahead = next_of_tap(g, &g->kept.ahead))) {
		const struct nfart_batch *a = &g->kept.ahead;

		if (a->mask == 0 || (a->mask & b->mask) != 0 ||
		    a->time - b->time >= g->o.batch.merge)
			return;
		b->mask |= a->mask;
		for (uint32_t slot = 0; slot < g->codec.proto->nslots; slot++)
			if ((a->mask >> slot & 1) != 0)
				b->header[slot] = a->header[slot];
	}
}

bool gen_next(struct gen *g, struct nfart_batch *b)
{
	if (g->kept.is_ahead)
		*b = g->kept.ahead;
	else if (!next_of_tap(g, b))
		return false;
	g->kept.is_ahead = false;
	if (b->mask != 0 && g->o.batch.merge > 1)
		coherence_merge(g, b);
	if (b->mask != 0)
		count_batch(g, b);
	return true;
}

/* ---- making and freeing a generator --------------------------------------------------------- */

void gen_drain(struct gen *g)
{
	g->begin.drained = true;
}

const struct gen_stats *gen_stats(const struct gen *g)
{
	return &g->stats;
}

struct gen *gen_new(const struct nfart_proto *p, const struct gen_options *o,
		    struct nfart_error *e)
{
	assert(o->fault.n <= GEN_MAX_FAULTS && o->lines.cpu_home <= o->lines.n && o->lines.n >= 1 &&
	       o->lines.n <= GEN_MAX_LINES);
	struct gen *g = calloc(1, sizeof *g);
	struct line *lines = calloc(o->lines.n, sizeof *lines);

	if (g == NULL || lines == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory for %u lines", o->lines.n);
		goto fail;
	}
	if (!gen_codec_init(&g->codec, p, o->plain)) {
		nfart_fail(e, NFART_USAGE, "protocol %s lacks the messages of ECI", p->name);
		goto fail;
	}
	if (o->lines.cpu_home != 0 && !g->codec.has_cpu_home) {
		nfart_fail(e, NFART_USAGE, "protocol %s lacks the messages of lines that are at "
			   "home on the CPU", p->name);
		goto fail;
	}
	g->o = *o;
	g->first_line = o->lines.first;
	if (o->lines.slice != GEN_BOTH)
		g->first_line += (o->lines.first & 1) != (o->lines.slice == GEN_ODD);
	g->lines = lines;
	g->random.state = o->seed;
	g->now = 1;
	g->ready.wanted = 1;
	for (int op = 0; op < GEN_OPS; op++)
		g->begin.total_weight += o->mix.weights[op];
	assert(g->begin.total_weight > 0 && o->rate > 0);
	for (int i = 0; i < SLICES; i++)
		g->free.rreq[i] = UINT32_MAX;
	for (int i = 0; i < 2; i++)
		g->free.hreq[i] = UINT64_MAX - 1;
	for (uint32_t i = 0; i < o->lines.n; i++)
		lines[i].cpu = lines[i].home = STATE_I;
	sim_update_due(g);
	return g;
fail:
	free(lines);
	free(g);
	return NULL;
}

void gen_free(struct gen *g)
{
	if (g == NULL)
		return;
	free(g->lines);
	free(g);
}
