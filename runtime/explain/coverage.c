/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/coverage.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/engine/copies.h"
#include "runtime/engine/engine.h"
#include "support/bits.h"

/* The most rules times edges of the set of all states, if these are not listed, of all checkers.
 * What is known without a rule takes some milliseconds then, the first time. */
#define COVERAGE_MOST_COMPOSED (UINT64_C(1) << 21)
#define COVERAGE_REST UINT64_MAX /* stands for all lines without a message of their own */

/* Where a line goes on that needed a rule: by the belief with all rules, and the event. */
struct coverage_jump {
	uint32_t belief, event, next;
};

/* What would be known without one rule. */
struct coverage_rule {
	struct know know;
	VEC(struct coverage_jump) jumps;
	struct hash_ids hash; /* finds jumps */
	uint64_t needed;
};

struct coverage_checker {
	struct kept_checker checker;   /* as in the image, but with one belief at a time */
	struct follow *follow;         /* with all rules */
	struct coverage_rule *rules;   /* [rules] */
	VEC(uint32_t) beliefs;         /* [lines of `follow`][rules] */
	uint64_t *needed;              /* [rules]: for the caller */
	uint64_t messages, shared, errors;
};

struct coverage {
	struct rules rules;
	struct copies map;
	const struct nfart_image *image;
	bool resets;                   /* a loss makes the checkers begin anew */
	size_t n;
	struct coverage_checker *at;   /* [n] */
};

/* ---- making ---- */

static bool coverage_add(struct coverage_checker *c, const struct follow *like,
			 const struct nfart_proto *p)
{
	uint32_t n = like->kept->rules.n;
	bool ok;

	c->checker = *like->checker;
	c->checker.how = (c->checker.how & KEPT_KNOWN) | KEPT_ANEW;
	c->follow = follow_new(like->kept, &c->checker, p);
	c->rules = calloc((size_t)n + 1, sizeof *c->rules);
	c->needed = calloc((size_t)n + 1, sizeof *c->needed);
	ok = c->follow != NULL && c->rules != NULL && c->needed != NULL;
	for (uint32_t i = 0; i < n && ok; i++)
		ok = know_share(&c->rules[i].know, &c->follow->know, i);
	return ok;
}

struct coverage *coverage_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			      struct nfart_error *e)
{
	struct coverage *c = calloc(1, sizeof *c);
	const struct kept *composed = NULL;
	bool ok = c != NULL, large = false;
	uint64_t work = 0;

	if (!ok) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	c->image = im;
	c->resets = engine_resets(im, o);
	if (rules_init(&c->rules, im, false, e) != NFART_OK || !copies_init(&c->map, im, o, e)) {
		coverage_free(c);
		return NULL;
	}
	for (uint32_t i = 0; i < c->rules.nkept; i++)
		large = large || c->rules.kept[i].system.nmoves > KEPT_MOST_MOVES;
	for (size_t i = 0; i < c->rules.checkers.n && composed == NULL; i++) {
		const struct kept *k = c->rules.checkers.at[i]->kept;

		work += (uint64_t)k->rules.n * k->composed.edges.n;
		if (work > COVERAGE_MOST_COMPOSED)
			composed = k;
	}
	if (composed != NULL)
		nfart_fail(e, NFART_USAGE, "the rules of %s are too large to count what needs "
			   "them: their states, which are not listed, are %" PRIu32 " edges of a "
			   "decision diagram, and for %" PRIu32 " rules%s that takes too long",
			   composed->file, composed->composed.edges.n, composed->rules.n,
			   c->rules.checkers.n > 1 ? " of each checker" : "");
	else if (large)
		nfart_fail(e, NFART_USAGE, "the rules of coherence are too large to count what "
			   "needs them: more than %d moves", KEPT_MOST_MOVES);
	else if (c->rules.checkers.n == 0)
		nfart_fail(e, NFART_USAGE, "the image keeps no rules of coherence: it has no "
			   "derived checker, was compiled with --no-names, or the system has "
			   "more than %d moves",
			   KEPT_MOST_MOVES);
	if (composed != NULL || large || c->rules.checkers.n == 0) {
		coverage_free(c);
		return NULL;
	}
	c->at = calloc(c->rules.checkers.n, sizeof *c->at);
	ok = c->at != NULL;
	for (; ok && c->n < c->rules.checkers.n; c->n++)
		ok = coverage_add(&c->at[c->n], c->rules.checkers.at[c->n], im->proto);
	if (ok)
		return c;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	coverage_free(c);
	return NULL;
}

