/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_resolve.h"

#include <string.h>

#include "support/hash.h"

enum {
	LEAST_LINKED = 12,     /* instructions that prove a mapping, with LEAST_LINKS calls */
	LEAST_LINKS = 2,
	LEAST_LONG = 32,       /* instructions that prove a mapping, with one call */
	LEAST_ALONE = 6,
	LEAST_REFUTED = 2,
	ENOUGH = 1024,         /* instructions after which no more tokens are looked at */
	ENOUGH_AGAIN = 64,     /* the same to prove a mapping once more */
	AHEAD_AGAIN = 2048,    /* tokens that are looked at for that */
	MOST_CANDIDATES = 1024,
	SEEN_BITS = 13,        /* size of the table of addresses that were looked at */
	PLACES = 1 << SEEN_BITS,
	MOST_SEEN = PLACES / 2,
	PATCHED_SHARE = 8      /* in a kernel one in this many tokens may differ */
};

struct candidate {
	uint32_t module;
	uint64_t base, low, span;
	const uint64_t *code;
	uint32_t same;         /* different instructions that agree */
	uint32_t other;        /* instructions that do not agree */
	uint32_t links;        /* direct calls that agree and whose targets agree, and entries */
};

struct resolve {
	const struct rv_code *all;
	const struct rv_spaces *spaces;
	struct rv_space *x;
	struct candidate c[MOST_CANDIDATES];
	size_t n;
	uint32_t enough;       /* instructions after which no more tokens are looked at */
	uint64_t seen[PLACES]; /* a hash table (support/hash.h) of addresses + 1; 0: free */
	size_t nseen;
	bool failed;           /* there was too little memory */
};

/* ---- candidates ---- */

static bool was_refuted(const struct rv_space *x, uint32_t module, uint64_t base)
{
	for (size_t i = 0; i < x->refuted.n; i++)
		if (x->refuted.at[i].module == module && x->refuted.at[i].base == base)
			return true;
	return false;
}

/* Whether a candidate overlaps a mapping that exists already. */
static bool overlaps(const struct rv_space *x, const struct candidate *c)
{
	for (size_t i = 0; i < x->mappings.n; i++) {
		const struct rv_mapping *m = &x->mappings.at[i];
		if (c->low - m->low < m->span || m->low - c->low < c->span)
			return true;
	}
	return false;
}

static void add_candidate(struct resolve *r, const struct rv_code *code, uint32_t module,
			  uint64_t base)
{
	const struct rv_module *m = &code->modules.at[module];
	struct candidate c = { .module = module, .base = base, .low = m->low + base,
			       .span = m->span, .code = m->code };

	if (r->n < MOST_CANDIDATES && !was_refuted(r->x, module, base) && !overlaps(r->x, &c) &&
	    (r->x->kind != RV_SPACE_USER || !m->fixed || base == 0))
		r->c[r->n++] = c;
}

static void find_candidates(struct resolve *r, const struct rv_spaces *s,
			    const struct nfaperf_token *t)
{
	const struct code_index *x = &s->index;
	uint32_t b = code_index_bucket(x, t->pc, t->instruction);

	for (uint32_t i = x->first[b]; i < x->first[b + 1]; i++) {
		struct code_place p = x->places[i];
		const struct rv_module *m = &s->code->modules.at[p.module];

		if ((uint32_t)m->code[p.halfword] == t->instruction &&
		    (2 * (uint64_t)p.halfword & 0xffe) == (t->pc & 0xffe))
			add_candidate(r, s->code, p.module,
				      t->pc - m->low - 2 * (uint64_t)p.halfword);
	}
}

/* ---- evidence ---- */

HASH_INLINE bool seen_ends(const void *ctx, size_t place, const void *pc)
{
	const uint64_t seen = ((const struct resolve *)ctx)->seen[place];

	return seen == 0 || seen == *(const uint64_t *)pc + 1;
}

