/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain: tests the witness of nfarun --explain (runtime/explain/witness.h) on random filters and
 * streams. After each batch it checks for each copy of the automaton:
 *
 * - The copy accepts what the engine says it accepts.
 * - Every active state has a chain. The chain's batches follow each other, its predicates hold, and
 * its steps are transitions. It begins where a chain may begin, and is as short as a search
 * backwards says. A state that is not active has no chain.
 * - For each state, the number of batches that are missing until the filter accepts is that of a
 * fixpoint. If a copy is said to have been nearer to accepting before some batch, it was.
 * - Each machine has the state, the last transition and the counts that a run of it has.
 * - The explanation can be put in words. Where a guard keeps a message out, a test has failed.
 *
 *   explain [-n PAIRS] [-s SEED] [-v]
 *
 * NFACC_PAIRS and NFACC_SEED set the same. Pair i has seed SEED + i.
 *
 * The file is long because the searches backwards need the whole history of a run.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "runtime/explain/explain_machine.h"
#include "runtime/explain/witness_machine.h"
#include "runtime/trace/batch.h"
#include "testsuite/property/explain_machine.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 40, MOST_GOALS = 64, BLOCK = 1000 };

static const char *const overlays[] = {
	"overlay a; clique 5; length 20; rings 3; reach 1;",
	"overlay b; clique 5; length 20; rings 3; reach 1; counters 1; decoder ste;",
};

struct totals {
	uint64_t pairs, nofit, chains, steps, accepted, lost, counted, timed, failed, moves;
};

/* The batches that one copy saw since it was last in its start states. */
struct history {
	uint64_t line;
	uint64_t before;            /* number of batches that the copy saw before those in `at` */
	size_t n;
	struct seen at[MOST_BATCHES];
	/* [i][goal]: after i of the batches, how many more batches the goal takes at least. */
	uint32_t far[MOST_BATCHES + 1][MOST_GOALS];
};

struct pair {
	uint64_t seed;
	struct gen_options gen;
	struct pipeline_options options;
	bool timed;                 /* the filter has ticks and the end */
	struct buf filter;
	struct nfart_batch stream[MOST_BATCHES];
	size_t n;
	bool reset;
	const struct nfart_image *im;
	const struct witness *w;
	struct history *copies;     /* one history for each copy */
	size_t ncopies;
	struct totals *t;
	char why[256];
};

static bool explain_wrong(struct pair *p, const char *what, uint64_t time, uint32_t state)
{
	if (p->why[0] == 0)
		snprintf(p->why, sizeof p->why, "at %" PRIu64 ", state %" PRIu32 ": %s", time,
			 state, what);
	return false;
}

/* ---- what a predicate and a chain are, by definition ---- */

/* Does the predicate name the letter? Compares it with each letter of the predicate. */
static bool explain_names(const struct image_pred *p, uint32_t letter)
{
	for (uint32_t i = 0; i < p->letters.n; i++)
		if (p->letters.at[i] == letter)
			return true;
	return false;
}

/* Does the state's predicate hold for the batch? */
static bool explain_holds(const struct nfart_image *im, uint32_t state, const struct seen *s)
{
	return im->nfa.states[state].pred != IMAGE_NO_PRED &&
	       batch_satisfies(im, im->nfa.states[state].pred, s);
}

static bool leads(const struct nfart_image *im, uint32_t from, uint32_t to)
{
	for (uint32_t i = im->nfa.succ_first[from]; i < im->nfa.succ_first[from + 1]; i++)
		if (im->nfa.succ[i] == to)
			return true;
	return false;
}

static bool is_counter(const struct nfart_image *im, uint32_t state)
{
	for (uint32_t i = 0; i < im->nfa.ncounters; i++)
		if (im->nfa.counters[i].state == state)
			return true;
	return false;
}

/* May a chain begin with this state in batch k (counted from 0)? */
static bool explain_begins(const struct pair *p, const struct history *h, uint32_t state, size_t k)
{
	const struct nfart_image *im = p->im;

	if (is_counter(im, state))
		return bits_get(h->at[k].active, state);
	if (!explain_holds(im, state, &h->at[k]))
		return false;
	if ((im->nfa.states[state].flags & STATE_ALWAYS) != 0)
		return true;
	for (uint32_t s = 0; s < im->nfa.nstates && k == 0; s++)
		if ((im->nfa.states[s].flags & STATE_START) != 0 && leads(im, s, state))
			return true;
	return false;
}

