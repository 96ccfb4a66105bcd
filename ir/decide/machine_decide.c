/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/decide/machine_decide.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

enum { MOST_BATCHES = 1 << 12, MOST_CONFIGS = 1 << 24, NO_CONFIG = UINT32_MAX };

/* A batch that the predicates tell apart from others: the predicates of both sides that hold, as
 * bit sets over ids, are in the row `truth`. Its messages are a chain of nodes. */
struct node {
	uint32_t before, letter; /* `before` is NO_CONFIG for the first message */
};

struct decide {
	const struct pred_table *p[2];
	const struct machine *m[2];
	size_t words[2];      /* how many words a set of predicate ids has */
	uint64_t work, most;
	bool no_memory, limit;

	size_t row_words;     /* words[0] + words[1] + 1: the last word says: it has a message */
	VEC(uint64_t) rows;   /* the batches: which atoms are hit, and later which hold */
	VEC(uint32_t) last;   /* [batches]: the node of its last message, or NO_CONFIG */
	VEC(struct node) nodes;

	/* Pairs of configurations. */
	struct {
		size_t size;           /* how many numbers a pair has */
		VEC(uint32_t) configs; /* `size` numbers for each pair */
		VEC(uint32_t) from, by; /* [pairs]: the pair before it, and the batch between them */
		struct hash_ids hash;  /* finds them */
	} pairs;
};

/* ---- machines that are written alike ---- */

static bool same_pred(const struct decide *d, pred_id_t x, pred_id_t y)
{
	const struct pred *a = &d->p[0]->preds.at[x], *b = &d->p[1]->preds.at[y];

	return a->none == b->none && memcmp(a->letters, b->letters, d->p[0]->words * 8) == 0;
}

static bool same_cond(const struct decide *d, const struct machine_cond *x,
		      const struct machine_cond *y)
{
	if (x->nterms != y->nterms || x->nwhen != y->nwhen ||
	    (x->nwhen != 0 && memcmp(x->when, y->when, x->nwhen * sizeof *x->when) != 0))
		return false;
	for (uint32_t i = 0; i < x->nterms; i++) {
		const struct machine_term *s = &x->terms[i], *t = &y->terms[i];

		if (s->kind != t->kind || (s->kind == MACHINE_PRED ? !same_pred(d, s->pred, t->pred)
								   : s->counter != t->counter))
			return false;
	}
	return true;
}

static bool same_counter(const struct decide *d, const struct machine_counter *x,
			 const struct machine_counter *y)
{
	if (x->k != y->k || x->mode != y->mode || x->count.n != y->count.n ||
	    x->reset.n != y->reset.n)
		return false;
	for (size_t i = 0; i < x->count.n; i++)
		if (!same_cond(d, &x->count.at[i], &y->count.at[i]))
			return false;
	for (size_t i = 0; i < x->reset.n; i++)
		if (!same_cond(d, &x->reset.at[i], &y->reset.at[i]))
			return false;
	return true;
}

static bool same_set(const uint32_t *x, uint32_t nx, const uint32_t *y, uint32_t ny)
{
	return nx == ny && (nx == 0 || memcmp(x, y, nx * sizeof *x) == 0);
}

/* Returns what a batch that ends in these states shows of a difference; NULL: nothing. */
static const char *differ(const struct machine_state *x, const struct machine_state *y)
{
	if (!same_set(x->labels, x->nlabels, y->labels, y->nlabels))
		return "labels";
	if (!same_set(x->outputs, x->noutputs, y->outputs, y->noutputs))
		return "outputs";
	return x->log != y->log ? "the log mark" : NULL;
}

