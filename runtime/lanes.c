/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/lanes.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- layout ---- */

/*
 * Note [layout]
 * A depth-first walk lists states so that chains stand in order and together. A state that no other
 * leads to (a root), the first of a `true*` filter, often begins many of them, alone or with one that
 * only it and itself lead to: filters that begin alike share them. These are listed again in front of
 * each chain. Pieces of the list then fill the words. All copies of a state are active together: each
 * is entered as the state is, by a copy near by or by exceptions. Wherever transitions don't fit they
 * are exceptions, so no layout is wrong.
 */
enum { ROOT, SECOND, INNER };

struct layout {
	const struct nfart_image *im;
	uint32_t *order;   /* states, each before most of those it leads to */
	uint32_t *stack, *next;
	bool *seen;
	uint8_t *level;    /* ROOT; SECOND: entered by roots and itself only; or INNER */
	uint32_t n;        /* filled of order, from its end */
	uint32_t *list, nlist; /* order, with copies */
};

/* Appends, from the end of `order` on, what is reached from s and not yet there: a state behind all
 * that it leads to. */
static void visit(struct layout *y, uint32_t s)
{
	const struct nfart_image *im = y->im;
	uint32_t depth = 0;

	y->stack[depth++] = s;
	y->seen[s] = true;
	while (depth != 0) {
		uint32_t u = y->stack[depth - 1];
		uint32_t *i = &y->next[u];
		while (*i < im->succ_first[u + 1] && y->seen[im->succ[*i]])
			++*i;
		if (*i == im->succ_first[u + 1]) {
			y->order[im->nstates - ++y->n] = u;
			depth--;
		} else {
			y->seen[im->succ[*i]] = true;
			y->stack[depth++] = im->succ[*i];
		}
	}
}

/* Roots first, then what only cycles reach. */
static void order_states(struct layout *y)
{
	const struct nfart_image *im = y->im;

	for (uint32_t s = 0; s < im->nstates; s++) {
		y->next[s] = im->succ_first[s];
		for (uint32_t i = im->succ_first[s]; i < im->succ_first[s + 1]; i++)
			y->level[im->succ[i]] = SECOND;
	}
	for (uint32_t s = 0; s < im->nstates; s++)
		for (uint32_t i = im->succ_first[s]; i < im->succ_first[s + 1]; i++)
			if (y->level[s] != ROOT && im->succ[i] != s)
				y->level[im->succ[i]] = INNER;
	for (uint32_t s = im->nstates; s-- > 0;)
		if (y->level[s] == ROOT && !y->seen[s])
			visit(y, s);
	for (uint32_t s = im->nstates; s-- > 0;)
		if (!y->seen[s])
			visit(y, s);
}

static bool leads_to(const struct nfart_image *im, uint32_t u, uint32_t v)
{
	for (uint32_t i = im->succ_first[u]; i < im->succ_first[u + 1]; i++)
		if (im->succ[i] == v)
			return true;
	return false;
}

enum { NEAR = 2 };

/* Is entry k of the list behind one, from `from` on, that leads to it and should stand in its word? */
static bool linked(const struct layout *y, uint32_t from, uint32_t k)
{
	for (uint32_t j = k > from + 64 ? k - 64 : from; j < k; j++)
		if ((k - j <= NEAR || y->level[y->list[j]] == INNER) &&
		    leads_to(y->im, y->list[j], y->list[k]))
			return true;
	return false;
}

static bool append(struct layout *y, uint32_t s)
{
	if (y->nlist == LANES_STATES - (y->im->nstates - y->n))
		return false;
	y->list[y->nlist++] = s;
	return true;
}

/* Appends copies of a state that begins chains, behind its roots. */
static void append_copy(struct layout *y, uint32_t u)
{
	for (uint32_t r = 0; r < y->im->nstates && y->level[u] == SECOND; r++)
		if (y->level[r] == ROOT && leads_to(y->im, r, u))
			append(y, r);
	append(y, u);
}

/* Lists the states in order, and copies in front of what they lead to, while there is room. */
static void list_states(struct layout *y)
{
	uint32_t n = y->im->nstates;

	for (y->n = 0; y->n < n; y->n++) {
		uint32_t s = y->order[y->n];
		y->list[y->nlist] = s;
		for (uint32_t level = SECOND + 1; level-- > ROOT;)
			for (uint32_t u = 0; u < n && !linked(y, 0, y->nlist); u++) {
				if (y->level[u] == level && u != s && leads_to(y->im, u, s))
					append_copy(y, u);
				y->list[y->nlist] = s;
			}
		y->nlist++;
	}
}

/* Gives the entries of the list their places: pieces that fit a word stand in one, where a word has
 * room for them. */
static void place_states(struct lanes *l, const struct layout *y)
{
	uint32_t used[LANES] = { 0 };

	for (uint32_t i = 0; i < LANES_STATES; i++)
		l->state[i] = LANES_NONE;
	for (uint32_t i = 0; i < y->nlist;) {
		uint32_t k = 1, w = 0;
		while (i + k < y->nlist && linked(y, i, i + k))
			k++;
		while (w < LANES && used[w] + k > 64)
			w++;
		for (uint32_t j = i; j < i + k; j++) {
			uint32_t at = w;
			if (at == LANES)
				for (at = 0; used[at] == 64; at++)
					;
			l->state[64 * at + used[at]++] = (uint16_t)y->list[j];
		}
		i += k;
	}
}

