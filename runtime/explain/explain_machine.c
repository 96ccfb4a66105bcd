/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Says which transitions brought a machine into its state, and which it did not take.
 */
#include "runtime/explain/explain_machine.h"

#include <inttypes.h>

#include "runtime/explain/witness_machine.h"

enum {
	MOST_NOT_TAKEN = 8, /* the most transitions that are told for one batch */
	MOST_STATES = 8     /* the most states of a machine with `orders` */
};

/* A machine in a copy. */
struct about {
	struct explain_text *x;
	const struct witness_part *p;
	uint32_t number;
	const struct image_machine *im_m;
	const struct witness_machine *m;
};

static struct about about(struct explain_text *x, const struct witness_part *p, uint32_t i)
{
	return (struct about){ x, p, i, &x->im->nfa.machines[i], &p->copy->machines[i] };
}

/* ---- parts of a machine ---- */

static void name(const struct about *a, const char *word, enum origin_kind kind, uint32_t i)
{
	const struct origin_part *part = origin_part(&a->x->origin, a->number, kind, i);

	if (part->name_size != 0)
		origin_text(&a->x->b, part->name, part->name_size);
	else
		buf_addf(&a->x->b, "%s%" PRIu32, word,
			 kind == ORIGIN_MACHINE ? a->number : i);
}

static void state_name(const struct about *a, uint32_t s)
{
	name(a, "s", ORIGIN_STATE, s);
}

static void machine_print_place(const struct about *a, enum origin_kind kind, uint32_t i)
{
	const struct origin_part *part = origin_part(&a->x->origin, a->number, kind, i);

	if (part->place.line != 0)
		explain_at(a->x, &part->place);
}

static void machine_print_counter(const struct about *a, uint32_t i, const struct witness_count *k)
{
	buf_addf(&a->x->b, "@");
	name(a, "c", ORIGIN_COUNTER, i);
	explain_counted(a->x, k, a->im_m->counters[i].k);
}

/* ---- transitions ---- */

/* Appends `FROM -> TO` and the place of the transition, which was taken from state `from`. */
static void move_head(const struct about *a, uint32_t move, uint32_t from)
{
	state_name(a, from);
	buf_addf(&a->x->b, " -> ");
	state_name(a, a->im_m->moves[move].to);
	buf_addf(&a->x->b, "\n");
	machine_print_place(a, ORIGIN_MOVE, move);
}

/* Appends a term of a condition for a batch. `k` is the counter of a term that has one. */
static void term(const struct about *a, const struct image_term *t, const struct witness_count *k,
		 const struct witness_seen *seen)
{
	if (t->kind == IMAGE_TERM_PRED) {
		explain_term(a->x, t->what, seen);
		return;
	}
	buf_addf(&a->x->b, t->kind == IMAGE_TERM_AT ? "" : "not ");
	machine_print_counter(a, t->what, k);
}

/* Returns the counter of a term that has one, after the last batch. */
static const struct witness_count *count_of(const struct about *a, const struct image_term *t)
{
	return t->kind == IMAGE_TERM_PRED ? NULL : &a->m->counts[t->what];
}

/* Appends the terms of a condition that held in the last batch. */
static void terms(const struct about *a, const struct image_cond *c)
{
	for (uint32_t i = 0; i < c->nterms; i++) {
		buf_addf(&a->x->b, "      ");
		term(a, &c->terms[i], count_of(a, &c->terms[i]), &a->p->seen);
	}
}

static void held(const struct about *a, uint64_t n, uint64_t until)
{
	if (n != 0)
		buf_addf(&a->x->b, "      held for %" PRIu64 " more batch%s, until %" PRIu64 "\n",
			 n, n == 1 ? "" : "es", until);
}

