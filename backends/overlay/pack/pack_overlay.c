/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/pack/pack_overlay.h"

#include <string.h>

#include "backends/image/pack.h"
#include "backends/overlay/pack/pack_copies.h"
#include "backends/overlay/pack/pack_tests.h"

/* ---- configuration elements of an overlay ---- */

struct pack {
	const struct target_job *job;
	const struct overlay *o;
	uint32_t *words;       /* payload of the current element; for ROWS, one row of it */
	nfa_state_t *state_of; /* [nodes]: the state on each node; UINT32_MAX: none */
	uint32_t *decoder_of;  /* [predicates]: the shared decoder of each; UINT32_MAX: none */
	struct recode recode;
	uint32_t *letter_of;   /* [rows]: a letter that the row is for; UINT32_MAX: none */
};

static const struct nfa_state *state_at(const struct pack *p, uint32_t node)
{
	return p->state_of[node] == UINT32_MAX ? NULL : &p->job->nfa->states.at[p->state_of[node]];
}

static const struct pred *pred_of(const struct pack *p, pred_id_t id)
{
	return &p->job->nfa->preds->preds.at[id];
}

/* Returns the labels with which a state accepts; bit l stands for label l. */
static uint64_t label_mask(const struct pack *p, const struct nfa_state *q)
{
	const struct labelset *s = &p->job->nfa->labelsets.at[q->labels];
	uint64_t mask = 0;

	for (uint32_t i = 0; i < nfa_nlabels(p->job->nfa, q->labels); i++)
		mask |= (uint64_t)1 << s->labels[i];
	return mask;
}

/* Sets bit `bit` of repetition i of the element. */
static void set_bit(struct pack *p, const struct element *el, uint32_t i, uint32_t bit)
{
	words_set(p->words, element_place(el, p->o, i, bit), 1, 1);
}

/* Truth table `table` of repetition i is an OR of some of five inputs. Adds input k to that OR, by
 * setting every entry in whose number bit k is set. */
static void join_or(struct pack *p, const struct element *el, uint32_t i, uint32_t table,
		    uint32_t k)
{
	for (uint32_t in = 0; in < 32; in++)
		if ((in >> k & 1) != 0)
			set_bit(p, el, i, 32 * table + in);
}

/* Returns the value of element `id` for the STE on which state q is placed. */
static uint64_t ste_value(const struct pack *p, enum element_id id, const struct nfa_state *q)
{
	switch (id) {
	case EL_none:
		return q->pred != PRED_NONE && pred_of(p, q->pred)->none;
	case EL_select:
		return q->pred == PRED_NONE ? 0 : p->decoder_of[q->pred];
	case EL_start:
		return q->start;
	case EL_always:
		return q->always;
	default:
		return 0;
	}
}

static void pack_per_ste(struct pack *p, const struct element *el)
{
	uint32_t width = el->width(p->o), n = overlay_nste(p->o);

	for (uint32_t s = 0; s < n; s++)
		if (state_at(p, s) != NULL)
			words_set(p->words, (uint64_t)s * width, width,
				  ste_value(p, el->id, state_at(p, s)));
}

/* Packs the predecessors of each STE. EL_pred_mask has a bit for each predecessor. EL_pred_lut has
 * a truth table for every five predecessors, which is the OR of those that the NFA has. In
 * EL_pred_lut an `always` state needs no predecessors: all entries of its first table are 1. */
static void pack_preds(struct pack *p, const struct element *el)
{
	const struct nfa *a = p->job->nfa;

	for (size_t i = 0; i < a->edges.n; i++) {
		uint32_t from = p->job->made.ste[a->edges.at[i].from],
			 to = p->job->made.ste[a->edges.at[i].to];
		uint32_t k = (uint32_t)contract_pred_index(p->o, from, to);
		if (el->id == EL_pred_mask)
			set_bit(p, el, to, k);
		else if (!a->states.at[a->edges.at[i].to].always)
			join_or(p, el, to, k / 5, k % 5);
	}
	for (size_t s = 0; el->id == EL_pred_lut && s < a->states.n; s++)
		for (uint32_t in = 0; a->states.at[s].always && in < 32; in++)
			set_bit(p, el, p->job->made.ste[s], in);
}

/* Packs which nodes make a counter count or, if the element is EL_reset_mask or EL_reset_lut, which
 * nodes reset it. The form is that of pack_preds(): bits or truth tables. False: out of memory. */
static bool pack_ports(struct pack *p, const struct element *el)
{
	bool reset = el->id == EL_reset_mask || el->id == EL_reset_lut;
	uint32_t stes = overlay_nste(p->o);
	size_t n = 0;
	struct nfa_link *l = nfa_links(p->job->nfa, &n);

	for (size_t i = 0; l != NULL && i < n; i++) {
		uint32_t from = p->job->made.ste[l[i].from], to = p->job->made.ste[l[i].to];
		uint32_t k = (uint32_t)contract_pred_index(p->o, from, to);
		if (!(reset ? l[i].reset : l[i].count))
			continue;
		if (el->storage == STORAGE_CHAIN)
			set_bit(p, el, to - stes, k);
		else
			join_or(p, el, to - stes, k / 5, k % 5);
	}
	free(l);
	return l != NULL;
}

