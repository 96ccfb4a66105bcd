/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The software engine: executes an image batch by batch, as the hardware does.
 *
 * A batch becomes the set of predicates that hold for it. Each of its messages has a letter, and so
 * has its time if the image has a time slot (image.h, Note [letters]). A predicate of mode Any
 * holds if it names one of the letters; a predicate of mode None holds if it names none of them. A
 * state is active after the batch if its predicate holds, and if it is an *always* state (it needs
 * no predecessor) or a successor of a state that was active before.
 *
 * With substreams there is one copy of the automaton for each observed line or value. A batch steps
 * the copies that have a message in it, each with its own messages. A batch that is for all copies
 * steps every copy (engine.h, Note [the rest]).
 *
 * Counters are states that no transition enters. Each counter counts or not, depending on which
 * other states, those of earlier counters included, are active after the batch. So counters come
 * after all other states, in the order of the image.
 *
 * Machines (machine.h) share predicates with the automaton, and nothing else. Each has one active
 * state, or, if it has `orders` (orders.h), a set of them.
 *
 * If rules are followed (runtime/rules/judge.h), a copy accepts with the label of their checker
 * only what they forbid.
 */
#include "runtime/engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/machine.h"
#include "runtime/trace/batch.h"
#include "support/order.h"

/* ---- making and freeing an engine ---- */

static bool engine_tables(struct nfart_engine *en)
{
	const struct nfart_image *im = en->im;

	en->words = bits_words(im->nfa.nstates) + (im->nfa.nstates == 0);
	en->pwords = bits_words(im->nfa.npreds) + (im->nfa.npreds == 0);
	en->table.rows = arena_array(&en->arena, im->alphabet.nletters, en->pwords * 8);
	en->table.none = arena_array(&en->arena, en->pwords, 8);
	en->scratch.truth = arena_array(&en->arena, en->pwords, 8);
	en->table.start = arena_array(&en->arena, en->words, 8);
	en->table.output = arena_array(&en->arena, en->words, 8);
	en->scratch.next = arena_array(&en->arena, en->words, 8);
	en->rest.active = arena_array(&en->arena, en->words, 8);
	en->rest.counts = arena_array(&en->arena, im->nfa.ncounts + 1u, sizeof *en->rest.counts);
	en->labels = arena_array(&en->arena, bits_words(im->labels.n) + 1, 8);
	en->table.always = arena_array(&en->arena, im->nfa.nstates, sizeof *en->table.always);
	en->scratch.after = arena_array(&en->arena, en->words, 8);
	en->scratch.orders = arena_array(&en->arena, orders_words(im), 8);
	en->scratch.batch.none = en->table.none;
	if (en->table.rows == NULL || en->table.none == NULL || en->scratch.truth == NULL ||
	    en->table.start == NULL || en->table.output == NULL || en->scratch.next == NULL ||
	    en->labels == NULL || en->table.always == NULL || en->rest.active == NULL ||
	    en->rest.counts == NULL || en->scratch.after == NULL ||
	    en->scratch.orders == NULL)
		return false;
	for (uint32_t p = 0; p < im->nfa.npreds; p++) {
		if (im->nfa.preds[p].none)
			bits_set(en->table.none, p);
		for (uint32_t i = 0; i < im->nfa.preds[p].letters.n; i++)
			bits_set(en->table.rows + im->nfa.preds[p].letters.at[i] * en->pwords, p);
	}
	for (uint32_t s = 0; s < im->nfa.nstates; s++) {
		const struct image_state *q = &im->nfa.states[s];
		if ((q->flags & STATE_START) != 0)
			bits_set(en->table.start, s);
		if ((q->flags & STATE_ALWAYS) != 0)
			en->table.always[en->table.nalways++] = s;
		if (q->labelset != 0 || (q->flags & STATE_LOG) != 0)
			bits_set(en->table.output, s);
	}
	return true;
}

