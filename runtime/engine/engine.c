/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The software engine: executes an image batch by batch, as the hardware does.
 *
 * A batch becomes the set of predicates that hold for it. A predicate of mode Any holds if it names
 * the code of one of the batch's messages; a predicate of mode None holds if it names none of these
 * codes. A state is active after the batch if its predicate holds, and if it is an *always* state
 * (it needs no predecessor) or a successor of a state that was active before.
 *
 * With substreams there is one copy of the automaton for each line. The step is done once for each
 * line that the batch touches, on the copy of this line and with the messages of this line. A copy
 * is made when its line is first seen.
 *
 * Counters are states that no transition enters. Each counter counts or not, depending on which
 * other states, those of earlier counters included, are active after the batch. So counters come
 * after all other states, in the order of the image.
 */
#include "runtime/engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- making and freeing an engine ---- */

static bool tables(struct nfart_engine *en)
{
	const struct nfart_image *im = en->im;

	en->words = bits_words(im->nstates) + (im->nstates == 0);
	en->pwords = bits_words(im->npreds) + (im->npreds == 0);
	en->rows = arena_array(&en->arena, im->proto->ncodes, en->pwords * 8);
	en->none = arena_array(&en->arena, en->pwords, 8);
	en->truth = arena_array(&en->arena, en->pwords, 8);
	en->start = arena_array(&en->arena, en->words, 8);
	en->output = arena_array(&en->arena, en->words, 8);
	en->next = arena_array(&en->arena, en->words, 8);
	en->labels = arena_array(&en->arena, bits_words(im->nlabels) + 1, 8);
	en->always = arena_array(&en->arena, im->nstates, sizeof *en->always);
	if (en->rows == NULL || en->none == NULL || en->truth == NULL || en->start == NULL ||
	    en->output == NULL || en->next == NULL || en->labels == NULL || en->always == NULL)
		return false;
	for (uint32_t p = 0; p < im->npreds; p++) {
		if (im->preds[p].none)
			bits_set(en->none, p);
		for (uint32_t i = 0; i < im->preds[p].letters.n; i++)
			bits_set(en->rows + im->preds[p].letters.at[i] * en->pwords, p);
	}
	for (uint32_t s = 0; s < im->nstates; s++) {
		const struct image_state *q = &im->states[s];
		if ((q->flags & STATE_START) != 0)
			bits_set(en->start, s);
		if ((q->flags & STATE_ALWAYS) != 0)
			en->always[en->nalways++] = s;
		if (q->labelset != 0 || (q->flags & STATE_LOG) != 0)
			bits_set(en->output, s);
	}
	return true;
}

static bool choose_lines(struct nfart_engine *en, const struct nfart_engine_options *o,
			 struct nfart_error *e)
{
	const struct nfart_image *im = en->im;

