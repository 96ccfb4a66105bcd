/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the state that stands for an orbit: symmetry.h, Note [renaming]. A number's *look* is a
 * hash of what a state has of it. It does not depend on the other numbers' values, so a renaming
 * takes looks with it. The numbers of a class are put in the order of their looks, and only those
 * that look alike are tried in every order.
 */
#include "compiler/coherence/symmetry.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of one class that look alike: order[first .. first + n). */
struct alike {
	uint8_t first, n;
	bool free; /* exchanging any two of them does not change the state */
};

/* Where numbers can go. */
struct looks {
	uint64_t look[COH_NODES];
	/* The numbers in the order of classes and looks; place[i] is the number that the i-th of
	 * them gets. */
	uint8_t order[COH_NODES], place[COH_NODES];
	uint32_t nalike;
	struct alike alike[COH_NODES];
};

/* ---- looks ---- */

/* What a part of a state says of number i that it names, or does not. */
static uint64_t look_at(const struct symmetry *y, uint32_t named, uint32_t i)
{
	return named >= y->n ? 0 : named == i ? 1 : 2 + (uint64_t)y->class[named];
}

/* Returns the number among the equal nodes of a node; COH_NONE: it is none of them. */
static uint32_t number_of(const struct symmetry *y, uint32_t node)
{
	uint32_t i = node - y->c->net.equal;

	return i < y->n ? i : COH_NONE;
}

/* Returns what stands for a thing whichever number it has: the least of a table's row. */
static uint32_t least_of(const struct symmetry *y, const uint8_t *row)
{
	uint32_t least = row[y->n];

	for (uint32_t i = 0; i < y->n; i++)
		least = row[i] < least ? row[i] : least;
	return least;
}

static uint32_t least_var(const struct symmetry *y, uint32_t var)
{
	uint32_t least = COH_MISSING;

	for (uint32_t i = 0; i <= y->n; i++) {
		uint32_t x = least_of(y, y->var_to[var][i]);

		least = x < least ? x : least;
	}
	return least;
}

static void add_var_looks(const struct symmetry *y, uint32_t var, uint32_t value,
			  uint64_t look[COH_NODES])
{
	const struct coh_var *v = &y->c->vars[var];
	uint64_t h = hash_add(least_var(y, var), least_of(y, y->value_to[var][value]));

	for (uint32_t i = 0; i < y->n; i++) {
		uint64_t x = hash_add(h, look_at(y, number_of(y, v->node), i));

		x = hash_add(x, look_at(y, v->number, i));
		look[i] += hash_add(x, look_at(y, v->numbers[value], i));
	}
}

void symmetry_fill_looks(struct symmetry *y)
{
	memset(y->look, 0, sizeof y->look);
	for (uint32_t i = 0; i < y->c->nvars; i++)
		for (uint32_t value = 0; value < y->c->vars[i].nvalues; value++)
			add_var_looks(y, i, value, y->look[i][value]);
	for (uint32_t i = 0; i < y->c->nevents; i++)
		y->least_event[i] = (uint8_t)least_of(y, y->event_to[i]);
}

/* `age` is how many messages of its queue are before this one. */
static void add_message_looks(const struct symmetry *y, const struct under_way *m, uint32_t age,
			      uint64_t look[COH_NODES])
{
	const struct coh_event *e = &y->c->events[m->event];
	uint32_t to = m->place / 2;
	uint64_t h = hash_add(1 + (uint64_t)age, y->least_event[m->event]);

	h = hash_add(h, m->place % 2);
	for (uint32_t i = 0; i < y->n; i++) {
		uint64_t x = hash_add(h, look_at(y, number_of(y, e->node), i));

		x = hash_add(x, look_at(y, e->number, i));
		x = hash_add(x, to == TO_ALL ? COH_NONE : number_of(y, to) == COH_NONE
			     ? COH_NONE - 1 - to : look_at(y, number_of(y, to), i));
		look[i] += x;
	}
}

static void find_look(const struct symmetry *y, const struct state *x, struct looks *l)
{
	uint32_t age = 0;

	memset(l, 0, sizeof *l);
	for (uint32_t i = 0; i < y->c->nvars; i++)
		for (uint32_t k = 0; k < y->n; k++)
			l->look[k] += y->look[i][x->var[i]][k];
	for (uint32_t i = 0; i < x->n; i++) {
		age = i > 0 && queue_of(y->c, &x->m[i - 1]) == queue_of(y->c, &x->m[i]) ? age + 1
											: 0;
		add_message_looks(y, &x->m[i], age, l->look);
	}
}

/* ---- orders ---- */

static bool same_state(const struct state *x, const struct state *z)
{
	return memcmp(x, z, sizeof *x) == 0;
}