struct nfart_engine *nfart_engine_new(const struct nfart_image *im,
				      const struct nfart_engine_options *o, struct nfart_error *e)
{
	struct nfart_engine *en = calloc(1, sizeof *en);

	if (en == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	en->im = im;
	en->lines = o->lines;
	en->reset_on_loss = engine_resets(im, o);
	en->tick = im->stream.tick != 0 && o->tick != 0 ? o->tick : im->stream.tick;
	en->pool.epoch = 1;
	if (!copies_init(&en->map, im, o, e) ||
	    (im->stream.follow && judge_init(&en->judge, im, e) != NFART_OK)) {
		nfart_engine_free(en);
		return NULL;
	}
	if (!engine_tables(en) || !joins_init(&en->joins, im, &en->map)) {
		nfart_engine_free(en);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	return en;
}

void nfart_engine_free(struct nfart_engine *en)
{
	if (en == NULL)
		return;
	arena_free(&en->arena);
	joins_free(&en->joins);
	judge_free(&en->judge);
	vec_free(&en->found);
	vec_free(&en->pool.copies);
	free(en->pool.active);
	free(en->pool.counts);
	hash_free(&en->pool.hash);
	free(en);
}

void nfart_engine_reset(struct nfart_engine *en)
{
	en->pool.epoch++;
	en->pool.live = 0;
	joins_reset(&en->joins);
	judge_reset(&en->judge);
}

/* ---- copies of the automaton ---- */

static uint64_t hash_number(uint64_t number)
{
	return number * 0x9e3779b97f4a7c15u >> 20;
}

static uint64_t hash_of(const void *engine, uint32_t id)
{
	const struct nfart_engine *en = engine;

	return hash_number(en->pool.copies.at[id].number);
}

static bool engine_same(const void *engine, uint32_t id, const void *number)
{
	const struct nfart_engine *en = engine;

	return en->pool.copies.at[id].number == *(const uint64_t *)number;
}

/* Returns the place of a copy, or the free one where it belongs. */
static size_t copy_place(const struct nfart_engine *en, uint64_t number)
{
	return hash_find(&en->pool.hash, hash_number(number), engine_same, en, &number);
}

static bool add_copy(struct nfart_engine *en, uint64_t number)
{
	struct copy c = { .number = number };

	if (en->pool.copies.n == en->pool.cap) {
		size_t cap = en->pool.cap == 0 ? 16 : en->pool.cap * 2;
		size_t ncounters = en->im->nfa.ncounts + 1u;
		uint64_t *p;
		uint32_t *k;
		if (cap > SIZE_MAX / 16 / en->words || cap > SIZE_MAX / 16 / ncounters)
			return false;
		p = realloc(en->pool.active, cap * en->words * 8);
		if (p == NULL)
			return false;
		en->pool.active = p;
		k = realloc(en->pool.counts, cap * ncounters * sizeof *k);
		if (k == NULL)
			return false;
		en->pool.counts = k;
		en->pool.cap = cap;
	}
	return en->pool.copies.n < UINT32_MAX - 1 && vec_push(&en->pool.copies, c);
}

void engine_rest(struct nfart_engine *en, uint64_t **active, uint32_t **counts)
{
	*active = en->rest.active;
	*counts = en->rest.counts;
	if (en->rest.epoch == en->pool.epoch)
		return;
	memcpy(*active, en->table.start, en->words * 8);
	memset(*counts, 0, en->im->nfa.ncounts * sizeof **counts);
	en->rest.epoch = en->pool.epoch;
}

bool engine_in_rest(const struct nfart_engine *en, uint64_t number)
{
	uint32_t i = en->pool.copies.n == 0 ? HASH_NONE
					    : hash_id(&en->pool.hash, copy_place(en, number));

	return i == HASH_NONE || en->pool.copies.at[i].epoch != en->pool.epoch;
}

bool engine_names_rest(struct nfart_engine *en)
{
	en->unnamed |= en->map.n - en->pool.live > ENGINE_MOST_NAMED;
	return !en->unnamed;
}

bool engine_copy(struct nfart_engine *en, uint64_t number, uint64_t **active, uint32_t **counts)
{
	uint64_t *rest_active;
	uint32_t *rest_counts;
	struct copy *c;
	size_t place, i;

	if (!hash_room(&en->pool.hash, hash_of, en))
		return false;
	place = copy_place(en, number);
	if (hash_id(&en->pool.hash, place) == HASH_NONE) {
		if (!add_copy(en, number))
			return false;
		hash_put(&en->pool.hash, place, (uint32_t)en->pool.copies.n - 1);
	}
	i = hash_id(&en->pool.hash, place);
	c = &en->pool.copies.at[i];
	*active = en->pool.active + i * en->words;
	*counts = en->pool.counts + i * (en->im->nfa.ncounts + 1u);
	if (c->epoch != en->pool.epoch) {
		engine_rest(en, &rest_active, &rest_counts);
		memcpy(*active, rest_active, en->words * 8);
		memcpy(*counts, rest_counts, en->im->nfa.ncounts * sizeof **counts);
		c->epoch = en->pool.epoch;
		en->pool.live++;
	}
	return true;
}

/* ---- stepping ---- */

void engine_truth(struct nfart_engine *en, const uint32_t *letters, size_t n)
{
	memset(en->scratch.truth, 0, en->pwords * 8);
	en->scratch.batch.n = 0;
	for (size_t i = 0; i < n; i++) {
		const uint64_t *row = en->table.rows + letters[i] * en->pwords;
		if (letters[i] < en->im->alphabet.time)
			en->scratch.batch.row[en->scratch.batch.n++] = row;
		for (size_t w = 0; w < en->pwords; w++)
			en->scratch.truth[w] |= row[w];
	}
	for (size_t w = 0; w < en->pwords; w++)
		en->scratch.truth[w] ^= en->table.none[w];
}

void engine_advance(struct nfart_engine *en, uint64_t *active)
{
	const struct nfart_image *im = en->im;

	memset(en->scratch.next, 0, en->words * 8);
	for (uint32_t i = 0; i < en->table.nalways; i++)
		if (bits_get(en->scratch.truth, im->nfa.states[en->table.always[i]].pred))
			bits_set(en->scratch.next, en->table.always[i]);
	for (size_t w = 0; w < en->words; w++)
		for (uint64_t m = active[w]; m != 0; m &= m - 1) {
			size_t s = w * 64 + (size_t)__builtin_ctzll(m);
			for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1]; i++)
				if (bits_get(en->scratch.truth,
					     im->nfa.states[im->nfa.succ[i]].pred))
					bits_set(en->scratch.next, im->nfa.succ[i]);
		}
	memcpy(active, en->scratch.next, en->words * 8);
}

