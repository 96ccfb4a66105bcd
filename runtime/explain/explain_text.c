/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/explain_text.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/trace/format/text.h"

enum { MOST_ALIKE = 4 }; /* a row of more alike steps than this is told in one line */

bool explain_text_init(struct explain_text *x, const struct nfart_image *im,
		       const struct witness *w)
{
	memset(x, 0, sizeof *x);
	x->im = im;
	x->w = w;
	x->ops = calloc(bits_words(im->proto->codes.n) + 1, 8);
	return origin_init(&x->origin, im) && guards_init(&x->guards, im) && x->ops != NULL;
}

void explain_text_free(struct explain_text *x)
{
	origin_free(&x->origin);
	guards_free(&x->guards);
	free(x->ops);
	buf_free(&x->b);
}

void explain_items(struct explain_text *x, const struct witness_seen *seen)
{
	if (seen->slots == 0 && seen->when == 0)
		buf_addf(&x->b, " nothing");
	if ((seen->when & NFART_TICK) != 0)
		buf_addf(&x->b, " tick");
	if ((seen->when & NFART_END) != 0)
		buf_addf(&x->b, " end");
	for (uint64_t m = seen->slots; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		buf_addf(&x->b, " ");
		text_item(&x->b, x->im->proto, s, seen->header[s]);
	}
}

void explain_line(struct explain_text *x, uint64_t line)
{
	if (!x->w->map.any)
		return;
	if (line == WITNESS_REST) {
		buf_addf(&x->b, x->im->substreams.by_field ? " for values without a message so far"
						: " on lines without a message so far");
		return;
	}
	buf_addf(&x->b, x->im->substreams.by_field ? " for " : " on line ");
	text_copy(&x->b, nfart_image_key(x->im), copies_shown(&x->w->map, line));
}

void explain_place(struct explain_text *x, uint32_t state)
{
	const struct origin_place *p = origin_find(&x->origin, state);

	if (p != NULL)
		explain_at(x, p);
	else
		buf_addf(&x->b, "      %s %" PRIu32 "\n", x->im->overlay.none ? "state" : "STE",
			 x->im->nfa.states[state].node);
}

void explain_at(struct explain_text *x, const struct origin_place *p)
{
	const char *line;
	size_t n, begin;

	buf_addf(&x->b, "      ");
	begin = x->b.n;
	origin_text(&x->b, p->name, p->name_size);
	buf_addf(&x->b, ":%" PRIu64 ":%" PRIu64, p->line, p->column);
	line = origin_line(&x->origin, p, &n);
	if (line != NULL) {
		size_t indent = 0;
		buf_addf(&x->b, ": ");
		while (indent < p->column - 1 && (line[indent] == ' ' || line[indent] == '\t'))
			indent++;
		begin = x->b.n - begin + (size_t)p->column - 1 - indent;
		origin_text(&x->b, line + indent, n - indent);
		buf_addf(&x->b, "\n      ");
		for (size_t i = 0; i < begin && !x->b.failed; i++)
			buf_add(&x->b, " ", 1);
		buf_addf(&x->b, "^");
	}
	buf_addf(&x->b, "\n");
}

/* Returns the slots of a batch whose message the predicate names. */
static uint64_t text_named(const struct explain_text *x, const struct image_pred *p,
			   const struct witness_seen *seen)
{
	uint64_t found = 0;

	for (uint64_t m = seen->slots; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		if (witness_names(p, witness_letter(x->im, seen, s)))
			found |= m & -m;
	}
	return found;
}

static bool names_time(const struct explain_text *x, const struct image_pred *p, uint8_t when)
{
	return x->im->alphabet.time != IMAGE_NO_TIME &&
	       witness_names(p, x->im->alphabet.time + when);
}

/* Do states s and t have the same predicate, from the same place in the source? */
static bool text_alike(const struct explain_text *x, uint32_t s, uint32_t t)
{
	const struct origin_place *p = origin_find(&x->origin, s), *q = origin_find(&x->origin, t);

	return x->im->nfa.states[s].pred == x->im->nfa.states[t].pred && p != NULL && q != NULL &&
	       p->line == q->line && p->column == q->column && p->name_size == q->name_size &&
	       memcmp(p->name, q->name, p->name_size) == 0;
}

/* Appends a word to the items of a predicate. */
static void text_put_word(struct explain_text *x, bool *first, const char *text)
{
	buf_addf(&x->b, "%s%s", *first ? "" : ", ", text);
	*first = false;
}

