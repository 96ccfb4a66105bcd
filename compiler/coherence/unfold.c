/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/unfold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/coherence/size.h"
#include "support/hash.h"

/* The most renamings whose cosets are listed, over all sets that leave a state as it is: 1 GiB. */
#define MOST_LISTED (UINT64_C(1) << 29)

/* Renamings that leave a state as it is, and their cosets. */
struct fixing {
	uint32_t n;        /* how many they are */
	uint32_t ncosets;
	size_t ids;        /* where they begin in unfolding.ids */
	size_t cosets;     /* where the coset of each renaming begins in unfolding.coset_of */
	size_t firsts;     /* where the first renaming of each coset begins in unfolding.first_of */
};

/* A move, with what orders it among those of a state. */
struct unfolded_move {
	uint64_t order;
	struct coh_edge edge;
};

struct unfolding {
	const struct orbits *o;
	const struct symmetry *y;
	const struct coh_system *from;
	struct coh_system to;
	VEC(struct fixing) fixings; /* each set once */
	VEC(uint16_t) ids, coset_of, first_of;
	struct hash_ids hash;       /* finds fixings */
	uint32_t *fixing;           /* [orbits]: index into `fixings` */
	uint64_t *base;             /* [orbits + 1]: how many states are in the orbits before */
	uint8_t *event_after;       /* [renamings][events] */
	uint32_t *rule_after;       /* [renamings][rules] */
	uint32_t *number;           /* [states]: their numbers in `to`, or COH_NONE */
	VEC(uint32_t) order;        /* by number in `to`: the state */
	VEC(uint32_t) orbit;        /* by number in `to` */
	VEC(struct unfolded_move) moves; /* of one state */
};

/* ---- cosets ---- */

/* Renamings that are looked for among the sets. */
struct ids {
	const uint16_t *at;
	uint32_t n;
};

static uint64_t hash_of_ids(const uint16_t *at, uint32_t n)
{
	uint64_t h = n;

	for (uint32_t i = 0; i < n; i++)
		h = hash_add(h, at[i]);
	return h;
}

static uint64_t hash_of_fixing(const void *unfolding, uint32_t id)
{
	const struct unfolding *u = unfolding;
	const struct fixing *f = &u->fixings.at[id];

	return hash_of_ids(u->ids.at + f->ids, f->n);
}

static bool same_fixing(const void *unfolding, uint32_t id, const void *key)
{
	const struct unfolding *u = unfolding;
	const struct fixing *f = &u->fixings.at[id];
	const struct ids *ids = key;

	return f->n == ids->n &&
	       memcmp(u->ids.at + f->ids, ids->at, ids->n * sizeof *ids->at) == 0;
}

static bool add_cosets(struct unfolding *u, struct fixing *f)
{
	const struct symmetry *y = u->y;

	f->cosets = u->coset_of.n;
	f->firsts = u->first_of.n;
	if (!vec_reserve(&u->coset_of, y->nrenamings))
		return false;
	memset(u->coset_of.at + f->cosets, 0xff, y->nrenamings * sizeof *u->coset_of.at);
	u->coset_of.n += y->nrenamings;
	for (uint32_t g = 0; g < y->nrenamings; g++) {
		if (u->coset_of.at[f->cosets + g] != UINT16_MAX)
			continue;
		if (!vec_push(&u->first_of, (uint16_t)g))
			return false;
		for (uint32_t i = 0; i < f->n; i++) {
			uint32_t h = renaming_after(
				y, &y->renamings.at[g],
				&y->renamings.at[u->ids.at[f->ids + i]]);

			u->coset_of.at[f->cosets + h] = (uint16_t)f->ncosets;
		}
		f->ncosets++;
	}
	return true;
}

static bool add_fixing(struct unfolding *u, const struct ids *ids)
{
	struct fixing f = { .n = ids->n, .ids = u->ids.n };

	if (!vec_reserve(&u->ids, ids->n))
		return false;
	memcpy(u->ids.at + u->ids.n, ids->at, ids->n * sizeof *ids->at);
	u->ids.n += ids->n;
	return add_cosets(u, &f) && vec_push(&u->fixings, f);
}

/* Finds which renamings leave a state as it is; `room` has room for all. */
static enum nfart_status find_fixing(struct unfolding *u, uint32_t orbit, uint16_t *room)
{
	uint32_t n = symmetry_fixing(u->y, &u->o->states[orbit], room), id;
	struct ids ids = { room, n };
	size_t at;

	if (!hash_room(&u->hash, hash_of_fixing, u))
		return NFART_SYSTEM;
	at = hash_find(&u->hash, hash_of_ids(room, n), same_fixing, u, &ids);
	if (hash_id(&u->hash, at) == HASH_NONE) {
		if (u->coset_of.n + u->y->nrenamings > MOST_LISTED)
			return NFART_GAVEUP;
		if (!add_fixing(u, &ids))
			return NFART_SYSTEM;
		hash_put(&u->hash, at, (uint32_t)u->fixings.n - 1);
	}
	id = hash_id(&u->hash, at);
	u->fixing[orbit] = id;
	u->base[orbit + 1] = u->base[orbit] + u->fixings.at[id].ncosets;
	return NFART_OK;
}

