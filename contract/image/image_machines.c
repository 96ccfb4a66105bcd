/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the machines of a sparse image (image.h, Note [machines in images]). The section is
 * hostile: a number of things is believed only if so many words follow.
 */
#include "contract/image/decode.h"

/* What is being read. */
struct reader {
	struct nfart_image *im;
	struct cursor c;
	bool no_memory;
};

static void reader_wrong(struct reader *r)
{
	r->c.bad = true;
}

/* Returns an array of n elements, each of which takes at least `least` words of the section. NULL:
 * so many words don't follow, or memory is short. */
static void *reader_array(struct reader *r, uint32_t n, size_t least, size_t size)
{
	void *p;

	if (r->c.bad || n > r->c.n / least) {
		reader_wrong(r);
		return NULL;
	}
	p = arena_array(&r->im->arena, n, size);
	r->no_memory = r->no_memory || p == NULL;
	return p;
}

static void read_terms(struct reader *r, uint32_t n, uint32_t counters, struct image_cond *cond)
{
	struct image_term *terms = reader_array(r, n, 2, sizeof *terms);

	cond->terms = terms;
	cond->nterms = n;
	if (n == 0)
		reader_wrong(r);
	for (uint32_t i = 0; i < n && terms != NULL; i++) {
		uint32_t kind = cursor_take(&r->c);

		terms[i].kind = (enum image_term_kind)kind;
		terms[i].what = cursor_take(&r->c);
		if (kind > IMAGE_TERM_NOT_AT ||
		    terms[i].what >= (kind == IMAGE_TERM_PRED ? r->im->nfa.npreds : counters))
			reader_wrong(r);
	}
}

/* Reads a condition of a machine, which may use the first `counters` counters. */
static void read_cond(struct reader *r, const struct image_machine *m, uint32_t counters,
		      struct image_cond *cond)
{
	uint32_t *when;

	read_terms(r, cursor_take(&r->c), counters, cond);
	cond->when.n = cursor_take(&r->c);
	when = reader_array(r, cond->when.n, 1, sizeof *when);
	cond->when.at = when;
	for (uint32_t i = 0; i < cond->when.n && when != NULL; i++) {
		when[i] = cursor_take(&r->c);
		if (when[i] >= m->nstates || (i != 0 && when[i] <= when[i - 1]))
			reader_wrong(r);
	}
}

static const struct image_cond *read_conds(struct reader *r, const struct image_machine *m,
					   uint32_t counters, uint32_t n)
{
	struct image_cond *conds = reader_array(r, n, 4, sizeof *conds);

	for (uint32_t i = 0; i < n && conds != NULL && !r->c.bad; i++)
		read_cond(r, m, counters, &conds[i]);
	return conds;
}

static void read_counters(struct reader *r, struct image_machine *m)
{
	struct image_machine_counter *counters = reader_array(r, m->ncounters, 4, sizeof *counters);

	m->counters = counters;
	for (uint32_t i = 0; i < m->ncounters && counters != NULL && !r->c.bad; i++) {
		struct image_machine_counter *c = &counters[i];
		uint32_t mode;

		c->k = cursor_take(&r->c);
		mode = cursor_take(&r->c);
		c->mode = (enum counter_mode)mode;
		c->ncount = cursor_take(&r->c);
		c->nreset = cursor_take(&r->c);
		if (c->k == 0 || mode > COUNTER_ROLL)
			reader_wrong(r);
		c->count = read_conds(r, m, i, c->ncount);
		c->reset = read_conds(r, m, i, c->nreset);
	}
}

static void read_moves(struct reader *r, struct image_machine *m)
{
	struct image_move *moves = reader_array(r, m->nmoves, 6, sizeof *moves);

	m->moves = moves;
	for (uint32_t i = 0; i < m->nmoves && moves != NULL && !r->c.bad; i++) {
		moves[i].from = cursor_take(&r->c);
		moves[i].to = cursor_take(&r->c);
		if ((moves[i].from != IMAGE_ANY_STATE && moves[i].from >= m->nstates) ||
		    moves[i].to >= m->nstates)
			reader_wrong(r);
		read_cond(r, m, m->ncounters, &moves[i].cond);
	}
}

/* Returns the source of a move, or the number of states if it starts in every state. */
static uint32_t source_of(const struct image_machine *m, uint32_t move)
{
	uint32_t from = m->moves[move].from;

	return from != IMAGE_ANY_STATE ? from : m->nstates;
}

/* Sorts the moves by source. */
static void index_moves(struct reader *r, struct image_machine *m)
{
	uint32_t *first = arena_array(&r->im->arena, (size_t)m->nstates + 3, sizeof *first);
	uint32_t *order = arena_array(&r->im->arena, m->nmoves, sizeof *order);

	m->first_move = first;
	m->by_source = order;
	if (first == NULL || order == NULL) {
		r->no_memory = true;
		return;
	}
	/* first[s + 2] counts the moves of s; then first[s + 1] is where those of s begin. */
	for (uint32_t i = 0; i < m->nmoves; i++)
		first[source_of(m, i) + 2]++;
	for (uint32_t s = 0; s <= m->nstates; s++)
		first[s + 2] += first[s + 1];
	for (uint32_t i = 0; i < m->nmoves; i++)
		order[first[source_of(m, i) + 1]++] = i;
}

/* ---- machines with `orders` ---- */

static bool is_marked(const struct nfart_image *im, const struct image_machine *m, uint32_t s)
{
	const struct image_state *q = &im->nfa.states[m->first_state + s];

	return im->nfa.labelsets[q->labelset].n != 0 || (q->flags & STATE_LOG) != 0;
}