/* Appends `tick`, `notick` and `end`, as far as the predicate names what they stand for. */
static void print_times(struct explain_text *x, const struct image_pred *p, bool *first)
{
	bool tick = names_time(x, p, NFART_TICK) && names_time(x, p, NFART_TICK | NFART_END);
	bool plain = names_time(x, p, 0);

	if (tick)
		text_put_word(x, first, "tick");
	if (plain)
		text_put_word(x, first, "notick");
	if ((!plain && names_time(x, p, NFART_END)) ||
	    (!tick && names_time(x, p, NFART_TICK | NFART_END)))
		text_put_word(x, first, "end");
}

/* Puts the codes of the predicate's letters into x->ops. Returns whether the predicate names some
 * letters of a code, but not all of them. */
static bool find_codes(struct explain_text *x, const struct image_pred *p)
{
	const struct nfart_image *im = x->im;
	uint32_t ncodes = im->proto->codes.n,
		 end = im->alphabet.time != IMAGE_NO_TIME ? im->alphabet.time
							  : im->alphabet.nletters,
		 has = 0, all = 0;

	memset(x->ops, 0, bits_words(ncodes) * 8);
	for (uint32_t i = 0; i < p->letters.n && p->letters.at[i] < end; i++) {
		uint32_t letter = p->letters.at[i];
		bits_set(x->ops, letter < ncodes ? letter : im->alphabet.code[letter - ncodes]);
		has++;
	}
	for (size_t c = bits_next(x->ops, ncodes, 0); c < ncodes;
	     c = bits_next(x->ops, ncodes, c + 1))
		all++;
	for (uint32_t letter = ncodes; letter < end; letter++)
		all += bits_get(x->ops, im->alphabet.code[letter - ncodes]);
	return has != all;
}

static void print_pred(struct explain_text *x, const struct image_pred *p)
{
	bool guarded = find_codes(x, p), first = true;

	if (x->im->alphabet.time == IMAGE_NO_TIME || p->letters.n == 0) {
		proto_print_pred(x->im->proto, p->none, x->ops, &x->b);
	} else {
		buf_addf(&x->b, p->none ? "None(" : "Any(");
		proto_print_codes(x->im->proto, x->ops, &first, &x->b);
		print_times(x, p, &first);
		buf_addf(&x->b, ")");
	}
	buf_addf(&x->b, guarded ? " with a guard\n" : "\n");
}

/* Appends what of a batch the predicate names: messages of these slots and, if `time` is set, what
 * the batch's time is. */
static void print_named(struct explain_text *x, const struct witness_seen *seen, uint64_t slots,
			bool time)
{
	struct witness_seen those = *seen;

	those.slots = slots;
	those.when = time ? seen->when : 0;
	if (time && seen->when == 0)
		buf_addf(&x->b, " no tick");
	if (slots != 0 || those.when != 0)
		explain_items(x, &those);
}

/* Appends, for each message whose type the state's predicate has, which tests of its guards the
 * message failed. */
static void print_failed(struct explain_text *x, uint32_t state, const struct witness_seen *seen)
{
	const struct nfart_proto *p = x->im->proto;

	for (uint64_t m = seen->slots; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		struct record_message message = witness_message(seen, s);
		size_t begin = x->b.n;
		buf_addf(&x->b, "      ");
		if ((seen->slots & (seen->slots - 1)) != 0) {
			text_item(&x->b, p, s, seen->header[s]);
			buf_addf(&x->b, ": ");
		}
		if (guards_failed(&x->guards, state, proto_code(p, s, seen->header[s]), &message,
				  &x->b))
			buf_addf(&x->b, "\n");
		else
			x->b.n = begin;
	}
}

/* Appends by what of a batch the predicate holds, or why it does not hold. Returns whether the
 * batch has something that the predicate names. */
static bool pred_verdict(struct explain_text *x, const struct image_pred *p,
			 const struct witness_seen *seen)
{
	uint64_t those = text_named(x, p, seen);
	bool time = names_time(x, p, seen->when), any = those != 0 || time;

	buf_addf(&x->b, any ? (p->none ? "forbidden:" : "matched by")
		 : !p->none ? "no match:"
		 : p->letters.n == 0 ? "any batch does:" : "none among");
	if (any)
		print_named(x, seen, those, time);
	else
		explain_items(x, seen);
	buf_addf(&x->b, "\n");
	return any;
}

static void text_put_verdict(struct explain_text *x, uint32_t state,
			     const struct witness_seen *seen)
{
	if (!pred_verdict(x, &x->im->nfa.preds[x->im->nfa.states[state].pred], seen))
		print_failed(x, state, seen);
}

void explain_term(struct explain_text *x, uint32_t pred, const struct witness_seen *seen)
{
	print_pred(x, &x->im->nfa.preds[pred]);
	buf_addf(&x->b, "        ");
	pred_verdict(x, &x->im->nfa.preds[pred], seen);
}