/* Searches backwards for the shortest chain that ends in `state` after the last batch. Returns its
 * number of batches, or 0 if there is none. *steps is the fewest steps of such a chain. */
static size_t shortest(const struct pair *p, const struct history *h, uint32_t state,
		       uint64_t *steps)
{
	const struct nfart_image *im = p->im;
	uint64_t *now = calloc((size_t)im->nfa.nstates * 2, sizeof *now),
		 *old = now + im->nfa.nstates;
	size_t found = 0;

	*steps = UINT64_MAX;
	now[state] = 1;
	for (size_t k = h->n; k-- != 0 && found == 0;) {
		memset(old, 0, im->nfa.nstates * sizeof *old);
		for (uint32_t t = 0; t < im->nfa.nstates; t++) {
			if (now[t] == 0)
				continue;
			if (explain_begins(p, h, t, k)) {
				found = h->n - k;
				*steps = now[t] < *steps ? now[t] : *steps;
			}
			for (uint32_t s = 0; s < im->nfa.nstates && explain_holds(im, t, &h->at[k]);
			     s++)
				if (leads(im, s, t) && (old[s] == 0 || now[t] + (s != t) < old[s]))
					old[s] = now[t] + (s != t);
		}
		memcpy(now, old, im->nfa.nstates * sizeof *now);
	}
	free(now);
	return found;
}

/* ---- checking chains ---- */

/* Checks that the chain which the witness has for the active state a->state is one, and that it
 * ends with the last batch. */
static bool check_chain(struct pair *p, const struct history *h, const struct witness_active *a)
{
	const struct nfart_image *im = p->im;
	size_t k = h->n; /* number of batches up to the current step of the chain */
	uint64_t held = a->held, until = a->held_until, steps = 0;
	uint32_t to = a->state;

	for (const struct witness_step *s = a->step; s != NULL; s = s->before, steps++) {
		if (held >= k || (held != 0 && until != h->at[k - 1].b->time))
			return explain_wrong(p, "held for too long", h->at[h->n - 1].b->time,
					     a->state);
		for (; held != 0; held--, k--)
			if (!leads(im, s->state, s->state) ||
			    !explain_holds(im, s->state, &h->at[k - 1]))
				return explain_wrong(p, "held without cause", h->at[k - 1].b->time,
						     s->state);
		k--;
		if (s->batch->time != h->at[k].b->time || s->batch->mask != h->at[k].b->mask ||
		    s->batch->when != h->at[k].b->when)
			return explain_wrong(p, "a step of another batch", s->batch->time,
					     s->state);
		if (s != a->step && !leads(im, s->state, to))
			return explain_wrong(p, "no transition", s->batch->time, s->state);
		if (s->count == NULL && !explain_holds(im, s->state, &h->at[k]))
			return explain_wrong(p, "a predicate that does not hold", s->batch->time,
					     s->state);
		if ((s->count != NULL) != is_counter(im, s->state))
			return explain_wrong(p, "a counter that is none", s->batch->time, s->state);
		if ((s->before == NULL) != (s->origin != WITNESS_STEP) ||
		    (s->before == NULL && !explain_begins(p, h, s->state, k)))
			return explain_wrong(p, "no beginning", s->batch->time, s->state);
		if (s->begin != a->step->begin || s->steps != a->step->steps - steps ||
		    s->kept != s->steps)
			return explain_wrong(p, "steps or beginning miscounted", s->batch->time,
					     s->state);
		p->t->counted += s->count != NULL;
		to = s->state;
		held = s->held;
		until = s->held_until;
	}
	if (a->step->begin != h->before + k + 1)
		return explain_wrong(p, "another beginning", h->at[h->n - 1].b->time, a->state);
	p->t->chains++;
	p->t->steps += steps;
	return true;
}

