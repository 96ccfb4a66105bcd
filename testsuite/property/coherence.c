/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coherence: checkers that nfacc derives from rules of coherence, against an exhaustive search. The
 * rules are the shipped ones, which are the arguments, and random ones. Random runs of the rules
 * are changed at random; in every stream the image must accept exactly from the first message on
 * that no run of the system explains. The checkers see all events, or a random projection of them.
 * Batches in which messages of unchanged runs are merged must never be accepted in the form "only".
 * As a machine it must accept exactly those batches of changed runs, merged, that no order
 * explains. Warnings must be of exactly those values and rules that the search does not reach.
 * The file is long because it shares nothing with the derivation but the reader of descriptions.
 *
 *   coherence [-I DIR]... [-n DESCRIPTIONS] [-s SEED] FILE.coh...
 *
 * Protocols are looked for in these folders, then among the shipped ones.
 * NFACC_COHERENCE_DESCRIPTIONS and NFACC_SEED set the same. The search shares with nfacc only the
 * reader of rules. It keeps messages in the order in which they were sent, without any canonical
 * form.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/coherence/coherence.h"
#include "compiler/pipeline.h"
#include "contract/image/image.h"
#include "grammar/coherence/coh.h"
#include "grammar/describe/proto_text.h"
#include "include/nfart.h"
#include "support/bits.h"
#include "testsuite/setting.h"
#include "tools/nfagen/traffic/gen_random.h"

enum {
	MOST_ORDERS = 4, MOST_STATES = 60000, BUCKETS = 1 << 16, MOST_LENGTH = 60, STREAMS = 40,
	MOST_MOVES = 256
};

/* ---- the system, searched ------------------------------------------------------------------- */

/* A message under way. `seen`: it has passed a tap that is between the nodes. `to` is the set of
 * the nodes that still have to receive it. */
struct message {
	uint8_t event, seen, to;
};

struct system_state {
	uint8_t var[COH_VARS];
	uint8_t n[COH_NODES];
	struct message m[COH_NODES][COH_FLIGHT]; /* by sender, the oldest first */
};

struct search {
	const struct coh *c;
	size_t n;
	struct system_state *at; /* [n]: what can be reached, in order of discovery */
	uint32_t *depth;         /* [n]: how many moves it takes */
	uint32_t *bucket;        /* [BUCKETS]: the last state in it, plus 1 */
	uint32_t *before;        /* [n]: the state before it in its bucket, plus 1 */
	bool stuck;              /* a state has no move */
	uint32_t stuck_depth;
};

struct moves {
	size_t n;
	struct system_state to[MOST_MOVES];
	uint32_t event[MOST_MOVES]; /* what the tap sees, or COH_NONE */
};

static bool is_tap(const struct coh *c, uint32_t node)
{
	return c->net.tap == COH_TAP_AT && c->net.tap_node == node;
}

static void add_move(struct moves *v, const struct system_state *to, uint32_t event)
{
	if (v->n == MOST_MOVES)
		abort();
	v->to[v->n] = *to;
	v->event[v->n++] = event;
}

static void set_values(const struct coh *c, const struct coh_rule *r, struct system_state *x)
{
	for (uint32_t i = 0; i < r->then.n; i++) {
		const struct coh_test *t = &c->tests.at[r->then.first + i];

		for (uint8_t v = 0; v < COH_VALUES; v++)
			if (t->values == (uint32_t)1 << v)
				x->var[t->var] = v;
	}
}

/* Is message k of a sender before all others of its class that are on the same side of the tap, and
 * that one of these nodes has to receive? */
static bool is_next(const struct coh *c, const struct system_state *x, uint32_t sender, uint32_t k,
		    uint32_t nodes)
{
	const struct message *m = x->m[sender];

	for (uint32_t i = 0; i < k; i++)
		if (m[i].seen == m[k].seen && (m[i].to & nodes) != 0 &&
		    c->events[m[i].event].class == c->events[m[k].event].class)
			return false;
	return true;
}

/* Returns the set of the nodes that receive an event. */
static uint32_t receivers_of(const struct coh *c, uint32_t event)
{
	uint32_t to = 0;

	for (size_t i = 0; i < c->list.n; i++)
		if (c->list.at[i].kind == COH_RECEIVE && c->list.at[i].event == event)
			to |= (uint32_t)1 << c->list.at[i].node;
	return c->net.nnodes == 2 && c->events[event].home == COH_NONE
		       ? (uint32_t)1 << (1 - c->events[event].node) : to;
}

/* Returns the set of the events that the tap can see. */
static uint64_t visible(const struct coh *c)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < c->nevents; i++)
		if (!c->rules || c->events[i].home != COH_NONE || c->net.tap == COH_TAP_BETWEEN ||
		    is_tap(c, c->events[i].node) ||
		    (receivers_of(c, i) >> c->net.tap_node & 1) != 0)
			seen |= (uint64_t)1 << i;
	return seen;
}

/* Has a node room for another message to these nodes? */
static bool is_room(const struct coh *c, const struct system_state *x, uint32_t sender, uint32_t to)
{
	int n = __builtin_popcount(to);

	for (uint32_t i = 0; i < x->n[sender]; i++)
		n += __builtin_popcount(x->m[sender][i].to);
	return n <= (int)c->net.flight[sender];
}

/* Takes message k of a sender out. */
static struct message coherence_take(struct system_state *x, uint32_t sender, uint32_t k)
{
	struct message m = x->m[sender][k];