/* Are numbers that look alike, two and two, such that their exchange does not change the state? */
static bool is_free(const struct symmetry *y, const struct state *x, const uint8_t *numbers,
		    uint32_t n)
{
	for (uint32_t i = 0; i + 1 < n; i++) {
		struct renaming g = { { 0 } };
		struct state z;

		for (uint32_t k = 0; k < y->n; k++)
			g.to[k] = (uint8_t)k;
		g.to[numbers[i]] = numbers[i + 1];
		g.to[numbers[i + 1]] = numbers[i];
		renamed_state(y, &g, x, &z);
		if (!same_state(x, &z))
			return false;
	}
	return true;
}

/* Fills in orders and places. Numbers of a class get the numbers of the class, rising. */
static void find_alike(const struct symmetry *y, const struct state *x, struct looks *l)
{
	uint32_t n = 0;

	for (uint32_t class = 0; class < y->n; class++) {
		uint32_t from = n;

		for (uint32_t i = 0; i < y->n; i++) {
			uint32_t at = n;

			if (y->class[i] != class)
				continue;
			l->place[n++] = (uint8_t)i;
			for (; at > from && l->look[l->order[at - 1]] > l->look[i]; at--)
				l->order[at] = l->order[at - 1];
			l->order[at] = (uint8_t)i;
		}
		for (uint32_t i = from, end; i < n; i = end) {
			for (end = i + 1;
			     end < n && l->look[l->order[end]] == l->look[l->order[i]];)
				end++;
			if (end - i > 1)
				l->alike[l->nalike++] = (struct alike){
					(uint8_t)i, (uint8_t)(end - i),
					is_free(y, x, l->order + i, end - i)
				};
		}
	}
}

/* Puts n numbers into the next order. False: it was the last one, and they are in the first one
 * again. */
static bool next_order(uint8_t *at, uint32_t n)
{
	uint32_t i = n - 1, k = n - 1;
	uint8_t x;

	while (i > 0 && at[i - 1] >= at[i])
		i--;
	if (i > 0) {
		while (at[k] <= at[i - 1])
			k--;
		x = at[i - 1];
		at[i - 1] = at[k];
		at[k] = x;
	}
	for (k = n - 1; k > i; i++, k--) {
		x = at[i];
		at[i] = at[k];
		at[k] = x;
	}
	/* Equal numbers don't occur, so the order is the first one only after the last one. */
	for (i = 1; i < n; i++)
		if (at[i - 1] > at[i])
			return true;
	return false;
}

/* Goes on to the next order of numbers that look alike. False: there is none. */
static bool next_places(struct looks *l, bool free)
{
	for (uint32_t i = 0; i < l->nalike; i++) {
		const struct alike *a = &l->alike[i];

		if ((free || !a->free) && next_order(l->place + a->first, a->n))
			return true;
	}
	return false;
}

/* Returns how many states the orbit has at least. What looks different is different. */
static uint32_t orbit_least(const struct symmetry *y, const struct looks *l)
{
	uint32_t n = y->nrenamings;

	for (uint32_t i = 0; i < l->nalike; i++)
		for (uint32_t k = 2; k <= l->alike[i].n; k++)
			n /= k;
	return n;
}

uint32_t symmetry_canonical(const struct symmetry *y, const struct state *x, struct state *out,
			    uint32_t *least)
{
	struct renaming g, best = { { 0 } }, back = { { 0 } };
	bool first = true;
	struct looks l;

	if (least != NULL)
		*least = 1;
	if (symmetry_is_trivial(y)) {
		*out = *x;
		return 0;
	}
	find_look(y, x, &l);
	find_alike(y, x, &l);
	if (least != NULL)
		*least = orbit_least(y, &l);
	do {
		struct state z;

		memset(&g, 0, sizeof g);
		for (uint32_t i = 0; i < y->n; i++)
			g.to[l.order[i]] = l.place[i];
		renamed_state(y, &g, x, &z);
		if (first || memcmp(&z, out, sizeof z) < 0) {
			*out = z;
			best = g;
		}
		first = false;
	} while (next_places(&l, false));
	for (uint32_t i = 0; i < y->n; i++)
		back.to[best.to[i]] = (uint8_t)i;
	return renaming_after(y, &back, &y->renamings.at[0]);
}

static int compare_ids(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

uint32_t symmetry_fixing(const struct symmetry *y, const struct state *x, uint16_t *ids)
{
	bool all = true;
	struct looks l;
	uint32_t n = 0;

	find_look(y, x, &l);
	find_alike(y, x, &l);
	for (uint32_t i = 0; i < l.nalike; i++)
		all = all && l.alike[i].free;
	/* A number goes to where one that looks like it is. */
	memcpy(l.place, l.order, sizeof l.place);
	do {
		struct renaming g = { { 0 } };
		struct state z;

		for (uint32_t i = 0; i < y->n; i++)
			g.to[l.order[i]] = l.place[i];
		if (!all)
			renamed_state(y, &g, x, &z);
		if (all || same_state(x, &z))
			ids[n++] = (uint16_t)renaming_after(y, &g, &y->renamings.at[0]);
	} while (next_places(&l, true));
	qsort(ids, n, sizeof *ids, compare_ids);
	return n;
}