static enum nfart_status find_fixings(struct unfolding *u)
{
	uint16_t *ids = calloc(u->y->nrenamings, sizeof *ids);
	enum nfart_status status = ids != NULL ? NFART_OK : NFART_SYSTEM;

	for (uint32_t i = 0; i < u->from->nstates && status == NFART_OK; i++)
		status = find_fixing(u, i, ids);
	free(ids);
	return status;
}

/* ---- what becomes of events and rules ---- */

static void fill_after(struct unfolding *u)
{
	const struct symmetry *y = u->y;
	const struct coh *c = y->c;

	for (uint32_t g = 0; g < y->nrenamings; g++) {
		const struct renaming_made *how = &y->made.at[g];
		uint32_t *rules = u->rule_after + (size_t)g * c->list.n;

		for (uint32_t i = 0; i < c->nevents; i++)
			u->event_after[g * c->nevents + i] =
				(uint8_t)renamed_event(y, &y->renamings.at[g], i);
		for (uint32_t i = 0; i < c->list.n; i++)
			rules[i] = g == 0 ? i
					  : y->rules_after.at[how->exchange * c->list.n +
							      u->rule_after[how->from * c->list.n +
									    i]];
	}
}

/* What no run reaches for one number it reaches for none, and the other way round. */
static void unfold_rules(const struct unfolding *u, struct coh_system *s)
{
	const struct symmetry *y = u->y;
	uint32_t blocked[COH_NODES];

	memcpy(blocked, s->blocked, sizeof blocked);
	for (uint32_t g = 0; g < y->nrenamings; g++) {
		const uint32_t *after = u->rule_after + (size_t)g * y->c->list.n;

		for (uint32_t i = 0; i < y->c->list.n; i++)
			s->used.at[after[i]] |= s->used.at[i];
		for (uint32_t i = 0; i < y->c->net.nnodes; i++) {
			uint32_t node = renamed_node(y, &y->renamings.at[g], i);

			if (blocked[i] != COH_NONE && s->blocked[node] == COH_NONE)
				s->blocked[node] = after[blocked[i]];
		}
	}
}

/* ---- states and moves ---- */

/* Returns the number in `to` of a state. A new one is put at the end. */
static uint32_t unfold_number(struct unfolding *u, uint32_t orbit, uint32_t coset)
{
	uint64_t state = u->base[orbit] + coset;

	if (u->number[state] == COH_NONE) {
		u->number[state] = (uint32_t)u->order.n;
		u->order.at[u->order.n++] = (uint32_t)state;
		u->orbit.at[u->orbit.n++] = orbit;
	}
	return u->number[state];
}

/* Moves by rules are in the order of these, and messages that pass the tap in that of queues. */
static uint64_t move_order(const struct coh *c, const struct coh_edge *e)
{
	const struct coh_event *event = &c->events[e->rule == COH_NONE ? e->event : 0];

	return (uint64_t)e->rule << 32 |
	       (e->rule == COH_NONE ? event->node * COH_EVENTS + event->class : 0);
}

/* Finds the moves of a state, in order. Where they lead is the orbit, and renaming g in `order`. */
static bool find_moves(struct unfolding *u, uint32_t orbit, uint32_t g)
{
	const struct coh *c = u->y->c;
	const struct coh_system *s = u->from;

	u->moves.n = 0;
	for (uint32_t k = s->first.at[orbit]; k < s->first.at[orbit + 1]; k++) {
		struct coh_edge e = s->edges.at[k];
		const struct fixing *f = &u->fixings.at[u->fixing[e.to]];
		uint32_t h = renaming_after(u->y, &u->y->renamings.at[g],
					    &u->y->renamings.at[u->o->renamed[k]]);
		size_t at = u->moves.n;
		struct unfolded_move m;

		if (e.rule != COH_NONE)
			e.rule = u->rule_after[(size_t)g * c->list.n + e.rule];
		if (e.event != COH_NONE)
			e.event = u->event_after[g * c->nevents + e.event];
		m = (struct unfolded_move){ move_order(c, &e), e };
		m.edge.to = (uint32_t)(u->base[e.to] + u->coset_of.at[f->cosets + h]);
		if (!vec_push(&u->moves, m))
			return false;
		for (; at > 0 && u->moves.at[at - 1].order > m.order; at--)
			u->moves.at[at] = u->moves.at[at - 1];
		u->moves.at[at] = m;
	}
	return true;
}