void coverage_free(struct coverage *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->n; i++) {
		struct coverage_checker *x = &c->at[i];

		for (uint32_t r = 0; x->rules != NULL && r < c->rules.checkers.at[i]->kept->rules.n;
		     r++) {
			know_free(&x->rules[r].know);
			vec_free(&x->rules[r].jumps);
			hash_free(&x->rules[r].hash);
		}
		follow_free(x->follow);
		free(x->rules);
		free(x->needed);
		vec_free(&x->beliefs);
	}
	free(c->at);
	rules_free(&c->rules);
	free(c);
}

/* ---- one line ---- */

static uint64_t jump_hash(const void *rule, uint32_t id)
{
	const struct coverage_jump *j = &((const struct coverage_rule *)rule)->jumps.at[id];

	return hash_add(hash_add(0, j->belief), j->event);
}

static bool jump_same(const void *rule, uint32_t id, const void *key)
{
	const struct coverage_jump *a = &((const struct coverage_rule *)rule)->jumps.at[id];
	const struct coverage_jump *b = key;

	return a->belief == b->belief && a->event == b->event;
}

/* Returns the belief without the rule after a message that needed it. */
static uint32_t coverage_jump_to(struct coverage_rule *r, const struct know *all, uint32_t belief,
				 uint32_t event)
{
	struct coverage_jump j = { belief, event, 0 };
	uint64_t h = hash_add(hash_add(0, belief), event);
	size_t place;

	if (!hash_room(&r->hash, jump_hash, r)) {
		r->know.failed = true;
		return KNOW_ALL;
	}
	place = hash_find(&r->hash, h, jump_same, r, &j);
	if (hash_id(&r->hash, place) != HASH_NONE)
		return r->jumps.at[hash_id(&r->hash, place)].next;
	j.next = know_after_other(&r->know, all, belief, event);
	if (vec_push(&r->jumps, j))
		hash_put(&r->hash, place, (uint32_t)r->jumps.n - 1);
	else
		r->know.failed = true;
	return j.next;
}

/* Goes on from what is known of the line with all rules, as after a batch that does not count. */
static void coverage_resume(struct coverage_checker *c, const struct follow_line *l,
			    uint32_t *beliefs)
{
	for (uint32_t r = 0; r < c->follow->kept->rules.n; r++)
		beliefs[r] = know_like(&c->rules[r].know, &c->follow->know, l->beliefs.at[0]);
}

static bool coverage_message(struct coverage_checker *c, const struct follow_line *l,
			     uint32_t *beliefs)
{
	const struct know *all = &c->follow->know;
	uint32_t event = l->events[0];
	bool ok = true;

	c->messages++;
	for (uint32_t r = 0; r < c->follow->kept->rules.n; r++) {
		struct coverage_rule *rule = &c->rules[r];
		uint32_t next = know_after(&rule->know, beliefs[r], event);

		if (next == KEPT_NONE) {
			rule->needed++;
			next = coverage_jump_to(rule, all, l->before, event);
		}
		beliefs[r] = next;
		ok = ok && !rule->know.failed;
	}
	return ok;
}

/* Makes room for what is known, without each rule, of the last line. */
static bool coverage_add_line(struct coverage_checker *c, const struct follow_line *from)
{
	uint32_t n = c->follow->kept->rules.n, belief = from->before;
	size_t at = c->beliefs.n;

	if (!vec_reserve(&c->beliefs, n))
		return false;
	c->beliefs.n += n;
	for (uint32_t r = 0; r < n; r++)
		c->beliefs.at[at + r] =
			know_like(&c->rules[r].know, &c->follow->know, belief);
	return true;
}

