/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_nodes.c: simulates how the CPU and the home of a line react to messages (T figures 3 and 4).
 */
#include "tools/nfagen/traffic/gen_sim.h"

/* ---- messages under way --------------------------------------------------------------------- */

static uint64_t link_cycles(uint32_t line)
{
	return LINK_CYCLES + (line * UINT32_C(2654435761) >> 29);
}

static struct gen_flight about(const struct gen *g, uint32_t line, enum gen_kind kind)
{
	return (struct gen_flight){
		.m = {.line = sim_line(g, line), .kind = (uint8_t)kind,
		      .at_cpu = line >= g->o.lines.n - g->o.lines.cpu_home},
		.line = line,
	};
}

static void cpu_sends(struct gen *g, const struct gen_flight *f)
{
	gen_queue_push(&g->queue, g->now + link_cycles(f->line), false, f);
}

static void home_sends(struct gen *g, const struct gen_flight *f, uint32_t after)
{
	gen_queue_push(&g->queue, g->now + after, false, f);
}

/* Takes the credit for a transaction of n messages that begins now. The amount is random, with a
 * mean of n messages, so that transactions don't begin in a regular rhythm. */
static void pay(struct gen *g, uint32_t n)
{
	g->begin.credit -= (int64_t)(gen_random(&g->random) >> 31) * n;
}

/* ---- the home ------------------------------------------------------------------------------- */

/* Begins a forward, which comes to the tap after `after` cycles. If the forward has become
 * pointless by then, it is dropped. False: the state of the line doesn't allow a forward, or no
 * HReqId is free. */
static bool start_forward(struct gen *g, uint32_t at, uint32_t after)
{
	struct line *l = &g->lines[at];
	uint64_t *ids = &g->free.hreq[sim_line(g, at) & 1];

	if (l->home == STATE_I || l->forwarding || l->asked || l->silent || *ids == 0)
		return false;
	struct gen_flight f = about(g, at, sim_below(g, 2) == 0 ? GEN_F31 : GEN_F32);
	f.m.id = (uint8_t)__builtin_ctzll(*ids);
	f.m.dmask = 0xf;
	*ids &= *ids - 1;
	l->forwarding = true;
	home_sends(g, &f, after);
	pay(g, 2);
	return true;
}

static void end_forward(struct gen *g, const struct gen_flight *f)
{
	g->lines[f->line].forwarding = g->lines[f->line].waiting = false;
	g->free.hreq[f->m.line & 1] |= (uint64_t)1 << f->m.id;
}

bool sim_settle_forward(struct gen *g, struct gen_flight *f)
{
	const struct line *l = &g->lines[f->line];

	if (l->home == STATE_I || l->asked || l->silent) {
		end_forward(g, f);
		return false;
	}
	if (l->home == STATE_S)
		f->m.kind = GEN_F21;
	return true;
}

static uint32_t read_cycles(struct gen *g)
{
	return sim_below(g, 4) == 0 ? 200 + sim_below(g, 160) : 70 + sim_below(g, 60);
}

static void nodes_answer(struct gen *g, uint32_t at)
{
	const struct line *l = &g->lines[at];
	bool upgrade = l->request == GEN_R23 && l->home == STATE_S;
	bool shared = l->request == GEN_R12 || (l->request == GEN_R13 && g->o.shared_loads);
	struct gen_flight f = about(g, at, shared ? GEN_RA2 : GEN_RA3);

	f.m.id = l->request_id;
	f.m.dmask = upgrade ? 0 : 0xf;
	if (upgrade && sim_take_fault(g, GEN_WRONG_RESPONSE) != NULL) {
		f.m.kind = GEN_RA2;
		f.m.dmask = 0xf;
		f.wrong = true;
	}
	home_sends(g, &f, upgrade ? 20 + sim_below(g, 10) : read_cycles(g));
}

static void home_gets_request(struct gen *g, const struct gen_flight *f)
{
	struct line *l = &g->lines[f->line];

	if (f->repeated) {
		sim_show_fault(g, GEN_DOUBLE_REQUEST, g->now, f->line);
		return;
	}
	l->asked = true;
	if (!l->waiting && sim_take_fault(g, GEN_NEVER_COMPLETED) != NULL) {
		l->silent = true;
		sim_show_fault(g, GEN_NEVER_COMPLETED, g->now, f->line);
		return;
	}
	if (sim_take_fault(g, GEN_DOUBLE_REQUEST) != NULL) {
		struct gen_flight again = *f;
		again.repeated = true;
		again.m.id = (f->m.id + 1) & 31;
		home_sends(g, &again, 1 + sim_below(g, 8));
	}
	if (!l->waiting)
		nodes_answer(g, f->line);
}