static void pack_counters(struct pack *p, const struct element *el)
{
	uint32_t width = el->width(p->o), stes = overlay_nste(p->o);

	for (uint32_t i = 0; i < overlay_ncounters(p->o); i++) {
		const struct nfa_state *q = state_at(p, stes + i);
		const struct nfa_counter *c;
		if (q == NULL)
			continue;
		c = &p->job->nfa->counters.at[q->counter];
		words_set(p->words, (uint64_t)i * width, width,
			  el->id == EL_threshold ? c->k : (uint64_t)c->mode);
	}
}

/* Packs which nodes accept with each label or, if the element is EL_log, which nodes log. For every
 * five nodes there is a truth table, which is the OR of those nodes that accept or log. */
static void pack_outputs(struct pack *p, const struct element *el)
{
	uint32_t groups = overlay_ngroup(p->o);

	for (size_t s = 0; s < p->job->nfa->states.n; s++) {
		const struct nfa_state *q = &p->job->nfa->states.at[s];
		uint32_t node = p->job->made.ste[s];
		for (uint64_t m = el->id == EL_log ? q->log : label_mask(p, q); m != 0; m &= m - 1)
			join_or(p, el, (uint32_t)__builtin_ctzll(m) * groups + node / 5, 0,
				node % 5);
	}
}

/* Does a predicate name the messages that read this row? */
static bool names_row(const struct pack *p, pred_id_t id, uint32_t row)
{
	return p->letter_of[row] != UINT32_MAX &&
	       bits_get(pred_of(p, id)->letters, p->letter_of[row]);
}

/* Packs a truth table for each slot of each STE: which rows of that slot are in the set of the
 * STE's predicate. */
static void pack_decode(struct pack *p, const struct element *el)
{
	uint32_t bits = overlay_row_bits(p->o);

	for (size_t s = 0; s < p->job->nfa->states.n; s++) {
		pred_id_t id = p->job->nfa->states.at[s].pred;
		for (uint32_t r = 0; id != PRED_NONE && r < overlay_nrow(p->o); r++)
			if (names_row(p, id, r))
				set_bit(p, el,
					p->job->made.ste[s] * overlay_nslots(p->o) + (r >> bits),
					r & ((1u << bits) - 1));
	}
}

static void pack_bank_none(struct pack *p)
{
	for (pred_id_t id = 0; id < p->job->nfa->preds->preds.n; id++)
		if (p->decoder_of[id] != UINT32_MAX)
			words_set(p->words, p->decoder_of[id], 1, pred_of(p, id)->none);
}

/* Returns how many halves of 32 bits are needed for `bits` bits, if only whole configuration words
 * are used. */
static size_t halves(const struct pack *p, uint64_t bits)
{
	uint32_t data = overlay_data(p->o);

	return (size_t)((bits + data - 1) / data * (data / 32));
}

/* Fills p->words with a row of a ROWS element. False: the row is all zero and need not be
 * stored. */
static bool fill_row(struct pack *p, const struct element *el, uint32_t row)
{
	bool any = false;

	memset(p->words, 0, halves(p, el->width(p->o)) * 4);
	if (el->id == EL_bank) {
		for (pred_id_t id = 0; id < p->job->nfa->preds->preds.n; id++)
			if (p->decoder_of[id] != UINT32_MAX && names_row(p, id, row)) {
				words_set(p->words, p->decoder_of[id], 1, 1);
				any = true;
			}
		return any;
	}
	for (nfa_state_t s = 0; s < p->job->nfa->states.n; s++) {
		pred_id_t id = p->job->nfa->states.at[s].pred;
		if (id != PRED_NONE && names_row(p, id, row)) {
			words_set(p->words, p->job->made.ste[s], 1, 1);
			any = true;
		}
	}
	return any;
}

/* Appends the rows of a ROWS element that are not zero. Before each group of 32 rows stands a bit
 * map that says which rows of the group follow. */
static void pack_rows(struct pack *p, const struct element *el, struct buf *b)
{
	uint32_t rows = element_count(el, p->o);
	size_t map = 0, width = halves(p, el->width(p->o));

	for (uint32_t r = 0; r < rows && !b->failed; r++) {
		if (r % 32 == 0) {
			map = b->n;
			for (size_t i = 0; i < halves(p, 32); i++)
				buf_le32(b, 0);
		}
		if (b->failed || !fill_row(p, el, r))
			continue;
		b->at[map + r % 32 / 8] =
			(char)((unsigned char)b->at[map + r % 32 / 8] | 1u << r % 8);
		for (size_t i = 0; i < width; i++)
			buf_le32(b, p->words[i]);
	}
}

