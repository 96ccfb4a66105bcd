/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads rules and messages of a coherence description, and evaluates their tests.
 */
#include <string.h>

#include "grammar/coherence/coh_int.h"

/* ---- tests ---- */

static bool compares(enum coh_compare how, uint32_t a, uint32_t b)
{
	switch (how) {
	case COH_EQUAL:
		return a == b;
	case COH_UNEQUAL:
		return a != b;
	case COH_LESS:
		return a < b;
	case COH_MOST:
		return a <= b;
	case COH_MORE:
		return a > b;
	case COH_LEAST:
		return a >= b;
	}
	return false;
}

bool coh_holds(const struct coh_test *t, const uint8_t *now, const uint8_t *before)
{
	if (t->other != COH_NONE)
		return compares(t->compare, now[t->var], before[t->other]);
	return (t->values >> now[t->var] & 1) != 0;
}

bool coh_all_hold(const struct coh *c, struct coh_span tests, const uint8_t *now,
		  const uint8_t *before)
{
	for (uint32_t i = 0; i < tests.n; i++)
		if (!coh_holds(&c->tests.at[tests.first + i], now, before))
			return false;
	return true;
}

/* Returns the number of the variable that the token at the cursor names; COH_NONE: it names
 * none. */
static uint32_t var_here(struct coh_reader *r, uint32_t node)
{
	const struct coh *c = r->coh;
	size_t n;
	const char *s = name_here(r, &n);

	for (uint32_t i = 0; i < c->nvars && r->c.kind == DESC_WORD; i++)
		if (c->vars[i].node == node && strncmp(c->vars[i].name, s, n) == 0 &&
		    c->vars[i].name[n] == 0)
			return i;
	return COH_NONE;
}

static uint32_t read_var(struct coh_reader *r, uint32_t node)
{
	uint32_t var = var_here(r, node);
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = read_name(r, &s, "a variable");

	if (!r->c.failed && var == COH_NONE)
		name_error(r, at, "no variable '%.*s'", (int)n, s);
	return r->c.failed ? 0 : var;
}

static enum coh_compare read_compare(struct coh_reader *r)
{
	static const char *const texts[] = { "=", "!=", "<", ">=", ">", "<=" };

	for (int i = 0; i < 6; i++)
		if (desc_accept(&r->c, texts[i]))
			return (enum coh_compare)i;
	desc_expect(&r->c, "=");
	return COH_EQUAL;
}

/* Checks that the word at the cursor is not a value of variable `var` and a variable, too: the test
 * could mean either. False: it is, or there was an error before. */
static bool check_word(struct coh_reader *r, uint32_t var, uint32_t node)
{
	uint32_t value = value_here(r, var), other = var_here(r, node);
	const struct coh_var *v = &r->coh->vars[var];
	size_t record;

	if (r->c.failed || value == COH_NONE || other == COH_NONE)
		return !r->c.failed;
	record = diag_report(r->c.diags, DIAG_ERROR, "ambiguous", r->c.range,
			     "'%s' is a value of '%s' and a variable: one of them needs another "
			     "name",
			     v->values[value], v->name);
	diag_note(r->c.diags, record, v->ranges[value], "the value is here");
	diag_note(r->c.diags, record, r->coh->vars[other].range, "the variable is here");
	desc_fail(&r->c);
	return false;
}

/* Adds the value at the cursor to those of a test. */
static void read_test_value(struct coh_reader *r, void *ctx)
{
	struct coh_test *t = ctx;
	uint32_t value;

	if (!check_word(r, t->var, r->coh->vars[t->var].node))
		return;
	value = read_value_of(r, t->var);
	for (uint32_t i = 0; i < r->coh->vars[t->var].nvalues; i++)
		if (compares(t->compare, i, value))
			t->values |= (uint32_t)1 << i;
}

/* Reads a test `VARIABLE = VALUE | VALUE` or `VARIABLE < VALUE`. *ctx is the node. */
static void read_test(struct coh_reader *r, void *ctx)
{
	uint32_t node = *(const uint32_t *)ctx;
	struct coh_test t = { .var = read_var(r, node), .other = COH_NONE };

	t.compare = read_compare(r);
	if (!check_word(r, t.var, node))
		return;
	t.other = var_here(r, node);
	if (t.other != COH_NONE)
		desc_advance(&r->c);
	else if (t.compare != COH_EQUAL)
		read_test_value(r, &t);
	else
		do {
			read_item(r, read_test_value, &t);
		} while (desc_accept(&r->c, "|"));
	if (!r->c.failed && !vec_push(&r->coh->tests, t))
		r->memory = r->c.failed = true;
}

/* Reads tests until the punctuation that ends them. `any` stands for none. */
static struct coh_span read_tests(struct coh_reader *r, uint32_t node)
{
	struct coh_span span = { (uint32_t)r->coh->tests.n, 0 };

	if (desc_accept(&r->c, "any"))
		return span;
	while (!r->c.failed && r->c.kind == DESC_WORD)
		read_item(r, read_test, &node);
	span.n = (uint32_t)r->coh->tests.n - span.first;
	return span;
}

/* ---- messages of tables ---- */

uint32_t line_of(struct coh_reader *r, uint32_t byte)
{
	const char *text = r->c.diags->sources.at[r->c.source].text;

	if (byte < r->counted.byte || r->counted.line == 0) {
		r->counted.byte = 0;
		r->counted.line = 1;
	}
	for (; r->counted.byte < byte; r->counted.byte++)
		r->counted.line += text[r->counted.byte] == '\n';
	return r->counted.line;
}

