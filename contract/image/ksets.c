/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/ksets.h"

#include <stdlib.h>
#include <string.h>

enum { MADE = 1 << 18 /* results that are remembered */ };
enum { OP_UNION, OP_MINUS, OP_MOVE, OP_LEAVING, OP_MEETS, OP_VALUES, OP_CLOSE /* and the next */,
       OP_FIRE = OP_CLOSE + 2 /* and the next */ };

/* ---- moves ---- */

bool ksets_step(const struct kept_composed *c, const struct kept_step *s, uint64_t *value)
{
	const struct kept_part *p = &c->parts.at[s->part];
	uint64_t x = *value, end = 1;
	uint32_t n = 0;

	switch (s->op) {
	case KEPT_TEST:
		if (x >= KEPT_VALUES || (s->a >> x & 1) == 0)
			return false;
		*value = s->set != KEPT_NONE ? s->set : x;
		return true;
	case KEPT_PUT:
		for (; x >= end; end *= p->base)
			n++;
		*value = x + (s->a + 1) * end;
		return n < p->most;
	case KEPT_TAKE:
		*value = x / p->base;
		return x % p->base == (uint64_t)s->a + 1;
	case KEPT_ADD:
		*value = x + s->a;
		return *value < p->base;
	case KEPT_SUBTRACT:
		*value = x - s->a;
		return x >= s->a;
	}
	return false;
}

/* Is a move not seen, and does it have steps? */
static bool is_of(const struct kept_moves *m, uint64_t seen)
{
	return m->n != 0 && (m->event == KEPT_NONE || (seen >> m->event & 1) == 0);
}

/* Sorts the moves by their first part. A move without steps leads nowhere else. */
static bool ksets_sort(struct ksets *x, enum ksets_moves which, uint64_t seen)
{
	const struct kept_composed *c = x->c;
	struct ksets_by_part *b = &x->by_part[which];

	b->moves = calloc((size_t)c->moves.n + 1, sizeof *b->moves);
	b->first = calloc((size_t)c->parts.n + 2, sizeof *b->first);
	if (b->moves == NULL || b->first == NULL)
		return false;
	/* Count those of each part, two places further on; then first[part + 1] is where the next
	 * one of the part goes. */
	for (uint32_t i = 0; i < c->moves.n; i++)
		if (is_of(&c->moves.at[i], seen))
			b->first[c->steps.at[c->moves.at[i].first].part + 2]++;
	for (uint32_t i = 0; i < c->parts.n; i++)
		b->first[i + 2] += b->first[i + 1];
	for (uint32_t i = 0; i < c->moves.n; i++)
		if (is_of(&c->moves.at[i], seen))
			b->moves[b->first[c->steps.at[c->moves.at[i].first].part + 1]++] = i;
	return true;
}

void ksets_free(struct ksets *x)
{
	vec_free(&x->nodes);
	vec_free(&x->edges);
	vec_free(&x->stack);
	hash_free(&x->hash);
	free(x->made);
	for (int i = 0; i < 2; i++) {
		free(x->by_part[i].moves);
		free(x->by_part[i].first);
	}
}

/* ---- nodes ---- */

static uint64_t node_hash(uint32_t part, const struct kept_edge *e, size_t n)
{
	uint64_t h = part;

	for (size_t i = 0; i < n; i++)
		h = hash_add(hash_add(h, e[i].value), e[i].to);
	return h;
}

static uint64_t hash_of_node(const void *sets, uint32_t id)
{
	const struct ksets *x = sets;
	const struct kept_node *n = &x->nodes.at[id];

	return node_hash(n->part, x->edges.at + n->first, n->n);
}

/* A node that is looked for. */
struct wanted_node {
	uint32_t part, n;
	const struct kept_edge *e;
};

static bool same_node(const void *sets, uint32_t id, const void *key)
{
	const struct ksets *x = sets;
	const struct kept_node *a = &x->nodes.at[id];
	const struct wanted_node *w = key;

	if (a->part != w->part || a->n != w->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (x->edges.at[a->first + i].value != w->e[i].value ||
		    x->edges.at[a->first + i].to != w->e[i].to)
			return false;
	return true;
}

static uint32_t ksets_give_up(struct ksets *x, bool full)
{
	x->full = x->full || full;
	x->failed = x->failed || !full;
	return KSETS_NONE;
}

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = ((const struct kept_edge *)a)->value, y = ((const struct kept_edge *)b)->value;

	return (x > y) - (x < y);
}