static bool check_active(struct pair *p, const struct history *h, const struct witness_part *part)
{
	const struct witness_list *l = &part->copy->active;
	uint64_t time = h->at[h->n - 1].b->time;
	size_t i = 0;

	for (uint32_t s = 0; s < p->im->nfa.nstates; s++) {
		const struct witness_active *a =
			i < l->n && l->at[i].state == s ? &l->at[i++] : NULL;
		uint64_t steps;
		size_t want = shortest(p, h, s, &steps);
		if ((a != NULL) != (want != 0))
			return explain_wrong(p, a != NULL ? "active without cause"
							  : "should be active", time, s);
		if (a == NULL)
			continue;
		if (!check_chain(p, h, a))
			return false;
		if (h->before + h->n - a->step->begin + 1 != want)
			return explain_wrong(p, "there is a shorter chain", time, s);
		if (a->step->steps != steps)
			return explain_wrong(p, "there is a chain of fewer steps", time, s);
	}
	return i == l->n || explain_wrong(p, "not in order", time, 0);
}

/* ---- ways left: how many batches are missing before a state accepts ---- */

static bool check_far(struct pair *p)
{
	const struct nfart_image *im = p->im;

	for (uint32_t g = 0; g < p->w->goal.n; g++) {
		const uint32_t *far = p->w->goal.far + (size_t)g * im->nfa.nstates;
		for (uint32_t s = 0; s < im->nfa.nstates; s++) {
			uint32_t least = WITNESS_NEVER;
			for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1];
			     i++) {
				uint32_t t = im->nfa.succ[i];
				uint32_t d = witness_accepts(p->w, g, t) ? 1 :
					     far[t] == WITNESS_NEVER ? WITNESS_NEVER : far[t] + 1;
				least = d < least ? d : least;
			}
			/* far[s] must be 1 if a successor accepts, otherwise one more than the
			 * least number of a successor. No number can be too large, since the least
			 * one is compared. No cycle of states can justify its own numbers, because
			 * they would have to grow all the way round. */
			if (far[s] != least)
				return explain_wrong(p, "another way left", 0, s);
		}
	}
	return true;
}

static uint32_t way_left(const struct pair *p, uint32_t goal, const uint64_t *active)
{
	uint32_t least = WITNESS_NEVER;

	for (uint32_t s = 0; s < p->im->nfa.nstates; s++)
		if (bits_get(active, s) &&
		    p->w->goal.far[(size_t)goal * p->im->nfa.nstates + s] < least)
			least = p->w->goal.far[(size_t)goal * p->im->nfa.nstates + s];
	return least;
}

static bool explain_accepts(const struct pair *p, uint32_t goal, const uint64_t *active)
{
	for (uint32_t s = 0; s < p->im->nfa.nstates; s++)
		if (bits_get(active, s) && witness_accepts(p->w, goal, s))
			return true;
	return false;
}

/* Checks the reports that a goal was nearer before some batch than ever since. Before that batch
 * the goal must have been as near as reported. After it, the goal must always have been further
 * away, and nothing may have been accepted. */
static bool check_lost(struct pair *p, const struct history *h, const struct witness_part *part)
{
	for (uint32_t g = 0; g < p->w->goal.n; g++) {
		const struct witness_lost *l = &part->copy->lost[g];
		uint64_t time = h->at[h->n - 1].b->time;
		size_t k = h->n;
		if (l->far == 0 || l->over)
			continue;
		while (k != 0 && h->at[k - 1].b->time != l->by->time)
			k--;
		if (k == 0 || h->far[k - 1][g] != l->far || l->far >= p->w->goal.far_always[g])
			return explain_wrong(p, "lost what it never had", time, g);
		if (k > 1 ? !bits_get(h->at[k - 2].active, l->was.state) :
			    (p->im->nfa.states[l->was.state].flags & STATE_START) == 0)
			return explain_wrong(p, "lost a state that was not active", time,
					     l->was.state);
		for (size_t i = k; i <= h->n; i++)
			if (h->far[i][g] <= l->far || explain_accepts(p, g, h->at[i - 1].active))
				return explain_wrong(p, "lost what it has", time, g);
		p->t->lost++;
	}
	return true;
}

/* ---- checking after a batch ---- */

static struct history *find_history(struct pair *p, uint64_t line)
{
	for (size_t i = 0; i < p->ncopies; i++)
		if (p->copies[i].line == line)
			return &p->copies[i];
	return NULL;
}

