/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/keep.h"

#include <stdlib.h>
#include <string.h>

enum { KEEP_TEXT = 100 }; /* the most bytes of a rule's text */

bool keep_checker(struct keep *keep, const char *label, uint64_t seen, uint32_t how)
{
	char *copy = strdup(label);

	if (copy != NULL && vec_push(&keep->checkers, ((struct kept_checker){ copy, seen, how })))
		return true;
	free(copy);
	return false;
}

void keep_free(struct keep *keep)
{
	for (size_t i = 0; i < keep->checkers.n; i++)
		free((char *)(uintptr_t)keep->checkers.at[i].label);
	vec_free(&keep->checkers);
}

/* What is being made. */
struct keeping {
	const struct coh *c;
	const struct coh_system *s;
	struct arena arena;
	struct kept kept;
	uint32_t *node_of; /* by group of the protocol; KEPT_NONE: no node */
	bool failed, left_out;
};

static void *keep_array(struct keeping *k, size_t n, size_t size)
{
	void *p = arena_array(&k->arena, n + 1, size);

	k->failed = k->failed || p == NULL;
	return p;
}

/* Returns the number of the node that is a group of the protocol; tables get nodes that way. */
static uint32_t keep_node(struct keeping *k, uint32_t group)
{
	if (k->node_of[group] == KEPT_NONE && k->kept.nodes.n < KEPT_NODES) {
		k->kept.nodes.at[k->kept.nodes.n] = k->c->proto->names.groups[group];
		k->node_of[group] = k->kept.nodes.n++;
	}
	k->left_out = k->left_out || k->node_of[group] == KEPT_NONE;
	return k->node_of[group];
}

static void keep_nodes(struct keeping *k)
{
	const struct coh *c = k->c;

	k->node_of = keep_array(k, c->proto->names.ngroups, sizeof *k->node_of);
	k->kept.nodes.at = keep_array(k, KEPT_NODES, sizeof *k->kept.nodes.at);
	if (k->failed)
		return;
	for (uint32_t i = 0; i < c->proto->names.ngroups; i++)
		k->node_of[i] = KEPT_NONE;
	for (uint32_t i = 0; i < c->net.nnodes; i++)
		k->kept.nodes.at[k->kept.nodes.n++] = c->net.names[i];
	for (uint32_t i = 0; i < c->nevents && !c->rules; i++)
		keep_node(k, coh_event_group(c, i));
	k->kept.tap = c->rules && c->net.tap == COH_TAP_AT ? c->net.tap_node : KEPT_NONE;
}

static void keep_vars(struct keeping *k)
{
	k->kept.vars.at = keep_array(k, k->c->nvars, sizeof *k->kept.vars.at);
	for (uint32_t i = 0; i < k->c->nvars && !k->failed; i++) {
		const struct coh_var *v = &k->c->vars[i];
		const char **values = keep_array(k, v->nvalues, sizeof *values);

		if (values == NULL)
			return;
		for (uint32_t j = 0; j < v->nvalues; j++)
			values[j] = v->values[j];
		k->kept.vars.at[k->kept.vars.n++] = (struct kept_var){
			v->name, k->c->rules ? v->node : 0, v->nvalues, values
		};
	}
}

/* Returns how many pairs of a part of an event and a code have messages. */
static size_t keep_count(const struct coh *c, uint32_t event)
{
	const struct coh_span *parts = &c->events[event].parts;
	size_t n = 0;

	for (uint32_t i = 0; i < parts->n; i++)
		for (uint32_t code = 0; code < c->proto->codes.n; code++)
			n += coh_part_has(c, &c->parts.at[parts->first + i], code);
	return n;
}

/* Counts the tests of all messages. False: an image keeps not so many, or not so many messages. */
static bool keep_tests(const struct coh *c, size_t *tests)
{
	*tests = 0;

	for (uint32_t i = 0; i < c->nevents; i++) {
		size_t messages = 0;

		for (uint32_t j = 0; j < c->events[i].parts.n; j++) {
			const struct coh_messages *p = &c->parts.at[c->events[i].parts.first + j];
			size_t n = 0;

			for (uint32_t code = 0; code < c->proto->codes.n; code++)
				n += coh_part_has(c, p, code);
			messages += n;
			*tests += n * p->guards.n;
		}
		if (messages > KEPT_MESSAGES)
			return false;
	}
	return *tests <= KEPT_GUARDS;
}

/* Makes a test of headers with this code. */
static struct kept_guard keep_guard(const struct coh *c, const struct coh_guard *g, uint32_t code)
{
	struct proto_place x = coh_field_place(c->proto, g->field, code);
	struct kept_guard to = { x.lsb, x.bits, g->mask, g->first, g->last, g->other };
	uint32_t shift = g->field == PROTO_ADDR ? c->proto->header.line_shift : 0;

