/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The symbolic alphabet: enumerates the batches that a set of literals tells apart. A batch hits an
 * atom if one of its messages does. So what a batch hits is a union, to which each slot adds what
 * one of its letters hits, or nothing if the slot is empty. At least one slot is not empty. The
 * time slot, if there is one, comes last and is never empty; with any time but plain, the others
 * may all be. The bits of counters are added after that, both set and not set.
 *
 * Note [unions of batches]. Consider batches u, v and w. Let each literal in question be true of v
 * exactly if it is true of u or of w. Then what v makes active, from any set of states, is what u
 * and w make active together. So a relation that is closed under unions and relates the successors
 * by u and by w also relates those by v, and v can be left out (decide_congruence.c). If each atom
 * occurs in one sign only, this leaves few of exponentially many batches: Any(a), Any(b), Any(c) in
 * three slots need the batches {}, a, b and c. Unions can be left out after every slot, because
 * another message adds the same hits to u, v and w.
 */
#include "ir/decide/decide_int.h"

enum { MOST_BATCHES = 1 << 12, MOST_KNOWN = 1 << 22, PRUNE_ABOVE = 24 };

/* Batches that are being enumerated. Each is a row of bits, which says which atoms the batch hits.
 * Rows are distinct. */
struct enumeration {
	struct decider *d;
	bool all;                /* rows that are unions of other rows are kept */
	uint32_t natoms,         /* how many atoms are in question */
		words;           /* how many 64-bit words a row has */
	uint32_t *atom;          /* [natoms]: the numbers of the atoms in question */
	/* Rows: the atoms in question that occur as Any are in `pos`, those that occur as None are
	 * in `neg`. */
	uint64_t *pos, *neg;
	VEC(uint64_t) rows;      /* all rows so far */
	VEC(uint32_t) node;      /* by row: the last batch_node of an example of such a batch */
	uint64_t *row;           /* the row that is being made */
	VEC(uint64_t) sigs;      /* the distinct rows of the current slot's letters, except zero */
	VEC(uint32_t) letter;    /* a letter for each row in `sigs` */
	uint32_t zero;           /* a letter that hits no atom; UINT32_MAX: none */
};

static uint64_t *row_at(struct enumeration *e, size_t i)
{
	return e->rows.at + i * e->words;
}

static uint32_t add_node(struct decider *d, uint32_t before, uint32_t letter)
{
	if (d->batches.nodes.n >= UINT32_MAX - 1 ||
	    !vec_push(&d->batches.nodes, ((struct batch_node){ before, letter }))) {
		decide_no_memory(d);
		return UINT32_MAX;
	}
	return (uint32_t)d->batches.nodes.n - 1;
}

/* Adds e->row, unless it is there already. Its batch is that of node `before` and a message with
 * `letter` (UINT32_MAX: no further message). False: at the limit, or out of memory. */
static bool add_row(struct enumeration *e, uint32_t before, uint32_t letter)
{
	size_t n = e->node.n;
	uint32_t node;

	if (!decide_spend(e->d, 1 + n / 4))
		return false;
	for (size_t i = 0; i < n; i++)
		if (memcmp(row_at(e, i), e->row, e->words * 8) == 0)
			return true;
	if (n >= MOST_BATCHES) {
		e->d->effort.state = DECIDE_AT_LIMIT;
		return false;
	}
	node = letter == UINT32_MAX ? before : add_node(e->d, before, letter);
	if (e->d->effort.state != DECIDE_RUNS)
		return false;
	if (!vec_reserve(&e->rows, e->words) || !vec_push(&e->node, node))
		return decide_no_memory(e->d);
	memcpy(e->rows.at + e->rows.n, e->row, e->words * 8);
	e->rows.n += e->words;
	return true;
}

/* Do all literals in question that hold in row u hold in row v? */
static bool batch_below(const struct enumeration *e, const uint64_t *u, const uint64_t *v)
{
	for (uint32_t i = 0; i < e->words; i++)
		if ((u[i] & ~v[i] & e->pos[i]) != 0 || (~u[i] & v[i] & e->neg[i]) != 0)
			return false;
	return true;
}

