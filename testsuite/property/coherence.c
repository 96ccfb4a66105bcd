/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coherence: checkers that nfacc derives from rules of coherence, against an exhaustive search. The
 * rules are the shipped ones, which are the arguments, and random ones. Random runs of the rules
 * are changed at random; in every stream the image must accept exactly from the first message on
 * that no run of the system explains. The checkers see all events, or a random projection of them.
 * Batches in which messages of unchanged runs are merged must never be accepted in the form "only".
 * Warnings must be of exactly those values and rules that the search does not reach.
 * The file is long because it shares nothing with the derivation but the reader of descriptions.
 *
 *   coherence [-I DIR] [-n DESCRIPTIONS] [-s SEED] FILE.coh...
 *
 * Protocols are looked for in DIR, then among the shipped ones.
 * NFACC_COHERENCE_DESCRIPTIONS and NFACC_SEED set the same. The search shares with nfacc only the
 * reader of rules. It keeps messages in the order in which they were sent, without any canonical
 * form.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "contract/image/image.h"
#include "grammar/coherence/coh.h"
#include "grammar/describe/proto_text.h"
#include "include/nfart.h"
#include "support/bits.h"
#include "testsuite/setting.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { MOST_STATES = 60000, BUCKETS = 1 << 16, MOST_LENGTH = 60, STREAMS = 40, MOST_MOVES = 256 };

/* ---- the system, searched ------------------------------------------------------------------- */

/* A message under way. `seen`: it has passed the tap. */
struct message {
	uint8_t event, seen;
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

/* Is message k of a sender before all others of its class that are on the same side of the tap? */
static bool is_next(const struct coh *c, const struct system_state *x, uint32_t sender, uint32_t k)
{
	const struct message *m = x->m[sender];

	for (uint32_t i = 0; i < k; i++)
		if (m[i].seen == m[k].seen &&
		    c->events[m[i].event].class == c->events[m[k].event].class)
			return false;
	return true;
}

/* Takes message k of a sender out. */
static struct message coherence_take(struct system_state *x, uint32_t sender, uint32_t k)
{
	struct message m = x->m[sender][k];

	for (uint32_t i = k; i + 1 < x->n[sender]; i++)
		x->m[sender][i] = x->m[sender][i + 1];
	x->n[sender]--;
	x->m[sender][x->n[sender]] = (struct message){ 0, 0 };
	return m;
}

static void coherence_add(struct system_state *x, uint32_t sender, uint32_t event, bool seen)
{
	x->m[sender][x->n[sender]++] = (struct message){ (uint8_t)event, seen };
}

static void move_by(const struct coh *c, const struct coh_rule *r, const struct system_state *from,
		    struct moves *v)
{
	uint32_t other = 1 - r->node;
	bool here = is_tap(c, r->node);
	struct system_state x = *from;