/* Makes a node of the edges from `base` on of the stack, and takes them from it. They have
 * different values, and lead to sets with states. */
static uint32_t ksets_node(struct ksets *x, uint32_t part, size_t base)
{
	struct wanted_node w = { part, (uint32_t)(x->stack.n - base), x->stack.at + base };
	struct kept_node node = { part, (uint32_t)x->edges.n, w.n };
	size_t place;
	uint64_t h;

	x->stack.n = base;
	if (w.n == 0 || x->full || x->failed)
		return KSETS_NONE;
	if (w.n == 1 && w.e[0].value == 0)
		return w.e[0].to;
	h = node_hash(part, w.e, w.n);
	if (!hash_room(&x->hash, hash_of_node, x))
		return ksets_give_up(x, false);
	place = hash_find(&x->hash, h, same_node, x, &w);
	if (hash_id(&x->hash, place) != HASH_NONE)
		return hash_id(&x->hash, place);
	if (x->nodes.n + x->edges.n >= KSETS_MOST)
		return ksets_give_up(x, true);
	if (!vec_reserve(&x->edges, w.n) || !vec_push(&x->nodes, node))
		return ksets_give_up(x, false);
	memcpy(x->edges.at + x->edges.n, w.e, w.n * sizeof *w.e);
	x->edges.n += w.n;
	hash_put(&x->hash, place, (uint32_t)x->nodes.n - 1);
	return (uint32_t)x->nodes.n - 1;
}

static void push_edge(struct ksets *x, uint64_t value, uint32_t to)
{
	if (to != KSETS_NONE && !vec_push(&x->stack, ((struct kept_edge){ value, to })))
		x->failed = true;
	if (++x->steps > KSETS_MOST_STEPS)
		x->full = true;
}

/* Takes the set of all states that c has. */
static void take_all(struct ksets *x, const struct kept_composed *c)
{
	uint32_t *id = calloc((size_t)c->nodes.n + KEPT_ZERO + 1, sizeof *id);

	x->failed = id == NULL;
	if (id == NULL)
		return;
	id[KEPT_ZERO] = KSETS_ZERO;
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct kept_node *node = &c->nodes.at[i];

		for (uint32_t k = node->first; k < node->first + node->n; k++)
			push_edge(x, c->edges.at[k].value, id[c->edges.at[k].to]);
		id[i + KEPT_ZERO + 1] = ksets_node(x, node->part, 0);
	}
	x->all = id[c->nodes.n + KEPT_ZERO];
	free(id);
}

bool ksets_init(struct ksets *x, const struct kept_composed *c, uint64_t seen)
{
	*x = (struct ksets){ .c = c };
	x->made = calloc(MADE, sizeof *x->made);
	/* The two sets that have no edges. Their part is behind all others. */
	if (x->made == NULL || !ksets_sort(x, KSETS_SILENT, seen) || !ksets_sort(x, KSETS_ALL, 0) ||
	    !vec_push(&x->nodes, ((struct kept_node){ c->parts.n, 0, 0 })) ||
	    !vec_push(&x->nodes, ((struct kept_node){ c->parts.n, 0, 0 })))
		return false;
	take_all(x, c);
	return !ksets_stop(x);
}

/* Returns how many edges a set has at a part, which is not behind its own. */
static uint32_t edges_at(const struct ksets *x, uint32_t set, uint32_t part)
{
	return x->nodes.at[set].part == part ? x->nodes.at[set].n : 1;
}

/* Returns edge i of a set at a part. */
static struct kept_edge edge_at(const struct ksets *x, uint32_t set, uint32_t part, uint32_t i)
{
	if (x->nodes.at[set].part == part)
		return x->edges.at[x->nodes.at[set].first + i];
	return (struct kept_edge){ 0, set };
}

static struct ksets_made *place_of(struct ksets *x, uint32_t op, uint32_t a, uint32_t b)
{
	return &x->made[hash_add(hash_add(op, a), b) & (MADE - 1)];
}

/* Returns whether a result is remembered, in *result. No operation is of set 0. */
static bool is_made(struct ksets *x, uint32_t op, uint32_t a, uint32_t b, uint32_t *result)
{
	const struct ksets_made *m = place_of(x, op, a, b);

	if (m->a == 0 || m->op != op || m->a != a || m->b != b)
		return false;
	*result = m->result;
	return true;
}