static bool any_active(const uint64_t *active, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (bits_get(active, l->at[i]))
			return true;
	return false;
}

void engine_count(const struct nfart_engine *en, uint64_t *active, uint32_t *counts)
{
	for (uint32_t i = 0; i < en->im->nfa.ncounters; i++) {
		const struct image_counter *c = &en->im->nfa.counters[i];
		bool reached = false;
		if (any_active(active, &c->reset))
			counts[i] = 0;
		else if (counts[i] < c->k && any_active(active, &c->count))
			reached = ++counts[i] == c->k;
		if (reached || (c->mode == COUNTER_LATCH && counts[i] == c->k))
			bits_set(active, c->state);
		if (reached && c->mode == COUNTER_ROLL)
			counts[i] = 0;
	}
}

/* Has a state the label of a checker that is followed, which finds nothing wrong? It is a state of
 * that checker's machine, so it has this label alone. */
static bool is_explained(const struct nfart_engine *en, const struct image_list *set)
{
	return en->im->stream.follow && set->n == 1 &&
	       bits_get(en->judge.followed, set->at[0]) && !bits_get(en->judge.wrong, set->at[0]);
}

bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t number,
		    struct nfart_result *r)
{
	const struct nfart_image *im = en->im;

	for (size_t w = 0; w < en->words; w++)
		for (uint64_t m = active[w] & en->table.output[w]; m != 0; m &= m - 1) {
			const struct image_state *q =
				&im->nfa.states[w * 64 + (size_t)__builtin_ctzll(m)];
			const struct image_list *set = &im->nfa.labelsets[q->labelset];
			if (is_explained(en, set))
				continue;
			r->logged |= (q->flags & STATE_LOG) != 0;
			r->accepted |= image_accepts(im, set);
			for (uint32_t i = 0; i < set->n; i++) {
				struct nfart_line l = { set->at[i], number };
				bits_set(en->labels, set->at[i]);
				if (r->by_line && !vec_push(&en->found, l))
					return false;
			}
		}
	return true;
}

/* Has one of the active states labels or outputs? */
static bool has_labels(const struct nfart_engine *en, const uint64_t *active)
{
	for (size_t w = 0; w < en->words; w++)
		for (uint64_t m = active[w] & en->table.output[w]; m != 0; m &= m - 1) {
			size_t s = w * 64 + (size_t)__builtin_ctzll(m);
			if (en->im->nfa.labelsets[en->im->nfa.states[s].labelset].n != 0)
				return true;
		}
	return false;
}