/* Whether an address is looked at for the first time. Notes the address. */
static bool first_time(struct resolve *r, uint64_t pc)
{
	size_t at = hash_probe(PLACES, pc * 0x9e3779b97f4a7c15u >> (64 - SEEN_BITS), seen_ends, r,
			       &pc);

	if (r->seen[at] != 0)
		return false;
	r->seen[at] = pc + 1;
	r->nseen++;
	return true;
}

/*
 * Whether an existing mapping calls or jumps to t, where the candidate has the start of a function.
 * Such a call goes into a library. The library may be too small to contain calls itself.
 */
static bool is_entry(const struct resolve *r, const struct candidate *c,
		     const struct nfaperf_token *t, const struct nfaperf_token *last)
{
	enum rv_class class = rv_decode(last->instruction).class;
	uint32_t function = rv_entry_function(c->code[(t->pc - c->low) / 2]);

	if ((class != RV_CALL_TO && class != RV_JUMP_TO) ||
	    r->all->functions.at[function].address != t->pc - c->base)
		return false;
	for (size_t i = 0; i < r->x->mappings.n; i++)
		if (last->pc - r->x->mappings.at[i].low < r->x->mappings.at[i].span)
			return true;
	return false;
}

/*
 * Compares a token with a candidate. Returns false if the candidate is ruled out. `last` is the
 * token before it in the same address space; NULL if other tokens are between them.
 */
static bool agrees(struct resolve *r, struct candidate *c, const struct nfaperf_token *t,
		   const struct nfaperf_token *last)
{
	struct rv_flow f;

	if (t->pc - c->low >= c->span)
		return true;
	if ((uint32_t)c->code[(t->pc - c->low) / 2] != t->instruction || t->instruction == 0) {
		c->other++;
		return r->x->kind != RV_SPACE_USER && c->other * PATCHED_SHARE <= c->same;
	}
	c->same++;
	if (last != NULL && last->pc - c->low < c->span) {
		f = rv_decode(last->instruction);
		c->links += f.class == RV_CALL &&
			    last->pc + (uint64_t)(int64_t)f.distance == t->pc;
	} else if (last != NULL) {
		c->links += is_entry(r, c, t, last) ? LEAST_LINKS : 0;
	}
	return true;
}

/*
 * A program that agrees at first and is ruled out then is not the one of this process, even if
 * later tokens are all in code that both have.
 */
static void refute(struct resolve *r, const struct candidate *c)
{
	struct rv_mapping m = { .module = c->module, .base = c->base };

	if (r->x->kind == RV_SPACE_USER && r->all->modules.at[c->module].program &&
	    c->same >= LEAST_REFUTED)
		r->failed |= !vec_push(&r->x->refuted, m);
}

static void hold_against(struct resolve *r, const struct nfaperf_token *t,
			 const struct nfaperf_token *last)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (agrees(r, &r->c[i], t, last))
			r->c[n++] = r->c[i];
		else
			refute(r, &r->c[i]);
	}
	r->n = n;
}

/* ---- the decision ---- */

/* Whether the program was there before tokens were lost. */
static bool was_before(const struct rv_space *x, const struct candidate *c)
{
	return x->before.code != NULL && x->before.module == c->module && x->before.base == c->base;
}

/*
 * Chooses the candidate that explains most instructions. It must explain all of them, or have
 * links. Returns false if none is certain.
 */
static bool choose_candidate(const struct resolve *r, struct rv_mapping *m)
{
	const struct candidate *best = NULL;
	bool tie = false;

	for (size_t i = 0; i < r->n; i++) {
		const struct candidate *c = &r->c[i];
		if (best == NULL || c->same > best->same) {
			best = c;
			tie = false;
		} else {
			tie |= c->same == best->same;
		}
	}
	if (best == NULL || tie)
		return false;
	if ((best->same < LEAST_LINKED || best->links < LEAST_LINKS) &&
	    (best->same < LEAST_LONG || best->links == 0) &&
	    (best->same < LEAST_ALONE ||
	     (best->same + best->other < r->nseen && !was_before(r->x, best))))
		return false;
	*m = (struct rv_mapping){ best->module, best->base, best->low, best->span, NULL, 0 };
	return true;
}