static uint32_t remember(struct ksets *x, uint32_t op, uint32_t a, uint32_t b, uint32_t result)
{
	if (!ksets_stop(x))
		*place_of(x, op, a, b) = (struct ksets_made){ op, a, b, result };
	return result;
}

/* ---- union and difference ---- */

static uint32_t first_part(const struct ksets *x, uint32_t a, uint32_t b)
{
	return x->nodes.at[a].part < x->nodes.at[b].part ? x->nodes.at[a].part
							 : x->nodes.at[b].part;
}

uint32_t ksets_union(struct ksets *x, uint32_t a, uint32_t b)
{
	uint32_t part, na, nb, i = 0, k = 0, result;
	size_t base = x->stack.n;

	if (a == b || b == KSETS_NONE)
		return a;
	if (a == KSETS_NONE)
		return b;
	if (a > b) {
		uint32_t c = a;

		a = b;
		b = c;
	}
	if (ksets_stop(x))
		return KSETS_NONE;
	if (is_made(x, OP_UNION, a, b, &result))
		return result;
	part = first_part(x, a, b);
	na = edges_at(x, a, part);
	nb = edges_at(x, b, part);
	while (i < na || k < nb) {
		struct kept_edge e = i < na ? edge_at(x, a, part, i) : (struct kept_edge){ 0, 0 };
		struct kept_edge f = k < nb ? edge_at(x, b, part, k) : (struct kept_edge){ 0, 0 };

		if (k == nb || (i < na && e.value < f.value)) {
			push_edge(x, e.value, e.to);
			i++;
		} else if (i == na || f.value < e.value) {
			push_edge(x, f.value, f.to);
			k++;
		} else {
			push_edge(x, e.value, ksets_union(x, e.to, f.to));
			i++;
			k++;
		}
	}
	return remember(x, OP_UNION, a, b, ksets_node(x, part, base));
}

uint32_t ksets_minus(struct ksets *x, uint32_t a, uint32_t b)
{
	uint32_t part, na, nb, result;
	size_t base = x->stack.n;

	if (a == b || a == KSETS_NONE || b == KSETS_NONE || ksets_stop(x))
		return a == b ? KSETS_NONE : a;
	if (is_made(x, OP_MINUS, a, b, &result))
		return result;
	part = first_part(x, a, b);
	na = edges_at(x, a, part);
	nb = edges_at(x, b, part);
	for (uint32_t i = 0, k = 0; i < na; i++) {
		struct kept_edge e = edge_at(x, a, part, i);

		while (k < nb && edge_at(x, b, part, k).value < e.value)
			k++;
		push_edge(x, e.value, k < nb && edge_at(x, b, part, k).value == e.value
					      ? ksets_minus(x, e.to, edge_at(x, b, part, k).to)
					      : e.to);
	}
	return remember(x, OP_MINUS, a, b, ksets_node(x, part, base));
}

/* ---- moves of sets ---- */

/* Makes the edges from `base` on of the stack rise: a move can lead from several values to one. */
static void sort_edges(struct ksets *x, size_t base)
{
	struct kept_edge *e = x->stack.at + base;
	size_t n = x->stack.n - base, kept = 0;

	if (n > 1)
		qsort(e, n, sizeof *e, compare_edges);
	for (size_t i = 0; i < n; i++) {
		struct kept_edge next = x->stack.at[base + i];

		if (kept != 0 && x->stack.at[base + kept - 1].value == next.value) {
			uint32_t both = ksets_union(x, x->stack.at[base + kept - 1].to, next.to);

			x->stack.at[base + kept - 1].to = both;
		} else {
			x->stack.at[base + kept++] = next;
		}
	}
	x->stack.n = base + kept;
}

static uint32_t close_from(struct ksets *x, uint32_t set, uint32_t part, enum ksets_moves which);

static uint32_t move_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end,
			  enum ksets_moves which);

/* Pushes an edge of part `part` to what steps [step, end) of a move make of a set. Unless `which`
 * is KSETS_NO_MOVES, the set is closed under such moves of the parts behind this one; then what the
 * edge leads to is, too. */
static void push_moved(struct ksets *x, uint32_t part, struct kept_edge e, uint32_t step,
		       uint32_t end, enum ksets_moves which)
{
	uint32_t to = move_from(x, e.to, step, end, which);

	if (which != KSETS_NO_MOVES)
		to = close_from(x, to, part + 1, which);
	push_edge(x, e.value, to);
}

