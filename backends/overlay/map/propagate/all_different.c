/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/all_different.h"

#include <string.h>

enum { IN_COMPONENT = UINT32_MAX };

bool filter_init(struct filter *f, struct matching *m, struct arena *arena)
{
	size_t k = m->d->ncliques, words = m->d->words;

	f->m = m;
	f->row = arena_array(arena, k * words, sizeof *f->row);
	f->fresh = arena_array(arena, words, sizeof *f->fresh);
	f->open = arena_array(arena, words, sizeof *f->open);
	f->keep = arena_array(arena, words, sizeof *f->keep);
	f->index = arena_array(arena, k, sizeof *f->index);
	f->low = arena_array(arena, k, sizeof *f->low);
	f->path = arena_array(arena, k, sizeof *f->path);
	f->stack = arena_array(arena, k, sizeof *f->stack);
	f->component = arena_array(arena, k, sizeof *f->component);
	f->begin = arena_array(arena, k + 1, sizeof *f->begin);
	return f->row != NULL && f->fresh != NULL && f->open != NULL && f->keep != NULL &&
	       f->index != NULL && f->low != NULL && f->path != NULL && f->stack != NULL &&
	       f->component != NULL && f->begin != NULL;
}

/* Fills the arcs between cliques, for states of one kind. */
static void fill_rows(struct filter *f, uint32_t kind)
{
	const struct matching *m = f->m;
	size_t words = m->d->words;

	memset(f->row, 0, m->d->ncliques * words * sizeof *f->row);
	for (uint32_t v = 0; v < m->d->task->nfa.n; v++) {
		uint64_t *row = f->row + m->clique[v] * words;
		const uint64_t *dom = domain_of(m->d, v);

		for (size_t i = 0; m->d->task->kind[v] == kind && i < words; i++)
			row[i] |= dom[i];
	}
}

static bool meets(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if ((a[i] & b[i]) != 0)
			return true;
	return false;
}

/* Ends a strong component, whose first visited clique is c: takes its cliques off the stack,
 * appends them to f->component, and adds them to f->open if they reach a clique with room. The
 * components that this one reaches were ended earlier. `top` is the length of the stack;
 * returns its new length. */
static uint32_t emit_component(struct filter *f, uint32_t kind, uint32_t c, uint32_t top)
{
	size_t words = f->m->d->words;
	uint32_t begin = f->begin[f->ncomponents], end = begin, v;
	bool is_open = false;

	do {
		v = f->stack[--top];
		f->component[end++] = v;
		f->low[v] = IN_COMPONENT;
		is_open = is_open || matching_has_room(f->m, kind, v) ||
			  meets(f->row + v * words, f->open, words);
	} while (v != c);
	for (uint32_t i = begin; is_open && i < end; i++)
		bits_set(f->open, f->component[i]);
	f->begin[++f->ncomponents] = end;
	return top;
}

/* Sets Tarjan's low link of c: the smallest index on the stack that c reaches by one arc, if it is
 * smaller than the present one. */
static void lower(struct filter *f, uint32_t c, uint32_t top)
{
	const uint64_t *row = f->row + c * f->m->d->words;

	for (uint32_t i = f->index[f->stack[0]]; i < top; i++)
		if (bits_get(row, f->stack[i]) && f->index[f->stack[i]] < f->low[c]) {
			f->low[c] = f->index[f->stack[i]];
			return;
		}
}

/* The first clique that was not visited yet and to which c has an arc; K: there is none. */
static uint32_t next_fresh(const struct filter *f, uint32_t c)
{
	size_t words = f->m->d->words;
	const uint64_t *row = f->row + c * words;

	for (size_t i = 0; i < words; i++)
		if ((row[i] & f->fresh[i]) != 0)
			return (uint32_t)(i * 64) +
			       (uint32_t)__builtin_ctzll(row[i] & f->fresh[i]);
	return f->m->d->ncliques;
}

/* Walks from clique `from`, which was not visited yet, and finds strong components by
 * Tarjan's method. The index of a clique is its place on the stack, which has cliques in the
 * order of their visits. */
static void walk_cliques(struct filter *f, uint32_t kind, uint32_t from)
{
	uint32_t depth = 0, top = 0, c = from;

	for (;;) {
		uint32_t next;

		if (c != f->m->d->ncliques) {
			f->fresh[c / 64] &= ~((uint64_t)1 << c % 64);
			f->index[c] = f->low[c] = top;
			f->stack[top++] = c;
			f->path[depth++] = c;
		}
		next = next_fresh(f, f->path[depth - 1]);
		c = next;
		if (next != f->m->d->ncliques)
			continue;
		next = f->path[--depth];
		lower(f, next, top);
		if (f->low[next] == f->index[next])
			top = emit_component(f, kind, next, top);
		if (depth == 0)
			return;
		if (f->low[next] < f->low[f->path[depth - 1]])
			f->low[f->path[depth - 1]] = f->low[next];
	}
}

/* Takes from the domain of each state all cliques but those of the state's own component and those
 * that reach room. False: out of memory. */
static bool keep_components(struct filter *f, uint32_t kind)
{
	struct matching *m = f->m;
	size_t words = m->d->words;

	for (uint32_t i = 0; i < f->ncomponents; i++) {
		memcpy(f->keep, f->open, words * sizeof *f->keep);
		for (uint32_t j = f->begin[i]; j < f->begin[i + 1]; j++)
			bits_set(f->keep, f->component[j]);
		for (uint32_t j = f->begin[i]; j < f->begin[i + 1]; j++)
			if (!matching_keep(m, kind, f->component[j], f->keep))
				return false;
	}
	return true;
}

bool filter_domains(struct filter *f)
{
	uint32_t k = f->m->d->ncliques;

	for (uint32_t kind = 0; kind < f->m->d->task->kinds; kind++) {
		fill_rows(f, kind);
		memset(f->open, 0, f->m->d->words * sizeof *f->open);
		for (uint32_t c = 0; c < k; c++)
			bits_set(f->fresh, c);
		f->ncomponents = 0;
		for (uint32_t c = 0; c < k; c++)
			if (bits_get(f->fresh, c))
				walk_cliques(f, kind, c);
		if (f->ncomponents > 1 && !keep_components(f, kind))
			return false;
	}
	return true;
}