	en->by_line = im->by_line || o->has_substream;
	en->first_line = o->has_substream ? o->base >> im->proto->line_shift : im->first_line;
	en->nlines = o->has_substream ? o->count : im->nlines;
	if (!en->by_line)
		return true;
	/* Line numbers end at UINT64_MAX. If the range of lines went beyond this, the subtraction
	 * in step_lines() would wrap. */
	if (en->nlines > UINT64_MAX - en->first_line)
		en->nlines = UINT64_MAX - en->first_line;
	if (en->nlines == 0) {
		nfart_fail(e, NFART_USAGE, "a substream has at least one line");
		return false;
	}
	if (!im->overlay.none && en->nlines > im->overlay.lines) {
		nfart_fail(e, NFART_NOFIT,
			   "%" PRIu64 " lines, but the overlay observes at most %" PRIu32,
			   en->nlines, im->overlay.lines);
		return false;
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
	en->reset_on_loss = o->reset_on_loss;
	en->epoch = 1;
	if (!choose_lines(en, o, e)) {
		nfart_engine_free(en);
		return NULL;
	}
	if (!tables(en)) {
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
	vec_free(&en->found);
	vec_free(&en->copies);
	free(en->active);
	free(en->counts);
	free(en->hash);
	free(en);
}

void nfart_engine_reset(struct nfart_engine *en)
{
	en->epoch++;
}

/* ---- copies of the automaton ---- */

static size_t place(const struct nfart_engine *en, uint64_t line)
{
	size_t i = (line * 0x9e3779b97f4a7c15u >> 20) & (en->nhash - 1);

	while (en->hash[i] != 0 && en->copies.at[en->hash[i] - 1].line != line)
		i = (i + 1) & (en->nhash - 1);
	return i;
}

static bool grow_hash(struct nfart_engine *en)
{
	size_t n = en->nhash == 0 ? 64 : en->nhash * 2;
	uint32_t *h = calloc(n, sizeof *h);

	if (h == NULL)
		return false;
	free(en->hash);
	en->hash = h;
	en->nhash = n;
	for (size_t i = 0; i < en->copies.n; i++)
		h[place(en, en->copies.at[i].line)] = (uint32_t)i + 1;
	return true;
}

static bool add_copy(struct nfart_engine *en, uint64_t line)
{
	struct copy c = { line, 0 };

	if (en->copies.n == en->active_cap) {
		size_t cap = en->active_cap == 0 ? 16 : en->active_cap * 2;
		size_t ncounters = en->im->ncounters + 1u;
		uint64_t *p;
		uint32_t *k;
		if (cap > SIZE_MAX / 16 / en->words || cap > SIZE_MAX / 16 / ncounters)
			return false;
		p = realloc(en->active, cap * en->words * 8);
		if (p == NULL)
			return false;
		en->active = p;
		k = realloc(en->counts, cap * ncounters * sizeof *k);
		if (k == NULL)
			return false;
		en->counts = k;
		en->active_cap = cap;
	}
	return en->copies.n < UINT32_MAX - 1 && vec_push(&en->copies, c);
}

bool engine_copy(struct nfart_engine *en, uint64_t line, uint64_t **active, uint32_t **counts)
{
	struct copy *c;
	size_t i;

	if (en->copies.n * 2 >= en->nhash && !grow_hash(en))
		return false;
	i = place(en, line);
	if (en->hash[i] == 0) {
		if (!add_copy(en, line))
			return false;
		en->hash[i] = (uint32_t)en->copies.n;
	}
	c = &en->copies.at[en->hash[i] - 1];
	*active = en->active + (en->hash[i] - 1) * en->words;
	*counts = en->counts + (size_t)(en->hash[i] - 1) * (en->im->ncounters + 1u);
	if (c->epoch != en->epoch) {
		memcpy(*active, en->start, en->words * 8);
		memset(*counts, 0, en->im->ncounters * sizeof **counts);
		c->epoch = en->epoch;
	}
	return true;
}

/* ---- stepping ---- */

void engine_truth(struct nfart_engine *en, const uint32_t *codes, size_t n)
{
	memset(en->truth, 0, en->pwords * 8);
	for (size_t i = 0; i < n; i++) {
		const uint64_t *row = en->rows + codes[i] * en->pwords;
		for (size_t w = 0; w < en->pwords; w++)
			en->truth[w] |= row[w];
	}
	for (size_t w = 0; w < en->pwords; w++)
		en->truth[w] ^= en->none[w];
}

void engine_advance(struct nfart_engine *en, uint64_t *active)
{
	const struct nfart_image *im = en->im;

	memset(en->next, 0, en->words * 8);
	for (uint32_t i = 0; i < en->nalways; i++)
		if (bits_get(en->truth, im->states[en->always[i]].pred))
			bits_set(en->next, en->always[i]);
	for (size_t w = 0; w < en->words; w++)
		for (uint64_t m = active[w]; m != 0; m &= m - 1) {
			size_t s = w * 64 + (size_t)__builtin_ctzll(m);
			for (uint32_t i = im->succ_first[s]; i < im->succ_first[s + 1]; i++)
				if (bits_get(en->truth, im->states[im->succ[i]].pred))
					bits_set(en->next, im->succ[i]);
		}
	memcpy(active, en->next, en->words * 8);
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
	for (uint32_t i = 0; i < en->im->ncounters; i++) {
		const struct image_counter *c = &en->im->counters[i];
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

bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t line,
		    struct nfart_result *r)
{
	const struct nfart_image *im = en->im;

	for (size_t w = 0; w < en->words; w++)
		for (uint64_t m = active[w] & en->output[w]; m != 0; m &= m - 1) {
			const struct image_state *q =
				&im->states[w * 64 + (size_t)__builtin_ctzll(m)];
			const struct image_list *set = &im->labelsets[q->labelset];
			r->logged |= (q->flags & STATE_LOG) != 0;
			r->accepted |= set->n != 0;
			for (uint32_t i = 0; i < set->n; i++) {
				struct nfart_line l = { set->at[i], line << im->proto->line_shift };
				bits_set(en->labels, set->at[i]);
				if (r->by_line && !vec_push(&en->found, l))
					return false;
			}
		}
	return true;
}

static bool step_copy(struct nfart_engine *en, uint64_t line, const uint32_t *codes, size_t n,
		      struct nfart_result *r)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(en, line, &active, &counts))
		return false;
	engine_truth(en, codes, n);
	engine_advance(en, active);
	engine_count(en, active, counts);
	return engine_collect(en, active, line, r);
}

/* Steps the copy of each observed line that has a message in the batch. The lines come in the order
 * of their first messages. `mask` is the set of slots that have a message. False: out of memory. */
static bool step_lines(struct nfart_engine *en, const struct nfart_batch *b, uint64_t mask,
		       struct nfart_result *r)
{
	const struct nfart_proto *p = en->im->proto;
	uint64_t line[NFART_SLOTS];
	uint32_t code[NFART_SLOTS], mine[NFART_SLOTS];
	size_t n = 0;

	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		code[n] = proto_code(p, s, b->header[s]);
		line[n] = proto_line(p, b->header[s]);
		if (bits_get(p->has_addr, code[n]) && line[n] - en->first_line < en->nlines)
			n++;
	}
	while (n != 0) {
		size_t k = 0, left = 0;
		uint64_t l = line[0];
		for (size_t i = 0; i < n; i++) {
			if (line[i] == l) {
				mine[k++] = code[i];
				continue;
			}
			line[left] = line[i];
			code[left++] = code[i];
		}
		if (!step_copy(en, l, mine, k, r))
			return false;
		n = left;
	}
	return true;
}

