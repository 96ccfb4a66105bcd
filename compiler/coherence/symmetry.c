/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Finds the symmetries of a description: symmetry.h, Note [renaming]. */
#include "compiler/coherence/symmetry.h"

#include <stdlib.h>
#include <string.h>

/* ---- what becomes of things ---- */

void renamed_state(const struct symmetry *y, const struct renaming *g, const struct state *x,
		   struct state *out)
{
	*out = (struct state){ .n = 0 };
	for (uint32_t i = 0; i < y->c->nvars; i++)
		out->var[renamed_var(y, g, i)] = (uint8_t)renamed_value(y, g, i, x->var[i]);
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t to = x->m[i].place / 2;

		put_message(y->c, out,
			    under_way_new(renamed_event(y, g, x->m[i].event),
					  to != TO_ALL ? renamed_node(y, g, to) : TO_ALL,
					  x->m[i].place % 2));
	}
}

/* ---- tables ---- */

/* Is the name `to`, with number b, the name `from`, with number a, with another number? y->n is no
 * number. */
static bool is_same_name(const struct symmetry *y, const char *from, uint32_t a, const char *to,
			 uint32_t b)
{
	size_t n = strlen(from);

	if (n != strlen(to) || (a < y->n) != (b < y->n))
		return false;
	return memcmp(from, to, n - (a < y->n)) == 0;
}

/* Returns a number that can be COH_NONE as one up to y->n. */
static uint32_t number_or_none(const struct symmetry *y, uint32_t number)
{
	return number < y->n ? number : y->n;
}

static void fill_vars(struct symmetry *y)
{
	const struct coh *c = y->c;

	for (uint32_t i = 0; i < c->nvars; i++)
		for (uint32_t k = 0; k < c->nvars; k++) {
			const struct coh_var *v = &c->vars[i], *w = &c->vars[k];
			uint32_t a = number_of_node(y, v->node), b = number_of_node(y, w->node);
			uint32_t x = number_or_none(y, v->number), z = number_or_none(y, w->number);

			if ((a < y->n) == (b < y->n) && (a < y->n || v->node == w->node) &&
			    is_same_name(y, v->name, x, w->name, z))
				y->var_to[i][b][z] = (uint8_t)k;
		}
	for (uint32_t i = 0; i < c->nvars; i++)
		for (uint32_t j = 0; j < c->vars[i].nvalues; j++)
			for (uint32_t k = 0; k < c->vars[i].nvalues; k++) {
				const struct coh_var *v = &c->vars[i];
				uint32_t a = number_or_none(y, v->numbers[j]);
				uint32_t b = number_or_none(y, v->numbers[k]);

				if (is_same_name(y, v->values[j], a, v->values[k], b))
					y->value_to[i][j][b] = (uint8_t)k;
			}
}

static void fill_events(struct symmetry *y)
{
	const struct coh *c = y->c;

	for (uint32_t i = 0; i < c->nevents; i++)
		for (uint32_t k = 0; k < c->nevents; k++) {
			uint32_t a = number_or_none(y, c->events[i].number);
			uint32_t b = number_or_none(y, c->events[k].number);

			if (is_same_name(y, coh_event_name(c, i), a, coh_event_name(c, k), b))
				y->event_to[i][b] = (uint8_t)k;
		}
}

/* ---- is the description the same after an exchange? ---- */

/* Does each variable become one with the same values, and the first value the first one? */
static bool keeps_vars(const struct symmetry *y, const struct renaming *g)
{
	const struct coh *c = y->c;

	for (uint32_t i = 0; i < c->nvars; i++) {
		const struct coh_var *v = &c->vars[i], *w;
		uint32_t to = renamed_var(y, g, i);

		if (to == COH_MISSING || c->vars[to].nvalues != v->nvalues ||
		    renamed_value(y, g, i, 0) != 0)
			return false;
		w = &c->vars[to];
		for (uint32_t k = 0; k < v->nvalues; k++)
			if (renamed_value(y, g, i, k) == COH_MISSING ||
			    strcmp(v->values[k], w->values[k]) != 0 ||
			    v->numbers[k] != w->numbers[k])
				return false;
	}
	return true;
}

