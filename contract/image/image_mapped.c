/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the automaton of an overlay. The automaton has a state for each STE that can ever be
 * active, then a state for each counter that is used.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/image/decode.h"
#include "support/hash.h"
#include "support/vec.h"

struct stes {
	struct decode *d;
	uint32_t n,           /* how many STEs the overlay has */
		all;          /* how many nodes the overlay has: STEs, then counters */
	const uint32_t **row; /* [rows]: rows of the row memory; NULL: the row is absent */
	bool *used;           /* [all]: true if the node can be active */
	bool *always, *log;
	uint64_t *labels;    /* [all]: labels with which each node accepts, bit l for label l */
	uint32_t *number;    /* [all]: for each node that is used, the number of its state */
	uint32_t *npred;     /* [n]: how many predecessors each STE has */
	VEC(uint32_t) preds; /* nodes that are predecessors of the STEs, STE by STE */
	VEC(uint32_t) letters; /* the letters of the current predicate */
	struct hash_ids hash; /* finds the predicates in `table` */
	VEC(struct image_pred) table;
};

/* Returns the inputs of which a truth table is the OR, as a bit mask. -1: the table is not an OR,
 * or depends on an input that is not among the first n. */
static int or_inputs(uint32_t table, uint32_t n)
{
	uint32_t mask = 0;

	for (uint32_t i = 0; i < 5; i++)
		mask |= (table >> (1u << i) & 1) << i;
	for (uint32_t k = 0; k < 32; k++)
		if ((table >> k & 1) != ((k & mask) != 0))
			return -1;
	return n < 5 && mask >> n != 0 ? -1 : (int)mask;
}

/* Sets is[i] to whether repetition s of the element names neighbour i. The element is mask_id or
 * lut_id, whichever the overlay has. If the first table is all ones, *always becomes true; if
 * `always` is NULL, such a table is malformed. False: *t->d->why says what is malformed. */
static bool neighbours_named(struct stes *t, enum element_id mask_id, enum element_id lut_id,
			     uint32_t s, bool *is, bool *always)
{
	const struct overlay *o = &t->d->im->overlay;
	uint32_t npred = overlay_npred(o);

	if (o->predecessors == OVERLAY_MASK) {
		for (uint32_t i = 0; i < npred; i++)
			is[i] = decode_value(t->d, mask_id, s, i, 1) != 0;
		return true;
	}
	for (uint32_t i = 0; i < npred; i += 5) {
		uint32_t table = (uint32_t)decode_value(t->d, lut_id, s, 32 * (i / 5), 32);
		int mask = 0;
		if (i == 0 && always != NULL && table == UINT32_MAX)
			*always = true;
		else if ((mask = or_inputs(table, npred - i)) < 0)
			return decode_fail(t->d, "a predecessor table of the image is no OR");
		for (uint32_t k = i; k < i + 5 && k < npred; k++)
			is[k] = (mask >> (k - i) & 1) != 0;
	}
	return true;
}

/* Reads the predecessors of all STEs from the image. Fills t->preds, t->npred and t->always. False:
 * *t->d->why says what is malformed, or memory is short. */
static bool predecessors(struct stes *t)
{
	const struct overlay *o = &t->d->im->overlay;
	uint32_t degree = contract_degree(o), npred = overlay_npred(o);
	uint32_t *near = malloc((degree + 1) * sizeof *near);
	bool *is = calloc(npred + 5, sizeof *is), ok = near != NULL && is != NULL;

	for (uint32_t s = 0; ok && s < t->n; s++) {
		if (s % o->clique == 0)
			contract_neighbours(o, s / o->clique, near);
		ok = neighbours_named(t, EL_pred_mask, EL_pred_lut, s, is, &t->always[s]);
		if (o->predecessors == OVERLAY_MASK)
			t->always[s] = decode_value(t->d, EL_always, s, 0, 1) != 0;
		for (uint32_t i = 0; ok && i < npred; i++) {
			if (!is[i])
				continue;
			t->npred[s]++;
			ok = vec_push(&t->preds, contract_neighbour_node(o, near, i));
		}
	}
	free(near);
	free(is);
	return ok;
}

/* Reads with which labels each node accepts, and which nodes log, from elements `label` and `log`.
 * False: *t->d->why says what is malformed. */