	for (uint32_t i = k; i + 1 < x->n[sender]; i++)
		x->m[sender][i] = x->m[sender][i + 1];
	x->n[sender]--;
	x->m[sender][x->n[sender]] = (struct message){ 0, 0, 0 };
	return m;
}

static void coherence_add(struct system_state *x, uint32_t sender, struct message m)
{
	x->m[sender][x->n[sender]++] = m;
}

/* A node receives message k of a sender. */
static void coherence_receive(struct system_state *x, uint32_t sender, uint32_t k, uint32_t node)
{
	x->m[sender][k].to &= (uint8_t)~(1U << node);
	if (x->m[sender][k].to == 0)
		coherence_take(x, sender, k);
}

static void move_by(const struct coh *c, const struct coh_rule *r, const struct system_state *from,
		    struct moves *v)
{
	bool here = is_tap(c, r->node), between = c->net.tap == COH_TAP_BETWEEN;
	uint32_t to = r->kind == COH_SEND ? receivers_of(c, r->event) : 0;
	struct system_state x = *from;

	if (!coh_all_hold(c, r->when, from->var, from->var))
		return;
	set_values(c, r, &x);
	if (r->kind == COH_STEP && memcmp(&x, from, sizeof x) != 0) {
		add_move(v, &x, COH_NONE);
	} else if (r->kind == COH_SEND && is_room(c, &x, r->node, to)) {
		coherence_add(&x, r->node, (struct message){ (uint8_t)r->event, 0, (uint8_t)to });
		add_move(v, &x, here ? r->event : COH_NONE);
	}
	for (uint32_t n = 0; r->kind == COH_RECEIVE && n < c->net.nnodes; n++)
		for (uint32_t k = 0; k < from->n[n]; k++) {
			const struct message *m = &from->m[n][k];

			if (m->event != r->event || (m->to >> r->node & 1) == 0 ||
			    (between && !m->seen) ||
			    !is_next(c, from, n, k, (uint32_t)1 << r->node))
				continue;
			x = *from;
			coherence_receive(&x, n, k, r->node);
			set_values(c, r, &x);
			add_move(v, &x, here ? r->event : COH_NONE);
		}
}

/* Finds all moves of a state. */
static void find_moves(const struct coh *c, const struct system_state *from, struct moves *v)
{
	v->n = 0;
	for (size_t i = 0; i < c->list.n; i++)
		move_by(c, &c->list.at[i], from, v);
	for (uint32_t sender = 0; c->net.tap == COH_TAP_BETWEEN && sender < c->net.nnodes;
	     sender++)
		for (uint32_t k = 0; k < from->n[sender]; k++) {
			struct system_state x = *from;
			struct message m = from->m[sender][k];

			if (m.seen || !is_next(c, from, sender, k, UINT32_MAX))
				continue;
			/* It is now the youngest of those that were seen. */
			coherence_take(&x, sender, k);
			m.seen = 1;
			coherence_add(&x, sender, m);
			add_move(v, &x, m.event);
		}
}

static uint32_t *bucket_of(const struct search *s, const struct system_state *x)
{
	uint32_t h = 0;

	for (size_t i = 0; i < sizeof *x; i++)
		h = h * 31 + ((const unsigned char *)x)[i];
	return &s->bucket[(h ^ h >> 16) % BUCKETS];
}

/* Returns the number of a state; s->n: it was not reached before. */
static size_t coherence_find(const struct search *s, const struct system_state *x)
{
	for (uint32_t i = *bucket_of(s, x); i != 0; i = s->before[i - 1])
		if (memcmp(&s->at[i - 1], x, sizeof *x) == 0)
			return i - 1;
	return s->n;
}

static void add_state(struct search *s, const struct system_state *x, uint32_t depth)
{
	uint32_t *bucket = bucket_of(s, x);

	s->at[s->n] = *x;
	s->depth[s->n] = depth;
	s->before[s->n++] = *bucket;
	*bucket = (uint32_t)s->n;
}

/* Explores what can be reached from the start. False: there are too many states. */
static bool explore(struct search *s)
{
	struct moves *v = malloc(sizeof *v);

	s->at = calloc(MOST_STATES, sizeof *s->at);
	s->depth = calloc(MOST_STATES, sizeof *s->depth);
	s->before = calloc(MOST_STATES, sizeof *s->before);
	s->bucket = calloc(BUCKETS, sizeof *s->bucket);
	add_state(s, &(struct system_state){ .n = { 0 } }, 0);
	for (size_t i = 0; i < s->n && s->n < MOST_STATES; i++) {
		find_moves(s->c, &s->at[i], v);
		if (v->n == 0 && !s->stuck) {
			s->stuck = true;
			s->stuck_depth = s->depth[i];
		}
		for (size_t k = 0; k < v->n && s->n < MOST_STATES; k++)
			if (coherence_find(s, &v->to[k]) == s->n)
				add_state(s, &v->to[k], s->depth[i] + 1);
	}
	free(v);
	return s->n < MOST_STATES;
}

struct edge {
	uint32_t from, to, event;
};

/* The moves between the numbers of states. */
struct graph {
	size_t n;
	VEC(struct edge) edges;
};

static void make_graph(const struct search *s, struct graph *g)
{
	struct moves *v = malloc(sizeof *v);

	g->n = s->n;
	for (uint32_t i = 0; i < s->n; i++) {
		find_moves(s->c, &s->at[i], v);
		for (size_t k = 0; k < v->n; k++)
			if (!vec_push(&g->edges,
				      ((struct edge){ i, (uint32_t)coherence_find(s, &v->to[k]),
						      v->event[k] })))
				abort();
	}
	free(v);
}

/* The same for tables: an edge for each legal combination, message, and legal combination that can
 * hold after it. */