static bool coverage_line(struct coverage_checker *c, uint64_t line, uint64_t time, uint64_t slots,
			  const uint64_t *header)
{
	struct follow_line *l =
		follow_put(c->follow, line, COVERAGE_REST, time, slots, header);
	uint32_t *beliefs, n = c->follow->kept->rules.n;

	if (l == NULL)
		return false;
	if ((size_t)l->id * n == c->beliefs.n && !coverage_add_line(c, l))
		return false;
	beliefs = c->beliefs.at + (size_t)l->id * n;
	if (l->verdict == FOLLOW_NOTHING)
		return true;
	if (l->verdict == FOLLOW_FINE && l->n == 1)
		return coverage_message(c, l, beliefs);
	c->errors += l->verdict == FOLLOW_WRONG;
	c->shared += l->verdict != FOLLOW_WRONG ? l->now : 0;
	coverage_resume(c, l, beliefs);
	return true;
}

/* ---- a batch ---- */

/* Takes the messages that are for all lines, in the lines that have none of their own. */
static bool coverage_rest(struct coverage_checker *c, const struct nfart_batch *b,
			  uint64_t broadcast, const uint64_t *done, size_t ndone)
{
	size_t n = c->follow->lines.n;
	bool ok = coverage_line(c, COVERAGE_REST, b->time, broadcast, b->header);

	for (size_t i = 0; i < n && ok; i++) {
		uint64_t line = c->follow->lines.at[i]->number;
		bool skip = line == COVERAGE_REST;

		for (size_t k = 0; k < ndone; k++)
			skip = skip || done[k] == line;
		if (!skip)
			ok = coverage_line(c, line, b->time, broadcast, b->header);
	}
	return ok;
}

bool coverage_put(struct coverage *c, const struct nfart_batch *b)
{
	const struct nfart_proto *p = c->image->proto;
	uint64_t line[NFART_SLOTS], slots[NFART_SLOTS], number, broadcast = 0;
	size_t n = 0, k;
	bool ok = true;

	if (b->mask == 0 && b->when == 0 && c->resets)
		coverage_begin(c);
	for (size_t s = bits_next(&b->mask, p->nslots, 0); s < p->nslots;
	     s = bits_next(&b->mask, p->nslots, s + 1)) {
		uint32_t code = proto_code(p, (uint32_t)s, b->header[s]);

		if (!c->map.any) {
			number = 0;
		} else if (!copies_of_message(&c->map, code, b->header[s], &number)) {
			broadcast |= (uint64_t)c->map.key[code].broadcast << s;
			continue;
		}
		for (k = 0; k < n && line[k] != number;)
			k++;
		if (k == n) {
			line[n] = number;
			slots[n++] = 0;
		}
		slots[k] |= (uint64_t)1 << s;
	}
	for (size_t i = 0; i < c->n && ok; i++) {
		for (k = 0; k < n && ok; k++)
			ok = coverage_line(&c->at[i], line[k], b->time, slots[k] | broadcast,
					   b->header);
		if (ok && broadcast != 0)
			ok = coverage_rest(&c->at[i], b, broadcast, line, n);
	}
	return ok;
}

/* ---- results ---- */

void coverage_begin(struct coverage *c)
{
	for (size_t i = 0; i < c->n; i++) {
		follow_reset(c->at[i].follow);
		c->at[i].beliefs.n = 0;
	}
}

size_t coverage_checkers(const struct coverage *c)
{
	return c->n;
}

struct coverage_counts coverage_of(const struct coverage *c, size_t i)
{
	const struct coverage_checker *x = &c->at[i];
	struct coverage_counts counts = { .kept = x->follow->kept, .checker = &x->checker,
					  .needed = x->needed, .messages = x->messages,
					  .shared = x->shared, .errors = x->errors };

	for (uint32_t r = 0; r < x->follow->kept->rules.n; r++) {
		x->needed[r] = x->rules[r].needed;
		counts.exercised += x->needed[r] != 0;
	}
	return counts;
}