/* Appends the transitions that are kept, and how many came before them. */
static void chain(const struct about *a)
{
	uint64_t n = a->m->nmoves < WITNESS_MOVES ? a->m->nmoves : WITNESS_MOVES;
	uint64_t header[NFART_SLOTS];

	if (n < a->m->nmoves)
		buf_addf(&a->x->b, "  ... %" PRIu64 " transitions before\n", a->m->nmoves - n);
	for (uint64_t i = a->m->nmoves - n; i < a->m->nmoves; i++) {
		const struct witness_move *t = &a->m->moves[i % WITNESS_MOVES];
		struct witness_seen seen =
			witness_see(a->x->w, t->batch, a->p->copy->line, header);

		buf_addf(&a->x->b, "  %" PRIu64 "  ", t->batch->time);
		move_head(a, t->move, t->from);
		for (uint32_t k = 0; k < a->im_m->moves[t->move].cond.nterms; k++) {
			buf_addf(&a->x->b, "      ");
			term(a, &a->im_m->moves[t->move].cond.terms[k],
			     t->counts != NULL ? &t->counts[k] : NULL, &seen);
		}
		held(a, t->held, t->held_until);
	}
}

/* Appends the states in which a machine with `orders` can be. */
static void where_orders(const struct about *a)
{
	const struct image_machine *m = a->im_m;
	uint32_t told = 0;

	buf_addf(&a->x->b, " is in");
	for (uint32_t s = 0; s < m->nstates; s++) {
		if (!bits_get(a->m->set, m->first_state + s))
			continue;
		if (told++ >= MOST_STATES)
			continue;
		buf_addf(&a->x->b, "%s", told == 1 ? " " : ", ");
		state_name(a, s);
	}
	if (told > MOST_STATES)
		buf_addf(&a->x->b, " and %" PRIu32 " more states", told - MOST_STATES);
}

/* Appends `machine M is in state S` and since when. */
static void where(const struct about *a)
{
	buf_addf(&a->x->b, "machine ");
	name(a, "", ORIGIN_MACHINE, 0);
	if (a->im_m->orders != 0) {
		where_orders(a);
		return;
	}
	buf_addf(&a->x->b, " is in state ");
	state_name(a, a->m->state);
	if (a->m->nmoves != 0)
		buf_addf(&a->x->b, " since %" PRIu64,
			 a->m->moves[(a->m->nmoves - 1) % WITNESS_MOVES].batch->time);
	else
		buf_addf(&a->x->b, " since the start");
}

/* Appends the condition by which the last batch counted or reset counter i. */
static void counting(const struct about *a, uint32_t i)
{
	bool reset = a->m->did[i].event == MACHINE_RESET;
	const struct image_machine_counter *c = &a->im_m->counters[i];
	uint32_t cond = a->m->did[i].cond, before = 0;
	const struct image_cond *by = reset ? &c->reset[cond] : &c->count[cond];

	for (uint32_t k = 0; k < i; k++)
		before += reset ? a->im_m->counters[k].nreset : a->im_m->counters[k].ncount;
	buf_addf(&a->x->b, "      %s by this batch\n", reset ? "reset" : "counted");
	machine_print_place(a, reset ? ORIGIN_RESET : ORIGIN_COUNT, before + cond);
	terms(a, by);
}

/* Appends the counters and what the last batch did to them. */
static void machine_print_counters(const struct about *a)
{
	for (uint32_t i = 0; i < a->im_m->ncounters; i++) {
		buf_addf(&a->x->b, "  ");
		machine_print_counter(a, i, &a->m->counts[i]);
		machine_print_place(a, ORIGIN_COUNTER, i);
		if (a->m->did[i].event != MACHINE_KEPT)
			counting(a, i);
	}
}

/* ---- why ---- */

uint32_t explain_machine_find(const struct explain_text *x, const struct witness_part *p,
			      uint32_t goal, uint32_t from)
{
	while (from < x->im->nfa.nmachines &&
	       !witness_machine_accepts(x->w, goal, from, p->copy->machines[from].state))
		from++;
	return from;
}

static bool accepts_ever(const struct explain_text *x, uint32_t goal, uint32_t i)
{
	for (uint32_t s = 0; s < x->im->nfa.machines[i].nstates; s++)
		if (witness_machine_accepts(x->w, goal, i, s))
			return true;
	return false;
}