static void home_gets_ack(struct gen *g, const struct gen_flight *f, enum state state)
{
	struct line *l = &g->lines[f->line];

	l->home = (uint8_t)state;
	end_forward(g, f);
	if (l->asked)
		nodes_answer(g, f->line);
}

/* Answers an I/O or GSYNC message that the tap has seen, if its kind has an answer. */
static void serve_io(struct gen *g, const struct gen_flight *f)
{
	struct gen_flight r = *f;

	switch (f->m.kind) {
	case GEN_GSYNC:
		r.m.kind = GEN_GSDN;
		home_sends(g, &r, 40 + sim_below(g, 20));
		return;
	case GEN_IOBLD:
		r.m.kind = GEN_IOBRSP;
		break;
	case GEN_IOBSTA:
		r.m.kind = GEN_IOBACK;
		break;
	case GEN_SLILD:
		r.m.kind = GEN_SLIRSP;
		break;
	default:
		return;
	}
	r.m.line = 0;
	home_sends(g, &r, 100 + sim_below(g, 200));
}

void sim_seen(struct gen *g, const struct gen_flight *f)
{
	struct gen_flight on = *f;
	struct line *l = f->line == GEN_NO_LINE ? NULL : &g->lines[f->line];

	switch (f->m.kind) {
	case GEN_R12: case GEN_R13: case GEN_R13_STORE: case GEN_R23:
		home_gets_request(g, f);
		return;
	case GEN_V21: case GEN_V31:
		l->home = STATE_I;
		return;
	case GEN_V32:
		l->home = STATE_S;
		return;
	case GEN_A32: case GEN_A22:
		home_gets_ack(g, f, STATE_S);
		return;
	case GEN_A31: case GEN_A21: case GEN_A11: case GEN_A11_VICTIM:
		home_gets_ack(g, f, STATE_I);
		return;
	case GEN_RA2: case GEN_RA3:
		l->home = f->m.kind == GEN_RA2 ? STATE_S : STATE_M;
		l->asked = false;
		if (f->wrong)
			sim_show_fault(g, GEN_WRONG_RESPONSE, g->now, f->line);
		break;
	case GEN_F21: case GEN_F31: case GEN_F32:
		l->waiting = true;
		on.sent = g->now;
		break;
	default:
		serve_io(g, f);
		return;
	}
	gen_queue_push(&g->queue, g->now + link_cycles(f->line), true, &on);
}

/* ---- the CPU -------------------------------------------------------------------------------- */

static bool start_request(struct gen *g, uint32_t at, enum gen_kind kind)
{
	struct line *l = &g->lines[at];
	uint32_t *ids = &g->free.rreq[at >> 1 & (SLICES - 1)];

	if (*ids == 0)
		return false;
	struct gen_flight f = about(g, at, kind);
	f.m.id = (uint8_t)__builtin_ctz(*ids);
	f.m.dmask = kind == GEN_R13_STORE && sim_below(g, 4) != 0 ? 0 : 0xf;
	*ids &= *ids - 1;
	l->requesting = true;
	l->request = f.m.kind;
	l->request_id = f.m.id;
	cpu_sends(g, &f);
	pay(g, 2);
	return true;
}

/* Sometimes begins a forward that will cross the message that the CPU has just sent. */
static void cross(struct gen *g, uint32_t at)
{
	if (g->o.mix.weights[GEN_FORWARD] > 0 && sim_below(g, 100) < g->o.mix.crossing &&
	    start_forward(g, at, sim_below(g, LINK_CYCLES)))
		g->stats.ops[GEN_FORWARD]++;
}

static void evict(struct gen *g, uint32_t at)
{
	struct line *l = &g->lines[at];
	struct gen_flight f = about(g, at, GEN_V21);

	if (l->cpu == STATE_M) {
		f.m.kind = sim_below(g, 4) == 0 ? GEN_V32 : GEN_V31;
		f.m.dmask = l->dirty ? 0xf : 0;
	} else {
		l->dirty = false;
	}
	l->cpu = f.m.kind == GEN_V32 ? STATE_S : STATE_I;
	cpu_sends(g, &f);
	pay(g, 1);
	cross(g, at);
}