static void make_tables(const struct coh *c, struct graph *g)
{
	g->n = c->tables.nlegal;
	for (uint32_t from = 0; from < c->tables.nlegal; from++)
		for (uint32_t to = 0; to < c->tables.nlegal; to++)
			for (size_t i = 0; i < c->list.n; i++) {
				const struct coh_rule *r = &c->list.at[i];
				struct edge e = { from, to, r->event };

				if (coh_all_hold(c, r->when, c->tables.legal[from],
						 c->tables.legal[from]) &&
				    coh_all_hold(c, r->then, c->tables.legal[to],
						 c->tables.legal[from]) &&
				    !vec_push(&g->edges, e))
					abort();
			}
}

/* ---- streams -------------------------------------------------------------------------------- */

struct stream {
	size_t n;
	uint32_t event[MOST_LENGTH]; /* COH_NONE: a message that is no event of the description */
	bool with_next[MOST_LENGTH]; /* the message is in one batch with the next one */
};

/* Adds to a set the states that moves lead to which the tap does not see. */
static void close_set(const struct graph *g, uint64_t seen, bool *set)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < g->edges.n; i++) {
			const struct edge *e = &g->edges.at[i];

			if (set[e->from] && !set[e->to] &&
			    (e->event == COH_NONE || (seen >> e->event & 1) == 0))
				more = set[e->to] = true;
		}
	}
}

/* Stores in `next` the states in which a message can leave those of `now`. False: in none. */
static bool set_after(const struct graph *g, const bool *now, uint32_t event, bool *next)
{
	bool any = false;

	memset(next, 0, g->n);
	for (size_t i = 0; i < g->edges.n; i++)
		if (g->edges.at[i].event == event && now[g->edges.at[i].from])
			any = next[g->edges.at[i].to] = true;
	return any;
}

/* Finds the messages that no run explains whose beginning is known: the first one, and, if the
 * checker begins anew, each one that no run explains that begins in any state with the last one of
 * these, or after it if no run has that one at all. Returns the number of the first one; s->n:
 * there is none. */
static size_t find_known_errors(const struct graph *g, bool known, uint64_t seen, bool anew,
				const struct stream *s, bool errors[static MOST_LENGTH])
{
	bool *now = calloc(g->n, 1), *next = calloc(g->n, 1);
	size_t first = s->n;

	memset(now, 1, known ? 1 : g->n);
	close_set(g, seen, now);
	for (size_t at = 0; at < s->n; at++) {
		errors[at] = first < s->n && !anew;
		if (errors[at] || s->event[at] == COH_NONE || (seen >> s->event[at] & 1) == 0)
			continue;
		if (!set_after(g, now, s->event[at], next)) {
			errors[at] = true;
			first = first == s->n ? at : first;
			memset(now, 1, g->n);
			if (!set_after(g, now, s->event[at], next))
				memset(next, 1, g->n);
		}
		close_set(g, seen, next);
		memcpy(now, next, g->n);
	}
	free(now);
	free(next);
	return first;
}

/* The same if the beginning is not known, and the checker begins anew: the messages that are the
 * first ones that no run explains from some message on. */
static size_t find_errors_anew(const struct graph *g, uint64_t seen, const struct stream *s,
			       bool errors[static MOST_LENGTH])
{
	size_t first = s->n;

	memset(errors, 0, MOST_LENGTH * sizeof *errors);
	for (size_t begin = 0; begin < s->n; begin++) {
		bool here[MOST_LENGTH];
		struct stream rest = { .n = s->n - begin };
		size_t found;

		memcpy(rest.event, s->event + begin, rest.n * sizeof *rest.event);
		found = begin + find_known_errors(g, false, seen, false, &rest, here);
		if (found < s->n)
			errors[found] = true;
		first = found < first ? found : first;
	}
	return first;
}

/* Adds to `after` the states that the events from number `done` on lead to, in every order. */
static void add_orders(const struct graph *g, uint64_t seen, const bool *now, uint32_t *events,
		       size_t done, size_t n, bool *after)
{
	bool *next = calloc(g->n, 1);

	for (size_t i = 0; done == n && i < g->n; i++)
		after[i] = after[i] || now[i];
	for (size_t i = done; i < n; i++) {
		uint32_t event = events[i];

		events[i] = events[done];
		events[done] = event;
		if (set_after(g, now, event, next)) {
			close_set(g, seen, next);
			add_orders(g, seen, next, events, done + 1, n, after);
		}
		events[done] = events[i];
		events[i] = event;
	}
	free(next);
}

/* Makes of the states `now` those after a batch. Returns whether no order explains it, so that the
 * states are those after it that can be before any batch. */
static bool after_batch(const struct graph *g, uint64_t seen, uint32_t *events, size_t n, bool *now)
{
	bool *after = calloc(g->n, 1), wrong;

	if (n <= MOST_ORDERS)
		add_orders(g, seen, now, events, 0, n, after);
	else
		memset(after, 1, g->n);
	wrong = memchr(after, 1, g->n) == NULL;
	if (wrong) {
		memset(now, 1, g->n);
		add_orders(g, seen, now, events, 0, n, after);
		if (memchr(after, 1, g->n) == NULL)
			memset(after, 1, g->n);
	}
	memcpy(now, after, g->n);
	free(after);
	return wrong;
}

/* Finds the batches that no order of their messages explains, by their first messages. Returns how
 * many there are of several messages that the checker sees. */