static uint32_t renamed_nodes(const struct symmetry *y, const struct renaming *g, uint32_t nodes)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < y->c->net.nnodes; i++)
		if ((nodes >> i & 1) != 0)
			to |= (uint32_t)1 << renamed_node(y, g, i);
	return to;
}

/* Do events keep who sends and receives them, and which of them keep their order? */
static bool keeps_events(const struct symmetry *y, const struct renaming *g)
{
	const struct coh *c = y->c;

	for (uint32_t i = 0; i < c->nevents; i++) {
		const struct coh_event *e = &c->events[i], *f;
		uint32_t to = renamed_event(y, g, i);

		if (to == COH_MISSING)
			return false;
		f = &c->events[to];
		if (f->node != renamed_node(y, g, e->node) ||
		    f->receivers != renamed_nodes(y, g, e->receivers))
			return false;
		for (uint32_t k = 0; k < i; k++) {
			const struct coh_event *other = &c->events[k];
			const struct coh_event *after = &c->events[renamed_event(y, g, k)];

			if (other->node == e->node &&
			    (other->class == e->class) != (after->class == f->class))
				return false;
		}
	}
	return true;
}

static bool keeps_net(const struct symmetry *y, const struct renaming *g)
{
	const struct coh_net *net = &y->c->net;

	if (net->tap == COH_TAP_AT && renamed_node(y, g, net->tap_node) != net->tap_node)
		return false;
	for (uint32_t i = 0; i < net->nnodes; i++)
		if (net->flight[i] != net->flight[renamed_node(y, g, i)])
			return false;
	return true;
}

/* A test of a variable with another one, in a form of rules. */
enum { FORM_TESTS = 16 };

/* A rule, so that two rules that say the same are the same bytes. */
struct rule_form {
	uint32_t kind, node, event;
	uint32_t allowed[COH_VARS]; /* the values that a variable may have before */
	uint32_t set[COH_VARS];     /* the value that it has after, plus 1; 0: as before */
	uint32_t ntests, tests[FORM_TESTS]; /* of variables with others, rising */
};

/* Adds a test of a variable with another one. It must compare values as it did before. False: it
 * does not, or there are too many. */
static bool add_form_test(const struct symmetry *y, const struct renaming *g,
			  const struct coh_test *t, struct rule_form *f)
{
	const struct coh *c = y->c;
	uint32_t var = renamed_var(y, g, t->var), other = renamed_var(y, g, t->other);
	uint32_t test = (var * COH_VARS + other) * 8 + t->compare, at = f->ntests;
	struct coh_test after = { .var = var, .other = other, .compare = t->compare };
	uint8_t now[2][COH_VARS] = { { 0 } };

	if (at == FORM_TESTS)
		return false;
	for (uint32_t i = 0; i < c->vars[t->var].nvalues; i++)
		for (uint32_t k = 0; k < c->vars[t->other].nvalues; k++) {
			now[0][t->other] = (uint8_t)k;
			now[0][t->var] = (uint8_t)i;
			now[1][other] = (uint8_t)renamed_value(y, g, t->other, k);
			now[1][var] = (uint8_t)renamed_value(y, g, t->var, i);
			if (coh_holds(t, now[0], now[0]) != coh_holds(&after, now[1], now[1]))
				return false;
		}
	for (; at > 0 && f->tests[at - 1] > test; at--)
		f->tests[at] = f->tests[at - 1];
	f->tests[at] = test;
	f->ntests++;
	return true;
}

/* Returns a set of values of a variable after a renaming. */
static uint32_t renamed_values(const struct symmetry *y, const struct renaming *g, uint32_t var,
			       uint32_t values)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < y->c->vars[var].nvalues; i++)
		if ((values >> i & 1) != 0)
			to |= (uint32_t)1 << renamed_value(y, g, var, i);
	return to;
}

/* Writes the form of a rule after a renaming. False: it has none. */
static bool make_form(const struct symmetry *y, const struct renaming *g, const struct coh_rule *r,
		      struct rule_form *f)
{
	const struct coh *c = y->c;