/* Is row number `at` the union of one or more other rows (Note [unions of batches])? Only the
 * literals in question count. */
static bool is_union(struct enumeration *e, size_t at)
{
	const uint64_t *v = row_at(e, at);
	uint64_t *yes = e->row, *no = e->row + e->words;
	bool any = false;

	memset(yes, 0, 2 * (size_t)e->words * 8);
	for (size_t i = 0; i < e->node.n; i++) {
		const uint64_t *u = row_at(e, i);
		if (i == at || !batch_below(e, u, v))
			continue;
		any = true;
		for (uint32_t k = 0; k < e->words; k++) {
			yes[k] |= u[k] & e->pos[k];
			no[k] |= ~u[k] & e->neg[k];
		}
	}
	for (uint32_t k = 0; k < e->words; k++)
		if (yes[k] != (v[k] & e->pos[k]) || no[k] != (~v[k] & e->neg[k]))
			return false;
	return any;
}

/* Drops the rows that are unions of others. A dropped row is the union of rows that stay, because
 * the rows of which it is the union are strictly smaller. False: at the limit, or out of memory. */
static bool prune(struct enumeration *e)
{
	size_t n = e->node.n, m = 0;
	bool *drop;

	if (e->all)
		return true;
	if (!decide_spend(e->d, n * n * e->words))
		return false;
	drop = malloc(n + 1);
	if (drop == NULL)
		return decide_no_memory(e->d);
	for (size_t i = 0; i < n; i++)
		drop[i] = is_union(e, i);
	for (size_t i = 0; i < n; i++) {
		if (drop[i])
			continue;
		memmove(row_at(e, m), row_at(e, i), e->words * 8);
		e->node.at[m++] = e->node.at[i];
	}
	free(drop);
	e->node.n = m;
	e->rows.n = m * e->words;
	return true;
}

/* Makes e->row what a message of class c hits. */
static void signature(struct enumeration *e, size_t c)
{
	const struct decider *d = e->d;
	const uint64_t *sig = d->letters.sigs + c * d->letters.atom_words;

	memset(e->row, 0, e->words * 8);
	for (uint32_t k = 0; k < e->natoms; k++)
		if (e->atom[k] < d->letters.natoms && bits_get(sig, e->atom[k]))
			bits_set(e->row, k);
}

/* Collects the distinct rows of the classes [begin, end), which are those of one slot. False: at
 * the limit, or out of memory. */
static bool batch_gather(struct enumeration *e, size_t begin, size_t end)
{
	struct decider *d = e->d;

	e->sigs.n = e->letter.n = 0;
	for (size_t c = begin; c < end; c++) {
		size_t i;
		signature(e, c);
		if (!bits_any(e->row, e->words)) {
			if (e->zero == UINT32_MAX)
				e->zero = d->letters.classes.at[c].letter;
			continue;
		}
		for (i = 0; i < e->letter.n; i++)
			if (memcmp(e->sigs.at + i * e->words, e->row, e->words * 8) == 0)
				break;
		if (i < e->letter.n)
			continue;
		if (!vec_reserve(&e->sigs, e->words) ||
		    !vec_push(&e->letter, d->letters.classes.at[c].letter))
			return decide_no_memory(d);
		memcpy(e->sigs.at + e->sigs.n, e->row, e->words * 8);
		e->sigs.n += e->words;
	}
	return decide_spend(d, (end - begin) * (1 + e->natoms / 8));
}

/* Adds the batches that have a message in the current slot. False: at the limit, or out of
 * memory. */
static bool add_slot(struct enumeration *e)
{
	size_t n = e->node.n;

	for (size_t c = 0; c < e->letter.n; c++) {
		const uint64_t *sig = e->sigs.at + c * e->words;
		for (size_t i = 0; i <= n; i++) { /* i = n: the message is alone in its batch */
			for (uint32_t k = 0; k < e->words; k++)
				e->row[k] = sig[k] | (i < n ? row_at(e, i)[k] : 0);
			if (!add_row(e, i < n ? e->node.at[i] : UINT32_MAX, e->letter.at[c]))
				return false;
		}
	}
	return e->node.n <= PRUNE_ABOVE || e->letter.n == 0 || prune(e);
}