static unsigned find_batch_errors(const struct graph *g, bool known, uint64_t seen, bool anew,
				  const struct stream *s, bool errors[static MOST_LENGTH])
{
	bool *now = calloc(g->n, 1), dead = false;
	unsigned several = 0;

	memset(now, 1, known ? 1 : g->n);
	close_set(g, seen, now);
	memset(errors, 0, MOST_LENGTH * sizeof *errors);
	for (size_t i = 0, end; i < s->n; i = end) {
		uint32_t events[MOST_LENGTH];
		size_t n = 0;

		for (end = i; end == i || s->with_next[end - 1]; end++)
			if (s->event[end] != COH_NONE && (seen >> s->event[end] & 1) != 0)
				events[n++] = s->event[end];
		errors[i] = dead || (n != 0 && after_batch(g, seen, events, n, now));
		several += errors[i] && !dead && n > 1;
		dead = errors[i] && !anew;
	}
	free(now);
	return several;
}

/* Draws a run from a random state on, and what the tap sees of it. */
static void draw_run(struct gen_random *r, const struct graph *g, bool known, struct stream *s)
{
	uint32_t state = known ? 0 : gen_random_below(r, (uint32_t)g->n);
	size_t length = 1 + gen_random_below(r, MOST_LENGTH - 4);

	s->n = 0;
	for (int moves = 0; s->n < length && moves < 40 * MOST_LENGTH; moves++) {
		uint32_t count = 0, chosen = 0;

		for (uint32_t i = 0; i < g->edges.n; i++)
			if (g->edges.at[i].from == state && gen_random_below(r, ++count) == 0)
				chosen = i;
		if (count == 0)
			break;
		state = g->edges.at[chosen].to;
		if (g->edges.at[chosen].event != COH_NONE)
			s->event[s->n++] = g->edges.at[chosen].event;
		else if (gen_random_below(r, 20) == 0)
			s->event[s->n++] = COH_NONE;
	}
}

/* Drops, doubles or replaces a message, or adds one. */
static void coherence_change(struct gen_random *r, const struct coh *c, struct stream *s)
{
	uint32_t at = gen_random_below(r, (uint32_t)s->n), other = gen_random_below(r, c->nevents);
	size_t rest = s->n - at;

	switch (gen_random_below(r, 3)) {
	case 0:
		s->event[at] = other;
		return;
	case 1:
		memmove(s->event + at, s->event + at + 1, (rest - 1) * sizeof *s->event);
		s->n--;
		return;
	default:
		memmove(s->event + at + 1, s->event + at, rest * sizeof *s->event);
		s->n++;
		if (gen_random_below(r, 2) == 0)
			s->event[at] = other;
		return;
	}
}

/* ---- the image ------------------------------------------------------------------------------ */

static bool is_event(const struct nfart_proto *p, uint32_t code, const struct proto_event *e)
{
	for (uint32_t k = 0; k < e->ntypes; k++)
		if (p->codes.type_of[code] == e->types[k] + 1 &&
		    p->slots[code >> p->header.op_bits].group == e->group)
			return true;
	return false;
}

/* Where a test finds its field in headers with a code: the lowest bit, and the bits there. */
struct bits {
	uint32_t lsb, n, zeros; /* zeros: how many bits that are 0 are below them in the value */
};

static struct bits bits_of(const struct nfart_proto *p, const struct coh_guard *g, uint32_t code)
{
	const struct proto_field *f;

	if (g->field == PROTO_ADDR)
		return (struct bits){ p->header.addr_lsb, p->header.addr_bits,
				      p->header.line_shift };
	f = &p->names.fields[g->field];
	for (uint32_t i = 0; i < f->nplaces; i++)
		if (f->places[i].codes == NULL || bits_get(f->places[i].codes, code))
			return (struct bits){ f->places[i].lsb, f->places[i].bits, 0 };
	return (struct bits){ 0, 0, 0 };
}

/* Is a header of a slot in the part of an event? */
static bool is_in_part(const struct coh *c, const struct coh_messages *m, uint32_t code,
		       uint64_t header)
{
	bool in = is_event(c->proto, code, &c->proto->names.events[m->proto]);

	for (uint32_t i = 0; i < m->guards.n && in; i++) {
		const struct coh_guard *g = &c->guards.at[m->guards.first + i];
		struct bits x = bits_of(c->proto, g, code);
		uint64_t value = (header >> x.lsb & (((uint64_t)1 << x.n) - 1)) << x.zeros;
		bool passes = (value & g->mask) >= g->first && (value & g->mask) <= g->last;

		in = passes != g->other;
	}
	return in;
}

/* Returns the event that a header is of; COH_NONE: of none. */
static uint32_t event_of(const struct coh *c, uint32_t code, uint64_t header)
{
	uint32_t event = COH_NONE;

	for (uint32_t i = 0; i < c->nevents; i++)
		for (uint32_t k = 0; k < c->events[i].parts.n; k++) {
			const struct coh_messages *m = &c->parts.at[c->events[i].parts.first + k];

			if (!is_in_part(c, m, code, header))
				continue;
			if (event != COH_NONE && event != i)
				abort(); /* no shipped or random rules have such messages */
			event = i;
		}
	return event;
}

/* Makes a random header with a code, in which fields have values that some event's tests name. */
static uint64_t random_header(struct gen_random *r, const struct coh *c, uint32_t code)
{
	const struct nfart_proto *p = c->proto;
	uint64_t header = (uint64_t)gen_random_below(r, UINT32_MAX) << 32 |
			  gen_random_below(r, UINT32_MAX);

	for (int i = 0; i < 4; i++) {
		const struct coh_guard *g =
			&c->guards.at[gen_random_below(r, (uint32_t)c->guards.n)];
		struct bits x = bits_of(p, g, code);
		uint64_t all = ((uint64_t)1 << x.n) - 1;

		header = (header & ~(all << x.lsb)) | (g->first >> x.zeros & all) << x.lsb;
	}
	if (p->header.bits < 64)
		header &= ((uint64_t)1 << p->header.bits) - 1;
	return (header & ~proto_opcode_mask(p)) | proto_opcode_bits(p, code);
}