static bool ste_outputs(struct stes *t)
{
	const struct overlay *o = &t->d->im->overlay;
	uint32_t groups = overlay_ngroup(o);

	for (uint32_t l = 0; l <= o->labels; l++)
		for (uint32_t g = 0; g < groups; g++) {
			uint32_t table = (uint32_t)(l < o->labels ?
				decode_value(t->d, EL_label, l * groups + g, 0, 32) :
				decode_value(t->d, EL_log, g, 0, 32));
			int mask = table == 0 ? 0 : or_inputs(table, t->all - 5 * g);
			if (mask < 0)
				return decode_fail(t->d, "an output table of the image is no OR");
			if (mask != 0 && l < o->labels && l >= t->d->im->labels.n)
				return decode_fail(
					t->d,
					"a state of the image has a label that does not exist");
			for (uint32_t s = 5 * g; mask != 0; s++, mask >>= 1) {
				if ((mask & 1) == 0)
					continue;
				if (l < o->labels)
					t->labels[s] |= (uint64_t)1 << l;
				else
					t->log[s] = true;
			}
		}
	return true;
}

/* Returns the row that the decoders read for a letter. */
static uint32_t row_of(const struct stes *t, uint32_t letter)
{
	const struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;

	if (letter >= im->alphabet.time)
		return (o->slots << overlay_row_bits(o)) + letter - im->alphabet.time;
	if (t->d->row_of != NULL)
		return t->d->row_of[letter];
	return (letter >> o->op_bits) << overlay_row_bits(o) | (letter & (overlay_opcodes(o) - 1));
}

/* Does the decoder of STE s match a row? */
static bool ste_matches(const struct stes *t, uint32_t s, uint32_t at)
{
	const struct overlay *o = &t->d->im->overlay;
	uint32_t column = s;
	const uint32_t *row = t->row[at];

	if (o->decoder == OVERLAY_STE)
		return decode_value(t->d, EL_decode,
				    s * overlay_nslots(o) + (at >> overlay_row_bits(o)),
				    at & (overlay_row_codes(o) - 1), 1) != 0;
	if (o->decoder == OVERLAY_BANK)
		column = (uint32_t)decode_value(t->d, EL_select, s, 0, overlay_select_bits(o));
	return row != NULL && (row[column / 32] >> column % 32 & 1) != 0;
}

static uint64_t hash_pred(const struct image_pred *p)
{
	return hash_numbers(p->none, p->letters.at, p->letters.n);
}

static uint64_t hash_of(const void *stes, uint32_t id)
{
	const struct stes *t = stes;

	return hash_pred(&t->table.at[id]);
}

static bool ste_same(const void *stes, uint32_t id, const void *key)
{
	const struct image_pred *p = &((const struct stes *)stes)->table.at[id], *q = key;

	return p->none == q->none && p->letters.n == q->letters.n &&
	       (p->letters.n == 0 || memcmp(p->letters.at, q->letters.at,
					    p->letters.n * sizeof *p->letters.at) == 0);
}

/* Returns the index in t->table of the predicate of STE s. Adds the predicate if it is new.
 * IMAGE_NO_PRED: *t->d->why says what is malformed, or memory is short. */
static uint32_t predicate(struct stes *t, uint32_t s)
{
	struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;
	struct image_pred p = { 0 };
	uint32_t *copy;
	size_t at;

	p.none = o->decoder == OVERLAY_BANK
			 ? decode_value(t->d, EL_bank_none,
					(uint32_t)decode_value(t->d, EL_select, s, 0,
							       overlay_select_bits(o)),
					0, 1)
			 : decode_value(t->d, EL_none, s, 0, 1);
	t->letters.n = 0;
	for (uint32_t l = 0; l < im->alphabet.nletters; l++) {
		if (!ste_matches(t, s, row_of(t, l)))
			continue;
		if (l < im->proto->codes.n && !bits_get(im->proto->codes.valid, l)) {
			*t->d->why = "a predicate of the image names the idle opcode";
			return IMAGE_NO_PRED;
		}
		if (!vec_push(&t->letters, l))
			return IMAGE_NO_PRED;
	}
	for (uint32_t i = o->slots << overlay_row_bits(o);
	     im->alphabet.time == IMAGE_NO_TIME && i < overlay_nrow(o); i++)
		if (ste_matches(t, s, i)) {
			*t->d->why = "a predicate of the image names a time, but it has no ticks";
			return IMAGE_NO_PRED;
		}
	if (!hash_room(&t->hash, hash_of, t))
		return IMAGE_NO_PRED;
	p.letters = (struct image_list){ (uint32_t)t->letters.n, t->letters.at };
	at = hash_find(&t->hash, hash_pred(&p), ste_same, t, &p);
	if (hash_id(&t->hash, at) != HASH_NONE)
		return hash_id(&t->hash, at);
	copy = arena_array(&im->arena, t->letters.n, sizeof *copy);
	if (copy == NULL)
		return IMAGE_NO_PRED;
	if (t->letters.n != 0)
		memcpy(copy, t->letters.at, t->letters.n * sizeof *copy);
	p.letters = (struct image_list){ (uint32_t)t->letters.n, copy };
	if (!vec_push(&t->table, p))
		return IMAGE_NO_PRED;
	hash_put(&t->hash, at, (uint32_t)t->table.n - 1);
	return (uint32_t)t->table.n - 1;
}