static void cpu_gets_grant(struct gen *g, const struct gen_flight *f)
{
	struct line *l = &g->lines[f->line];
	bool stores = l->request == GEN_R13_STORE || l->request == GEN_R23;

	l->cpu = f->m.kind == GEN_RA2 ? STATE_S : STATE_M;
	l->dirty = l->cpu == STATE_M && (stores || sim_below(g, 2) == 0);
	l->requesting = false;
	g->free.rreq[f->line >> 1 & (SLICES - 1)] |= 1u << l->request_id;
}

/* Handles a forward that reaches the CPU. The acknowledgement tells the state that the line has in
 * the CPU now; the home may have expected another one. */
static void cpu_gets_forward(struct gen *g, const struct gen_flight *f)
{
	struct line *l = &g->lines[f->line];
	bool to_shared = f->m.kind == GEN_F32;
	struct gen_flight a = *f;

	if (l->requesting || l->cpu != (f->m.kind == GEN_F21 ? STATE_S : STATE_M))
		g->stats.crossed++;
	a.m.dmask = 0;
	if (l->cpu == STATE_I) {
		a.m.kind = l->dirty ? GEN_A11_VICTIM : GEN_A11;
	} else if (l->cpu == STATE_S) {
		a.m.kind = to_shared ? GEN_A22 : GEN_A21;
	} else {
		a.m.kind = to_shared ? GEN_A32 : GEN_A31;
		a.m.dmask = l->dirty ? 0xf : 0;
	}
	if (l->cpu != STATE_I)
		l->cpu = to_shared ? STATE_S : STATE_I;
	if (f->sent > g->gap.end && sim_take_fault(g, GEN_LOST_ACK) != NULL) {
		a.silent = true;
		sim_show_fault(g, GEN_LOST_ACK, f->sent, f->line);
	}
	cpu_sends(g, &a);
}

void sim_at_cpu(struct gen *g, const struct gen_flight *f)
{
	if (f->m.kind == GEN_RA2 || f->m.kind == GEN_RA3)
		cpu_gets_grant(g, f);
	else
		cpu_gets_forward(g, f);
}

void sim_start_io(struct gen *g)
{
	static const struct { uint8_t kind, percent, messages; } IO[] = {
		{GEN_IOBLD, 40, 2}, {GEN_IOBST, 30, 1}, {GEN_IOBSTA, 15, 2},
		{GEN_SLILD, 10, 2}, {GEN_SLIST, 5, 1},
	};
	struct gen_flight f = {.line = GEN_NO_LINE};

	f.m.id = (uint8_t)sim_below(g, 32);
	if (!g->codec.has_io || g->o.mix.sync_only || sim_below(g, 4) == 0) {
		f.m.kind = GEN_GSYNC;
		f.m.line = sim_below(g, 2);
		if (g->o.lines.slice != GEN_BOTH)
			f.m.line = g->o.lines.slice == GEN_ODD;
		g->stats.syncs++;
		pay(g, 2);
	} else {
		uint32_t x = sim_below(g, 100), i = 0;
		for (; x >= IO[i].percent; i++)
			x -= IO[i].percent;
		f.m.kind = IO[i].kind;
		f.m.line = sim_below(g, 1u << 16);
		g->stats.io++;
		pay(g, IO[i].messages);
	}
	cpu_sends(g, &f);
}

bool sim_try(struct gen *g, enum gen_op op, uint32_t at)
{
	struct line *l = &g->lines[at];
	bool done = false;

	if (l->silent || (l->requesting && op != GEN_FORWARD))
		return false;
	switch (op) {
	case GEN_READ:
		done = l->cpu == STATE_I &&
		       start_request(g, at, sim_below(g, 2) == 0 ? GEN_R12 : GEN_R13);
		break;
	case GEN_WRITE:
		if (l->cpu == STATE_S)
			return sim_try(g, GEN_UPGRADE, at);
		done = l->cpu == STATE_I && start_request(g, at, GEN_R13_STORE);
		break;
	case GEN_UPGRADE:
		done = l->cpu == STATE_S && start_request(g, at, GEN_R23);
		if (done)
			cross(g, at);
		break;
	case GEN_EVICT:
		done = l->cpu != STATE_I;
		if (done)
			evict(g, at);
		break;
	case GEN_FORWARD:
		done = start_forward(g, at, 0);
		break;
	case GEN_OPS:
		break;
	}
	g->stats.ops[op] += done;
	return done;
}