bool engine_collect_rest(struct nfart_engine *en, const uint64_t *active, struct nfart_result *r)
{
	bool by_line = r->by_line, named = by_line && has_labels(en, active), ok = true;

	r->by_line = false;
	ok = engine_collect(en, active, 0, r);
	r->by_line = by_line;
	ok = ok && (!named || engine_names_rest(en));
	for (uint64_t i = 0; ok && named && i < en->map.n; i++)
		ok = !engine_in_rest(en, i) || engine_collect(en, active, i, r);
	return ok;
}

/* Steps a copy. Machines look at the state that was active before. */
static void engine_move(struct nfart_engine *en, uint64_t *active, uint32_t *counts)
{
	const struct nfart_image *im = en->im;

	if (im->nfa.nmachines != 0)
		memset(en->scratch.after, 0, en->words * 8);
	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		const struct image_machine *m = &im->nfa.machines[i];

		if (m->orders != 0)
			orders_step(im, m, &en->scratch.batch, active, en->scratch.after,
				    en->scratch.orders);
		else
			bits_set(en->scratch.after,
				 machine_step(m, en->scratch.truth, machine_state(m, active),
					      counts, NULL));
	}
	engine_advance(en, active);
	engine_count(en, active, counts);
	for (size_t w = 0; w < en->words && im->nfa.nmachines != 0; w++)
		active[w] |= en->scratch.after[w];
}

/* What a batch has for its copies: letters of messages, each with the number of a copy, and then
 * letters that every copy sees. */
struct parts {
	size_t own, common;
	uint64_t number[NFART_SLOTS];
	uint32_t letter[NFART_SLOTS], common_letter[NFART_SLOTS + 1];
	uint32_t slot[NFART_SLOTS]; /* of the messages for copies */
	uint64_t common_slots;      /* those of messages that every copy sees */
	const struct nfart_batch *batch;
};

/* Lets the judge see what a copy sees in these slots. False: out of memory. */
static bool engine_judge(struct nfart_engine *en, uint64_t copy, const struct nfart_batch *b,
			 uint64_t slots)
{
	return !en->im->stream.follow || judge_put(&en->judge, copy, b, slots);
}

/* Steps each copy that has a message of its own. The copies come in the order of their first
 * messages. */
static bool step_own(struct nfart_engine *en, struct parts *p, struct nfart_result *r)
{
	uint32_t mine[NFART_SLOTS + NFART_SLOTS + 1], *counts;
	uint64_t *active;

	while (p->own != 0) {
		size_t k = p->common, left = 0;
		uint64_t number = p->number[0], slots = p->common_slots;
		memcpy(mine, p->common_letter, k * sizeof *mine);
		for (size_t i = 0; i < p->own; i++) {
			if (p->number[i] == number) {
				mine[k++] = p->letter[i];
				slots |= (uint64_t)1 << p->slot[i];
				continue;
			}
			p->number[left] = p->number[i];
			p->slot[left] = p->slot[i];
			p->letter[left++] = p->letter[i];
		}
		if (!engine_copy(en, number, &active, &counts))
			return false;
		en->pool.copies.at[hash_id(&en->pool.hash, copy_place(en, number))].batch =
			en->pool.batches;
		engine_truth(en, mine, k);
		engine_move(en, active, counts);
		if (!engine_judge(en, number, p->batch, slots) ||
		    !engine_collect(en, active, number, r))
			return false;
		p->own = left;
	}
	return true;
}

/* Steps all copies that have no message of their own in this batch, and the rest. */
static bool step_others(struct nfart_engine *en, const struct parts *p, struct nfart_result *r)
{
	uint32_t *counts;
	uint64_t *active;

	engine_truth(en, p->common_letter, p->common);
	for (size_t i = 0; i < en->pool.copies.n; i++) {
		struct copy *c = &en->pool.copies.at[i];
		if (c->epoch != en->pool.epoch || c->batch == en->pool.batches)
			continue;
		active = en->pool.active + i * en->words;
		engine_move(en, active, en->pool.counts + i * (en->im->nfa.ncounts + 1u));
		if (!engine_judge(en, c->number, p->batch, p->common_slots) ||
		    !engine_collect(en, active, c->number, r))
			return false;
	}
	if (en->pool.live == en->map.n)
		return true;
	engine_rest(en, &active, &counts);
	engine_move(en, active, counts);
	return engine_judge(en, JUDGE_REST, p->batch, p->common_slots) &&
	       engine_collect_rest(en, active, r);
}

/* Returns the letter of the message in a slot, which has this code. */
static uint32_t letter_of(const struct nfart_image *im, uint32_t code, const struct nfart_batch *b,
			  uint32_t slot)
{
	struct record_message m;

	if (im->alphabet.payload_words == 0)
		return image_letter(im, code, b->header[slot]);
	m = batch_message(b, slot);
	return image_letter_of(im, code, &m);
}