static bool lay_out(struct lanes *l)
{
	uint32_t n = l->im->nstates;
	struct layout y = { .im = l->im };
	bool ok;

	y.order = calloc((size_t)n + 1, sizeof *y.order);
	y.stack = calloc((size_t)n + 1, sizeof *y.stack);
	y.next = calloc((size_t)n + 1, sizeof *y.next);
	y.seen = calloc((size_t)n + 1, sizeof *y.seen);
	y.level = calloc((size_t)n + 1, sizeof *y.level);
	y.list = calloc(LANES_STATES + 1, sizeof *y.list);
	ok = y.order != NULL && y.stack != NULL && y.next != NULL && y.seen != NULL &&
	     y.level != NULL && y.list != NULL;
	if (ok) {
		order_states(&y);
		list_states(&y);
		place_states(l, &y);
	}
	free(y.order);
	free(y.stack);
	free(y.next);
	free(y.seen);
	free(y.level);
	free(y.list);
	return ok;
}

/* ---- making ---- */

static void set(lanes_set *s, uint32_t place)
{
	(*s)[place / 64] |= (uint64_t)1 << place % 64;
}

/* Enters the state at place q from state u: from a copy near by, or by an exception. */
static void enter(struct lanes *l, uint32_t u, uint32_t q)
{
	uint32_t p = q;

	while (p / 64 == q / 64 && q - p <= NEAR && l->state[p] != u)
		p--;
	if (p / 64 == q / 64 && q - p <= NEAR) {
		set(p == q ? &l->stay : p + 1 == q ? &l->one : &l->two, q);
		return;
	}
	for (p = 0; l->state[p] != u; p++)
		;
	set(&l->far, p);
	set(&l->to[p], q);
}

static void fill(struct lanes *l)
{
	const struct nfart_image *im = l->im;

	for (uint32_t q = 0; q < LANES_STATES; q++) {
		const struct image_state *v;
		if (l->state[q] == LANES_NONE)
			continue;
		v = &im->states[l->state[q]];
		if ((v->flags & STATE_ALWAYS) != 0)
			set(&l->always, q);
		if ((v->flags & STATE_LOG) != 0)
			set(&l->logging, q);
		if (im->labelsets[v->labelset].n != 0)
			set(&l->accepting, q);
		for (uint32_t u = 0; u < im->nstates; u++)
			if (leads_to(im, u, l->state[q]))
				enter(l, u, q);
	}
}

struct lanes *lanes_new(const struct nfart_engine *en, bool *ok)
{
	struct lanes *l;

	*ok = true;
	if (en->im->nstates > LANES_STATES)
		return NULL;
	l = calloc(1, sizeof *l);
	*ok = l != NULL;
	if (l == NULL)
		return NULL;
	l->im = en->im;
	l->to = calloc(LANES_STATES, sizeof *l->to);
	*ok = l->to != NULL && lay_out(l);
	if (*ok) {
		fill(l);
		return l;
	}
	lanes_free(l);
	return NULL;
}

void lanes_free(struct lanes *l)
{
	if (l == NULL)
		return;
	free(l->to);
	free(l->reach);
	free(l);
}

bool lanes_symbols(struct lanes *l, struct fast *f)
{
	const uint64_t *truth = f->en->truth;

	if (l->nreach > f->nsymbols) /* they were given anew */
		l->nreach = 0;
	if (f->nsymbols > l->cap) {
		uint32_t cap = f->stride;
		lanes_set *r = realloc(l->reach, cap * sizeof *r);
		if (r == NULL)
			return false;
		l->reach = r;
		l->cap = cap;
	}
	for (; l->nreach < f->nsymbols; l->nreach++) {
		lanes_set *r = &l->reach[l->nreach];
		memset(r, 0, sizeof *r);
		if (l->nreach == 0)
			continue;
		fast_truth(f, f->key_of[l->nreach]);
		for (uint32_t u = 0; u < LANES_STATES; u++)
			if (l->state[u] != LANES_NONE &&
			    l->im->states[l->state[u]].pred != IMAGE_NO_PRED &&
			    bits_get(truth, l->im->states[l->state[u]].pred))
				set(r, u);
	}
	return true;
}

void lanes_from(const struct lanes *l, const uint64_t *active, lanes_set *s)
{
	memset(s, 0, sizeof *s);
	for (uint32_t u = 0; u < LANES_STATES; u++)
		if (l->state[u] != LANES_NONE && bits_get(active, l->state[u]))
			set(s, u);
}

void lanes_to(const struct lanes *l, const lanes_set *s, uint64_t *active, size_t words)
{
	memset(active, 0, words * 8);
	for (uint32_t w = 0; w < LANES; w++)
		for (uint64_t m = (*s)[w]; m != 0; m &= m - 1)
			bits_set(active, l->state[64 * w + (uint32_t)__builtin_ctzll(m)]);
}