	/* A header has the index of the line. */
	to.mask >>= shift;
	to.first = (g->first >> shift) + ((g->first & (((uint64_t)1 << shift) - 1)) != 0);
	to.last >>= shift;
	return to;
}

/* Adds the messages with a code that are in a part. */
static void keep_messages(struct keeping *k, struct kept_event *to, const struct coh_messages *p,
			  uint32_t code)
{
	struct kept_messages *m = &to->messages.at[to->messages.n++];

	*m = (struct kept_messages){ code, k->kept.guards.n, p->guards.n };
	for (uint32_t i = 0; i < p->guards.n; i++)
		k->kept.guards.at[k->kept.guards.n++] =
			keep_guard(k->c, &k->c->guards.at[p->guards.first + i], code);
}

static void keep_event(struct keeping *k, uint32_t event)
{
	const struct nfart_proto *p = k->c->proto;
	const struct coh_event *from = &k->c->events[event];
	struct kept_event *to = &k->kept.events.at[event];

	to->name = from->name;
	to->from = k->c->rules ? from->node : keep_node(k, coh_event_group(k->c, event));
	to->to = k->c->rules ? from->receivers : 0;
	to->messages.at = keep_array(k, keep_count(k->c, event), sizeof *to->messages.at);
	for (uint32_t i = 0; i < from->parts.n; i++)
		for (uint32_t code = 0; code < p->codes.n && !k->failed; code++)
			if (coh_part_has(k->c, &k->c->parts.at[from->parts.first + i], code))
				keep_messages(k, to, &k->c->parts.at[from->parts.first + i], code);
	/* Of two senders in tables, one receives what the other one sends. */
	if (!k->c->rules && k->kept.nodes.n == 2)
		to->to = to->from == 0 ? 2 : 1;
}

static void keep_events(struct keeping *k)
{
	size_t guards;

	k->left_out = k->left_out || !keep_tests(k->c, &guards);
	if (k->left_out)
		return;
	k->kept.guards.at = keep_array(k, guards, sizeof *k->kept.guards.at);
	k->kept.events.at = keep_array(k, k->c->nevents, sizeof *k->kept.events.at);
	k->kept.events.n = k->c->nevents;
	for (uint32_t i = 0; i < k->c->nevents && !k->failed; i++)
		keep_event(k, i);
}

/* Returns a copy of n bytes, with `?` for what a terminal can't be shown. */
static const char *keep_shown(struct keeping *k, const char *s, size_t n)
{
	struct buf b = { 0 };
	const char *copy;

	buf_add_shown(&b, s, n);
	for (size_t i = 0; i < b.n; i++)
		b.at[i] = b.at[i] != '\t' ? b.at[i] : ' ';
	copy = b.failed ? NULL : arena_strndup(&k->arena, b.at, b.n);
	k->failed = k->failed || copy == NULL;
	buf_free(&b);
	return copy;
}

/* Returns the text of a rule in one line, with single blanks. */
static const char *keep_text(struct keeping *k, const struct diag_source *source,
			     struct diag_range range)
{
	char text[KEEP_TEXT + 4];
	size_t n = 0;

	for (uint32_t i = range.begin; i < range.end && i < source->n && n < KEEP_TEXT; i++) {
		char x = source->text[i];
		bool blank = x == ' ' || x == '\t' || x == '\n' || x == '\r';

		if (!blank || (n != 0 && text[n - 1] != ' '))
			text[n++] = blank ? ' ' : x;
	}
	while (n != 0 && text[n - 1] == ' ')
		n--;
	if (n == KEEP_TEXT) {
		memcpy(text + n, "...", 3);
		n += 3;
	}
	return keep_shown(k, text, n);
}

static const enum kept_compare keep_compares[] = {
	[COH_EQUAL] = KEPT_EQUAL, [COH_UNEQUAL] = KEPT_UNEQUAL, [COH_LESS] = KEPT_LESS,
	[COH_LEAST] = KEPT_LEAST, [COH_MORE] = KEPT_MORE,	[COH_MOST] = KEPT_MOST,
};