static bool add_bits(struct enumeration *e)
{
	for (uint32_t k = 0; k < e->natoms; k++) {
		size_t n = e->node.n;
		for (size_t i = 0; e->atom[k] >= e->d->letters.natoms && i < n; i++) {
			memcpy(e->row, row_at(e, i), e->words * 8);
			bits_set(e->row, k);
			if (!add_row(e, e->node.at[i], UINT32_MAX))
				return false;
		}
		if (e->node.n > n && e->node.n > PRUNE_ABOVE && !prune(e))
			return false;
	}
	return true;
}

/* Makes the rows anew: each row so far with each time, and each time but plain alone. The times are
 * the classes [begin, end). False: at the limit, or out of memory. */
static bool add_time(struct enumeration *e, size_t begin, size_t end)
{
	struct decider *d = e->d;
	size_t n = e->node.n;
	uint32_t *node = malloc((n + 1) * sizeof *node);
	uint64_t *rows = malloc((n + 1) * e->words * 8);
	bool ok = node != NULL && rows != NULL;

	if (!ok)
		decide_no_memory(d);
	for (size_t i = 0; ok && i < n; i++) {
		node[i] = e->node.at[i];
		memcpy(rows + i * e->words, row_at(e, i), e->words * 8);
	}
	e->node.n = e->rows.n = 0;
	for (size_t c = begin; ok && c < end; c++) {
		uint32_t letter = d->letters.classes.at[c].letter;
		if (letter != d->side[0].a->preds->alphabet.time) {
			signature(e, c);
			ok = add_row(e, UINT32_MAX, letter);
		}
		for (size_t i = 0; ok && i < n; i++) {
			signature(e, c);
			for (uint32_t k = 0; k < e->words; k++)
				e->row[k] |= rows[i * e->words + k];
			ok = add_row(e, node[i], letter);
		}
	}
	free(node);
	free(rows);
	return ok;
}

static bool enumerate(struct enumeration *e)
{
	struct decider *d = e->d;
	size_t begin = 0, end;

	for (; begin < d->letters.classes.n &&
	       d->letters.classes.at[begin].slot != d->letters.time_slot;
	     begin = end) {
		for (end = begin;
		     end < d->letters.classes.n &&
		     d->letters.classes.at[end].slot == d->letters.classes.at[begin].slot;
		     end++)
			;
		if (!batch_gather(e, begin, end) || !add_slot(e))
			return false;
	}
	memset(e->row, 0, e->words * 8);
	if (e->zero != UINT32_MAX && !add_row(e, UINT32_MAX, e->zero))
		return false;
	if (d->letters.time_slot != UINT32_MAX && !add_time(e, begin, d->letters.classes.n))
		return false;
	return add_bits(e) && (e->node.n < 3 || prune(e));
}

/* Finds the atoms of the key and the signs in which they occur. False: out of memory. */
static bool batch_begin(struct enumeration *e, const uint64_t *key)
{
	struct decider *d = e->d;
	size_t nlits = 2 * ((size_t)d->letters.natoms + d->letters.nbits), k = 0;

	for (size_t i = bits_next(key, nlits, 0); i < nlits; i = bits_next(key, nlits, (i | 1) + 1))
		e->natoms++;
	e->words = (uint32_t)bits_words(e->natoms) + (e->natoms == 0);
	e->atom = malloc((e->natoms + 1) * sizeof *e->atom);
	e->pos = calloc(4 * (size_t)e->words, 8);
	if (e->atom == NULL || e->pos == NULL)
		return decide_no_memory(d);
	e->neg = e->pos + e->words;
	e->row = e->neg + e->words; /* `row` has room for two rows */
	for (size_t i = bits_next(key, nlits, 0); i < nlits;
	     i = bits_next(key, nlits, (i | 1) + 1)) {
		if (bits_get(key, i & ~(size_t)1))
			bits_set(e->pos, k);
		if (bits_get(key, i | 1))
			bits_set(e->neg, k);
		e->atom[k++] = (uint32_t)(i / 2);
	}
	return true;
}