/* ---- stepping: one source for every level ---- */

#define INLINE static inline __attribute__((always_inline))

typedef bool is_any(const lanes_set *s);

INLINE bool any_portable(const lanes_set *s)
{
	uint64_t m = 0;

	for (int w = 0; w < LANES; w++)
		m |= (*s)[w];
	return m != 0;
}

/* Adds where the exceptions of the states in s lead. */
static void follow_far(const struct lanes *l, const lanes_set *s, lanes_set *next)
{
	for (uint32_t w = 0; w < LANES; w++)
		for (uint64_t m = (*s)[w]; m != 0; m &= m - 1)
			*next |= l->to[64 * w + (uint32_t)__builtin_ctzll(m)];
}

/* What steps need, at hand. */
struct steps {
	lanes_set stay, one, two, always, far;
	const lanes_set *reach;
	const struct lanes *l;
};

INLINE uint32_t symbol_at(const struct lanes_input *in, bool bytes, size_t i)
{
	return bytes ? in->symbol_of[in->at[i]] : in->symbol[i];
}

/* One step of the set. The states that matter wait for a shift and two operations. */
INLINE void step(const struct steps *t, lanes_set *s, uint32_t symbol, bool bytes, is_any *any,
		 bool far)
{
	lanes_set next = (*s << 1 & t->one) | (*s << 2 & t->two) | ((*s & t->stay) | t->always);
	lanes_set x = *s & t->far;

	if (!bytes && symbol == 0) /* no batch: nothing changes */
		return;
	if (far && any(&x))
		follow_far(t->l, &x, &next);
	*s = next & t->reach[symbol];
}

enum { BLOCK = 8 }; /* steps between two looks at what they accept */

INLINE size_t run(const struct lanes *l, lanes_set *state, const struct lanes_input *in, bool bytes,
		  size_t i, size_t n, uint32_t *flags, is_any *any, bool far)
{
	struct steps t = { l->stay, l->one, l->two, l->always, l->far, l->reach, l };
	lanes_set s = *state, x, out = l->accepting | l->logging;

	for (; n - i >= BLOCK; i += BLOCK) {
		lanes_set before = s, seen = { 0 };
		for (size_t k = 0; k < BLOCK; k++) {
			step(&t, &s, symbol_at(in, bytes, i + k), bytes, any, far);
			seen |= s;
		}
		seen &= out;
		if (any(&seen)) {
			s = before;
			break;
		}
	}
	*flags = 0;
	while (i < n && *flags == 0) {
		step(&t, &s, symbol_at(in, bytes, i++), bytes, any, far);
		x = s & l->accepting;
		*flags |= any(&x) ? FAST_ACCEPTED : 0;
		x = s & l->logging;
		*flags |= any(&x) ? FAST_LOGGED : 0;
	}
	*state = s;
	return i;
}

/* Few automata have exceptions. */
INLINE size_t run_either(const struct lanes *l, lanes_set *s, const struct lanes_input *in,
			 size_t i, size_t n, uint32_t *flags, is_any *any)
{
	bool far = any_portable(&l->far);

	if (in->at != NULL)
		return far ? run(l, s, in, true, i, n, flags, any, true)
			   : run(l, s, in, true, i, n, flags, any, false);
	return far ? run(l, s, in, false, i, n, flags, any, true)
		   : run(l, s, in, false, i, n, flags, any, false);
}

static size_t run_portable(const struct lanes *l, lanes_set *s, const struct lanes_input *in,
			   size_t i, size_t n, uint32_t *flags)
{
	return run_either(l, s, in, i, n, flags, any_portable);
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2")))

AVX2 INLINE bool any_avx2(const lanes_set *s)
{
	__m256i a, b;

	memcpy(&a, s, 32);
	memcpy(&b, (const char *)s + 32, 32);
	a = _mm256_or_si256(a, b);
	return _mm256_testz_si256(a, a) == 0;
}

AVX2 static size_t run_avx2(const struct lanes *l, lanes_set *s, const struct lanes_input *in,
			    size_t i, size_t n, uint32_t *flags)
{
	return run_either(l, s, in, i, n, flags, any_avx2);
}

AVX512 INLINE bool any_avx512(const lanes_set *s)
{
	__m512i x;

	memcpy(&x, s, 64);
	return _mm512_test_epi64_mask(x, x) != 0;
}

AVX512 static size_t run_avx512(const struct lanes *l, lanes_set *s, const struct lanes_input *in,
				size_t i, size_t n, uint32_t *flags)
{
	return run_either(l, s, in, i, n, flags, any_avx512);
}
#endif

size_t lanes_run(const struct lanes *l, enum nfart_simd level, lanes_set *s,
		 const struct lanes_input *in, size_t i, size_t n, uint32_t *flags)
{
#if defined(__x86_64__)
	if (level == NFART_SIMD_AVX512)
		return run_avx512(l, s, in, i, n, flags);
	if (level == NFART_SIMD_AVX2)
		return run_avx2(l, s, in, i, n, flags);
#endif
	(void)level;
	return run_portable(l, s, in, i, n, flags);
}