/* A copy that had no message of its own has seen what the rest has seen. */
static void copy_rest(struct pair *p, struct history *h)
{
	const struct history *rest = find_history(p, WITNESS_REST);
	size_t size = (bits_words(p->im->nfa.nstates) + 1) * 8;
	uint64_t line = h->line;

	if (rest == NULL || rest->n == 0 || rest == h)
		return;
	*h = *rest;
	h->line = line;
	for (size_t i = 0; i < h->n; i++) {
		h->at[i].active = malloc(size);
		memcpy(h->at[i].active, rest->at[i].active, size);
	}
}

static struct history *history_of(struct pair *p, uint64_t line)
{
	struct history *h = find_history(p, line);

	if (h == NULL) {
		h = &p->copies[p->ncopies++];
		*h = (struct history){ .line = line };
	}
	if (h->n == 0)
		copy_rest(p, h);
	return h;
}

static void explain_forget(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->at[i].active);
	h->before += h->n;
	h->n = 0;
}

static void explain_remember(struct pair *p, struct history *h, const struct nfart_batch *b,
			     const struct witness_part *part)
{
	struct seen s = { b, part->seen.slots, calloc(bits_words(p->im->nfa.nstates) + 1, 8) };
	uint64_t *start = calloc(bits_words(p->im->nfa.nstates) + 1, 8);

	for (size_t i = 0; i < part->copy->active.n; i++)
		bits_set(s.active, part->copy->active.at[i].state);
	for (uint32_t q = 0; q < p->im->nfa.nstates; q++)
		if ((p->im->nfa.states[q].flags & STATE_START) != 0)
			bits_set(start, q);
	h->at[h->n++] = s;
	for (uint32_t g = 0; g < p->w->goal.n; g++) {
		h->far[0][g] = way_left(p, g, start);
		h->far[h->n][g] = way_left(p, g, s.active);
	}
	free(start);
}

/* Is the chain of a the shortest of all chains of active states that accept? */
static bool is_shortest(const struct pair *p, const struct witness_list *l, uint32_t goal,
			const struct witness_active *a)
{
	for (size_t i = 0; i < l->n; i++)
		if (witness_accepts(p->w, goal, l->at[i].state) &&
		    (l->at[i].step->begin > a->step->begin ||
		     (l->at[i].step->begin == a->step->begin &&
		      l->at[i].step->steps < a->step->steps)))
			return false;
	return true;
}

/* Checks that the copies that accept are the lines that the engine names. */
static bool check_result(struct pair *p, const struct nfart_result *r, uint64_t time,
			 const struct explain_text *x)
{
	for (uint32_t g = 0; g < p->w->goal.n; g++) {
		size_t n = 0, want = 0;
		bool is;
		for (size_t i = 0; i < p->w->parts.n; i++) {
			const struct witness_list *l = &p->w->parts.at[i].copy->active;
			const struct witness_active *a = witness_find(p->w, l, g);
			bool here = a != NULL ||
				  explain_machine_find(x, &p->w->parts.at[i], g, 0) <
					  p->im->nfa.nmachines;
			n += !here ? 0 : p->w->parts.at[i].copy->line == WITNESS_REST ?
			     p->w->map.n - p->w->pool.live : 1;
			if (a != NULL && !is_shortest(p, l, g, a))
				return explain_wrong(p, "not the shortest of all", time, a->state);
		}
		for (size_t i = 0; i < r->nlines; i++)
			want += r->lines[i].label == p->w->goal.at[g];
		is = p->w->goal.at[g] == WITNESS_LOG ? r->logged
						   : bits_get(r->labels, p->w->goal.at[g]);
		if ((n != 0) != is ||
		    (p->w->goal.at[g] != WITNESS_LOG && p->w->map.any && n != want))
			return explain_wrong(p, "the engine says otherwise", time, g);
		p->t->accepted += is;
	}
	return true;
}

/* Does the predicate name a letter of the code? */
static bool names_code(const struct nfart_image *im, const struct image_pred *p, uint32_t code)
{
	bool found = explain_names(p, code);

	for (uint32_t i = im->proto->codes.n; i < im->alphabet.nletters; i++)
		found |= im->alphabet.code[i - im->proto->codes.n] == code && explain_names(p, i);
	return found;
}