static uint32_t move_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end,
			  enum ksets_moves which)
{
	const struct kept_step *s = &x->c->steps.at[step];
	uint32_t op = which == KSETS_NO_MOVES ? OP_MOVE : OP_FIRE + which, part, n, result;
	size_t base = x->stack.n;

	if (step == end || set == KSETS_NONE)
		return set;
	if (ksets_stop(x))
		return KSETS_NONE;
	/* A step belongs to one move. */
	if (is_made(x, op, set, step, &result))
		return result;
	part = x->nodes.at[set].part < s->part ? x->nodes.at[set].part : s->part;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (part != s->part)
			push_moved(x, part, e, step, end, which);
		else if (ksets_step(x->c, s, &e.value))
			push_moved(x, part, e, step + 1, end, which);
	}
	sort_edges(x, base);
	return remember(x, op, set, step, ksets_node(x, part, base));
}

uint32_t ksets_move(struct ksets *x, uint32_t set, uint32_t move)
{
	const struct kept_moves *m = &x->c->moves.at[move];

	return move_from(x, set, m->first, m->first + m->n, KSETS_NO_MOVES);
}

/* Makes a move whose first step is on part `part`, on a set that is closed from the next part on.
 * So is the result. */
static uint32_t fire(struct ksets *x, uint32_t set, uint32_t part, uint32_t move,
		     enum ksets_moves which)
{
	const struct kept_moves *m = &x->c->moves.at[move];
	uint32_t n = edges_at(x, set, part);
	size_t base = x->stack.n;

	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (ksets_step(x->c, &x->c->steps.at[m->first], &e.value))
			push_moved(x, part, e, m->first + 1, m->first + m->n, which);
	}
	sort_edges(x, base);
	return ksets_node(x, part, base);
}

/* Closes a set, of parts from `part` on, under the moves that touch none before it. */
static uint32_t close_from(struct ksets *x, uint32_t set, uint32_t part, enum ksets_moves which)
{
	const struct ksets_by_part *b = &x->by_part[which];
	uint32_t op = OP_CLOSE + which, result, before, n;
	size_t base = x->stack.n;

	while (part < x->nodes.at[set].part && b->first[part] == b->first[part + 1])
		part++;
	if (set == KSETS_NONE || part == x->c->parts.n || ksets_stop(x))
		return set;
	if (is_made(x, op, set, part, &result))
		return result;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		push_edge(x, e.value, close_from(x, e.to, part + 1, which));
	}
	result = ksets_node(x, part, base);
	do {
		before = result;
		for (uint32_t i = b->first[part]; i < b->first[part + 1]; i++)
			result = ksets_union(x, result,
					     fire(x, result, part, b->moves[i], which));
	} while (result != before && !ksets_stop(x));
	remember(x, op, result, part, result);
	return remember(x, op, set, part, result);
}

uint32_t ksets_close(struct ksets *x, uint32_t set, enum ksets_moves moves)
{
	return close_from(x, set, 0, moves);
}

static uint32_t leaving_from(struct ksets *x, uint32_t set, uint32_t step, uint32_t end)
{
	const struct kept_step *s = &x->c->steps.at[step];
	uint32_t part, n, result;
	size_t base = x->stack.n;

	if (step == end || set == KSETS_NONE || ksets_stop(x))
		return set;
	if (is_made(x, OP_LEAVING, set, step, &result))
		return result;
	part = x->nodes.at[set].part < s->part ? x->nodes.at[set].part : s->part;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);
		uint64_t value = e.value;

		if (part != s->part)
			push_edge(x, value, leaving_from(x, e.to, step, end));
		else if (ksets_step(x->c, s, &value))
			push_edge(x, e.value, leaving_from(x, e.to, step + 1, end));
	}
	return remember(x, OP_LEAVING, set, step, ksets_node(x, part, base));
}

uint32_t ksets_leaving(struct ksets *x, uint32_t set, uint32_t move)
{
	const struct kept_moves *m = &x->c->moves.at[move];

	return leaving_from(x, set, m->first, m->first + m->n);
}

/* ---- questions ---- */

