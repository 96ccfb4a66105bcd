/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Turns a local automaton round, so that it accepts the streams backward. Two automata are equal,
 * or one contains the other, exactly if that holds of the two turned round. There may be few sets
 * of states in one direction and very many in the other. An example are filters that begin in
 * several cycles at once: only the batch after a cycle says which cycle it was, and backward that
 * batch comes first.
 *
 * A stream without batches never counts as accepted, in either direction.
 */
#include "ir/decide/decide_int.h"

/* A transition of l, turned round: in l it leads from state `to` to state `from`. */
struct back {
	uint32_t from, to;
	lit_t lit;
};

static int by_from(const void *x, const void *y)
{
	const struct back *a = x, *b = y;

	if (a->from != b->from)
		return (a->from > b->from) - (a->from < b->from);
	if (a->lit != b->lit)
		return (a->lit > b->lit) - (a->lit < b->lit);
	return (a->to > b->to) - (a->to < b->to);
}

/* Returns the *n transitions of l, turned round and sorted by the states that they leave now. The
 * array is to be freed. NULL: out of memory. */
static struct back *reverse_turn(const struct local *l, size_t *n)
{
	size_t m = 0;
	struct back *all;

	for (size_t i = 0; i < l->moves.n; i++)
		m += l->moves.at[i].n;
	all = malloc((m + 1) * sizeof *all);
	*n = 0;
	for (uint32_t q = 0; all != NULL && q < l->n; q++)
		for (uint32_t i = l->first[q]; i < l->first[q + 1]; i++) {
			const struct move *v = &l->moves.at[i];
			for (uint32_t k = 0; k < v->n; k++)
				all[(*n)++] = (struct back){ l->list.at[v->at + k], q, v->lit };
		}
	if (all != NULL)
		qsort(all, m, sizeof *all, by_from);
	return all;
}

/* Puts the transitions into `out` as moves, one for each state and literal. False: out of
 * memory. */
static bool put_moves(const struct back *b, size_t n, struct local *out)
{
	bool ok = true;
	size_t i = 0;

	for (uint32_t q = 0; q < out->n && ok; q++) {
		out->first[q] = (uint32_t)out->moves.n;
		while (i < n && b[i].from == q && ok) {
			struct move m = { b[i].lit, (uint32_t)out->list.n, 0 };
			for (; i < n && b[i].from == q && b[i].lit == m.lit && ok; i++) {
				ok = vec_push(&out->list, b[i].to);
				m.n++;
			}
			ok = ok && vec_push(&out->moves, m);
		}
	}
	out->first[out->n] = (uint32_t)out->moves.n;
	return ok;
}

bool local_reverse(struct decider *d, const struct local *l, struct local *out)
{
	size_t n = 0;
	struct back *b = NULL;
	bool ok;

	*out = (struct local){ .n = l->n, .left = l->left };
	out->first = calloc((size_t)l->n + 1, sizeof *out->first);
	out->accepts = calloc((size_t)l->n + 1, 1);
	ok = out->first != NULL && out->accepts != NULL && (b = reverse_turn(l, &n)) != NULL &&
	     put_moves(b, n, out);
	for (uint32_t q = 0; ok && q < l->n; q++)
		if (l->accepts[q])
			ok = vec_push(&out->start[q >= l->left], q);
	for (int k = 0; ok && k < 2; k++)
		for (size_t i = 0; i < l->start[k].n; i++)
			out->accepts[l->start[k].at[i]] = true;
	free(b);
	return ok ? decide_spend(d, 8 * n + l->n) : decide_no_memory(d);
}