/* A message that the predicate of a state does not name, though it has its type, fails a test. */
static bool check_guards(struct pair *p, struct explain_text *x, const struct nfart_batch *b)
{
	const struct nfart_image *im = p->im;

	for (uint32_t s = 0; s < im->nfa.nstates && p->options.sections.names; s++)
		for (uint64_t m = b->mask; m != 0; m &= m - 1) {
			uint32_t slot = (uint32_t)__builtin_ctzll(m);
			struct record_message message = { { b->header[slot] } };
			uint32_t code = proto_code(im->proto, slot, b->header[slot]);
			const struct image_pred *q = &im->nfa.preds[im->nfa.states[s].pred];
			if (im->nfa.states[s].pred == IMAGE_NO_PRED ||
			    explain_names(q, image_letter(im, code, b->header[slot])) ||
			    !names_code(im, q, code))
				continue;
			x->b.n = 0;
			p->t->failed++;
			if (!guards_failed(&x->guards, s, code, &message, &x->b))
				return explain_wrong(p, "no failed test", b->time, s);
		}
	return true;
}

/* Puts everything about the batch in words. This must end without an error. */
static bool check_text(struct pair *p, struct explain_text *x, const struct nfart_batch *b)
{
	for (size_t i = 0; i < p->w->parts.n; i++)
		for (uint32_t g = 0; g < p->w->goal.n; g++) {
			const struct witness_part *part = &p->w->parts.at[i];
			const struct witness_active *a = witness_find(p->w, &part->copy->active, g);
			x->b.n = 0;
			uint32_t machine = explain_machine_find(x, part, g, 0);
			if (a != NULL)
				explain_why(x, part, g, a, b->time);
			else if (machine < p->im->nfa.nmachines)
				explain_machine_why(x, part, g, machine, b->time, false);
			else
				explain_why_not(x, part, g, b->time);
			if (x->b.failed || x->b.n == 0)
				return explain_wrong(p, "no text", b->time, g);
		}
	return true;
}

static bool check_batch(struct pair *p, const struct nfart_batch *b, const struct nfart_result *r,
			struct explain_text *x)
{
	for (size_t i = 0; i < p->w->parts.n; i++) {
		const struct witness_part *part = &p->w->parts.at[i];
		struct history *h = history_of(p, part->copy->line);
		explain_remember(p, h, b, part);
		const char *why;
		if (!check_active(p, h, part) || !check_lost(p, h, part))
			return false;
		why = machines_differ(p->im, part->copy, h->at, h->n, &p->t->moves);
		if (why != NULL)
			return explain_wrong(p, why, b->time, 0);
	}
	return check_result(p, r, b->time, x) && check_text(p, x, b) && check_guards(p, x, b);
}

static bool explain_trial(struct pair *p)
{
	struct nfart_engine_options o = { .lines = true, .reset_on_loss = p->reset };
	uint32_t goals[MOST_GOALS], ngoals = 0;
	struct explain_text text;
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(p->im, &o, &e);
	struct witness *w;
	bool ok;

	for (; ngoals < p->im->labels.n && ngoals < MOST_GOALS - 1; ngoals++)
		goals[ngoals] = ngoals;
	goals[ngoals++] = WITNESS_LOG;
	p->w = w = witness_new(p->im, &o, goals, ngoals, &e);
	ok = explain_text_init(&text, p->im, w) && en != NULL && w != NULL && check_far(p);
	for (size_t i = 0; i < p->n && ok; i++) {
		struct nfart_result r;
		ok = nfart_engine_step(en, &p->stream[i], &r);
		if (!batch_is_loss(&p->stream[i])) {
			p->t->timed += p->stream[i].when != 0;
			ok = ok && witness_step(w, &p->stream[i]) &&
			     check_batch(p, &p->stream[i], &r, &text);
		} else if (p->reset) {
			witness_reset(w, p->stream[i].time);
			for (size_t k = 0; k < p->ncopies; k++)
				explain_forget(&p->copies[k]);
		}
	}
	for (size_t k = 0; k < p->ncopies; k++)
		explain_forget(&p->copies[k]);
	p->ncopies = 0;
	explain_text_free(&text);
	witness_free(w);
	nfart_engine_free(en);
	return ok || explain_wrong(p, "engine or witness failed", 0, 0);
}

/* ---- making and testing pairs ---- */