static bool select_in_range(const struct stes *t)
{
	const struct overlay *o = &t->d->im->overlay;

	for (uint32_t s = 0; o->decoder == OVERLAY_BANK && s < t->n; s++)
		if (decode_value(t->d, EL_select, s, 0, overlay_select_bits(o)) >= o->bank)
			return false;
	return true;
}

/* Makes a label set of the labels of node s. Label set i + 1 belongs to state i; label set 0 is
 * empty. False: out of memory. */
static bool node_labels(struct stes *t, uint32_t s)
{
	struct nfart_image *im = t->d->im;
	uint64_t mask = t->labels[s];
	uint32_t count = 0, *labels =
		arena_array(&im->arena, (size_t)__builtin_popcountll(mask), sizeof *labels);

	if (labels == NULL)
		return false;
	for (uint32_t l = 0; l < OVERLAY_MOST_labels; l++)
		if ((mask >> l & 1) != 0)
			labels[count++] = l;
	im->nfa.states[t->number[s]].labelset = mask == 0 ? 0 : t->number[s] + 1;
	im->nfa.labelsets[t->number[s] + 1] = (struct image_list){ count, labels };
	return true;
}

static uint32_t threshold(const struct stes *t, uint32_t counter)
{
	return (uint32_t)decode_value(t->d, EL_threshold, counter, 0,
				      t->d->im->overlay.counter_width);
}

/* Makes a state for each STE that can be active and for each counter that is used. False:
 * *t->d->why says what is malformed, or memory is short. */
static bool make_states(struct stes *t)
{
	struct nfart_image *im = t->d->im;
	uint32_t n = 0;

	for (uint32_t s = 0; s < t->all; s++) {
		t->used[s] = s >= t->n ? threshold(t, s - t->n) != 0 :
				     decode_value(t->d, EL_start, s, 0, 1) || t->always[s] ||
					     t->npred[s] != 0;
		t->number[s] = n;
		n += t->used[s];
	}
	im->nfa.nstates = n;
	im->nfa.states = arena_array(&im->arena, n, sizeof *im->nfa.states);
	im->nfa.nlabelsets = n + 1;
	im->nfa.labelsets = arena_array(&im->arena, (size_t)n + 1, sizeof *im->nfa.labelsets);
	if (im->nfa.states == NULL || im->nfa.labelsets == NULL)
		return false;
	for (uint32_t s = 0; s < t->n; s++) {
		struct image_state *q = &im->nfa.states[t->number[s]];
		if (!t->used[s])
			continue;
		q->node = s;
		q->flags = (uint8_t)((decode_value(t->d, EL_start, s, 0, 1) ? STATE_START : 0) |
				     (t->always[s] ? STATE_ALWAYS : 0) |
				     (t->log[s] ? STATE_LOG : 0));
		q->pred = IMAGE_NO_PRED;
		if ((t->npred[s] != 0 || (q->flags & STATE_ALWAYS) != 0) &&
		    (q->pred = predicate(t, s)) == IMAGE_NO_PRED)
			return false;
		if (!node_labels(t, s))
			return false;
	}
	for (uint32_t s = t->n; s < t->all; s++) {
		if (!t->used[s])
			continue;
		im->nfa.states[t->number[s]] = (struct image_state){
			.pred = IMAGE_NO_PRED,
			.node = s,
			.flags = (uint8_t)(STATE_COUNTER | (t->log[s] ? STATE_LOG : 0)),
		};
		if (!node_labels(t, s))
			return false;
	}
	return true;
}

/* Fills *out with the states of those neighbours of a counter that an element names. The element is
 * mask_id or lut_id, whichever the overlay has. `near` is as in contract_neighbour_node(). is[] is
 * scratch space. False: *t->d->why says what is malformed, or memory is short. */