	memset(f, 0, sizeof *f);
	f->kind = r->kind;
	f->node = renamed_node(y, g, r->node);
	f->event = r->kind == COH_STEP ? 0 : renamed_event(y, g, r->event);
	memset(f->allowed, 0xff, sizeof f->allowed);
	for (uint32_t i = 0; i < r->when.n; i++) {
		const struct coh_test *t = &c->tests.at[r->when.first + i];

		if (t->other == COH_NONE)
			f->allowed[renamed_var(y, g, t->var)] &=
				renamed_values(y, g, t->var, t->values);
		else if (!add_form_test(y, g, t, f))
			return false;
	}
	for (uint32_t i = 0; i < r->then.n; i++) {
		const struct coh_test *t = &c->tests.at[r->then.first + i];
		uint32_t value = (uint32_t)__builtin_ctz(t->values);

		f->set[renamed_var(y, g, t->var)] = renamed_value(y, g, t->var, value) + 1;
	}
	return true;
}

/* The forms of all rules. */
struct rule_forms {
	size_t n;
	struct rule_form *at;            /* [n] */
	uint32_t *earlier;               /* [n]: how many rules before have the same form */
	const struct rule_form **sorted; /* [n]: by bytes; of the same form, in order of rules */
};

static int compare_forms(const void *a, const void *b)
{
	const struct rule_form *x = *(const struct rule_form *const *)a;
	const struct rule_form *y = *(const struct rule_form *const *)b;
	int order = memcmp(x, y, sizeof *x);

	return order != 0 ? order : (x > y) - (x < y);
}

static bool same_form(const struct rule_form *x, const struct rule_form *y)
{
	return memcmp(x, y, sizeof *x) == 0;
}

static void sort_forms(struct rule_forms *f)
{
	for (size_t i = 0; i < f->n; i++)
		f->sorted[i] = &f->at[i];
	qsort(f->sorted, f->n, sizeof *f->sorted, compare_forms);
	for (size_t i = 1; i < f->n; i++)
		if (same_form(f->sorted[i], f->sorted[i - 1]))
			f->earlier[f->sorted[i] - f->at] =
				f->earlier[f->sorted[i - 1] - f->at] + 1;
}

/* Returns the rule with this form before which it comes `earlier` times; COH_NONE: none. */
static uint32_t find_form(const struct rule_forms *f, const struct rule_form *form,
			  uint32_t earlier)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (memcmp(f->sorted[middle], form, sizeof *form) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	low += earlier;
	return low < f->n && same_form(f->sorted[low], form) ? (uint32_t)(f->sorted[low] - f->at)
							     : COH_NONE;
}

/* Finds what becomes of each rule. Returns whether each becomes a rule. */
static bool keeps_rules(const struct symmetry *y, const struct renaming *g,
			const struct rule_forms *forms, uint32_t *after)
{
	const struct coh *c = y->c;

	for (uint32_t i = 0; i < c->list.n; i++) {
		struct rule_form f;

		if (!make_form(y, g, &c->list.at[i], &f))
			return false;
		after[i] = find_form(forms, &f, forms->earlier[i]);
		if (after[i] == COH_NONE)
			return false;
	}
	return true;
}

/* ---- classes, and all symmetries ---- */

static struct renaming exchange_of(const struct symmetry *y, uint32_t i, uint32_t k)
{
	struct renaming g = { { 0 } };

	for (uint32_t j = 0; j < y->n; j++)
		g.to[j] = (uint8_t)(j == i ? k : j == k ? i : j);
	return g;
}

/* If the numbers can be exchanged, k joins the class of i. False: out of memory. */
static bool try_exchange(struct symmetry *y, uint32_t i, uint32_t k,
			 const struct rule_forms *forms)
{
	struct renaming g = exchange_of(y, i, k);
	size_t n = y->c->list.n;

	if (!keeps_vars(y, &g) || !keeps_events(y, &g) || !keeps_net(y, &g))
		return true;
	if (!vec_reserve(&y->rules_after, n))
		return false;
	if (!keeps_rules(y, &g, forms, y->rules_after.at + y->rules_after.n))
		return true;
	y->rules_after.n += n;
	y->exchange[y->nexchanges++] = g;
	y->class[k] = y->class[i];
	return true;
}