/* Draws a message of the event. COH_NONE: one that is of no event of the description. */
static uint32_t draw_message(struct gen_random *r, const struct coh *c, uint32_t event,
			     uint64_t *header)
{
	const struct nfart_proto *p = c->proto;

	for (uint32_t tries = 0; tries < 1 << 16; tries++) {
		uint32_t code = gen_random_below(r, p->codes.n);

		if (!bits_get(p->codes.valid, code))
			continue;
		*header = c->guards.n != 0 ? random_header(r, c, code) : proto_opcode_bits(p, code);
		if (event_of(c, code, *header) == event)
			return code;
	}
	printf("# no message is of event %s\n", event != COH_NONE ? coh_event_name(c, event) : "-");
	abort();
}

/* Puts a message of the event into a batch, in a random slot that it can have. COH_NONE: a message
 * that is no event. False: the slot is taken. */
static bool coherence_put(struct gen_random *r, const struct coh *c, uint32_t event,
			  struct nfart_batch *b)
{
	uint64_t header;
	uint32_t slot = draw_message(r, c, event, &header) >> c->proto->header.op_bits;

	if ((b->mask >> slot & 1) != 0)
		return false;
	b->mask |= (uint64_t)1 << slot;
	b->header[slot] = header;
	return true;
}

/* Runs a stream over an image. Returns the number of the first message whose batch is accepted, or
 * s->n. Stores which batches are accepted, by their first messages. A message whose slot is taken
 * begins a batch of its own, and `with_next` says so afterwards. */
static size_t coherence_run(struct gen_random *r, const struct coh *c, const struct nfart_image *im,
			    struct stream *s, bool accepted[static MOST_LENGTH])
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	struct nfart_result result = { 0 };
	size_t found = s->n;

	if (en == NULL)
		abort();
	memset(accepted, 0, MOST_LENGTH * sizeof *accepted);
	for (size_t i = 0; i < s->n;) {
		struct nfart_batch b = { .time = 10 + i };
		size_t first = i;

		do {
			if (!coherence_put(r, c, s->event[i], &b)) {
				s->with_next[i - 1] = false;
				break;
			}
			i++;
		} while (i < s->n && s->with_next[i - 1]);
		if (!nfart_engine_step(en, &b, &result))
			abort();
		if (result.accepted && found == s->n)
			found = first;
		accepted[first] = result.accepted;
	}
	nfart_engine_free(en);
	return found;
}

/* The folders of descriptions, and a protocol that was found there. */
struct place {
	const char *const *folders;
	size_t nfolders;
	struct nfart_proto *proto;
};

static const struct nfart_proto *find_protocol(void *ctx, const char *name, size_t n)
{
	struct diags d = { .werror = false };
	struct place *place = ctx;

	proto_find(&d, place->folders, place->nfolders, name, n, &place->proto);
	diag_free(&d);
	return place->proto;
}

struct totals {
	const char *folders[4];
	size_t nfolders;
	unsigned descriptions, stuck, large, streams, errors, merged, found, unreached;
	unsigned later; /* errors after the first */
	unsigned followed; /* checkers in the form "follow" */
	unsigned composed; /* those of them whose states are not listed */
	unsigned several; /* batches of several messages that no order explains */
	bool wrong;
};

/* Options of a checker: its form, what it does after an error, whether it is for an overlay, and
 * whether its form is "states" or "follow", which must do what "only" does. `composed`: no states
 * are listed. */
struct checker_kind {
	bool only, never, small, sets, follow, composed;
};

/* Compiles a description. NULL: it has errors, or nfacc gave up; p->diags has them. */
static struct nfart_image *coherence_compile(const struct totals *t, const char *text,
					     struct checker_kind kind, const char *projection,
					     struct pipeline *p)
{
	struct pipeline_file f = { "rules.coh", text, strlen(text), FORM_COHERENCE };
	struct pipeline_options o;
	struct nfart_error e;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.dirs = t->folders;
	o.ndirs = t->nfolders;
	o.coherence.only = kind.only;
	o.coherence.never = kind.never;
	o.coherence.small = kind.small;
	o.coherence.sets = kind.sets;
	o.coherence.follow = kind.follow;
	o.coherence.orders = !kind.small;
	o.coherence.states = kind.composed ? 1 : 0; /* so many can be listed */
	o.coherence.projections = &projection;
	o.coherence.nprojections = projection != NULL;
	if (pipeline_run(p, &o, &f, 1) != NFART_OK)
		return NULL;
	return nfart_image_load(p->job.made.image.at, p->job.made.image.n, "image", &e);
}

/* ---- descriptions --------------------------------------------------------------------------- */


/* Draws a projection as text; the events must be those of the description. */
static uint64_t draw_projection(struct gen_random *r, const struct coh *c, struct buf *b)
{
	uint64_t seen = 0;

	while (seen == 0)
		for (uint32_t i = 0; i < c->nevents; i++)
			if (c->events[i].home == COH_NONE && gen_random_below(r, 2) == 0) {
				buf_addf(b, "%s%s", seen == 0 ? "" : ",", coh_event_name(c, i));
				seen |= (uint64_t)1 << i;
			}
	return seen;
}