static void keep_rules(struct keeping *k, const struct diag_source *source)
{
	static const enum kept_kind kinds[] = { [COH_STEP] = KEPT_STEP,
						[COH_SEND] = KEPT_SEND,
						[COH_RECEIVE] = KEPT_RECEIVE,
						[COH_MESSAGE] = KEPT_MESSAGE };
	const struct coh *c = k->c;

	k->kept.tests.at = keep_array(k, c->tests.n, sizeof *k->kept.tests.at);
	k->kept.rules.at = keep_array(k, c->list.n, sizeof *k->kept.rules.at);
	for (size_t i = 0; i < c->list.n && !k->failed; i++) {
		const struct coh_rule *r = &c->list.at[i];
		struct kept_rule *to = &k->kept.rules.at[k->kept.rules.n++];

		*to = (struct kept_rule){ kinds[r->kind], r->node,
					  r->kind == COH_STEP ? KEPT_NONE : r->event, r->line,
					  k->kept.tests.n, r->when.n,
					  keep_text(k, source, r->range) };
		if (r->kind == COH_MESSAGE)
			to->node = k->kept.events.at[r->event].from;
		/* Rules of one statement share its tests, which are kept once. */
		if (i != 0 && r->when.n != 0 && r->when.n == c->list.at[i - 1].when.n &&
		    r->when.first == c->list.at[i - 1].when.first) {
			to->first = to[-1].first;
			continue;
		}
		for (uint32_t j = 0; j < r->when.n; j++) {
			const struct coh_test *t = &c->tests.at[r->when.first + j];

			k->kept.tests.at[k->kept.tests.n++] = (struct kept_test){
				t->var, t->values, t->other, keep_compares[t->compare]
			};
		}
	}
}

static void keep_system(struct keeping *k)
{
	struct kept_system *to = &k->kept.system;

	to->nstates = k->s->nstates;
	to->values = k->s->state_values.at;
	to->first = k->s->first.at;
	to->moves = keep_array(k, k->s->edges.n, sizeof *to->moves);
	for (size_t i = 0; i < k->s->edges.n && !k->failed; i++) {
		const struct coh_edge *e = &k->s->edges.at[i];

		to->moves[to->nmoves++] = (struct kept_move){ e->to, e->event, e->rule };
	}
}

/* Adds the homes that have events. */
static void keep_homes(struct keeping *k, const struct diag_source *source)
{
	const struct coh *c = k->c;

	k->kept.homes.at = keep_array(k, c->nevents, sizeof *k->kept.homes.at);
	for (uint32_t i = 0; i < c->nevents && !k->failed; i++) {
		const struct coh_home *h;

		if (c->events[i].home == COH_NONE)
			continue;
		h = &c->homes.at[c->events[i].home];
		k->kept.homes.at[k->kept.homes.n++] = (struct kept_home){
			i, h->line, keep_text(k, source, h->range)
		};
	}
}

/* Returns how many states a checker counts for in KEPT_MOST_STATES. */
static uint32_t states_of(const struct coh_system *s)
{
	return s->nstates != 0 ? s->nstates : KEPT_COMPOSED_STATES;
}

const char *keep_refuses(const struct coh *c, const struct coh_system *s, size_t checkers)
{
	const struct nfart_proto *p = c->proto;
	size_t tests;

	if (s->edges.n > KEPT_MOST_FOLLOWED || s->nstates > KEPT_MOST_FOLLOWED)
		return "they have more than 8,388,608 moves";
	if (checkers > KEPT_MOST_STATES / states_of(s))
		return s->nstates != 0
			? "the states of all their checkers are more than 67,108,864"
			: "they have more than 16 checkers";
	if (!c->rules && p->names.ngroups > KEPT_NODES)
		return "the protocol has more than 32 groups";
	return keep_tests(c, &tests)
		? NULL : "their events have more than 1,048,576 tests of messages";
}

bool keep_write(const struct keep *keep, const struct coh *c, const struct coh_system *s,
		const struct composed *composed, const struct diag_source *source, struct buf *b)
{
	struct keeping k = { .c = c, .s = s };
	const char *slash = strrchr(source->name, '/');
	uint32_t most = KEPT_MOST_MOVES;

	for (size_t i = 0; i < keep->checkers.n; i++)
		if ((keep->checkers.at[i].how & KEPT_FOLLOWED) != 0)
			most = KEPT_MOST_FOLLOWED;
	if (s->edges.n > most || s->nstates > most ||
	    keep->checkers.n > KEPT_MOST_STATES / states_of(s))
		return true;
	slash = slash != NULL ? slash + 1 : source->name;
	k.kept.file = keep_shown(&k, slash, strlen(slash));
	if (!k.failed)
		keep_nodes(&k);
	if (!k.failed)
		keep_vars(&k);
	if (!k.failed)
		keep_events(&k);
	if (!k.failed && !k.left_out)
		keep_rules(&k, source);
	if (!k.failed)
		keep_homes(&k, source);
	if (!k.failed)
		keep_system(&k);
	k.kept.composed = composed_kept(composed);
	k.kept.checkers.n = (uint32_t)keep->checkers.n;
	k.kept.checkers.at = keep->checkers.at;
	if (!k.failed && !k.left_out)
		kept_write(&k.kept, b);
	arena_free(&k.arena);
	return !k.failed && !b->failed;
}