static bool written_alike(const struct decide *d)
{
	const struct machine *x = d->m[0], *y = d->m[1];

	if (x->orders != y->orders || x->start != y->start || x->counters.n != y->counters.n ||
	    x->states.n != y->states.n || x->moves.n != y->moves.n)
		return false;
	for (size_t i = 0; i < x->counters.n; i++)
		if (!same_counter(d, &x->counters.at[i], &y->counters.at[i]))
			return false;
	for (size_t i = 0; i < x->states.n; i++)
		if (differ(&x->states.at[i], &y->states.at[i]) != NULL)
			return false;
	for (size_t i = 0; i < x->moves.n; i++) {
		const struct machine_move *s = &x->moves.at[i], *t = &y->moves.at[i];

		if (s->from != t->from || s->to != t->to || !same_cond(d, &s->cond, &t->cond))
			return false;
	}
	return true;
}

/* ---- batches ---- */

/* Adds the row unless it is there. It is that of batch `before` with one more letter. */
static void add_row(struct decide *d, const uint64_t *row, uint32_t before, uint32_t letter)
{
	size_t n = d->last.n;

	for (size_t i = 0; i < n; i++)
		if (memcmp(d->rows.at + i * d->row_words, row, d->row_words * 8) == 0)
			return;
	if (n == MOST_BATCHES) {
		d->limit = true;
		return;
	}
	if (!vec_push(&d->nodes, ((struct node){ before, letter })) ||
	    !vec_push(&d->last, (uint32_t)d->nodes.n - 1) || !vec_reserve(&d->rows, d->row_words)) {
		d->no_memory = true;
		return;
	}
	memcpy(d->rows.at + d->rows.n, row, d->row_words * 8);
	d->rows.n += d->row_words;
}

/* Makes `row` that of batch i with one more letter. */
static void hit(const struct decide *d, size_t i, uint32_t letter, uint64_t *row)
{
	memcpy(row, d->rows.at + i * d->row_words, d->row_words * 8);
	for (int side = 0; side < 2; side++)
		for (size_t id = 0; id < d->p[side]->preds.n; id++)
			if (bits_get(d->p[side]->preds.at[id].letters, letter))
				bits_set(row + (side == 0 ? 0 : d->words[0]), id);
}

/* Adds the batches that have a further letter of the slot. */
static void add_slot(struct decide *d, uint32_t slot, uint64_t *row)
{
	const struct alphabet *a = &d->p[0]->alphabet;
	size_t n = d->last.n;

	for (uint32_t l = 0; l < a->nletters && !d->limit && !d->no_memory; l++) {
		if (!bits_get(d->p[0]->visible, l) || alphabet_slot(a, l) != slot)
			continue;
		for (size_t i = 0; i < n && !d->limit && !d->no_memory; i++) {
			hit(d, i, l, row);
			row[d->row_words - 1] = 1;
			add_row(d, row, d->last.at[i], l);
		}
	}
}

/* Takes away the batches before `from`, and those that have neither message nor special time. */
static void keep_batches(struct decide *d, size_t from)
{
	size_t k = 0;

	for (size_t i = from; i < d->last.n; i++) {
		const uint64_t *row = d->rows.at + i * d->row_words;

		if (row[d->row_words - 1] == 0)
			continue;
		memmove(d->rows.at + k * d->row_words, row, d->row_words * 8);
		d->last.at[k++] = d->last.at[i];
	}
	d->last.n = k;
	d->rows.n = k * d->row_words;
}

/* Every batch fills the time slot. With plain time it has a message, too. */
static void add_time(struct decide *d, uint64_t *row)
{
	uint32_t time = d->p[0]->alphabet.time;
	size_t n = d->last.n;

	for (uint32_t t = 0; t < IMAGE_TIMES && time != IMAGE_NO_TIME; t++)
		for (size_t i = 0; i < n && bits_get(d->p[0]->visible, time + t); i++) {
			hit(d, i, time + t, row);
			row[d->row_words - 1] |= t != 0;
			if (row[d->row_words - 1] == 0)
				continue;
			row[d->row_words - 1] = 2; /* not the row of a batch without time */
			add_row(d, row, d->last.at[i], time + t);
		}
	keep_batches(d, time == IMAGE_NO_TIME ? 0 : n);
}

