/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [counting repetitions]. A counter can take the place of a repetition X{n,m} at the top level
 * of a filter. Let A stand before the repetition and B after it. Then A X{n,m} B becomes `@c B`,
 * because @c may stand only where an expression begins. X must be a sequence of predicates p1 … pl
 * that exclude each other: no batch satisfies two of them. (For l = 1 nothing is to be shown.) The
 * predicate algebra decides that exactly.
 *
 * A *chain* begins at a prefix e in L(A); we say that it enters at e. It is alive at a later prefix
 * i if the batches e+1 … i are the first i-e of X X X …. After i it is in phase (i-e-1) mod l + 1,
 * which is the number of the predicate that batch i satisfied. A prefix i is in L(A X{k}) if a
 * chain that entered at i - k l is alive at i. The counter has these expressions:
 *
 *   count   A X+                                   an alive chain completes a copy of X
 *   reset   true* !p1                              l = 1
 *           true* (p1 !p2 | p2 !p3 | … | pl !p1)   l > 1
 *
 *   [one phase] All chains alive at i are in the same phase: batch i satisfies the predicate of
 *   each one's phase, and predicates exclude each other. So from i on they live and die together.
 *
 *   [death] If the chains alive at i die at i+1, there is a reset at i+1: batch i satisfies the
 *   predicate of their phase, and batch i+1 does not satisfy the next one.
 *
 *   [life] While a chain that entered before i is alive at i+1, there is no reset at i+1: batch i
 *   satisfies the predicate of its phase and no other, and batch i+1 satisfies the next one. A
 *   chain that enters at i itself may see a reset at i+1: its first batch may be the one that ends
 *   other chains in the middle of their X. This is harmless. For l > 1 it completes its first copy
 *   later; for l = 1 batch i+1 satisfies p1, so there is no reset.
 *
 *   [count] So the count at i is the number of copies that the earliest chain alive at i has
 *   completed. By [life] none of them was lost. By [one phase] all other chains complete theirs in
 *   the same batches. By [death] the copies of dead chains are forgotten. If no chain is alive, the
 *   count is 0.
 *
 * From this follows which forms are exact:
 *
 *   [X{n,}] is exact for any A. A prefix i is in L(A X{n,}) if some chain alive at i is at the end
 *   of a copy and has completed at least n. If any chain has, then the earliest has. For l = 1 each
 *   batch ends a copy, so this means that the count is n: the form is @c, with c a latch at n. For
 *   l > 1 a latch would stay active inside the copies that follow. But the earliest chain reached n
 *   at the end of a copy, in a batch where a pulse at n is active, and goes on with whole copies:
 *   the form is @c X*, with c a pulse at n. (It was the earliest chain there, too: by [one phase]
 *   an earlier one would still be alive.)
 *
 *   [closed] needs that L(A X) is a subset of L(A). Then L(A X{n,m}) = L(A X{n}) = L(A X{n,}),
 *   because L(A X{k} X{n}) is within L(A X{n}) for every k. So the form of [X{n,}] is exact for any
 *   m. If n is small, or no counter can be had, X{n} alone will do. The test is that A = B Y{k,} D,
 *   where Y absorbs X and D. Y absorbs X if every batch that satisfies a predicate of X is a Y by
 *   itself, or if X and Y have equally many predicates and each of X implies that of Y in its
 *   place. D can be empty, and every batch that satisfies a predicate of D is a Y by itself.
 *   `true*` and `true* None(req)*` are such A.
 *
 *   [unambiguous] needs that no prefix of L(A X+) is in L(A). Then no chain enters where another
 *   one completes a copy. If two chains were alive at i, the later one would have entered, by [one
 *   phase], at the end of a copy of the earlier one. So only one chain is alive, and the count is
 *   its own. A prefix i is in L(A X{n}) if the count reaches n in batch i: the form is @c, with c a
 *   pulse at n. The form of X{n,m} is @c X{0,m-n}. The test is that every predicate that may end A
 *   excludes pl. The predicates that may end A are Glushkov's last positions. For @a they are those
 *   that may end the expression which a counts; if a is a latch, any batch may end it.
 *
 *   [range] needs [unambiguous] and l = 1. It uses a second counter d with the expressions of c, a
 *   latch at m. c is a latch at n and has a second reset, `@d X`. While the one chain that is alive
 *   has completed at most m copies, @d X does not reset c, because d was not active before the
 *   batch; so c is active from n on. When the chain goes on above m, d was active before each
 *   batch, and each batch resets c. So @c holds exactly for n … m copies.
 *
 * Several repetitions in one concatenation are rewritten from left to right: the A of the second
 * one begins with the @c of the first. The conditions look at A as written, which has the same
 * language (or, if [closed] was shown, at A' X{n,}). A (B | C) is taken as A B | A C, for those
 * branches that have something to rewrite. A repetition under another one stays, because @c stands
 * only where an expression begins.
 *
 * If A, X and K are the same, the counter is the same: filters with a common beginning share it
 * (count_make.h).
 *
 * Without these conditions a counter would be one number for several chains of different lengths,
 * and would answer for the earliest only. Kong, Yu, Chattopadhyay, Alur: Software-hardware codesign
 * for efficient in-memory regular pattern matching (PLDI 2022), call this counter-ambiguity, and
 * unroll such repetitions as we do. Turonova et al., Regex matching with counting-set automata
 * (OOPSLA 2020), keep a set of numbers, which none of our engines does.
 */
#include "ir/count/count.h"

#include <inttypes.h>
#include <string.h>

#include "ir/count/count_form.h"

enum { STEPS = 1 << 22 };

/* A node of the expression that the walk is in. */
struct frame {
	rx_id_t id;
	uint32_t next;                 /* index of the operand that the walk enters next */
	const struct count_prefix *in; /* what stands before the node */
	/* of an alternation: where the prefixes of its branches begin in counting.results */
	size_t results;
};

struct counting {
	struct spec *s;
	struct count_options o;
	struct count_log *log;
	struct arena arena;
	struct count_prover prover;
	struct count_maker maker;
	/* The nodes of the spec as written. */
	struct {
		size_t n;     /* how many there are */
		bool *large,  /* [n]: the node is a large repetition */
			*holds; /* [n]: the node is or contains a large repetition */
		/* [n]: the node is or contains a large repetition that is not under another
		 * repetition */
		bool *reach;
	} written;
	bool *seen;
	VEC(uint64_t) size; /* [nodes]: how many predicates a node has when it is expanded */
	VEC(struct frame) stack;
	VEC(struct count_prefix *) results;
	VEC(rx_id_t) todo;
	bool failed;
};

/* ---- prefixes ------------------------------------------------------------------------------- */

static uint32_t changes(const struct count_prefix *a)
{
	return a != NULL ? a->changes : 0;
}

static struct count_prefix *counting_append(struct counting *c, const struct count_prefix *a,
					    rx_id_t factor, bool nullable)
{
	struct count_prefix *b = arena_new(&c->arena, struct count_prefix);

	if (b == NULL)
		c->failed = true;
	else
		*b = (struct count_prefix){ a, factor, RX_NONE, nullable, changes(a) };
	return b;
}

static void counting_record(struct counting *c, const struct rx *x, enum count_how how,
			    uint32_t length, const struct diag_range *other,
			    const uint32_t *counter)
{
	struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	struct count_record r = { how, x->lo, x->hi, length, x->range,
				  { other != NULL ? other[0] : nowhere,
				    other != NULL ? other[1] : nowhere },
				  { counter != NULL ? counter[0] : UINT32_MAX,
				    counter != NULL ? counter[1] : UINT32_MAX } };

	if (!vec_push(&c->log->records, r))
		c->failed = true;
}

/* Records `how` for every large repetition under node id, and for id itself if `itself`. Nodes that
 * were seen before are left out. */
static void record_all(struct counting *c, rx_id_t id, enum count_how how, bool itself)
{
	itself = itself && !c->seen[id];
	c->seen[id] = true;
	c->todo.n = 0;
	c->failed = c->failed || !vec_push(&c->todo, id);
	for (size_t i = 0; i < c->todo.n && !c->failed; i++) {
		struct rx x = c->s->nodes.at[c->todo.at[i]];
		if (c->written.large[c->todo.at[i]] && (i != 0 || itself))
			counting_record(c, &x, how, 0, NULL, NULL);
		for (uint32_t k = 0; k < x.n && !c->failed; k++) {
			if (!c->written.holds[x.sub[k]] || c->seen[x.sub[k]])
				continue;
			c->seen[x.sub[k]] = true;
			c->failed = !vec_push(&c->todo, x.sub[k]);
		}
	}
}

/* Analyses the large repetition `id`, which stands after A, rewrites it if that is right, and
 * records what became of it. Returns the prefix that ends with it. NULL: out of memory. */
static struct count_prefix *large(struct counting *c, const struct count_prefix *a, rx_id_t id)
{
	struct rx x = c->s->nodes.at[id], y;
	struct count_repetition r = { a, x.sub[0], x.lo, x.hi, x.range, { .n = 0 }, false,
				      COUNT_LITTLE };
	struct diag_range other[2] = { { DIAG_NO_SOURCE, 0, 0 }, { DIAG_NO_SOURCE, 0, 0 } };
	uint32_t made[2] = { UINT32_MAX, UINT32_MAX };
	struct count_prefix *b;
	enum count_how how;

	/* (X{k}){n} is X{k n}. */
	for (y = c->s->nodes.at[r.x]; x.lo == x.hi && y.kind == RX_REP && y.lo == y.hi &&
				      y.lo != 0 && r.lo <= UINT32_MAX / 2 / y.lo;
	     y = c->s->nodes.at[r.x]) {
		r.lo = r.hi = r.lo * y.lo;
		r.x = y.sub[0];
	}
	how = count_form(&c->prover, &c->o, &r, other);
	if (c->prover.steps == 0)
		how = COUNT_GAVE_UP;
	c->failed = c->failed || c->prover.failed;
	b = counting_append(c, a, id, c->prover.nullable[id]);
	if (c->failed)
		return NULL;
	if (how <= COUNT_LOWER) {
		if (r.closed)
			b->factor = make_repeat(&c->maker, r.x, r.lo, RX_INF, r.range);
		b->rx = count_rewrite(&c->maker, &c->prover.steps, &r, how, made);
		b->changes++;
		c->failed = c->failed || c->maker.failed;
	} else {
		record_all(c, x.sub[0], COUNT_INSIDE, true);
	}
	counting_record(c, &x, how, r.body.n, other, made);
	if (how == COUNT_LOWER && r.why != COUNT_LITTLE) {
		x.lo = x.hi = r.lo;
		counting_record(c, &x, r.why, r.body.n, other, NULL);
	}
	return b;
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* Takes node id as it is: nothing in it is rewritten. Returns prefix a followed by the node. */
static struct count_prefix *whole(struct counting *c, const struct count_prefix *a, rx_id_t id)
{
	if (c->written.holds[id])
		record_all(c, id, COUNT_INSIDE, false);
	return counting_append(c, a, id, c->prover.nullable[id]);
}

/* Finishes A (B | C) after its branches were walked. Each branch with a rewritten part gets an A of
 * its own; the other branches stay together. Returns the prefix that ends with the alternation. */
static struct count_prefix *alternatives(struct counting *c, const struct frame *f)
{
	struct count_prefix **of = c->results.at + f->results;
	struct rx x = c->s->nodes.at[f->id];
	struct count_prefix *b = counting_append(c, f->in, f->id, c->prover.nullable[f->id]);
	rx_id_t *sub = arena_array(&c->arena, x.n + 1, sizeof *sub), rest;
	uint32_t n = 0, k = 0;

	c->failed = c->failed || sub == NULL;
	if (c->failed)
		return NULL;
	for (uint32_t i = 0; i < x.n; i++)
		if (of[i]->changes == changes(f->in))
			sub[k++] = x.sub[i];
	if (k == x.n)
		return b;
	if (k != 0) {
		rest = make_list(&c->maker, RX_ALT, sub, k, x.range);
		sub[n++] = make_prefix(&c->maker, f->in, rest, x.range, &c->prover.steps);
	}
	for (uint32_t i = 0; i < x.n && !c->failed; i++)
		if (of[i]->changes != changes(f->in)) {
			b->changes += of[i]->changes - changes(f->in);
			sub[n++] = make_prefix(&c->maker, of[i], RX_NONE, x.range,
					       &c->prover.steps);
		}
	b->rx = c->failed ? RX_NONE : make_list(&c->maker, RX_ALT, sub, n, x.range);
	c->failed = c->failed || c->maker.failed;
	return b;
}

static void counting_enter(struct counting *c, rx_id_t id, const struct count_prefix *in)
{
	struct frame f = { id, 0, in, c->results.n };

	if (!vec_push(&c->stack, f))
		c->failed = true;
}

/* Takes one step of the walk over an expression. *done is the prefix that ends with the node which
 * was finished last. */
static void counting_step(struct counting *c, struct count_prefix **done)
{
	struct frame *f = &c->stack.at[c->stack.n - 1];
	struct rx x = c->s->nodes.at[f->id];
	bool branches = x.kind == RX_ALT;

	if (!c->written.reach[f->id] || c->written.large[f->id]) {
		*done = c->written.large[f->id] ? large(c, f->in, f->id) : whole(c, f->in, f->id);
		c->stack.n--;
		return;
	}
	if (branches && f->next != 0 && !vec_push(&c->results, *done))
		c->failed = true;
	if (f->next < x.n) {
		const struct count_prefix *in = branches || f->next == 0 ? f->in : *done;
		/* This may move the stack: f is invalid from here. */
		counting_enter(c, x.sub[f->next++], in);
		return;
	}
	if (branches && !c->failed) {
		*done = alternatives(c, f);
		c->results.n = f->results;
	}
	c->stack.n--;
}

/* Returns how many predicates node x has when it is expanded. size[i] is that number for node i,
 * and is known for the operands of x. The number saturates. */
static uint64_t size_of(const struct rx *x, const uint64_t *size)
{
	uint64_t n = x->kind == RX_PRED, most = UINT64_MAX / 4;
	uint64_t times = x->kind != RX_REP ? 1 : x->hi != RX_INF ? x->hi : x->lo != 0 ? x->lo : 1;

	for (uint32_t i = 0; i < x->n; i++)
		n = n < most ? n + size[x->sub[i]] : most;
	return n != 0 && times > most / n ? most : n * times;
}

/* Is the rewritten expression, with the counters from number `first` on, not much larger than the
 * written one? Passes merge repeated prefixes later, but all of them have to be built first. */
static bool of_size(struct counting *c, rx_id_t written, rx_id_t made, size_t first)
{
	uint64_t sum;

	for (size_t i = c->size.n; i < c->s->nodes.n && !c->failed; i++)
		c->failed = !vec_push(&c->size, size_of(&c->s->nodes.at[i], c->size.at));
	if (c->failed)
		return false;
	sum = c->size.at[made];
	for (size_t i = first; i < c->s->counters.n; i++)
		sum += c->size.at[c->s->counters.at[i].count] +
		       c->size.at[c->s->counters.at[i].reset];
	return sum <= 2 * c->size.at[written] + 64;
}

/* Returns the form of expression id with counters, which are named after `owner`, or RX_NONE: the
 * expression stays as written. */
static rx_id_t expression(struct counting *c, rx_id_t id, const char *owner)
{
	size_t first = c->s->counters.n, records = c->log->records.n;
	struct count_prefix *done = NULL;
	enum count_how why = COUNT_LITTLE;
	rx_id_t made;

	if (!c->written.holds[id] || c->failed)
		return RX_NONE;
	c->maker.owner = owner;
	c->maker.named = 0;
	c->stack.n = c->results.n = 0;
	counting_enter(c, id, NULL);
	while (c->stack.n != 0 && !c->failed && c->prover.steps != 0) {
		c->prover.steps--;
		counting_step(c, &done);
	}
	if (c->failed || (c->stack.n == 0 && done->changes == 0))
		return RX_NONE;
	if (c->stack.n == 0) {
		made = make_prefix(&c->maker, done, RX_NONE, c->s->nodes.at[id].range,
				   &c->prover.steps);
		c->failed = c->maker.failed;
		if (!c->failed && c->prover.steps != 0 && of_size(c, id, made, first))
			return made;
	}
	if (c->prover.steps == 0) {
		why = COUNT_GAVE_UP;
		record_all(c, id, why, true);
	}
	make_drop(&c->maker, first);
	for (size_t i = records; i < c->log->records.n; i++)
		if (c->log->records.at[i].how <= COUNT_LOWER)
			c->log->records.at[i].how = why;
	return RX_NONE;
}

void spec_uncount(struct spec *s, struct count_log *log)
{
	for (size_t i = 0; i < s->filters.n; i++)
		s->filters.at[i].counted = RX_NONE;
	s->log.counted = RX_NONE;
	while (s->counters.n != 0 && s->counters.at[s->counters.n - 1].made)
		s->counters.n--;
	count_log_free(log);
}

/* ---- all of a spec -------------------------------------------------------------------------- */

static bool counting_begin(struct counting *c)
{
	size_t n = c->written.n = c->s->nodes.n;

	if (!count_maker_init(&c->maker, c->s))
		return false;
	c->prover = (struct count_prover){ .s = c->s, .steps = STEPS };
	c->prover.nullable = spec_nullable(c->s, &c->arena);
	c->written.large = arena_array(&c->arena, n, sizeof *c->written.large);
	c->written.holds = arena_array(&c->arena, n, sizeof *c->written.holds);
	c->written.reach = arena_array(&c->arena, n, sizeof *c->written.reach);
	c->seen = arena_array(&c->arena, n, sizeof *c->seen);
	if (c->prover.nullable == NULL || c->written.large == NULL || c->written.holds == NULL ||
	    c->written.reach == NULL || c->seen == NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct rx *x = &c->s->nodes.at[i];
		bool once = x->lo == 1 && x->hi == 1;
		c->written.large[i] = x->kind == RX_REP && !once &&
			      (x->hi != RX_INF ? x->hi : x->lo) >= c->o.threshold;
		c->written.holds[i] = c->written.reach[i] = c->written.large[i];
		for (uint32_t k = 0; k < x->n; k++) {
			c->written.holds[i] |= c->written.holds[x->sub[k]];
			c->written.reach[i] |=
				c->written.reach[x->sub[k]] && (x->kind != RX_REP || once);
		}
	}
	return true;
}

static void counting_rewrite(struct counting *c)
{
	struct spec *s = c->s;
	size_t ncounters = s->counters.n;

	for (size_t i = 0; i < s->filters.n; i++)
		s->filters.at[i].counted = expression(c, s->filters.at[i].rx,
						      s->labels.at[s->filters.at[i].label]);
	if (s->log.rx != RX_NONE)
		s->log.counted = expression(c, s->log.rx, "log");
	memset(c->seen, 0, c->written.n * sizeof *c->seen);
	for (size_t i = 0; i < ncounters; i++) {
		rx_id_t both[] = { s->counters.at[i].count, s->counters.at[i].reset };
		for (int k = 0; k < 2; k++)
			if (both[k] != RX_NONE && c->written.holds[both[k]])
				record_all(c, both[k], COUNT_IN_COUNTER, true);
	}
}

void count_log_free(struct count_log *log)
{
	vec_free(&log->records);
}

enum nfart_status spec_count(struct spec *s, const struct count_options *o, struct count_log *log)
{
	struct counting c = { .s = s, .o = *o, .log = log };

	if (o->threshold == 0)
		return NFART_OK;
	c.failed = !counting_begin(&c);
	if (!c.failed)
		counting_rewrite(&c);
	vec_free(&c.prover.todo);
	vec_free(&c.stack);
	vec_free(&c.results);
	vec_free(&c.todo);
	vec_free(&c.size);
	count_maker_free(&c.maker);
	arena_free(&c.arena);
	return c.failed ? NFART_SYSTEM : NFART_OK;
}
