/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/wave/tap_place.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/buf.h"
#include "support/vec.h"

/* Marks the signals that the taps of x need. Returns how many there are. */
static uint32_t mark_used(const struct tap_interface *x, bool *used)
{
	const struct tap_expr *e;
	uint32_t n = 0;

	for (uint32_t t = 0; t < x->ntaps; t++)
		for (uint32_t i = 0; i < x->taps[t].nrows; i++) {
			const struct tap_row *row = &x->taps[t].rows[i];
			for (uint32_t k = 0; k < row->when.nsignals; k++)
				used[row->when.signals[k]] = true;
			for (uint32_t f = 0; f < row->nfields; f++)
				for (uint32_t k = 0; k < row->fields[f].value.nsignals; k++)
					used[row->fields[f].value.signals[k]] = true;
		}
	for (uint32_t i = 0; (e = tap_memory_expr(x, i)) != NULL; i++)
		for (uint32_t k = 0; k < e->nsignals; k++)
			used[e->signals[k]] = true;
	for (uint32_t i = 0; i < x->nsignals; i++) {
		used[i] = used[i] && x->signals[i].maker == TAP_DESIGN;
		n += used[i];
	}
	return n;
}

/* Finds a signal at a prefix, of n bytes. */
static const struct tap_name *at(const struct tap_names *names, const char *prefix, size_t n,
				 const struct tap_signal *s, struct buf *path)
{
	for (uint32_t i = 0; i < s->nnames; i++) {
		const struct tap_name *m;
		path->n = 0;
		buf_add(path, prefix, n);
		buf_add(path, s->names[i], strlen(s->names[i]));
		m = path->failed ? NULL : tap_names_exactly(names, path->at, path->n);
		if (m != NULL)
			return m;
	}
	return NULL;
}

/* A place, with the value of its first signal, by which it is told from others. */
struct found {
	const char *prefix;
	uint32_t value;
};

struct search {
	const struct tap_names *names;
	const struct tap_interface *x;
	const bool *used;
	VEC(struct found) all;
	struct arena *arena;
	bool memory;
};

/* Is the prefix s of n bytes further out than the prefix t? Fewer scopes are around it, or as many
 * and it is shorter. */
static bool is_outer(const char *s, size_t n, const char *t)
{
	size_t dots = 0, others = 0;

	for (size_t i = 0; i < n; i++)
		dots += s[i] == '.';
	for (size_t i = 0; t[i] != 0; i++)
		others += t[i] == '.';
	return dots != others ? dots < others : n < strlen(t);
}

/* Adds the place if all needed signals are there. */
static void try_place(struct search *s, const char *prefix, size_t n, const struct tap_name *first)
{
	uint32_t value = s->names->variables[s->names->order[first->first]].value;
	struct found f = { NULL, value };
	struct buf path = { 0 };
	bool all = true;

	for (uint32_t i = 0; i < s->x->nsignals && all; i++)
		all = !s->used[i] || s->x->signals[i].has_usual ||
		      at(s->names, prefix, n, &s->x->signals[i], &path) != NULL;
	s->memory = s->memory || path.failed;
	buf_free(&path);
	if (!all || s->memory)
		return;
	for (size_t i = 0; i < s->all.n; i++)
		if (s->all.at[i].value == value) {
			/* One net, seen from several scopes: the outermost is the best known. */
			if (is_outer(prefix, n, s->all.at[i].prefix))
				s->all.at[i].prefix = arena_strndup(s->arena, prefix, n);
			s->memory = s->memory || s->all.at[i].prefix == NULL;
			return;
		}
	f.prefix = arena_strndup(s->arena, prefix, n);
	s->memory = f.prefix == NULL || !vec_push(&s->all, f);
}

/* May a name begin after these n bytes? It does after a dot, or another byte that is no letter. */
static bool may_begin(const char *s, size_t n)
{
	char c = n != 0 ? s[n - 1] : '.';

	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

/* Tries all places where signal `first` is. */
static void try_signal(struct search *s, const struct tap_signal *first)
{
	for (size_t i = 0; i < s->names->n && !s->memory; i++) {
		const struct tap_name *m = &s->names->names[i];
		for (uint32_t k = 0; k < first->nnames; k++) {
			size_t n = strlen(first->names[k]);
			if (m->n < n || !may_begin(m->path, m->n - n) ||
			    strncasecmp(m->path + m->n - n, first->names[k], n) != 0)
				continue;
			try_place(s, m->path, m->n - n, m);
			break;
		}
	}
}

bool tap_places_find(struct tap_places *p, const struct tap_names *names,
		     const struct tap_interface *x)
{
	bool *used = calloc(x->nsignals + 1, sizeof *used);
	struct search s = { .names = names, .x = x, .used = used, .arena = &p->arena };
	uint32_t first = 0;

	memset(p, 0, sizeof *p);
	if (used == NULL)
		return false;
	if (mark_used(x, used) > 1) {
		while (first < x->nsignals && (!used[first] || x->signals[first].has_usual))
			first++;
		if (first < x->nsignals)
			try_signal(&s, &x->signals[first]);
	}
	p->prefixes = arena_array(&p->arena, s.all.n, sizeof *p->prefixes);
	if (p->prefixes == NULL)
		s.memory = true;
	for (size_t i = 0; i < s.all.n && !s.memory; i++)
		p->prefixes[p->n++] = s.all.at[i].prefix;
	vec_free(&s.all);
	free(used);
	return !s.memory;
}

void tap_places_free(struct tap_places *p)
{
	arena_free(&p->arena);
}