static int by_label(const void *x, const void *y)
{
	const struct nfart_line *a = x, *b = y;

	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

/* Sorts by label and address the lines that accepted a batch. Removes repeated lines, which occur
 * when several states of one copy have the same label. */
static void sort_lines(struct nfart_engine *en)
{
	size_t k = 0;

	if (en->found.n > 1)
		qsort(en->found.at, en->found.n, sizeof *en->found.at, by_label);
	for (size_t i = 0; i < en->found.n; i++)
		if (k == 0 || by_label(&en->found.at[k - 1], &en->found.at[i]) != 0)
			en->found.at[k++] = en->found.at[i];
	en->found.n = k;
}

void engine_begin(struct nfart_engine *en, struct nfart_result *r)
{
	memset(en->labels, 0, bits_words(en->im->nlabels) * 8);
	memset(r, 0, sizeof *r);
	r->labels = en->labels;
	r->nlabels = en->im->nlabels;
	r->by_line = en->lines && en->by_line;
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
	uint32_t codes[NFART_SLOTS];
	uint64_t mask;
	size_t n = 0;
	bool ok;

	engine_begin(en, r);
	mask = b->mask & (p->nslots == 64 ? UINT64_MAX : ((uint64_t)1 << p->nslots) - 1);
	if (mask == 0) {
		if (en->reset_on_loss)
			nfart_engine_reset(en);
		return true;
	}
	if (en->by_line) {
		ok = step_lines(en, b, mask, r);
	} else {
		for (uint64_t m = mask; m != 0; m &= m - 1) {
			uint32_t s = (uint32_t)__builtin_ctzll(m);
			codes[n++] = proto_code(p, s, b->header[s]);
		}
		ok = step_copy(en, 0, codes, n, r);
	}
	engine_end(en, r);
	return ok;
}