static void coherence_wrong(struct totals *t, const char *text, const struct coh *c,
			    const char *what, const struct stream *s, size_t want, size_t got)
{
	t->wrong = true;
	printf("# %s: wanted %zu, got %zu\n", what, want, got);
	for (size_t i = 0; s != NULL && i < s->n; i++)
		printf("# %zu %s\n", i,
		       s->event[i] == COH_NONE ? "-" : coh_event_name(c, s->event[i]));
	for (const char *at = text; *at != 0; at += strcspn(at, "\n") + 1)
		printf("#   %.*s\n", (int)strcspn(at, "\n"), at);
}

/* Compares one image with the search, on streams with single messages and, in the form "only", on
 * unchanged runs with merged ones. */
static void coherence_compare(struct gen_random *r, const char *text, const struct coh *c,
			      const struct graph *g, const struct nfart_image *im, uint64_t seen,
			      struct checker_kind kind, struct totals *t)
{
	bool only = kind.only;

	for (int k = 0; k < STREAMS && !t->wrong; k++) {
		struct stream s = { 0 };
		size_t want, got;
		bool wanted[MOST_LENGTH], accepted[MOST_LENGTH];

		draw_run(r, g, c->known, &s);
		if (s.n == 0)
			continue;
		if (only && k % 2 == 0) {
			bool orders = !kind.small && k % 4 == 0;

			for (uint32_t i = 1 + gen_random_below(r, 3);
			     orders && i > 0 && s.n > 0; i--)
				coherence_change(r, c, &s);
			for (size_t i = 0; i + 1 < s.n; i++)
				s.with_next[i] = gen_random_below(r, 4) <= (uint32_t)k % 3;
			got = coherence_run(r, c, im, &s, accepted);
			t->merged++;
			if (orders) {
				t->several += find_batch_errors(g, c->known, seen, !kind.never, &s,
								 wanted);
				for (size_t i = 0; i < s.n && !t->wrong; i++)
					if (wanted[i] != accepted[i])
						coherence_wrong(t, text, c, "every order", &s, i,
								accepted[i]);
				continue;
			}
			if (got != s.n)
				coherence_wrong(t, text, c, "false alarm with merged messages", &s,
						s.n, got);
			continue;
		}
		for (uint32_t i = gen_random_below(r, 3); i > 0 && s.n > 0; i--)
			coherence_change(r, c, &s);
		want = kind.never || c->known || !kind.small
			       ? find_known_errors(g, c->known, seen, !kind.never, &s, wanted)
			       : find_errors_anew(g, seen, &s, wanted);
		got = coherence_run(r, c, im, &s, accepted);
		t->streams++;
		t->errors += want < s.n;
		t->found += got < s.n;
		if (got != want)
			coherence_wrong(t, text, c, only ? "form only" : "form any", &s, want, got);
		for (size_t i = 0; i < s.n && !t->wrong; i++) {
			t->later += i > want && wanted[i] && !kind.never;
			if (wanted[i] != accepted[i])
				coherence_wrong(t, text, c, "an error after the first", &s, i,
						accepted[i]);
		}
	}
}

/* Returns the first record of a code; NULL: there is none. */
static const struct diag *find_record(const struct diags *d, const char *code)
{
	for (size_t i = 0; i < d->records.n; i++)
		if (strcmp(d->records.at[i].code, code) == 0)
			return &d->records.at[i];
	return NULL;
}

static void compare_forms(struct gen_random *r, const char *text, const struct coh *c,
			  const struct graph *g, struct totals *t)
{
	for (int k = 0; k < 6 && !t->wrong; k++) {
		bool follow = k >= 4;
		struct checker_kind kind = { k % 2 == 1 || follow, gen_random_below(r, 3) == 0,
					     !follow && gen_random_below(r, 2) == 0, false,
					     follow, false };
		/* That form for an overlay takes no tests of fields. */
		bool refused = kind.only && kind.small && c->guards.n != 0;
		bool projected = k >= 2 && (!follow || gen_random_below(r, 3) == 0);
		struct buf projection = { 0 };
		uint64_t seen = projected ? coherence_with_homes(c, draw_projection(r, c, &projection))
					  : UINT64_MAX;
		struct nfart_image *im;
		struct pipeline p;

		kind.small = kind.small && !refused;
		kind.sets = kind.only && !kind.small && !follow && gen_random_below(r, 2) == 0;
		kind.composed = k == 5 && c->rules;
		t->followed += kind.follow;
		t->composed += kind.composed;
		seen &= visible(c);
		if ((kind.only && c->known && !kind.follow) || seen == 0) {
			buf_free(&projection);
			continue;
		}
		im = coherence_compile(t, text, kind, projected ? projection.at : NULL, &p);
		if (im == NULL && find_record(&p.diags, "gave-up") != NULL)
			t->large++;
		else if (im == NULL)
			coherence_wrong(t, text, c, "no image", NULL, 0, 0);
		else
			coherence_compare(r, text, c, g, im, seen, kind, t);
		nfart_image_free(im);
		pipeline_free(&p);
		buf_free(&projection);
	}
}

static const struct checker_kind composed = { .only = true, .follow = true, .composed = true };

/* Rules that get stuck must be refused, with as many moves as the search needs. */
static void compare_stuck(const char *text, const struct coh *c, const struct search *s,
			  struct totals *t)
{
	struct pipeline p;
	struct nfart_image *im = coherence_compile(t, text, (struct checker_kind){ .only = false },
						   NULL, &p);
	const struct diag *d = find_record(&p.diags, "stuck");