static bool find_classes(struct symmetry *y)
{
	const struct coh *c = y->c;
	struct rule_forms forms = { .n = c->list.n };
	struct renaming none = exchange_of(y, 0, 0);
	bool ok, formed = true;

	forms.at = calloc(forms.n + 1, sizeof *forms.at);
	forms.earlier = calloc(forms.n + 1, sizeof *forms.earlier);
	forms.sorted = calloc(forms.n + 1, sizeof *forms.sorted);
	ok = forms.at != NULL && forms.earlier != NULL && forms.sorted != NULL;
	for (uint32_t i = 0; i < c->list.n && ok && formed; i++)
		formed = make_form(y, &none, &c->list.at[i], &forms.at[i]);
	if (ok && formed)
		sort_forms(&forms);
	for (uint32_t k = 1; k < y->n && ok && formed; k++)
		for (uint32_t i = 0; i < k && y->class[k] == k && ok; i++)
			if (y->class[i] == i)
				ok = try_exchange(y, i, k, &forms);
	free(forms.at);
	free(forms.earlier);
	free(forms.sorted);
	return ok;
}

/* Returns the rank of a renaming among all of n numbers (Lehmer's code). */
static uint32_t rank_of(const struct symmetry *y, const struct renaming *g)
{
	uint32_t rank = 0, used = 0;

	for (uint32_t i = 0; i < y->n; i++) {
		uint32_t to = g->to[i], below = ((uint32_t)1 << to) - 1;

		rank = rank * (y->n - i) + to - (uint32_t)__builtin_popcount(used & below);
		used |= (uint32_t)1 << to;
	}
	return rank;
}

static struct renaming product(const struct symmetry *y, const struct renaming *g,
			       const struct renaming *h)
{
	struct renaming x = { { 0 } };

	for (uint32_t i = 0; i < y->n; i++)
		x.to[i] = g->to[h->to[i]];
	return x;
}

uint32_t renaming_after(const struct symmetry *y, const struct renaming *g,
			const struct renaming *h)
{
	struct renaming x = product(y, g, h);

	return y->id_of[rank_of(y, &x)];
}

static bool add_renaming(struct symmetry *y, const struct renaming *g, struct renaming_made how)
{
	uint16_t *id = &y->id_of[rank_of(y, g)];

	if (*id != UINT16_MAX)
		return true;
	*id = (uint16_t)y->nrenamings++;
	return vec_push(&y->renamings, *g) && vec_push(&y->made, how);
}

/* Lists what the exchanges make. */
static bool list_renamings(struct symmetry *y)
{
	struct renaming none = exchange_of(y, 0, 0);
	bool ok = add_renaming(y, &none, (struct renaming_made){ 0, 0 });

	for (uint32_t i = 0; i < y->nrenamings && ok; i++)
		for (uint32_t k = 0; k < y->nexchanges && ok; k++) {
			struct renaming g = product(y, &y->exchange[k], &y->renamings.at[i]);

			ok = add_renaming(y, &g,
					  (struct renaming_made){ (uint16_t)i, (uint8_t)k });
		}
	return ok;
}

bool symmetry_find(const struct coh *c, struct symmetry *y)
{
	size_t all = 1;

	memset(y, 0, sizeof *y);
	y->c = c;
	y->n = c->net.nequal;
	memset(y->var_to, COH_MISSING, sizeof y->var_to);
	memset(y->value_to, COH_MISSING, sizeof y->value_to);
	memset(y->event_to, COH_MISSING, sizeof y->event_to);
	for (uint32_t i = 0; i < y->n; i++) {
		y->class[i] = (uint8_t)i;
		all *= i + 1;
	}
	y->id_of = malloc(all * sizeof *y->id_of);
	if (y->id_of == NULL)
		return false;
	memset(y->id_of, 0xff, all * sizeof *y->id_of);
	fill_vars(y);
	fill_events(y);
	if (!find_classes(y) || !list_renamings(y))
		return false;
	symmetry_fill_looks(y);
	return true;
}

void symmetry_free(struct symmetry *y)
{
	vec_free(&y->renamings);
	vec_free(&y->made);
	vec_free(&y->rules_after);
	free(y->id_of);
}