/* Whether t is right after `last`: the program goes on there, maybe on another hart. */
static bool is_next(const struct nfaperf_token *last, const struct nfaperf_token *t)
{
	return t->pc == last->pc + rv_length(last->instruction);
}

/* Whether a program goes on at t, and not at the place where it was interrupted after `last`. */
static bool goes_elsewhere(const struct nfaperf_token *last, const struct nfaperf_token *t)
{
	struct rv_flow f = rv_decode(last->instruction);

	if (t->pc == last->pc || is_next(last, t))
		return false;
	if (f.class == RV_JUMP || f.class == RV_CALL)
		return t->pc != last->pc + (uint64_t)(int64_t)f.distance;
	return f.class == RV_PLAIN || f.class == RV_TRAP;
}

/* Whether another program begins at t, after `last`, or may have begun in missing tokens. */
static bool ends_before(const struct resolve *r, const struct nfaperf_token *last,
			const struct nfaperf_token *t)
{
	struct rv_place from = { last->pc, last->instruction };

	return (t->flags & NFAPERF_LOST) != 0 ||
	       (rv_spaces_entry(r->spaces, t->pc) && rv_space_begins(r->spaces, r->x, t, &from));
}

/*
 * Looks at the tokens to come until one candidate is certain, or none is left. If the program goes
 * on elsewhere, it may be another program in the same address space. So the choice is made from
 * what was known before.
 */
static bool look_ahead(struct resolve *r, struct rv_ahead ahead, struct rv_mapping *m)
{
	const struct nfaperf_token *last = ahead.last;
	size_t last_at = SIZE_MAX, most = ahead.n < RV_AHEAD ? ahead.n : RV_AHEAD;

	for (size_t i = 0; i < most && r->n > 0 && r->nseen < MOST_SEEN; i++) {
		const struct nfaperf_token *t = &ahead.at[i];

		if (!rv_space_has(r->x, t) ||
		    (last != NULL && t->hart != last->hart && !is_next(last, t)))
			continue;
		if (i > 0 && last != NULL && (ends_before(r, last, t) || goes_elsewhere(last, t)))
			break;
		if (first_time(r, t->pc))
			hold_against(r, t, last_at + 1 == i ? last : NULL);
		if (r->n == 1 && r->c[0].same >= r->enough)
			break;
		last = t;
		last_at = i;
	}
	return choose_candidate(r, m);
}

static bool resolve(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead,
		    uint32_t enough, struct rv_mapping *m)
{
	struct resolve *r = calloc(1, sizeof *r);
	bool found;

	if (r == NULL) {
		s->failed = true;
		return false;
	}
	r->all = s->code;
	r->spaces = s;
	r->x = x;
	r->enough = enough;
	find_candidates(r, s, ahead.at);
	found = look_ahead(r, ahead, m);
	if (found) {
		m->code = s->code->modules.at[m->module].code;
		m->first = ahead.number;
	}
	s->failed |= r->failed;
	free(r);
	return found;
}

bool rv_resolve(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead,
		struct rv_mapping *m)
{
	return resolve(s, x, ahead, ENOUGH, m);
}

bool rv_resolve_again(struct rv_spaces *s, struct rv_space *x, size_t m, struct rv_ahead ahead)
{
	struct rv_mapping *last = &x->mappings.at[x->mappings.n - 1], *at = &x->mappings.at[m];
	struct rv_mapping of = *at, found;
	bool again;

	ahead.n = ahead.n < AHEAD_AGAIN ? ahead.n : AHEAD_AGAIN;
	*at = *last;
	x->mappings.n--;
	again = resolve(s, x, ahead, ENOUGH_AGAIN, &found) && found.module == of.module &&
		found.base == of.base;
	x->mappings.n++;
	*at = of;
	return again;
}