bool explain_machine_has(const struct explain_text *x, uint32_t goal)
{
	for (uint32_t i = 0; i < x->im->nfa.nmachines; i++)
		if (accepts_ever(x, goal, i))
			return true;
	return false;
}

/* Appends the transition of this batch if it leads from the state to itself. */
static void stayed(const struct about *a, uint64_t time)
{
	if (a->m->move == MACHINE_NO_MOVE || a->m->state != a->m->was)
		return;
	buf_addf(&a->x->b, "  %" PRIu64 "  ", time);
	move_head(a, a->m->move, a->m->was);
	terms(a, &a->im_m->moves[a->m->move].cond);
}

void explain_machine_why(struct explain_text *x, const struct witness_part *p, uint32_t goal,
			 uint32_t i, uint64_t time, bool told)
{
	struct about a = about(x, p, i);

	explain_head(x, p, goal, true);
	buf_addf(&x->b, ": ");
	where(&a);
	buf_addf(&x->b, told ? ", as above\n" : "\n");
	if (told || a.im_m->orders != 0)
		return;
	chain(&a);
	if (a.m->nmoves == 0)
		held(&a, a.m->held, a.m->held_until);
	stayed(&a, time);
	machine_print_counters(&a);
}

/* ---- why not ---- */

/* Appends a transition from the state before the batch, and each term of its condition. */
static void not_taken(const struct about *a, uint32_t move)
{
	const struct image_cond *c = &a->im_m->moves[move].cond;
	bool in = c->when.n == 0;

	buf_addf(&a->x->b, "  - ");
	move_head(a, move, a->m->was);
	for (uint32_t i = 0; i < c->when.n; i++)
		in |= c->when.at[i] == a->m->was;
	if (!in)
		buf_addf(&a->x->b, "      not in state ");
	if (!in)
		state_name(a, a->m->was);
	if (!in)
		buf_addf(&a->x->b, "\n");
	for (uint32_t i = 0; i < c->nterms && in; i++) {
		const struct image_term *t = &c->terms[i];

		buf_addf(&a->x->b, "      ");
		if (t->kind != IMAGE_TERM_PRED &&
		    a->m->did[t->what].at != (t->kind == IMAGE_TERM_AT))
			buf_addf(&a->x->b, "does not hold: ");
		term(a, t, count_of(a, t), &a->p->seen);
	}
}

/* Appends the transitions from the state before the batch, up to the one that was taken. */
static void choices(const struct about *a, uint64_t time)
{
	uint32_t told = 0, more = 0;

	for (uint32_t i = 0; i < a->im_m->nmoves && i < a->m->move; i++) {
		uint32_t from = a->im_m->moves[i].from;

		if (from != IMAGE_ANY_STATE && from != a->m->was)
			continue;
		if (told == 0)
			buf_addf(&a->x->b, " the batch at %" PRIu64 " took none of these:\n", time);
		if (told++ < MOST_NOT_TAKEN)
			not_taken(a, i);
		else
			more++;
	}
	if (more != 0)
		buf_addf(&a->x->b, "  - and %" PRIu32 " more\n", more);
	stayed(a, time);
}

/* Was machine i told for a goal before this one? */
static bool told_before(const struct explain_text *x, uint32_t goal, uint32_t i)
{
	for (uint32_t g = 0; g < goal; g++)
		if (accepts_ever(x, g, i))
			return true;
	return false;
}

void explain_machine_why_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
			     uint64_t time)
{
	for (uint32_t i = 0; i < x->im->nfa.nmachines; i++) {
		struct about a = about(x, p, i);

		if (!accepts_ever(x, goal, i))
			continue;
		buf_addf(&x->b, " ");
		where(&a);
		if (told_before(x, goal, i)) {
			buf_addf(&x->b, ", as above\n");
			continue;
		}
		buf_addf(&x->b, "\n");
		if (a.im_m->orders != 0)
			continue;
		chain(&a);
		choices(&a, time);
		machine_print_counters(&a);
	}
}