/* Steps the copies for which a batch is. `mask` is the set of slots that have a message. False: out
 * of memory. */
static bool step_copies(struct nfart_engine *en, const struct nfart_batch *b, uint64_t mask,
			struct nfart_result *r)
{
	const struct nfart_image *im = en->im;
	uint64_t number[NFART_SLOTS], own = joins_batch(&en->joins, mask, b->header, number);
	bool all = false;
	struct parts p;

	p.own = p.common = 0;
	p.common_slots = 0;
	p.batch = b;
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		uint32_t code = proto_code(im->proto, s, b->header[s]);
		uint32_t letter = letter_of(im, code, b, s);
		if (im->substreams.key[code].broadcast) {
			p.common_letter[p.common++] = letter;
			p.common_slots |= m & -m;
			all = true;
		} else if ((own & m & -m) != 0) {
			p.number[p.own] = number[s];
			p.slot[p.own] = s;
			p.letter[p.own++] = letter;
		}
	}
	if (im->alphabet.time != IMAGE_NO_TIME) {
		p.common_letter[p.common++] =
			im->alphabet.time + (b->when & (NFART_TICK | NFART_END));
		all |= b->when != 0;
	}
	return step_own(en, &p, r) && (!all || step_others(en, &p, r));
}

static bool step_only(struct nfart_engine *en, const struct nfart_batch *b, uint64_t mask,
		      struct nfart_result *r)
{
	const struct nfart_image *im = en->im;
	uint32_t letters[NFART_SLOTS + 1], *counts;
	uint64_t *active;
	size_t n = 0;

	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		letters[n++] = letter_of(im, proto_code(im->proto, s, b->header[s]), b, s);
	}
	if (im->alphabet.time != IMAGE_NO_TIME)
		letters[n++] = im->alphabet.time + (b->when & (NFART_TICK | NFART_END));
	if (!engine_copy(en, 0, &active, &counts))
		return false;
	engine_truth(en, letters, n);
	engine_move(en, active, counts);
	return engine_judge(en, 0, b, mask) && engine_collect(en, active, 0, r);
}

static int by_label(const void *x, const void *y)
{
	const struct nfart_line *a = x, *b = y;

	return order_2(a->label, b->label, a->address, b->address);
}

/* Sorts by label and number the copies that accepted a batch. Removes repeated copies, which occur
 * when several states of one copy have the same label. Then replaces their numbers by what is shown
 * of them. */
static void sort_lines(struct nfart_engine *en)
{
	size_t k = 0;

	if (en->found.n > 1)
		qsort(en->found.at, en->found.n, sizeof *en->found.at, by_label);
	for (size_t i = 0; i < en->found.n; i++)
		if (k == 0 || by_label(&en->found.at[k - 1], &en->found.at[i]) != 0)
			en->found.at[k++] = en->found.at[i];
	en->found.n = k;
	for (size_t i = 0; i < k; i++)
		en->found.at[i].address = copies_shown(&en->map, en->found.at[i].address);
}

void engine_begin(struct nfart_engine *en, struct nfart_result *r)
{
	memset(en->labels, 0, bits_words(en->im->labels.n) * 8);
	memset(r, 0, sizeof *r);
	r->labels = en->labels;
	r->nlabels = en->im->labels.n;
	r->by_line = en->lines && en->map.any;
	en->found.n = 0;
}

void engine_end(struct nfart_engine *en, struct nfart_result *r)
{
	sort_lines(en);
	r->lines = en->found.at;
	r->nlines = en->found.n;
}

bool nfart_engine_step(struct nfart_engine *en, const struct nfart_batch *b, struct nfart_result *r)
{
	const struct nfart_proto *p = en->im->proto;
	uint64_t mask;
	bool ok;

	engine_begin(en, r);
	mask = b->mask & (p->nslots == 64 ? UINT64_MAX : ((uint64_t)1 << p->nslots) - 1);
	if (mask == 0 && b->when == 0) {
		if (en->reset_on_loss)
			nfart_engine_reset(en);
		return true;
	}
	if (mask == 0 && en->im->alphabet.time == IMAGE_NO_TIME)
		return true;
	en->pool.batches++;
	ok = (en->map.any ? step_copies : step_only)(en, b, mask, r);
	engine_end(en, r);
	return ok;
}
