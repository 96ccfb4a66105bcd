/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/wave/tap_names.h"

#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

enum { MOST_LISTED = 20 };

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c | 32 : c;
}

/* Compares two texts, byte by byte, without regard to case if `fold` is set. */
static int compare(const char *a, size_t na, const char *b, size_t nb, bool fold)
{
	for (size_t i = 0; i < na && i < nb; i++) {
		int x = (unsigned char)a[i], y = (unsigned char)b[i];
		if (fold) {
			x = lower(x);
			y = lower(y);
		}
		if (x != y)
			return x < y ? -1 : 1;
	}
	return na < nb ? -1 : na > nb;
}

/* ---- the index ---- */

/* A variable and the text by which it is sorted. */
struct entry {
	const char *path;
	uint32_t n, variable;
};

static int by_path(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = compare(a->path, a->n, b->path, b->n, false);

	return c != 0 ? c : a->variable < b->variable ? -1 : a->variable > b->variable;
}

static int by_folded(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = compare(a->path, a->n, b->path, b->n, true);

	return c != 0 ? c : a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Fills the names from the sorted variables. */
static void fill(struct tap_names *x, const struct entry *entries)
{
	for (size_t i = 0; i < x->nvariables; i++) {
		const struct entry *e = &entries[i];
		struct tap_name *last = x->n != 0 ? &x->names[x->n - 1] : NULL;
		const struct wave_variable *v = &x->variables[e->variable];
		x->order[i] = e->variable;
		if (last != NULL && compare(last->path, last->n, e->path, e->n, false) == 0) {
			last->count++;
			continue;
		}
		x->names[x->n++] = (struct tap_name){
			e->path, e->n, v->name != 0 ? v->name - 1 : 0, (uint32_t)i, 1, e->variable
		};
	}
}

bool tap_names_make(struct tap_names *x, const struct wave *w)
{
	size_t n;
	struct entry *entries;

	memset(x, 0, sizeof *x);
	x->variables = wave_variables(w, &n);
	entries = calloc(n + 1, sizeof *entries);
	x->order = calloc(n + 1, sizeof *x->order);
	x->names = calloc(n + 1, sizeof *x->names);
	x->folded = calloc(n + 1, sizeof *x->folded);
	if (entries == NULL || x->order == NULL || x->names == NULL || x->folded == NULL) {
		free(entries);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (x->variables[i].kind == WAVE_LOGIC)
			entries[x->nvariables++] = (struct entry){ x->variables[i].path,
								   x->variables[i].stem,
								   (uint32_t)i };
	qsort(entries, x->nvariables, sizeof *entries, by_path);
	fill(x, entries);
	for (size_t i = 0; i < x->n; i++)
		entries[i] = (struct entry){ x->names[i].path, (uint32_t)x->names[i].n,
					     (uint32_t)i };
	qsort(entries, x->n, sizeof *entries, by_folded);
	for (size_t i = 0; i < x->n; i++)
		x->folded[i] = entries[i].variable;
	free(entries);
	return true;
}

void tap_names_free(struct tap_names *x)
{
	free(x->order);
	free(x->names);
	free(x->folded);
}

/* ---- candidates ---- */

typedef VEC(const struct tap_name *) name_list;

static const struct tap_name *name_at(const struct tap_names *x, size_t i, bool fold)
{
	return &x->names[fold ? x->folded[i] : i];
}

/* Returns the index of the first name that is not below the n bytes. */
static size_t lowest(const struct tap_names *x, const char *s, size_t n, bool fold)
{
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct tap_name *m = name_at(x, mid, fold);
		if (compare(m->path, m->n, s, n, fold) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Adds the names that are the n bytes. False: out of memory. */
static bool whole(const struct tap_names *x, const char *s, size_t n, bool fold, name_list *list)
{
	for (size_t i = lowest(x, s, n, fold); i < x->n; i++) {
		const struct tap_name *m = name_at(x, i, fold);
		if (compare(m->path, m->n, s, n, fold) != 0)
			break;
		if (!vec_push(list, m))
			return false;
	}
	return true;
}

/* Adds the names that end with a dot and the n bytes. False: out of memory. */
static bool at_end(const struct tap_names *x, const char *s, size_t n, bool fold, name_list *list)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct tap_name *m = &x->names[i];
		if (m->n > n && m->path[m->n - n - 1] == '.' &&
		    compare(m->path + m->n - n, n, s, n, fold) == 0 && !vec_push(list, m))
			return false;
	}
	return true;
}

/* ---- parts ---- */

static const struct wave_variable *variable(const struct tap_names *x, const struct tap_name *m,
					    uint32_t i)
{
	return &x->variables[x->order[m->first + i]];
}

/* Do two names stand for the same values? */
static bool same(const struct tap_names *x, const struct tap_name *a, const struct tap_name *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (variable(x, a, i)->value != variable(x, b, i)->value)
			return false;
	return true;
}

/* A bit of a vector that is dumped bit by bit. */
struct bit {
	int32_t index;
	uint32_t order; /* in the file */
	struct tap_part part;
};

static int by_index(const void *x, const void *y)
{
	const struct bit *a = x, *b = y;

	if (a->index != b->index)
		return a->index > b->index ? -1 : 1;
	return a->order > b->order ? -1 : a->order < b->order; /* the last one counts */
}

/* Fills in the parts. False: out of memory. */
static bool parts(const struct tap_names *x, const struct tap_name *m, struct tap_found *f)
{
	struct bit *bits = calloc(m->count, sizeof *bits);
	bool single = m->count > 1;

	*f = (struct tap_found){ .name = m, .parts = calloc(m->count, sizeof *f->parts) };
	if (bits == NULL || f->parts == NULL) {
		free(bits);
		free(f->parts);
		f->parts = NULL;
		return false;
	}
	for (uint32_t i = 0; i < m->count; i++) {
		const struct wave_variable *v = variable(x, m, i);
		bits[i] = (struct bit){ v->lsb, i, { v->value, v->width } };
		single = single && v->msb == v->lsb;
	}
	if (single)
		qsort(bits, m->count, sizeof *bits, by_index);
	for (uint32_t i = 0; i < (single ? m->count : 1); i++) {
		if (i != 0 && bits[i].index == bits[i - 1].index)
			continue;
		f->parts[f->nparts++] = bits[i].part;
		f->width += bits[i].part.width;
	}
	free(bits);
	return true;
}

/* ---- what is wrong ---- */

/* Names that may be meant. */
struct near {
	const struct tap_names *x;
	size_t i;
	bool own;           /* names of scopes are left out */
	struct arena arena; /* diag_nearest() keeps what it is given */
};

static const char *next_near(void *ctx)
{
	struct near *t = ctx;
	const struct tap_name *m;
	size_t from;

	if (t->i == t->x->n)
		return NULL;
	m = &t->x->names[t->i++];
	from = t->own && m->scope != 0 ? m->scope + 1 : 0;
	return arena_strndup(&t->arena, m->path + from, m->n - from);
}

/* Appends what is said of a name that is not there. */
static void not_there(const struct tap_names *x, const char *name, struct buf *why)
{
	struct near t = { .x = x, .own = strchr(name, '.') == NULL };
	const char *near = diag_nearest(name, strlen(name), next_near, &t);

	buf_addf(why, "no signal %s", name);
	if (near != NULL)
		buf_addf(why, " (is it %s?)", near);
	arena_free(&t.arena);
}

static int by_name(const void *x, const void *y)
{
	const struct tap_name *a = *(const struct tap_name *const *)x;
	const struct tap_name *b = *(const struct tap_name *const *)y;

	return compare(a->path, a->n, b->path, b->n, false);
}

static void several(const char *name, name_list *list, struct buf *why)
{
	size_t n = list->n < MOST_LISTED ? list->n : MOST_LISTED;

	qsort(list->at, list->n, sizeof *list->at, by_name);
	buf_addf(why, "several signals %s:", name);
	for (size_t i = 0; i < n; i++)
		buf_addf(why, "%s %.*s", i != 0 ? "," : "", (int)list->at[i]->n, list->at[i]->path);
	if (n < list->n)
		buf_addf(why, " and %zu more", list->n - n);
}

/* ---- finding ---- */

/* Returns how many variables the names are, and moves the first of the file to the front. */
static size_t different(const struct tap_names *x, name_list *list)
{
	size_t n = list->n != 0;

	for (size_t i = 1; i < list->n; i++) {
		const struct tap_name *first = list->at[0];
		if (!same(x, list->at[i], first))
			n++;
		if (list->at[i]->place < first->place) {
			list->at[0] = list->at[i];
			list->at[i] = first;
		}
	}
	return n;
}

size_t tap_names_find(const struct tap_names *x, const char *name, struct tap_found *f,
		      struct buf *why)
{
	name_list list = { 0 };
	size_t n = strlen(name), found;
	bool ok = whole(x, name, n, false, &list);

	if (ok && list.n == 0)
		ok = whole(x, name, n, true, &list);
	if (ok && list.n == 0)
		ok = at_end(x, name, n, false, &list);
	if (ok && list.n == 0)
		ok = at_end(x, name, n, true, &list);
	found = ok ? different(x, &list) : SIZE_MAX;
	if (found == 1 && !parts(x, list.at[0], f))
		found = SIZE_MAX;
	if (found == 0 && why != NULL)
		not_there(x, name, why);
	else if (found > 1 && found != SIZE_MAX && why != NULL)
		several(name, &list, why);
	vec_free(&list);
	return found;
}

const struct tap_name *tap_names_exactly(const struct tap_names *x, const char *path, size_t n)
{
	for (int fold = 0; fold < 2; fold++) {
		size_t i = lowest(x, path, n, fold != 0);
		const struct tap_name *m = i < x->n ? name_at(x, i, fold != 0) : NULL;
		const struct tap_name *next = i + 1 < x->n ? name_at(x, i + 1, fold != 0) : NULL;
		if (m == NULL || compare(m->path, m->n, path, n, fold != 0) != 0)
			continue;
		if (next == NULL || compare(next->path, next->n, path, n, fold != 0) != 0)
			return m;
	}
	return NULL;
}

size_t tap_names_outwards(const struct tap_names *x, const char *name, const char *scope, size_t n,
			  struct tap_found *f)
{
	struct buf path = { 0 };
	const struct tap_name *m = NULL;
	size_t found;

	for (;;) {
		path.n = 0;
		buf_addf(&path, "%.*s%s%s", (int)n, scope, n != 0 ? "." : "", name);
		if (path.failed)
			break;
		m = tap_names_exactly(x, path.at, path.n);
		if (m != NULL || n == 0)
			break;
		while (n != 0 && scope[n - 1] != '.')
			n--;
		n -= n != 0;
	}
	found = path.failed || (m != NULL && !parts(x, m, f)) ? SIZE_MAX : m != NULL;
	buf_free(&path);
	return found;
}