/* Turns atoms that are hit into predicates that hold. */
static void find_truth(struct decide *d)
{
	for (size_t i = 0; i < d->last.n; i++)
		for (int side = 0; side < 2; side++)
			for (size_t id = 0; id < d->p[side]->preds.n; id++)
				if (d->p[side]->preds.at[id].none)
					d->rows.at[i * d->row_words +
						   (side == 0 ? 0 : d->words[0]) + id / 64] ^=
						(uint64_t)1 << id % 64;
}

static void find_batches(struct decide *d)
{
	uint64_t *row;

	d->words[0] = bits_words(d->p[0]->preds.n);
	d->words[1] = bits_words(d->p[1]->preds.n);
	d->row_words = d->words[0] + d->words[1] + 1;
	row = calloc(d->row_words, sizeof *row);
	if (row == NULL || !vec_push(&d->last, NO_CONFIG) ||
	    !vec_reserve(&d->rows, d->row_words)) {
		free(row);
		d->no_memory = true;
		return;
	}
	memset(d->rows.at, 0, d->row_words * 8);
	d->rows.n = d->row_words;
	for (uint32_t s = 0; s < d->p[0]->proto->nslots && !d->limit && !d->no_memory; s++)
		add_slot(d, s, row);
	if (!d->limit && !d->no_memory)
		add_time(d, row);
	find_truth(d);
	free(row);
}

/* ---- pairs of configurations ---- */

static uint64_t hash_of(const void *decide, uint32_t id)
{
	const struct decide *d = decide;

	return hash_numbers(0, d->pairs.configs.at + (size_t)id * d->pairs.size, d->pairs.size);
}

static bool config_same(const void *decide, uint32_t id, const void *key)
{
	const struct decide *d = decide;

	return memcmp(d->pairs.configs.at + (size_t)id * d->pairs.size, key,
		      d->pairs.size * sizeof *d->pairs.configs.at) == 0;
}

/* Adds a pair unless it is there. */
static void add_pair(struct decide *d, const uint32_t *config, uint32_t from, uint32_t by)
{
	size_t i;

	if (!hash_room(&d->pairs.hash, hash_of, d)) {
		d->no_memory = true;
		return;
	}
	i = hash_find(&d->pairs.hash, hash_numbers(0, config, d->pairs.size), config_same, d,
		      config);
	if (hash_id(&d->pairs.hash, i) != HASH_NONE)
		return;
	if (d->pairs.from.n == MOST_CONFIGS) {
		d->limit = true;
		return;
	}
	if (!vec_reserve(&d->pairs.configs, d->pairs.size) || !vec_push(&d->pairs.from, from) ||
	    !vec_push(&d->pairs.by, by)) {
		d->no_memory = true;
		return;
	}
	memcpy(d->pairs.configs.at + d->pairs.configs.n, config, d->pairs.size * sizeof *config);
	d->pairs.configs.n += d->pairs.size;
	hash_put(&d->pairs.hash, i, (uint32_t)d->pairs.from.n - 1);
}

/* Steps both machines of the pair `config` by a batch, in place. Returns what differs, or NULL. */
static const char *config_step(struct decide *d, uint32_t *config, size_t batch)
{
	const uint64_t *truth = d->rows.at + batch * d->row_words;
	uint32_t *y = config + 1 + d->m[0]->counters.n;

	config[0] = machine_next(d->m[0], truth, config[0], config + 1);
	y[0] = machine_next(d->m[1], truth + d->words[0], y[0], y + 1);
	return differ(&d->m[0]->states.at[config[0]], &d->m[1]->states.at[y[0]]);
}

/* ---- the answer ---- */

static uint32_t *reversed(struct decide *d, uint32_t pair, size_t *n)
{
	uint32_t *batch, k;

	*n = 0;
	for (k = pair; d->pairs.from.at[k] != NO_CONFIG; k = d->pairs.from.at[k])
		++*n;
	batch = malloc((*n + 2) * sizeof *batch);
	if (batch == NULL)
		return NULL;
	k = pair;
	for (size_t i = *n; i-- > 0; k = d->pairs.from.at[k])
		batch[i] = d->pairs.by.at[k];
	return batch;
}