static uint32_t meets_from(struct ksets *x, uint32_t set, const uint32_t *values, uint32_t part)
{
	uint32_t n, result;
	size_t base = x->stack.n;

	/* A part without a node is 0. */
	for (; part < x->nodes.at[set].part; part++)
		if (x->c->parts.at[part].var != KEPT_NONE && (values[part] & 1) == 0)
			return KSETS_NONE;
	if (set <= KSETS_ZERO || ksets_stop(x))
		return set;
	if (is_made(x, OP_MEETS, set, x->asked, &result))
		return result;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (x->c->parts.at[part].var == KEPT_NONE || (values[part] >> e.value & 1) != 0)
			push_edge(x, e.value, meets_from(x, e.to, values, part + 1));
	}
	return remember(x, OP_MEETS, set, x->asked, ksets_node(x, part, base));
}

uint32_t ksets_meets(struct ksets *x, uint32_t set, const uint32_t *values)
{
	x->asked++;
	return meets_from(x, set, values, 0);
}

static void values_from(struct ksets *x, uint32_t set, uint32_t part, uint32_t *values)
{
	uint32_t seen;

	for (; part < x->nodes.at[set].part; part++)
		values[part] |= 1;
	if (set <= KSETS_ZERO || is_made(x, OP_VALUES, set, x->asked, &seen))
		return;
	for (uint32_t i = 0; i < x->nodes.at[set].n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (e.value < KEPT_VALUES)
			values[part] |= (uint32_t)1 << e.value;
		values_from(x, e.to, part + 1, values);
	}
	remember(x, OP_VALUES, set, x->asked, 0);
}

void ksets_values(struct ksets *x, uint32_t set, uint32_t *values)
{
	x->asked++;
	if (set != KSETS_NONE)
		values_from(x, set, 0, values);
}

void ksets_any(const struct ksets *x, uint32_t set, uint64_t *value)
{
	memset(value, 0, x->c->parts.n * sizeof *value);
	while (set > KSETS_ZERO) {
		struct kept_edge e = x->edges.at[x->nodes.at[set].first];

		value[x->nodes.at[set].part] = e.value;
		set = e.to;
	}
}

double ksets_count(struct ksets *x, uint32_t set)
{
	/* Edges lead to nodes that were made before. */
	double *n = calloc((size_t)set + 2, sizeof *n), result;

	if (n == NULL)
		return 0;
	n[KSETS_ZERO] = 1;
	for (uint32_t i = KSETS_ZERO + 1; i <= set; i++)
		for (uint32_t k = 0; k < x->nodes.at[i].n; k++)
			n[i] += n[x->edges.at[x->nodes.at[i].first + k].to];
	result = n[set];
	free(n);
	return result;
}

/* ---- forgetting ---- */

void ksets_keep(struct ksets *x, uint32_t *roots, size_t n)
{
	uint32_t *to = calloc(x->nodes.n, sizeof *to);
	uint32_t kept = KSETS_ZERO + 1, edges = 0;

	if (to == NULL) {
		x->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[roots[i]] = 1;
	for (size_t i = x->nodes.n; i-- > KSETS_ZERO + 1;)
		for (uint32_t k = 0; k < x->nodes.at[i].n && to[i] != 0; k++)
			to[x->edges.at[x->nodes.at[i].first + k].to] = 1;
	to[KSETS_NONE] = KSETS_NONE;
	to[KSETS_ZERO] = KSETS_ZERO;
	hash_clear(&x->hash);
	for (size_t i = KSETS_ZERO + 1; i < x->nodes.n; i++) {
		struct kept_node node = x->nodes.at[i];
		struct wanted_node w = { node.part, node.n, x->edges.at + edges };

		if (to[i] == 0)
			continue;
		for (uint32_t k = 0; k < node.n; k++) {
			struct kept_edge e = x->edges.at[node.first + k];

			x->edges.at[edges + k] = (struct kept_edge){ e.value, to[e.to] };
		}
		x->nodes.at[kept] = (struct kept_node){ node.part, edges, node.n };
		hash_put(&x->hash, hash_find(&x->hash, node_hash(w.part, w.e, w.n), same_node, x, &w),
			 kept);
		to[i] = kept++;
		edges += node.n;
	}
	x->nodes.n = kept;
	x->edges.n = edges;
	memset(x->made, 0, MADE * sizeof *x->made);
	x->full = false;
	for (size_t i = 0; i < n; i++)
		roots[i] = to[roots[i]];
	free(to);
}