	if (im != NULL || d == NULL || d->notes.n != s->stuck_depth)
		coherence_wrong(t, text, c, "moves to where nobody can move", NULL, s->stuck_depth,
				d != NULL ? d->notes.n : 0);
	t->stuck++;
	nfart_image_free(im);
	pipeline_free(&p);
	im = coherence_compile(t, text, composed, NULL, &p);
	d = find_record(&p.diags, "stuck");
	if (im != NULL || d == NULL)
		coherence_wrong(t, text, c, "composed, where nobody can move", NULL, 1, 0);
	nfart_image_free(im);
	pipeline_free(&p);
}

/* Is there a warning `unreached` at a byte of the description? */
static bool is_warned(const struct diags *d, uint32_t byte)
{
	for (size_t i = 0; i < d->records.n; i++)
		if (d->records.at[i].range.begin == byte &&
		    strcmp(d->records.at[i].code, "unreached") == 0)
			return true;
	return false;
}

/* Does any state let a node move by a rule? */
static bool is_reached(const struct search *s, const struct coh_rule *r)
{
	struct moves *v = malloc(sizeof *v);
	bool found = false;

	for (size_t i = 0; i < s->n && !found; i++) {
		v->n = 0;
		move_by(s->c, r, &s->at[i], v);
		/* The limit of messages under way has a warning of its own. */
		found = v->n != 0 || (r->kind == COH_SEND &&
				      coh_all_hold(s->c, r->when, s->at[i].var, s->at[i].var));
	}
	free(v);
	return found;
}

/* nfacc must warn of exactly those values and rules that the search does not reach. */
static void compare_unreached(const char *text, const struct coh *c, const struct search *s,
			      struct checker_kind kind, struct totals *t)
{
	struct pipeline p;
	struct nfart_image *im = coherence_compile(t, text, kind, NULL, &p);

	for (uint32_t i = 0; i < c->nvars; i++)
		for (uint32_t k = 0; k < c->vars[i].nvalues && !t->wrong; k++) {
			bool warned = is_warned(&p.diags, c->vars[i].ranges[k].begin);
			bool found = false;

			for (size_t x = 0; x < s->n && !found; x++)
				found = s->at[x].var[i] == k;
			t->unreached += !found;
			if (warned == found)
				coherence_wrong(t, text, c, "warning of a value", NULL, !found,
						warned);
		}
	for (size_t i = 0, end; i < c->list.n && !t->wrong; i = end) {
		uint32_t byte = c->list.at[i].range.begin;
		bool warned = is_warned(&p.diags, byte), found = true;

		for (end = i; end < c->list.n && c->list.at[end].range.begin == byte; end++)
			found = found && is_reached(s, &c->list.at[end]);
		t->unreached += !found;
		if (warned == found)
			coherence_wrong(t, text, c, "warning of a rule", NULL, !found, warned);
	}
	nfart_image_free(im);
	pipeline_free(&p);
}

static void coherence_check(struct gen_random *r, const char *text, struct totals *t)
{
	struct place place = { t->folders, t->nfolders, NULL };
	struct coh_options find_options = { find_protocol, &place };
	struct diags d = { .werror = false };
	struct search s = { .n = 0 };
	struct graph g = { 0 };
	uint32_t source = diag_add_source(&d, "rules.coh", text, strlen(text));
	struct coh c;

	t->descriptions++;
	if (coh_parse(&d, source, &find_options, &c) != NFART_OK) {
		coherence_wrong(t, text, &c, d.records.at[0].message, NULL, 0, 0);
	} else if (!c.rules) {
		make_tables(&c, &g);
		compare_forms(r, text, &c, &g, t);
	} else {
		s.c = &c;
		if (!explore(&s)) {
			t->large++;
		} else if (s.stuck) {
			compare_stuck(text, &c, &s, t);
		} else {
			make_graph(&s, &g);
			compare_forms(r, text, &c, &g, t);
			compare_unreached(text, &c, &s, (struct checker_kind){ .only = false }, t);
			compare_unreached(text, &c, &s, composed, t);
		}
	}
	vec_free(&g.edges);
	free(s.at);
	free(s.depth);
	free(s.before);
	free(s.bucket);
	coh_free(&c);
	proto_free(place.proto);
	diag_free(&d);
}

/* ---- random rules --------------------------------------------------------------------------- */

/* What random descriptions are made of. */
struct words {
	const char *protocol;
	uint32_t nodes;
	const char *node[3], *sent[3][3];
	const char *declared; /* the statements of these events */
};

static const struct words two_nodes = {
	"eci", 2, { "cpu", "fpga" }, { { "R12", "R13", "V21" }, { "RA2", "RA3", "F21" } }, ""
};
/* Two homes, and events that have several parts, and tests of every kind. */
static const struct words two_homes = {
	"chi_direct", 2, { "rn", "hn" }, { { "A", "B", "C" }, { "D", "E", "CompUC" } },
	"event A from rn = ReadShared[SrcID == 0], ReadUnique[SrcID in 2..5];\n"
	"event B from rn = ReadShared[SrcID & 6 == 4, TgtID != 1], CompAck;\n"
	"event C from rn = ReadUnique[SrcID in 0..1, SrcID & 5 != 1];\n"
	"event D from hn = SnpSharedFwd[FwdNID in 1..6], SnpUniqueFwd;\n"
	"event E from hn = SnpSharedFwd[FwdNID == 0, addr & 0x80 == 0x80];\n"
	"home odd [addr & 0xc0 == 0xc0]: ReadShared[TgtID in 3..5], ReadUnique, any[FwdNID == 2];\n"
	"home low [addr in 0x40..0xffffffffff]: any[TgtID == 6], CompUC[SrcID & 1 != 0];\n"
};
static const struct words three_nodes = {
	"snoop", 3, { "m0", "m1", "home" },
	{ { "Read0", "Own0", "Ack0" }, { "Read1", "Own1", "Ack1" },
	  { "Shared0", "Invalidate", "Clean" } }, ""
};