/* Is the machine as one with `orders` has to be? */
static bool check_orders(const struct nfart_image *im, const struct image_machine *m)
{
	for (uint32_t s = 0; s < m->nstates; s++)
		if (is_marked(im, m, s) &&
		    (im->nfa.states[m->first_state + s].flags & STATE_START) != 0)
			return false;
	for (uint32_t i = 0; i < m->nmoves; i++) {
		const struct image_move *t = &m->moves[i];

		if (t->from == IMAGE_ANY_STATE || t->cond.nterms != 1 || t->cond.when.n != 0 ||
		    t->cond.terms[0].kind != IMAGE_TERM_PRED ||
		    (t->from != t->to && is_marked(im, m, t->from)))
			return false;
	}
	return true;
}

/* Finds what engines look up of a machine with `orders`. False: memory is short. */
static bool find_orders(struct nfart_image *im, struct image_machine *m)
{
	uint32_t *marked = arena_array(&im->arena, m->nstates, sizeof *marked);
	uint64_t *seen = arena_array(&im->arena, bits_words(im->nfa.npreds) + 1, sizeof *seen);

	if (marked == NULL || seen == NULL)
		return false;
	for (uint32_t s = 0; s < m->nstates; s++) {
		if (is_marked(im, m, s))
			marked[m->marked.n++] = s;
		if ((im->nfa.states[m->first_state + s].flags & STATE_START) != 0)
			m->start = s;
	}
	m->marked.at = marked;
	for (uint32_t i = 0; i < m->nmoves; i++)
		if (!is_marked(im, m, m->moves[i].from))
			bits_set(seen, m->moves[i].cond.terms[0].what);
	m->seen = seen;
	return true;
}

/* Are the states of the machine entered by nothing else, and is exactly one of them the start? */
static bool check_states(const struct nfart_image *im, const struct image_machine *m)
{
	uint32_t starts = 0;

	for (uint32_t s = m->first_state; s < m->first_state + m->nstates; s++) {
		const struct image_state *q = &im->nfa.states[s];

		starts += (q->flags & STATE_START) != 0;
		if (q->pred != IMAGE_NO_PRED || (q->flags & (STATE_ALWAYS | STATE_COUNTER)) != 0 ||
		    im->nfa.succ_first[s] != im->nfa.succ_first[s + 1])
			return false;
	}
	return starts == 1;
}

/* Numbers states and counts. The counters of the automaton may not look at machines. */
static bool machines_place(struct nfart_image *im)
{
	uint64_t states = 0;
	uint32_t state, count = im->nfa.ncounters;

	for (uint32_t i = 0; i < im->nfa.nmachines; i++)
		states += im->nfa.machines[i].nstates;
	if (states > im->nfa.nstates)
		return false;
	im->nfa.nplain = state = im->nfa.nstates - (uint32_t)states;
	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		im->nfa.machines[i].first_state = state;
		im->nfa.machines[i].first_count = count;
		state += im->nfa.machines[i].nstates;
		count += im->nfa.machines[i].ncounters;
		if (!check_states(im, &im->nfa.machines[i]) ||
		    (im->nfa.machines[i].orders != 0 && !check_orders(im, &im->nfa.machines[i])))
			return false;
	}
	im->nfa.ncounts = count;
	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		const struct image_list *l[2] = { &im->nfa.counters[i].count,
						  &im->nfa.counters[i].reset };

		for (int k = 0; k < 2; k++)
			if (l[k]->n != 0 && l[k]->at[l[k]->n - 1] >= im->nfa.nplain)
				return false;
	}
	return true;
}

static void read_machines(struct reader *r)
{
	uint32_t n = cursor_take(&r->c);

	r->im->nfa.machines = reader_array(r, n, 3, sizeof *r->im->nfa.machines);
	for (uint32_t i = 0; i < n && r->im->nfa.machines != NULL && !r->c.bad; i++) {
		struct image_machine *m = &r->im->nfa.machines[i];

		m->nstates = cursor_take(&r->c);
		m->ncounters = cursor_take(&r->c);
		m->orders = m->ncounters >> IMAGE_ORDERS_AT;
		m->ncounters &= ((uint32_t)1 << IMAGE_ORDERS_AT) - 1;
		m->nmoves = cursor_take(&r->c);
		if (m->nstates == 0 || m->nstates > r->im->nfa.nstates ||
		    m->ncounters > IMAGE_MACHINE_COUNTERS ||
		    m->orders > IMAGE_ORDERS || (m->orders != 0 && m->ncounters != 0))
			reader_wrong(r);
		read_counters(r, m);
		read_moves(r, m);
		if (!r->c.bad && !r->no_memory)
			index_moves(r, m);
	}
	r->im->nfa.nmachines = n;
	if (n == 0 || r->c.n != 0)
		reader_wrong(r);
}

bool decode_machines(struct decode *d)
{
	const struct image_section *s = image_find_section(d->im, SEC_machines);
	struct reader r = { .im = d->im };
	uint32_t *words;

	if (s == NULL)
		return true;
	words = arena_array(&d->im->arena, s->n / 4, sizeof *words);
	if (words == NULL)
		return false;
	for (size_t i = 0; i < s->n / 4; i++)
		words[i] = get_le32(s->at + 4 * i);
	r.c = (struct cursor){ words, s->n / 4, s->n % 4 != 0 };
	read_machines(&r);
	if (r.no_memory && !r.c.bad)
		return false;
	if (r.c.bad || !machines_place(d->im)) {
		d->im->nfa.nmachines = 0;
		return decode_fail(d, "the image's machines are malformed");
	}
	for (uint32_t i = 0; i < d->im->nfa.nmachines; i++)
		if (d->im->nfa.machines[i].orders != 0 &&
		    !find_orders(d->im, &d->im->nfa.machines[i]))
			return false;
	return true;
}