static void explain_choose(struct pair *p, const struct nfart_proto *const *protos)
{
	unsigned kind = (unsigned)(p->seed % 10);
	struct diags d = { .werror = false };

	p->gen.proto = protos[p->seed / 10 % 3];
	p->gen.max_batches = MOST_BATCHES;
	p->gen.positions = 40;
	p->gen.counters = p->seed % 3 == 0;
	p->gen.machines = false;
	pipeline_options_init(&p->options);
	p->reset = p->seed / 50 % 3 == 0;
	p->options.passes.level = kind % 2 == 0 ? 0 : 1;
	p->timed = kind < 8 && p->seed % 7 == 0;
	p->options.sections.names = kind % 4 != 3;
	p->options.sections.source = kind % 3 != 2;
	if (kind < 8) {
		p->options.overlay.o.none = true;
		p->gen.machines = p->seed % 5 == 0;
		strcpy(p->options.overlay.name, "none");
	} else {
		const char *text = overlays[kind - 8];
		p->gen.counters = p->gen.counters && kind == 9;
		p->gen.positions = 12;
		overlay_parse(&d, "overlay", text, strlen(text), &p->options.overlay);
	}
	diag_free(&d);
}

/* Gives the filter ticks and the end. If messages have addresses, gives it guards, too. */
static void add_time(struct pair *p)
{
	buf_addf(&p->filter, "tick 5;\n"
			     "filter after = true* any None(any, notick){2};\n"
			     "filter between = true* tick !tick* Any(any, tick) notick;\n"
			     "filter open = true* any !tick* end;\n");
	if (p->gen.proto->header.addr_bits != 0)
		buf_addf(&p->filter, "filter odd = true* any[addr & 0x80 == 0] tick* "
				     "any[addr & 0x80 != 0];\n");
}

/* Gives the stream ticks, in its batches and between them, and the end. */
static void add_ticks(struct pair *p)
{
	struct gen g = { .state = p->seed };
	struct nfart_batch made[MOST_BATCHES];
	size_t n = 0;

	for (size_t i = 0; i < p->n && n + 3 < MOST_BATCHES; i++) {
		if (gen_chance(&g, 30))
			made[n++] = (struct nfart_batch){ .when = NFART_TICK };
		made[n] = p->stream[i];
		if (!batch_is_loss(&made[n]) && gen_chance(&g, 30))
			made[n].when = NFART_TICK;
		n++;
	}
	made[n] = (struct nfart_batch){ .when = NFART_END };
	if (gen_chance(&g, 30))
		made[n].when |= NFART_TICK;
	p->n = n + 1;
	for (size_t i = 0; i < p->n; i++) {
		p->stream[i] = made[i];
		p->stream[i].time = i + 1;
	}
}

static void explain_show(const struct pair *p)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_TEXT };
	struct nfart_error e;
	struct nfart_writer *w = nfart_writer_new(stdout, p->gen.proto, &o, &e);

	printf("# seed %" PRIu64 ", overlay %s, -O%d%s: %s\n", p->seed, p->options.overlay.name,
	       p->options.passes.level, p->reset ? ", --on-loss reset" : "", p->why);
	fwrite(p->filter.at, 1, p->filter.n, stdout);
	for (size_t i = 0; i < p->n && w != NULL; i++)
		nfart_writer_put(w, &p->stream[i], NULL);
	nfart_writer_close(w, &e);
}

static bool explain_pair(struct pair *p, const struct nfart_proto *const *protos, bool verbose)
{
	struct pipeline_file f = { .name = "filter.re" };
	struct pipeline made;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	enum nfart_status status;

	p->why[0] = 0;
	explain_choose(p, protos);
	gen_filter(p->seed, &p->gen, &p->filter);
	p->n = gen_stream(p->seed, &p->gen, p->stream, MOST_BATCHES);
	if (p->timed) {
		add_time(p);
		add_ticks(p);
	}
	f.text = p->filter.at;
	f.n = p->filter.n;
	status = pipeline_run(&made, &p->options, &f, 1);
	if (status == NFART_OK)
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
	p->im = im;
	p->t->pairs++;
	if (im != NULL)
		explain_trial(p);
	else if (status == NFART_NOFIT || status == NFART_GAVEUP)
		p->t->nofit++;
	else
		explain_wrong(p, "does not compile", 0, 0);
	if (p->why[0] != 0 || verbose)
		explain_show(p);
	nfart_image_free(im);
	pipeline_free(&made);
	buf_free(&p->filter);
	return p->why[0] == 0;
}