	if (!coh_all_hold(c, r->when, from->var, from->var))
		return;
	set_values(c, r, &x);
	if (r->kind == COH_STEP && memcmp(&x, from, sizeof x) != 0) {
		add_move(v, &x, COH_NONE);
	} else if (r->kind == COH_SEND && x.n[r->node] < c->net.flight[r->node]) {
		coherence_add(&x, r->node, r->event, here);
		add_move(v, &x, here ? r->event : COH_NONE);
	}
	for (uint32_t k = 0; r->kind == COH_RECEIVE && k < from->n[other]; k++) {
		if (from->m[other][k].event != r->event || from->m[other][k].seen == here ||
		    !is_next(c, from, other, k))
			continue;
		x = *from;
		coherence_take(&x, other, k);
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
	for (uint32_t sender = 0; c->net.tap == COH_TAP_BETWEEN && sender < COH_NODES; sender++)
		for (uint32_t k = 0; k < from->n[sender]; k++) {
			struct system_state x = *from;
			struct message m = from->m[sender][k];

			if (m.seen || !is_next(c, from, sender, k))
				continue;
			/* It is now the youngest of those that were seen. */
			coherence_take(&x, sender, k);
			coherence_add(&x, sender, m.event, true);
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

/* Returns the number of the first message that no run explains; s->n: there is none. */
static size_t first_error(const struct graph *g, bool known, uint64_t seen, const struct stream *s)
{
	bool *now = calloc(g->n, 1), *next = calloc(g->n, 1);
	size_t at = 0;

	memset(now, 1, known ? 1 : g->n);
	close_set(g, seen, now);
	for (; at < s->n; at++) {
		bool any = false;

		if (s->event[at] == COH_NONE || (seen >> s->event[at] & 1) == 0)
			continue;
		memset(next, 0, g->n);
		for (size_t i = 0; i < g->edges.n; i++)
			if (g->edges.at[i].event == s->event[at] && now[g->edges.at[i].from])
				any = next[g->edges.at[i].to] = true;
		if (!any)
			break;
		close_set(g, seen, next);
		memcpy(now, next, g->n);
	}
	free(now);
	free(next);
	return at;
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

/* Puts a message of the event into a batch, in a random slot that it can have. COH_NONE: a message
 * of a type that no event has. False: the slot is taken. */
static bool coherence_put(struct gen_random *r, const struct coh *c, uint32_t event,
			  struct nfart_batch *b)
{
	const struct nfart_proto *p = c->proto;
	uint32_t count = 0, chosen = 0;

	for (uint32_t code = 0; code < p->codes.n; code++) {
		bool fits = event == COH_NONE && p->codes.type_of[code] != 0;

		for (uint32_t i = 0; i < p->names.nevents; i++)
			if (is_event(p, code, &p->names.events[i]))
				fits = event != COH_NONE && (fits || c->events[event].proto == i);
		if (fits && gen_random_below(r, ++count) == 0)
			chosen = code;
	}
	if ((b->mask >> (chosen >> p->header.op_bits) & 1) != 0)
		return false;
	b->mask |= (uint64_t)1 << (chosen >> p->header.op_bits);
	b->header[chosen >> p->header.op_bits] = proto_opcode_bits(p, chosen);
	return true;
}

/* Runs a stream over an image. Returns the number of the first message whose batch is accepted, or
 * s->n. Stores in *sticks whether all batches after it are accepted, too. */
static size_t coherence_run(struct gen_random *r, const struct coh *c, const struct nfart_image *im,
			    const struct stream *s, bool *sticks)
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	struct nfart_result result = { 0 };
	size_t found = s->n;

	*sticks = true;
	for (size_t i = 0; i < s->n && en != NULL;) {
		struct nfart_batch b = { .time = 10 + i };
		size_t first = i;

		do {
			if (!coherence_put(r, c, s->event[i], &b))
				break;
			i++;
		} while (i < s->n && s->with_next[i - 1]);
		if (!nfart_engine_step(en, &b, &result))
			abort();
		if (result.accepted && found == s->n)
			found = first;
		*sticks = *sticks && (found == s->n || result.accepted);
	}
	nfart_engine_free(en);
	return found;
}

/* The folder of the shipped descriptions, and a protocol that was found there. */
struct place {
	const char *folder;
	struct nfart_proto *proto;
};

static const struct nfart_proto *find_protocol(void *ctx, const char *name, size_t n)
{
	struct diags d = { .werror = false };
	struct place *place = ctx;

	proto_find(&d, &place->folder, 1, name, n, &place->proto);
	diag_free(&d);
	return place->proto;
}

/* Compiles a description. NULL: it has errors, or nfacc gave up; p->diags has them. */
static struct nfart_image *coherence_compile(const char *folder, const char *text, bool only,
					     const char *projection, struct pipeline *p)
{
	struct pipeline_file f = { "rules.coh", text, strlen(text), FORM_COHERENCE };
	struct pipeline_options o;
	struct nfart_error e;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.dirs = &folder;
	o.ndirs = 1;
	o.coherence.only = only;
	o.coherence.projections = &projection;
	o.coherence.nprojections = projection != NULL;
	if (pipeline_run(p, &o, &f, 1) != NFART_OK)
		return NULL;
	return nfart_image_load(p->job.made.image.at, p->job.made.image.n, "image", &e);
}

/* ---- descriptions --------------------------------------------------------------------------- */

struct totals {
	const char *folder;
	unsigned descriptions, stuck, large, streams, errors, merged, found, unreached;
	bool wrong;
};

/* Draws a projection as text; the events must be those of the description. */
static uint64_t draw_projection(struct gen_random *r, const struct coh *c, struct buf *b)
{
	uint64_t seen = 0;

	while (seen == 0)
		for (uint32_t i = 0; i < c->nevents; i++)
			if (gen_random_below(r, 2) == 0) {
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
			      bool only, struct totals *t)
{
	for (int k = 0; k < STREAMS && !t->wrong; k++) {
		struct stream s = { 0 };
		size_t want, got;
		bool sticks;

		draw_run(r, g, c->known, &s);
		if (s.n == 0)
			continue;
		if (only && k % 2 == 0) {
			for (size_t i = 0; i < s.n; i++)
				s.with_next[i] = gen_random_below(r, 4) <= (uint32_t)k % 3;
			got = coherence_run(r, c, im, &s, &sticks);
			t->merged++;
			if (got != s.n)
				coherence_wrong(t, text, c, "false alarm with merged messages", &s,
						s.n, got);
			continue;
		}
		for (uint32_t i = gen_random_below(r, 3); i > 0 && s.n > 0; i--)
			coherence_change(r, c, &s);
		want = first_error(g, c->known, seen, &s);
		got = coherence_run(r, c, im, &s, &sticks);
		t->streams++;
		t->errors += want < s.n;
		t->found += got < s.n;
		if (got != want || !sticks)
			coherence_wrong(t, text, c, only ? "form only" : "form any", &s, want, got);
	}
}

static bool has_record(const struct diags *d, const char *code)
{
	for (size_t i = 0; i < d->records.n; i++)
		if (strcmp(d->records.at[i].code, code) == 0)
			return true;
	return false;
}

static void compare_forms(struct gen_random *r, const char *text, const struct coh *c,
			  const struct graph *g, struct totals *t)
{
	for (int k = 0; k < 4 && !t->wrong; k++) {
		bool only = k % 2 == 1, projected = k >= 2;
		struct buf projection = { 0 };
		uint64_t seen = projected ? draw_projection(r, c, &projection) : UINT64_MAX;
		struct nfart_image *im;
		struct pipeline p;

		if (only && c->known) {
			buf_free(&projection);
			continue;
		}
		im = coherence_compile(t->folder, text, only, projected ? projection.at : NULL, &p);
		if (im == NULL && has_record(&p.diags, "gave-up"))
			t->large++;
		else if (im == NULL)
			coherence_wrong(t, text, c, "no image", NULL, 0, 0);
		else
			coherence_compare(r, text, c, g, im, seen, only, t);
		nfart_image_free(im);
		pipeline_free(&p);
		buf_free(&projection);
	}
}

/* Rules that get stuck must be refused, with as many moves as the search needs. */
static void compare_stuck(const char *text, const struct coh *c, const struct search *s,
			  struct totals *t)
{
	struct pipeline p;
	struct nfart_image *im = coherence_compile(t->folder, text, false, NULL, &p);
	const struct diag *d = p.diags.records.n != 0 ? &p.diags.records.at[0] : NULL;

	if (im != NULL || d == NULL || strcmp(d->code, "stuck") != 0 ||
	    d->notes.n != s->stuck_depth)
		coherence_wrong(t, text, c, "moves to where nobody can move", NULL, s->stuck_depth,
				d != NULL ? d->notes.n : 0);
	t->stuck++;
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
			      struct totals *t)
{
	struct pipeline p;
	struct nfart_image *im = coherence_compile(t->folder, text, false, NULL, &p);

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
	struct place place = { t->folder, NULL };
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
			compare_unreached(text, &c, &s, t);
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

static const char *const sent[COH_NODES][3] = { { "R12", "R13", "V21" }, { "RA2", "RA3", "F21" } };
static const char *const node[COH_NODES] = { "cpu", "fpga" };

static void draw_tests(struct gen_random *r, uint32_t odds, struct buf *b)
{
	for (char var = 'x'; var <= 'y'; var++)
		if (gen_random_below(r, 100) < odds)
			buf_addf(b, " %c=%" PRIu32, var, gen_random_below(r, 3));
}

static void draw_rule(struct gen_random *r, uint32_t n, const char *kind, const char *event,
		      struct buf *b)
{
	buf_addf(b, "%s:", node[n]);
	draw_tests(r, 60, b);
	buf_addf(b, " %s%s%s:", kind, event, event[0] != 0 ? " " : "");
	draw_tests(r, 60, b);
	buf_addf(b, ";\n");
}

/* Draws a description that is correct in form. */
static void draw_rules(struct gen_random *r, struct buf *b)
{
	static const char *const taps[] = { "tap at cpu", "tap at fpga", "tap between" };

	buf_addf(b, "protocol eci;\nchecker random;\n");
	for (int n = 0; n < COH_NODES; n++)
		buf_addf(b, "node %s: x = 0 1 2, y = 0 1 2;\n", node[n]);
	buf_addf(b, "%s;\n", taps[gen_random_below(r, 3)]);
	for (int n = 0; n < COH_NODES; n++) {
		buf_addf(b, "flight %s %" PRIu32 ";\n", node[n], 1 + gen_random_below(r, 2));
		if (gen_random_below(r, 2) == 0)
			buf_addf(b, "order %s, %s;\n", sent[n][0],
				 sent[n][1 + gen_random_below(r, 2)]);
	}
	if (gen_random_below(r, 3) == 0)
		buf_addf(b, "start known;\n");
	for (uint32_t n = 0; n < COH_NODES; n++)
		for (int i = 0; i < 3; i++) {
			draw_rule(r, n, "! ", sent[n][i], b);
			for (uint32_t k = gen_random_below(r, 2); k > 0; k--)
				draw_rule(r, 1 - n, "? ", sent[n][i], b);
			if (gen_random_below(r, 4) != 0)
				buf_addf(b, "%s: ? %s;\n", node[1 - n], sent[n][i]);
		}
	for (uint32_t i = gen_random_below(r, 3); i > 0; i--)
		draw_rule(r, gen_random_below(r, 2), "", "", b);
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_COHERENCE_DESCRIPTIONS", 60), seed = setting("NFACC_SEED", 1);
	struct totals t = { .folder = "." };
	int c;

	while ((c = getopt(argc, argv, "I:n:s:")) != -1) {
		if (c == '?')
			return 2;
		if (c == 'I')
			t.folder = optarg;
		else
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

		draw_rules(&r, &text);
		coherence_check(&r, text.at, &t);
		if (t.wrong)
			printf("# seed %" PRIu64 "\n", seed + i);
		buf_free(&text);
	}
	printf("# %u descriptions, %u with a dead end, %u times too large\n", t.descriptions,
	       t.stuck, t.large);
	printf("# %u values and rules that no run reaches\n", t.unreached);
	printf("# %u streams, %u with an error, %u found; %u with merged messages\n", t.streams,
	       t.errors, t.found, t.merged);
	printf("%sok 1 - checkers accept what no run explains\n1..1\n", t.wrong ? "not " : "");
	return t.wrong;
}