static void add_rule(struct coh_reader *r, struct coh_rule rule)
{
	rule.line = line_of(r, rule.range.begin);
	if (!r->c.failed && !vec_push(&r->coh->list, rule))
		r->memory = r->c.failed = true;
}

/* Adds a rule for each event of the set. */
static void add_rules(struct coh_reader *r, struct coh_rule rule, uint64_t events)
{
	for (uint32_t i = 0; i < r->coh->nevents; i++) {
		rule.event = i;
		if ((events >> i & 1) != 0)
			add_rule(r, rule);
	}
}

static void read_one_event(struct coh_reader *r, void *ctx)
{
	*(uint64_t *)ctx |= (uint64_t)1 << read_event(r);
}

uint64_t read_events(struct coh_reader *r)
{
	uint64_t events = 0;

	do {
		read_item(r, read_one_event, &events);
	} while (desc_accept(&r->c, ","));
	return events;
}

/* message EVENT, …: TESTS -> TESTS; */
void read_message(struct coh_reader *r, struct diag_range at)
{
	struct coh_rule rule = { .kind = COH_MESSAGE, .range = at };
	struct diag_range first = r->c.range;
	uint64_t events;

	if (r->coh->tables.nlegal == 0)
		name_error(r, at, "messages come after what is legal");
	events = read_events(r);
	for (size_t i = 0; i < r->coh->list.n && !r->c.failed; i++)
		if ((events >> r->coh->list.at[i].event & 1) != 0)
			desc_error(&r->c, first, "the message '%s' already has a table",
				   coh_event_name(r->coh, r->coh->list.at[i].event));
	desc_expect(&r->c, ":");
	rule.when = read_tests(r, 0);
	desc_expect(&r->c, "->");
	rule.then = read_tests(r, 0);
	rule.range.end = r->c.range.begin;
	add_rules(r, rule, events);
}

/* ---- rules of nodes ---- */

/* Warns if the settings from `first` on set variable `var` already. */
static void check_setting(struct coh_reader *r, uint32_t first, uint32_t var, struct diag_range at)
{
	for (size_t i = r->coh->tests.n; i > first && !r->c.failed; i--)
		if (r->coh->tests.at[i - 1].var == var) {
			struct diag_range last = r->coh->tests.at[i - 1].range;

			note_setting(r, &last, at, r->coh->vars[var].name);
			return;
		}
}

/* The settings of a rule, from test `first` on, and the node whose variables they set. */
struct settings {
	uint32_t node, first;
};

/* Reads `VARIABLE = VALUE`. */
static void read_setting(struct coh_reader *r, void *ctx)
{
	const struct settings *x = ctx;
	struct diag_range at = r->c.range;
	struct coh_test t = { .var = read_var(r, x->node), .other = COH_NONE, .range = at };

	check_setting(r, x->first, t.var, at);
	desc_expect(&r->c, "=");
	t.values = (uint32_t)1 << read_value_of(r, t.var);
	if (!r->c.failed && !vec_push(&r->coh->tests, t))
		r->memory = r->c.failed = true;
}

/* Reads the settings `VARIABLE = VALUE …` at the end of a rule. */
static struct coh_span read_settings(struct coh_reader *r, uint32_t node)
{
	struct settings x = { node, (uint32_t)r->coh->tests.n };

	while (!r->c.failed && r->c.kind == DESC_WORD)
		read_item(r, read_setting, &x);
	return (struct coh_span){ x.first, (uint32_t)r->coh->tests.n - x.first };
}

static void check_sender(struct coh_reader *r, const struct coh_rule *rule, uint64_t events)
{
	for (uint32_t i = 0; i < r->coh->nevents && !r->c.failed; i++)
		if ((events >> i & 1) != 0 &&
		    (r->coh->events[i].node == rule->node) != (rule->kind == COH_SEND))
			desc_error(&r->c, rule->range, "this node %s '%s'",
				   rule->kind == COH_SEND ? "does not send" : "itself sends",
				   coh_event_name(r->coh, i));
}

/* Reads a rule of one node. *ctx is where the rule begins. */
static void read_node_rule(struct coh_reader *r, void *ctx)
{
	struct diag_range *at = ctx;
	struct coh_rule rule = { .kind = COH_STEP, .range = *at };
	uint64_t events = 0;

	rule.node = read_node(r);
	desc_expect(&r->c, ":");
	rule.when = read_tests(r, rule.node);
	if (desc_accept(&r->c, "!"))
		rule.kind = COH_SEND;
	else if (desc_accept(&r->c, "?"))
		rule.kind = COH_RECEIVE;
	if (rule.kind != COH_STEP)
		events = read_events(r);
	rule.range.end = r->c.range.begin;
	check_sender(r, &rule, events);
	if (rule.kind == COH_STEP)
		desc_expect(&r->c, ":");
	else
		desc_accept(&r->c, ":");
	rule.then = read_settings(r, rule.node);
	if (rule.kind == COH_STEP)
		add_rule(r, rule);
	else
		add_rules(r, rule, events);
}

/* NODE: TESTS ! EVENT, … : SETTINGS; with `?` to receive. Without an event the step is silent. */
void read_rule(struct coh_reader *r, struct diag_range at)
{
	if (!r->coh->rules)
		name_error(r, at, "expected a statement");
	else
		read_item(r, read_node_rule, &at);
}