/* ---- a chain without end ---- */

enum { ROUNDS = 100000 };

/* Runs ROUNDS batches through a cycle of two states. The witness may keep only a bounded part of
 * the chain, but it must count all steps of the chain. */
static bool endless(void)
{
	static const char text[] = "protocol bytes; filter f = ('a' 'b')+;";
	struct pipeline_file f = { "filter.re", text, sizeof text - 1, false };
	struct nfart_engine_options o = { .lines = false };
	struct pipeline_options po;
	struct pipeline made;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct witness *w = NULL;
	uint32_t goal = 0;
	bool ok;

	pipeline_options_init(&po);
	po.overlay.o.none = true;
	ok = pipeline_run(&made, &po, &f, 1) == NFART_OK;
	if (ok)
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
	if (im != NULL)
		w = witness_new(im, &o, &goal, 1, &e);
	ok = w != NULL;
	for (uint64_t i = 0; i < ROUNDS && ok; i++) {
		struct nfart_batch b = { .time = i,
					 .mask = 1,
					 .header = { i % 2 == 0 ? 'a' : 'b' } };
		const struct witness_active *a;
		uint32_t n = 0;
		ok = witness_step(w, &b) && w->parts.at[0].copy->active.n == 1;
		if (!ok)
			break;
		a = &w->parts.at[0].copy->active.at[0];
		for (const struct witness_step *s = a->step; s != NULL; s = s->before)
			ok = ok && s->batch->time == i - n++;
		ok = ok && n == a->step->kept && n <= 2 * WITNESS_KEEP && a->step->steps == i + 1 &&
		     (n == i + 1 || n >= WITNESS_KEEP) && a->step->begin == 1 &&
		     a->step->begin_time == 0;
	}
	witness_free(w);
	nfart_image_free(im);
	pipeline_free(&made);
	return ok;
}

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_PAIRS", 500, 3000);
	uint64_t n = seeds.n, seed = seeds.first, bad = 0, test = 0;
	struct nfart_proto *own[] = { proto_builtin("eci"), proto_builtin("eci-coherence"),
				      proto_builtin("bytes") };
	const struct nfart_proto *protos[] = { own[0], own[1], own[2] };
	struct totals t = { 0 };
	struct pair *p = calloc(1, sizeof *p);
	bool verbose = false, ok = p != NULL;

	if (!setting_arguments(argc, argv, &n, &seed, &verbose))
		return NFART_USAGE;
	if (ok)
		p->copies = calloc(NFART_SLOTS, sizeof *p->copies);
	for (uint64_t i = 0; i < n && ok && p->copies != NULL; i++) {
		p->seed = seed + i;
		p->t = &t;
		bad += !explain_pair(p, protos, verbose);
		if (bad > 20)
			break;
		if (i % BLOCK == BLOCK - 1 || i + 1 == n)
			printf("%s %" PRIu64 " - pairs up to seed %" PRIu64 "\n",
			       bad == 0 ? "ok" : "not ok", ++test, seed + i);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ", %" PRIu64 " did not fit; %" PRIu64
	       " acceptances, %" PRIu64 " chains of %" PRIu64 " steps, %" PRIu64
	       " through counters; %" PRIu64 " times something was lost; %" PRIu64
	       " ticks and ends, %" PRIu64 " tests failed; %" PRIu64
	       " transitions of machines; %" PRIu64 " wrong\n",
	       t.pairs, seed, t.nofit, t.accepted, t.chains, t.steps, t.counted, t.lost, t.timed,
	       t.failed, t.moves, bad);
	if (n >= 1000) {
		ok = t.chains > 16 * n && t.counted > n / 6 && t.lost > n / 6 &&
		     t.timed > n / 6 * 5 && t.failed > n / 6 && t.moves > n / 6;
		printf("%s %" PRIu64 " - chains, counters, losses, ticks, guards, transitions\n",
		       ok ? "ok" : "not ok", ++test);
		bad += !ok;
	}
	ok = endless();
	printf("%s %" PRIu64 " - a chain without end\n", ok ? "ok" : "not ok", ++test);
	printf("1..%" PRIu64 "\n", test);
	free(p != NULL ? p->copies : NULL);
	free(p);
	for (int i = 0; i < 3; i++)
		proto_free(own[i]);
	return bad != 0 || !ok;
}