void explain_pred(struct explain_text *x, uint32_t state, const struct witness_seen *seen)
{
	if (x->im->nfa.states[state].pred == IMAGE_NO_PRED) {
		buf_addf(&x->b, "nothing\n");
		explain_place(x, state);
		return;
	}
	print_pred(x, &x->im->nfa.preds[x->im->nfa.states[state].pred]);
	explain_place(x, state);
	buf_addf(&x->b, "      ");
	text_put_verdict(x, state, seen);
}

/* ---- chains ---- */

static void held(struct explain_text *x, uint64_t n, uint64_t until)
{
	if (n != 0)
		buf_addf(&x->b, "      held for %" PRIu64 " more batch%s, until %" PRIu64 "\n", n,
			 n == 1 ? "" : "es", until);
}

void explain_count(struct explain_text *x, const struct witness_count *k,
		   const struct image_counter *c)
{
	const struct origin_place *p = origin_find(&x->origin, c->state);

	if (p != NULL && p->counter_size != 0)
		origin_text(&x->b, p->counter, p->counter_size);
	else
		buf_addf(&x->b, "counter");
	explain_counted(x, k, c->k);
}

void explain_counted(struct explain_text *x, const struct witness_count *k, uint32_t most)
{
	uint64_t n = k->counted < WITNESS_TIMES ? k->counted : WITNESS_TIMES;

	buf_addf(&x->b, " at %" PRIu32 " of %" PRIu32, k->n, most);
	for (uint64_t i = k->counted - n; i < k->counted; i++)
		buf_addf(&x->b, "%s%" PRIu64, i != k->counted - n ? ", " :
			 n < k->counted ? ", counted last at " : ", counted at ",
			 k->times[i % WITNESS_TIMES]);
	if (k->was_reset)
		buf_addf(&x->b, ", reset at %" PRIu64, k->reset);
	buf_addf(&x->b, "\n");
}

static void text_put_counter(struct explain_text *x, const struct witness_step *s)
{
	for (uint32_t i = 0; i < x->im->nfa.ncounters; i++)
		if (x->im->nfa.counters[i].state == s->state)
			explain_count(x, s->count, &x->im->nfa.counters[i]);
	explain_place(x, s->state);
}

static void text_put_step(struct explain_text *x, const struct witness_step *s, bool again,
			  uint64_t line)
{
	uint64_t header[NFART_SLOTS];
	struct witness_seen seen = witness_see(x->w, s->batch, line, header);

	buf_addf(&x->b, "  %" PRIu64 "  ", s->batch->time);
	if (s->count != NULL) {
		text_put_counter(x, s);
	} else if (again) {
		buf_addf(&x->b, "the same again, ");
		text_put_verdict(x, s->state, &seen);
	} else {
		explain_pred(x, s->state, &seen);
	}
}

/* Returns how many steps, beginning with at[i], repeat the step before them, with no state held
 * between these steps. at[0] is the last step of the chain, so later steps have lower indices. */
static size_t alike_from(const struct explain_text *x, const struct witness_step *const *at,
			 size_t n, size_t i)
{
	size_t k = 0;

	for (size_t j = i; j + 1 < n; j--) {
		if (at[j]->count != NULL || at[j + 1]->count != NULL ||
		    !text_alike(x, at[j]->state, at[j + 1]->state) || (k != 0 && at[j]->held != 0))
			break;
		k++;
		if (j == 0)
			break;
	}
	return k;
}

void explain_chain(struct explain_text *x, const struct witness_active *a, uint64_t line)
{
	VEC(const struct witness_step *) steps = { 0 };
	const struct witness_step *s;

	for (s = a->step; s != NULL; s = s->before)
		if (!vec_push(&steps, s)) {
			x->b.failed = true;
			vec_free(&steps);
			return;
		}
	if (steps.n != 0 && steps.n < a->step->steps)
		buf_addf(&x->b, "  ... %" PRIu64 " steps before, from %" PRIu64 " on\n",
			 a->step->steps - steps.n, a->step->begin_time);
	for (size_t i = steps.n; i-- != 0;) {
		size_t again = alike_from(x, steps.at, steps.n, i);
		if (again > MOST_ALIKE) {
			buf_addf(&x->b, "  %" PRIu64 " to %" PRIu64 "  the same again, %zu times\n",
				 steps.at[i]->batch->time, steps.at[i - again + 1]->batch->time,
				 again);
			i -= again - 1;
		} else {
			text_put_step(x, steps.at[i], again != 0, line);
		}
		if (i != 0)
			held(x, steps.at[i - 1]->held, steps.at[i - 1]->held_until);
	}
	held(x, a->held, a->held_until);
	vec_free(&steps);
}