static bool pack_bits(struct pack *p, const struct element *el, struct buf *b)
{
	size_t n = (size_t)element_words(el, p->o) * (overlay_data(p->o) / 32);
	bool ok = true;

	memset(p->words, 0, n * 4);
	if (el->id == EL_pred_mask || el->id == EL_pred_lut)
		pack_preds(p, el);
	else if (el->id == EL_label || el->id == EL_log)
		pack_outputs(p, el);
	else if (el->id == EL_decode)
		pack_decode(p, el);
	else if (el->id == EL_guard || el->id == EL_range || el->id == EL_payload_test)
		pack_tests(&p->recode, p->o, el, p->words);
	else if (el->id == EL_copies || el->id == EL_keyed)
		pack_copies(p->job, el, p->words);
	else if (el->id == EL_bank_none)
		pack_bank_none(p);
	else if (el->id == EL_threshold || el->id == EL_counter_mode)
		pack_counters(p, el);
	else if (el->per == PER_COUNTER)
		ok = pack_ports(p, el);
	else
		pack_per_ste(p, el);
	for (size_t i = 0; i < n; i++)
		buf_le32(b, p->words[i]);
	return ok;
}

/* Appends the words of element recode. If there is nothing to write, the element is one word 0. */
static void pack_writes(const struct pack *p, struct buf *b)
{
	size_t n = p->recode.writes.n;

	for (size_t i = 0; i < n || i == 0; i++) {
		buf_le32(b, n != 0 ? p->recode.writes.at[i] : 0);
		if (overlay_data(p->o) == 64)
			buf_le32(b, 0);
	}
}

/* ---- all elements ---- */

/* Finds how letters are recoded, and which letter each row is for. False: out of memory, or the
 * overlay has too few tests or rows. */
static bool recode(struct pack *p)
{
	const struct alphabet *a = &p->job->nfa->preds->alphabet;
	struct recode_need need;

	if (p->letter_of == NULL || recode_make(&p->recode, p->o, p->job->nfa, &need) != NFART_OK)
		return false;
	for (uint32_t r = 0; r < overlay_nrow(p->o); r++)
		p->letter_of[r] = UINT32_MAX;
	for (uint32_t l = 0; l < a->nletters; l++)
		p->letter_of[p->recode.row[l]] = l;
	return true;
}

/* Finds which state is on each node, and gives each predicate that is used a shared decoder.
 * False: the overlay has too few shared decoders. */
static bool place(struct pack *p)
{
	const struct nfa *a = p->job->nfa;
	uint32_t next = 0;

	for (uint32_t s = 0; s < overlay_nall(p->o); s++)
		p->state_of[s] = UINT32_MAX;
	for (size_t i = 0; i < a->preds->preds.n; i++)
		p->decoder_of[i] = UINT32_MAX;
	for (nfa_state_t s = 0; s < a->states.n; s++) {
		pred_id_t id = a->states.at[s].pred;
		p->state_of[p->job->made.ste[s]] = s;
		if (id != PRED_NONE && p->decoder_of[id] == UINT32_MAX)
			p->decoder_of[id] = next++;
	}
	return p->o->decoder != OVERLAY_BANK || next <= p->o->bank;
}

/* Returns how many halves are enough for the payload of any element. Of a ROWS element only one row
 * must fit. */
static size_t most_halves(const struct overlay *o)
{
	uint64_t most = 2;

	for (size_t i = 0; i < nelements; i++) {
		uint64_t n = elements[i].storage == STORAGE_ROWS ?
				     elements[i].width(o) / 32 + 2 :
				     element_words(&elements[i], o) * (overlay_data(o) / 32);
		if (n > most)
			most = n;
	}
	return (size_t)most;
}

static bool pack_element(struct pack *p, const struct element *el, struct buf *b)
{
	size_t head = pack_begin(el, b);
	bool ok = true;

	if (el->storage == STORAGE_REGISTER)
		pack_register(p->job, el, b);
	else if (el->storage == STORAGE_ROWS)
		pack_rows(p, el, b);
	else if (el->storage == STORAGE_WRITES)
		pack_writes(p, b);
	else
		ok = pack_bits(p, el, b);
	return ok && pack_end(p->job, head, b);
}

bool pack_overlay(const struct target_job *job, struct buf *b)
{
	struct pack p = { .job = job, .o = &job->made.overlay };
	size_t npreds = job->nfa->preds->preds.n;
	bool ok;

	p.words = malloc(most_halves(p.o) * 4);
	p.state_of = malloc(((size_t)overlay_nall(p.o) + 1) * sizeof *p.state_of);
	p.decoder_of = malloc((npreds + 1) * sizeof *p.decoder_of);
	p.letter_of = malloc(((size_t)overlay_nrow(p.o) + 1) * sizeof *p.letter_of);
	ok = p.words != NULL && p.state_of != NULL && p.decoder_of != NULL && recode(&p) &&
	     place(&p);
	for (size_t i = 0; i < nelements && ok; i++)
		if (!element_is_list(&elements[i]) && element_count(&elements[i], p.o) != 0)
			ok = pack_element(&p, &elements[i], b);
	free(p.words);
	free(p.state_of);
	free(p.decoder_of);
	free(p.letter_of);
	recode_free(&p.recode);
	return ok;
}