/* Makes the stream that leads to the pair, and then has a last batch. */
static void make_witness(struct decide *d, uint32_t pair, uint32_t last,
			 struct machine_answer *out)
{
	VEC(uint32_t) first = { 0 }, letter = { 0 };
	size_t n = 0;
	uint32_t *batch = reversed(d, pair, &n);
	bool ok = batch != NULL && vec_push(&first, 0);

	if (ok)
		batch[n++] = last;
	for (size_t i = 0; i < n && ok; i++) {
		size_t begin = letter.n, end;

		for (uint32_t k = d->last.at[batch[i]]; k != NO_CONFIG && ok;
		     k = d->nodes.at[k].before)
			ok = vec_push(&letter, d->nodes.at[k].letter);
		end = letter.n;
		for (size_t k = begin; k < --end; k++) { /* the chain is in falling order */
			uint32_t swap = letter.at[k];
			letter.at[k] = letter.at[end];
			letter.at[end] = swap;
		}
		ok = ok && vec_push(&first, (uint32_t)letter.n);
	}
	free(batch);
	out->witness = (struct decide_stream){ n, first.at, letter.at };
	d->no_memory = d->no_memory || !ok;
}

/* Runs the machines side by side. */
static void explore(struct decide *d, struct machine_answer *out)
{
	uint32_t *config = calloc(d->pairs.size, sizeof *config);
	size_t level = 0, end = 1; /* the pairs of a level end before `end` */

	if (config == NULL) {
		d->no_memory = true;
		return;
	}
	config[0] = d->m[0]->start;
	config[1 + d->m[0]->counters.n] = d->m[1]->start;
	add_pair(d, config, NO_CONFIG, 0);
	for (size_t i = 0; i < d->pairs.from.n && !d->no_memory && !d->limit; i++) {
		if (i == end) {
			end = d->pairs.from.n;
			level++;
		}
		for (uint32_t b = 0; b < d->last.n && !d->no_memory && !d->limit; b++) {
			memcpy(config, d->pairs.configs.at + i * d->pairs.size,
			       d->pairs.size * sizeof *config);
			d->limit = d->work++ >= d->most;
			out->what = config_step(d, config, b);
			if (out->what != NULL) {
				make_witness(d, (uint32_t)i, b, out);
				free(config);
				out->verdict = DECIDE_NO;
				return;
			}
			add_pair(d, config, (uint32_t)i, b);
		}
	}
	free(config);
	out->depth = level;
	out->verdict = !d->limit ? DECIDE_YES : level != 0 ? DECIDE_BOUNDED : DECIDE_GAVEUP;
}

void machine_decide(const struct pred_table *px, const struct machine *x,
		    const struct pred_table *py, const struct machine *y, uint64_t most,
		    struct machine_answer *out)
{
	struct decide d = { .p = { px, py }, .m = { x, y }, .most = most,
			    .pairs.size = 2 + x->counters.n + y->counters.n };

	memset(out, 0, sizeof *out);
	if (written_alike(&d)) {
		out->verdict = DECIDE_YES;
		out->work = 1 + x->moves.n + x->states.n;
		return;
	}
	out->verdict = DECIDE_GAVEUP;
	if (x->orders != 0 || y->orders != 0)
		return;
	find_batches(&d);
	if (!d.limit && !d.no_memory)
		explore(&d, out);
	if (d.no_memory)
		out->verdict = DECIDE_NO_MEMORY;
	out->work = d.work;
	vec_free(&d.rows);
	vec_free(&d.last);
	vec_free(&d.nodes);
	vec_free(&d.pairs.configs);
	vec_free(&d.pairs.from);
	vec_free(&d.pairs.by);
	hash_free(&d.pairs.hash);
}

void machine_answer_free(struct machine_answer *out)
{
	free((void *)out->witness.first);
	free((void *)out->witness.letter);
	memset(out, 0, sizeof *out);
}