static bool counter_list(struct stes *t, enum element_id mask_id, enum element_id lut_id,
			 uint32_t counter, bool *is, const uint32_t *near, struct image_list *out)
{
	struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;
	uint32_t npred = overlay_npred(o), *at = arena_array(&im->arena, npred, sizeof *at);

	if (at == NULL || !neighbours_named(t, mask_id, lut_id, counter, is, NULL))
		return false;
	out->n = 0;
	out->at = at;
	for (uint32_t i = 0; i < npred; i++) {
		uint32_t node = is[i] ? contract_neighbour_node(o, near, i) : 0;
		if (is[i] && node >= t->n)
			return decode_fail(t->d, "a counter of the image counts another counter");
		if (is[i] && t->used[node])
			at[out->n++] = t->number[node];
	}
	return true;
}

static bool make_counters(struct stes *t)
{
	struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;
	uint32_t *near = malloc((contract_degree(o) + (size_t)1) * sizeof *near), n = t->all - t->n;
	bool *is = calloc(overlay_npred(o) + (size_t)5, sizeof *is),
	     ok = near != NULL && is != NULL;

	im->nfa.counters = arena_array(&im->arena, n, sizeof *im->nfa.counters);
	ok = ok && im->nfa.counters != NULL;
	for (uint32_t i = 0; ok && i < n; i++) {
		struct image_counter c = { .state = t->number[t->n + i], .k = threshold(t, i) };
		uint64_t mode = decode_value(t->d, EL_counter_mode, i, 0, 2);
		if (mode > COUNTER_ROLL || (c.k == 0 && mode != COUNTER_PULSE))
			ok = decode_fail(t->d, "a counter of the image has no such mode");
		if (!ok || c.k == 0)
			continue;
		c.mode = (enum counter_mode)mode;
		contract_neighbours(o, contract_clique_of(o, t->n + i), near);
		ok = counter_list(t, EL_count_mask, EL_count_lut, i, is, near, &c.count) &&
		     counter_list(t, EL_reset_mask, EL_reset_lut, i, is, near, &c.reset);
		im->nfa.counters[im->nfa.ncounters++] = c;
	}
	free(near);
	free(is);
	return ok;
}

static bool mapped_edges(struct stes *t)
{
	uint32_t *from = malloc((t->preds.n + 1) * sizeof *from);
	uint32_t *to = malloc((t->preds.n + 1) * sizeof *to), m = 0;
	size_t k = 0;
	bool ok = from != NULL && to != NULL;

	for (uint32_t s = 0; ok && s < t->n; s++)
		for (uint32_t i = 0; i < t->npred[s]; i++, k++)
			if (t->used[t->preds.at[k]]) {
				from[m] = t->number[t->preds.at[k]];
				to[m++] = t->number[s];
			}
	ok = ok && decode_successors(t->d->im, from, to, m);
	free(from);
	free(to);
	return ok;
}

bool decode_mapped(struct decode *d)
{
	struct nfart_image *im = d->im;
	struct stes t = { .d = d,
			  .n = overlay_nste(&im->overlay),
			  .all = overlay_nall(&im->overlay) };
	bool ok;

	t.row = calloc(overlay_nrow(&im->overlay) + (size_t)1, sizeof *t.row);
	t.used = calloc(t.all + 1, sizeof *t.used);
	t.number = calloc(t.all + 1, sizeof *t.number);
	t.npred = calloc(t.n + 1, sizeof *t.npred);
	t.always = calloc(t.n + 5, sizeof *t.always);
	t.log = calloc(t.all + 5, sizeof *t.log);
	t.labels = calloc(t.all + 5, sizeof *t.labels);
	ok = t.row != NULL && t.used != NULL && t.number != NULL && t.npred != NULL &&
	     t.always != NULL && t.log != NULL && t.labels != NULL;
	if (ok && im->overlay.decoder != OVERLAY_STE)
		image_rows(im, &d->at[im->overlay.decoder == OVERLAY_BANK ? EL_bank : EL_match],
			   t.row);
	if (ok && !select_in_range(&t))
		ok = decode_fail(d, "an STE of the image selects a decoder that does not exist");
	ok = ok && predecessors(&t) && ste_outputs(&t) && make_states(&t) && make_counters(&t) &&
	     mapped_edges(&t);
	if (ok) {
		im->nfa.npreds = (uint32_t)t.table.n;
		im->nfa.preds = arena_array(&im->arena, t.table.n, sizeof *im->nfa.preds);
		ok = im->nfa.preds != NULL;
		if (ok && t.table.n != 0)
			memcpy(im->nfa.preds, t.table.at, t.table.n * sizeof *im->nfa.preds);
	}
	free(t.row);
	free(t.used);
	free(t.number);
	free(t.npred);
	free(t.always);
	free(t.log);
	free(t.labels);
	hash_free(&t.hash);
	vec_free(&t.preds);
	vec_free(&t.letters);
	vec_free(&t.table);
	return ok;
}