static bool unfold_state(struct unfolding *u, uint32_t number)
{
	uint32_t orbit = u->orbit.at[number];
	const struct fixing *f = &u->fixings.at[u->fixing[orbit]];
	const struct state *x = &u->o->states[orbit];
	uint32_t g = u->first_of.at[f->firsts + u->order.at[number] - u->base[orbit]];
	uint8_t values[COH_VARS];

	for (uint32_t i = 0; i < u->y->c->nvars; i++)
		values[renamed_var(u->y, &u->y->renamings.at[g], i)] =
			(uint8_t)renamed_value(u->y, &u->y->renamings.at[g], i, x->var[i]);
	return system_note_state(u->y->c, values, &u->to) &&
	       vec_push(&u->to.first, (uint32_t)u->to.edges.n) && find_moves(u, orbit, g);
}

/* Returns the orbit of a state that has no number in `to` yet. */
static uint32_t orbit_of(const struct unfolding *u, uint64_t state)
{
	uint32_t low = 0, high = u->from->nstates;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (u->base[middle] <= state)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool unfold_states(struct unfolding *u)
{
	uint32_t n = (uint32_t)u->base[u->from->nstates];

	if (!vec_reserve(&u->order, n) || !vec_reserve(&u->orbit, n))
		return false;
	memset(u->number, 0xff, n * sizeof *u->number);
	unfold_number(u, 0, 0);
	for (uint32_t i = 0; i < u->order.n; i++) {
		if (!unfold_state(u, i))
			return false;
		for (size_t k = 0; k < u->moves.n; k++) {
			struct coh_edge e = u->moves.at[k].edge;
			uint32_t orbit = u->number[e.to] == COH_NONE ? orbit_of(u, e.to) : 0;

			e.to = u->number[e.to] != COH_NONE
				       ? u->number[e.to]
				       : unfold_number(u, orbit, e.to - (uint32_t)u->base[orbit]);
			if (!vec_push(&u->to.edges, e))
				return false;
		}
	}
	u->to.nstates = (uint32_t)u->order.n;
	return vec_push(&u->to.first, (uint32_t)u->to.edges.n);
}

/* ---- the whole ---- */

static void report_fixings(const struct unfolding *u, struct diags *d)
{
	const struct coh *c = u->y->c;
	const struct coh_system *s = u->from;
	size_t record = diag_report(d, DIAG_ERROR, "gave-up",
				    size_place(c, &s->largest, c->list.at[0].range),
				    "gave up: the rules allow %" PRIu32 " states up to renaming of "
				    "equal nodes, which stay as they are under more than %zu "
				    "different sets of renamings", s->nstates, u->fixings.n);

	size_note(c, d, record, &s->largest);
}

/* Moves what was made into the system. */
static void unfold_into(struct unfolding *u, struct coh_system *s)
{
	unfold_rules(u, s);
	vec_free(&s->edges);
	vec_free(&s->first);
	vec_free(&s->state_values);
	memcpy(&s->edges, &u->to.edges, sizeof s->edges);
	memcpy(&s->first, &u->to.first, sizeof s->first);
	memcpy(&s->state_values, &u->to.state_values, sizeof s->state_values);
	memcpy(s->values, u->to.values, sizeof s->values);
	s->nstates = u->to.nstates;
	memset(&u->to, 0, sizeof u->to);
}

static void unfold_free(struct unfolding *u)
{
	system_free(&u->to);
	vec_free(&u->fixings);
	hash_free(&u->hash);
	vec_free(&u->ids);
	vec_free(&u->coset_of);
	vec_free(&u->first_of);
	vec_free(&u->order);
	vec_free(&u->orbit);
	vec_free(&u->moves);
	free(u->fixing);
	free(u->base);
	free(u->event_after);
	free(u->rule_after);
	free(u->number);
}

enum nfart_status unfold(const struct orbits *o, struct diags *d, const struct system_options *how,
			 struct coh_system *s)
{
	const struct symmetry *y = o->y;
	struct unfolding u = { .o = o, .y = y, .from = s };
	uint64_t most = system_most_all(how);
	enum nfart_status status = NFART_SYSTEM;

	u.fixing = calloc(s->nstates, sizeof *u.fixing);
	u.base = calloc(s->nstates + 1, sizeof *u.base);
	u.event_after = calloc((size_t)y->nrenamings * y->c->nevents + 1, 1);
	u.rule_after = calloc((size_t)y->nrenamings * y->c->list.n + 1, sizeof *u.rule_after);
	if (u.fixing == NULL || u.base == NULL || u.event_after == NULL || u.rule_after == NULL)
		goto out;
	status = find_fixings(&u);
	if (status == NFART_GAVEUP)
		report_fixings(&u, d);
	if (status != NFART_OK)
		goto out;
	fill_after(&u);
	if (u.base[s->nstates] > most) {
		size_report_all(y->c, d, &s->largest, false, s->nstates, u.base[s->nstates], most);
		status = NFART_GAVEUP;
		goto out;
	}
	status = NFART_SYSTEM;
	u.number = calloc(u.base[s->nstates], sizeof *u.number);
	if (u.number != NULL && unfold_states(&u)) {
		unfold_into(&u, s);
		status = NFART_OK;
	}
out:
	unfold_free(&u);
	return status;
}
