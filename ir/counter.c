/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Functions of nfa.h on counters: the label numbers of their ports, and the links between states
 * that carry ports and the counters (nfa.h, Note [counters]). Also lists the connections that an
 * overlay must provide.
 */
#include <string.h>

#include "ir/nfa.h"
#include "support/order.h"

uint32_t nfa_port(const struct nfa *a, uint32_t counter, bool reset)
{
	return (uint32_t)a->spec->labels.n + 2 * counter + reset;
}

uint32_t nfa_port_counter(const struct nfa *a, uint32_t label)
{
	uint32_t n = (uint32_t)a->spec->labels.n;

	return label < n ? UINT32_MAX : (label - n) / 2;
}

bool nfa_port_resets(const struct nfa *a, uint32_t label)
{
	return (label - (uint32_t)a->spec->labels.n) % 2 != 0;
}

uint32_t nfa_nlabels(const struct nfa *a, labelset_t l)
{
	const struct labelset *s = &a->labelsets.at[l];
	uint32_t n = s->n;

	while (n != 0 && s->labels[n - 1] >= a->spec->labels.n)
		n--;
	return n;
}

bool nfa_counter_states(const struct nfa *a, nfa_state_t **of)
{
	*of = malloc((a->counters.n + 1) * sizeof **of);
	if (*of == NULL)
		return false;
	for (size_t c = 0; c < a->counters.n; c++)
		(*of)[c] = UINT32_MAX;
	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].kind == NFA_COUNTER)
			(*of)[a->states.at[s].counter] = s;
	return true;
}

static int by_pair(const void *x, const void *y)
{
	const struct nfa_link *a = x, *b = y;

	return order_2(a->from, b->from, a->to, b->to);
}

struct nfa_link *nfa_links(const struct nfa *a, size_t *n)
{
	VEC(struct nfa_link) v = { 0 };
	nfa_state_t *of;
	bool ok = nfa_counter_states(a, &of) && vec_reserve(&v, 1);
	size_t k = 0;

	for (nfa_state_t s = 0; ok && a->counters.n != 0 && s < a->states.n; s++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[s].labels];
		for (uint32_t i = nfa_nlabels(a, a->states.at[s].labels); ok && i < l->n; i++) {
			bool reset = nfa_port_resets(a, l->labels[i]);
			struct nfa_link x = { s, of[nfa_port_counter(a, l->labels[i])], !reset,
					      reset };
			ok = x.to == UINT32_MAX || vec_push(&v, x);
		}
	}
	free(of);
	if (!ok) {
		vec_free(&v);
		return NULL;
	}
	if (v.n > 1)
		qsort(v.at, v.n, sizeof *v.at, by_pair);
	for (size_t i = 0; i < v.n; i++) {
		if (k != 0 && by_pair(&v.at[k - 1], &v.at[i]) == 0) {
			v.at[k - 1].count |= v.at[i].count;
			v.at[k - 1].reset |= v.at[i].reset;
		} else
			v.at[k++] = v.at[i];
	}
	*n = k;
	return v.at;
}

bool nfa_drop_ports(struct nfa *a)
{
	VEC(uint32_t) labels = { 0 };
	nfa_state_t *of;
	bool ok = nfa_counter_states(a, &of);

	for (size_t s = 0; ok && a->counters.n != 0 && s < a->states.n; s++) {
		labelset_t old = a->states.at[s].labels, made;
		const struct labelset *l = &a->labelsets.at[old];
		labels.n = 0;
		for (uint32_t i = 0; ok && i < l->n; i++) {
			uint32_t c = nfa_port_counter(a, l->labels[i]);
			if (c == UINT32_MAX || of[c] != UINT32_MAX)
				ok = vec_push(&labels, l->labels[i]);
		}
		if (!ok || labels.n == l->n)
			continue;
		made = nfa_labelset(a, labels.at, (uint32_t)labels.n);
		ok = made != UINT32_MAX;
		if (ok)
			a->states.at[s].labels = made;
	}
	vec_free(&labels);
	free(of);
	return ok;
}

/* ---- connections ---- */

/* Sorts m pairs of numbers below n by their element k (0 or 1), by a stable counting sort. `count`
 * is scratch space for n + 1 numbers. */
static void sort_pairs(const uint32_t (*from)[2], uint32_t (*to)[2], size_t m, int k, size_t n,
		       size_t *count)
{
	memset(count, 0, (n + 1) * sizeof *count);
	for (size_t i = 0; i < m; i++)
		count[from[i][k] + 1]++;
	for (size_t i = 0; i < n; i++)
		count[i + 1] += count[i];
	for (size_t i = 0; i < m; i++)
		memcpy(to[count[from[i][k]]++], from[i], sizeof from[i]);
}

static void add_pair(uint32_t (*e)[2], size_t *m, uint32_t u, uint32_t v)
{
	if (u == v)
		return;
	e[*m][0] = u < v ? u : v;
	e[(*m)++][1] = u < v ? v : u;
}

uint32_t (*nfa_connections(const struct nfa *a, size_t *n))[2]
{
	size_t nlinks = 0, m = 0, k = 0;
	struct nfa_link *l = nfa_links(a, &nlinks);
	uint32_t(*e)[2] = malloc((a->edges.n + nlinks + 1) * sizeof *e);
	uint32_t(*t)[2] = malloc((a->edges.n + nlinks + 1) * sizeof *t);
	size_t *count = malloc((a->states.n + 1) * sizeof *count);
	bool ok = l != NULL && e != NULL && t != NULL && count != NULL;

	for (size_t i = 0; ok && i < a->edges.n; i++)
		add_pair(e, &m, a->edges.at[i].from, a->edges.at[i].to);
	for (size_t i = 0; ok && i < nlinks; i++)
		add_pair(e, &m, l[i].from, l[i].to);
	if (ok) {
		sort_pairs((const uint32_t(*)[2])e, t, m, 1, a->states.n, count);
		sort_pairs((const uint32_t(*)[2])t, e, m, 0, a->states.n, count);
	}
	for (size_t i = 0; ok && i < m; i++)
		if (k == 0 || memcmp(e[k - 1], e[i], sizeof *e) != 0)
			memmove(e[k++], e[i], sizeof *e);
	free(l);
	free(t);
	free(count);
	if (!ok) {
		free(e);
		return NULL;
	}
	*n = k;
	return e;
}

size_t nfa_count_stes(const struct nfa *a)
{
	size_t n = 0;

	for (size_t s = 0; s < a->states.n; s++)
		n += a->states.at[s].kind == NFA_STE;
	return n;
}