/* Makes *b from the rows: the truth of the key's literals in each. It lives in the decider's arena.
 * False: out of memory. */
static bool batch_keep(struct enumeration *e, const uint64_t *key, struct batches *b)
{
	struct decider *d = e->d;
	uint64_t *own = arena_array(&d->arena, d->letters.lit_words, 8), *truth;
	uint32_t lits = 0, *node;

	for (uint32_t k = 0; k < e->natoms; k++)
		lits += bits_get(e->pos, k) + bits_get(e->neg, k);
	b->n = (uint32_t)e->node.n;
	b->words = (uint32_t)bits_words(lits);
	truth = arena_array(&d->arena, (size_t)b->n * b->words, 8);
	node = arena_array(&d->arena, b->n, sizeof *node);
	if (own == NULL || truth == NULL || node == NULL)
		return decide_no_memory(d);
	memcpy(own, key, d->letters.lit_words * 8);
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t *t = truth + (size_t)i * b->words;
		for (uint32_t k = 0, j = 0; k < e->natoms; k++) {
			bool hit = bits_get(row_at(e, i), k);
			if (bits_get(e->pos, k) && (j++, hit))
				bits_set(t, j - 1);
			if (bits_get(e->neg, k) && (j++, !hit))
				bits_set(t, j - 1);
		}
		node[i] = e->node.at[i];
	}
	b->all = e->all;
	b->key = own;
	b->truth = truth;
	b->node = node;
	return true;
}

static bool batch_make(struct decider *d, const uint64_t *key, bool all, struct batches *b)
{
	struct enumeration e = { .d = d, .all = all, .zero = UINT32_MAX };
	bool ok = batch_begin(&e, key) && enumerate(&e) && batch_keep(&e, key, b);

	free(e.atom);
	free(e.pos);
	vec_free(&e.rows);
	vec_free(&e.node);
	vec_free(&e.sigs);
	vec_free(&e.letter);
	return ok;
}

/* ---- what is known ---- */

/* What batches_find() is asked for. */
struct question {
	const uint64_t *key;
	bool all;
};

static uint64_t hash_key(const struct decider *d, const uint64_t *key, bool all)
{
	return hash_words(all, key, d->letters.lit_words);
}

static uint64_t hash_of(const void *decider, uint32_t id)
{
	const struct decider *d = decider;

	return hash_key(d, d->batches.known.at[id].key, d->batches.known.at[id].all);
}

static bool batch_same(const void *decider, uint32_t id, const void *key)
{
	const struct decider *d = decider;
	const struct question *q = key;

	return d->batches.known.at[id].all == q->all &&
	       memcmp(d->batches.known.at[id].key, q->key, d->letters.lit_words * 8) == 0;
}

const struct batches *batches_find(struct decider *d, const uint64_t *key, bool all)
{
	struct question q = { key, all };
	struct batches b;
	size_t at;

	if (!decide_spend(d, 1 + d->letters.lit_words))
		return NULL;
	if (!hash_room(&d->batches.hash, hash_of, d)) {
		decide_no_memory(d);
		return NULL;
	}
	at = hash_find(&d->batches.hash, hash_key(d, key, all), batch_same, d, &q);
	if (hash_id(&d->batches.hash, at) != HASH_NONE)
		return &d->batches.known.at[hash_id(&d->batches.hash, at)];
	if (d->batches.known.n >= MOST_KNOWN || d->batches.nodes.n >= MOST_KNOWN) {
		d->effort.state = DECIDE_AT_LIMIT;
		return NULL;
	}
	if (!batch_make(d, key, all, &b))
		return NULL;
	if (!vec_push(&d->batches.known, b)) {
		decide_no_memory(d);
		return NULL;
	}
	hash_put(&d->batches.hash, at, (uint32_t)d->batches.known.n - 1);
	return &d->batches.known.at[d->batches.known.n - 1];
}