static void draw_tests(struct gen_random *r, uint32_t odds, struct buf *b)
{
	for (char var = 'x'; var <= 'y'; var++)
		if (gen_random_below(r, 100) < odds)
			buf_addf(b, " %c=%" PRIu32, var, gen_random_below(r, 3));
}

static void draw_rule(struct gen_random *r, const char *node, const char *kind, const char *event,
		      struct buf *b)
{
	buf_addf(b, "%s:", node);
	draw_tests(r, 60, b);
	buf_addf(b, " %s%s%s:", kind, event, event[0] != 0 ? " " : "");
	draw_tests(r, 60, b);
	buf_addf(b, ";\n");
}

/* Draws the rules by which nodes receive an event. With two nodes there can be none. */
static void draw_receivers(struct gen_random *r, const struct words *w, uint32_t n,
			   const char *event, struct buf *b)
{
	uint32_t chosen = 1 + gen_random_below(r, w->nodes - 1);

	for (uint32_t i = 1; i < w->nodes; i++) {
		const char *node = w->node[(n + i) % w->nodes];

		/* One node at least receives it, and others seldom. */
		if (i != chosen && gen_random_below(r, 3) != 0)
			continue;
		for (uint32_t k = gen_random_below(r, 2); k > 0; k--)
			draw_rule(r, node, "? ", event, b);
		if (w->nodes > 2 || gen_random_below(r, 4) != 0)
			buf_addf(b, "%s: ? %s;\n", node, event);
	}
}

/* Draws a description that is correct in form. */
static void draw_rules(struct gen_random *r, const struct words *w, struct buf *b)
{
	uint32_t tap = gen_random_below(r, w->nodes + 1);
	/* Systems of three nodes are larger: fewer events keep them small. */
	int nevents = w->nodes > 2 ? 2 : 3;

	buf_addf(b, "protocol %s;\nchecker random;\n", w->protocol);
	for (uint32_t n = 0; n < w->nodes; n++)
		buf_addf(b, "node %s: x = 0 1 2, y = 0 1 2;\n", w->node[n]);
	buf_addf(b, "%s", w->declared);
	buf_addf(b, "tap %s%s;\n", tap < w->nodes ? "at " : "between",
		 tap < w->nodes ? w->node[tap] : "");
	for (uint32_t n = 0; n < w->nodes; n++) {
		buf_addf(b, "flight %s %" PRIu32 ";\n", w->node[n],
			 w->nodes - 1 + gen_random_below(r, 2));
		if (gen_random_below(r, 2) == 0)
			buf_addf(b, "order %s, %s;\n", w->sent[n][0],
				 w->sent[n][1 + (nevents > 2 ? gen_random_below(r, 2) : 0)]);
	}
	if (gen_random_below(r, 3) == 0)
		buf_addf(b, "start known;\n");
	for (uint32_t n = 0; n < w->nodes; n++)
		for (int i = 0; i < nevents; i++) {
			draw_rule(r, w->node[n], "! ", w->sent[n][i], b);
			draw_receivers(r, w, n, w->sent[n][i], b);
		}
	for (uint32_t i = gen_random_below(r, 3); i > 0; i--)
		draw_rule(r, w->node[gen_random_below(r, w->nodes)], "", "", b);
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_COHERENCE_DESCRIPTIONS", 30), seed = setting("NFACC_SEED", 1);
	struct totals t = { .nfolders = 0 };
	int c;

	while ((c = getopt(argc, argv, "I:n:s:")) != -1) {
		if (c == '?')
			return 2;
		if (c == 'I' && t.nfolders < sizeof t.folders / sizeof t.folders[0])
			t.folders[t.nfolders++] = optarg;
		else if (c != 'I')
			*(c == 'n' ? &n : &seed) = positive("-n or -s", optarg);
	}
	for (int i = optind; i < argc && !t.wrong; i++) {
		struct gen_random r = { seed };
		struct buf text = { 0 };

		if (buf_read_file(&text, argv[i], 1 << 20) != 0)
			return 2;
		coherence_check(&r, text.at, &t);
		buf_free(&text);
	}
	for (uint64_t i = 0; i < n && !t.wrong; i++) {
		struct gen_random r = { seed + i };
		struct buf text = { 0 };

		draw_rules(&r, i % 3 == 2 ? &three_nodes : i % 6 == 3 ? &two_homes : &two_nodes,
			   &text);
		coherence_check(&r, text.at, &t);
		if (t.wrong)
			printf("# seed %" PRIu64 "\n", seed + i);
		buf_free(&text);
	}
	printf("# %u descriptions, %u with a dead end, %u times too large\n", t.descriptions,
	       t.stuck, t.large);
	printf("# %u values and rules that no run reaches\n", t.unreached);
	printf("# %u checkers that the engine follows, %u of them composed\n", t.followed,
	       t.composed);
	printf("# %u streams, %u with an error, %u found; %u with merged messages\n", t.streams,
	       t.errors, t.found, t.merged);
	printf("# %u errors after the first; %u in batches of several messages, in every order\n",
	       t.later, t.several);
	printf("%sok 1 - checkers accept what no run explains\n1..1\n", t.wrong ? "not " : "");
	return t.wrong;
}
