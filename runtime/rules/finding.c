/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/finding.h"

#include <inttypes.h>
#include <string.h>

#include "support/bits.h"

enum { MOST_EXPECTED = 6, MOST_FORBIDDING = 2, MOST_MESSAGES = 4 };

/* ---- names ---- */

void finding_events(const struct follow *f, const struct follow_line *l, struct buf *b)
{
	for (uint32_t i = 0; i < l->n; i++)
		buf_addf(b, "%s%s", i == 0 ? "" : i + 1 == l->n ? " and " : ", ",
			 f->kept->events.at[l->events[i]].name);
}

static const char *finding_node(const struct kept *k, uint32_t var)
{
	return k->rules.n != 0 && k->rules.at[0].kind == KEPT_MESSAGE
		       ? "" : k->nodes.at[k->vars.at[var].node];
}

/* May an event come in a belief? *rule becomes the first rule by which it does. If a message passes
 * the tap, that is the first one that sends it. If it is not known whether it may come, there is
 * none. */
static bool finding_allows(struct follow *f, uint32_t belief, uint32_t event, uint32_t *rule)
{
	bool allows = know_allows(&f->know, belief, event, rule) && !know_stopped(&f->know);

	for (uint32_t i = 0; allows && *rule == KEPT_NONE && i < f->kept->rules.n; i++)
		if (f->kept->rules.at[i].kind == KEPT_SEND && f->kept->rules.at[i].event == event)
			*rule = i;
	return allows || know_stopped(&f->know);
}

void finding_expected(struct follow *f, uint32_t belief, struct buf *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->kept->events.n; i++) {
		uint32_t rule;

		if ((f->checker->seen >> i & 1) == 0 || !finding_allows(f, belief, i, &rule))
			continue;
		if (n++ >= MOST_EXPECTED)
			continue;
		buf_addf(b, "%s%s", n == 1 ? "" : ", ", f->kept->events.at[i].name);
		if (rule != KEPT_NONE)
			buf_addf(b, " (%s:%" PRIu32 ")", f->kept->file,
				 f->kept->rules.at[rule].line);
	}
	if (n > MOST_EXPECTED)
		buf_addf(b, " and %" PRIu32 " more", n - MOST_EXPECTED);
	if (n == 0)
		buf_addf(b, "nothing");
}

/* ---- rules ---- */

/* Can a rule make the tap see the event? At a node its own rules do, and those that send to it. */
static bool finding_concerns(const struct kept *k, const struct kept_rule *r, uint32_t event)
{
	return r->event == event &&
	       (r->kind == KEPT_SEND || r->kind == KEPT_MESSAGE ||
		(r->kind == KEPT_RECEIVE && k->tap != KEPT_NONE && r->node == k->tap));
}

/* Appends the values that a variable has in a belief: `fpga.r is - or R12`. */
static void finding_values(struct follow *f, uint32_t belief, uint32_t var, struct buf *b)
{
	const struct kept *k = f->kept;
	uint32_t values = know_values(&f->know, belief, var), n = 0, left = bits_count(values);

	buf_addf(b, "%s%s%s is ", finding_node(k, var), *finding_node(k, var) != 0 ? "." : "",
		 k->vars.at[var].name);
	for (uint32_t i = 0; i < k->vars.at[var].nvalues; i++)
		if ((values >> i & 1) != 0)
			buf_addf(b, "%s%s", n++ == 0 ? "" : n == left ? " or " : ", ",
				 k->vars.at[var].values[i]);
}

bool finding_why(struct follow *f, uint32_t belief, uint32_t rule, struct buf *b)
{
	const struct kept *k = f->kept;
	const struct kept_rule *r = &k->rules.at[rule];
	uint32_t failing = 0;
	bool known = true;

	for (uint32_t t = 0; t < r->n; t++) {
		const struct kept_test *test = &k->tests.at[r->first + t];

		if (know_possible(&f->know, belief, test, 1)) {
			known = known && !know_stopped(&f->know);
			continue;
		}
		buf_addf(b, "%s", failing++ == 0 ? "" : ", ");
		finding_values(f, belief, test->var, b);
	}
	if (failing != 0)
		return true;
	if (!know_possible(&f->know, belief, k->tests.at + r->first, r->n)) {
		buf_addf(b, "its tests hold one by one, but not together");
		return true;
	}
	if (!known || know_stopped(&f->know)) {
		buf_addf(b, "whether its tests hold is not known: that takes too long to find");
		return false;
	}
	buf_addf(b, r->kind == KEPT_MESSAGE ? "no legal combination can be after it"
		    : r->kind == KEPT_SEND  ? "only after another message has come"
					    : "none can be under way to it");
	return false;
}

/* Appends the rules that forbid an event in a belief: first those of which a test fails. */
static void finding_forbid(struct follow *f, uint32_t belief, uint32_t event, struct buf *b)
{
	const struct kept *k = f->kept;
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->homes.n; i++)
		if (k->homes.at[i].event == event) {
			buf_addf(b, "  %s:%" PRIu32 ": this home has not the line: %s\n", k->file,
				 k->homes.at[i].line, k->homes.at[i].text);
			return;
		}
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < k->rules.n; i++) {
			struct buf why = { 0 };
			bool fails;

			if (!finding_concerns(k, &k->rules.at[i], event))
				continue;
			fails = finding_why(f, belief, i, &why);
			if (fails == (pass == 0) && n++ < MOST_FORBIDDING)
				buf_addf(b, "  %s:%" PRIu32 " forbids %s: %s\n", k->file,
					 k->rules.at[i].line, k->events.at[event].name,
					 k->rules.at[i].text);
			if (fails == (pass == 0) && n <= MOST_FORBIDDING && !why.failed) {
				b->n -= b->n != 0;
				buf_addf(b, " [%s]\n", why.at);
			}
			b->failed = b->failed || why.failed;
			buf_free(&why);
		}
	if (n == 0)
		buf_addf(b, "  no rule of %s sends %s\n", k->file, k->events.at[event].name);
	if (n > MOST_FORBIDDING && b->n != 0) {
		b->n--;
		buf_addf(b, " and %" PRIu32 " more\n", n - MOST_FORBIDDING);
	}
}

/* ---- messages ---- */

void finding_row(const struct follow *f, const struct follow_message *m, struct buf *b)
{
	const struct kept *k = f->kept;
	const struct kept_event *e = &k->events.at[m->event];

	buf_addf(b, "  %10" PRIu64 "  ", m->time);
	for (uint32_t i = 0; i < k->nodes.n; i++) {
		bool to = (e->to >> i & 1) != 0;
		const char *cell = i == e->from ? e->name : to ? "to it" : "";

		buf_addf(b, "%-*.*s", FINDING_COLUMN, FINDING_COLUMN - 1, cell);
	}
	while (b->n != 0 && b->at[b->n - 1] == ' ')
		b->n--;
	buf_addf(b, "%s\n", m->wrong ? "   <- no run explains it" : "");
}

static void finding_messages(const struct follow *f, const struct follow_line *l, struct buf *b)
{
	uint64_t n = l->nmessages < MOST_MESSAGES ? l->nmessages : MOST_MESSAGES;

	buf_addf(b, "  %10s  ", "time");
	for (uint32_t i = 0; i < f->kept->nodes.n; i++)
		buf_addf(b, "%-*.*s", i + 1 < f->kept->nodes.n ? FINDING_COLUMN : 0,
			 FINDING_COLUMN - 1, f->kept->nodes.at[i]);
	buf_addf(b, "   the last messages%s\n",
		 l->nmessages > n ? "" : ", which are all of them");
	for (uint64_t i = l->nmessages - n; i < l->nmessages; i++)
		finding_row(f, &l->recent[i % FOLLOW_RECENT], b);
}

/* ---- whole findings ---- */

void finding_reasons(struct follow *f, const struct follow_line *l, const char *where,
		     struct buf *b)
{
	if (l->verdict == FOLLOW_AFTER) {
		buf_addf(b, "%s%s: an error at %" PRIu64 ", and the checker does not begin anew\n",
			 f->checker->label, where, l->died);
		return;
	}
	buf_addf(b, "%s%s: no run of the rules explains ", f->checker->label, where);
	finding_events(f, l, b);
	buf_addf(b, " here%s\n", l->n > 1 ? ", in any order" : "");
	buf_addf(b, "  expected: ");
	finding_expected(f, l->before, b);
	buf_addf(b, "\n");
	if (l->n == 1)
		finding_forbid(f, l->before, l->events[0], b);
	else
		buf_addf(b, "  the batch holds %" PRIu32 " messages of the line\n", l->n);
}

void finding_tell(struct follow *f, const struct follow_line *l, const char *where,
		  struct buf *b)
{
	finding_reasons(f, l, where, b);
	if (l->verdict == FOLLOW_WRONG)
		finding_messages(f, l, b);
}

void finding_orders(const struct follow *f, const struct follow_line *l, const char *where,
		    struct buf *b)
{
	buf_addf(b, "%s%s: ", f->checker->label, where);
	if (l->verdict == FOLLOW_MANY)
		buf_addf(b, "more than %d messages of the line share this batch", FOLLOW_ORDERS);
	else
		buf_addf(b, "messages of the line share this batch, or one before; in some order "
			 "a run of the rules explains them");
	buf_addf(b, ": this can be a false alarm%s\n",
		 (f->checker->how & KEPT_ONLY) == 0 ? "; --form=only of nfacc has none" : "");
}

void finding_fine(struct follow *f, const struct follow_line *l, const char *where,
		  struct buf *b)
{
	uint32_t rule = KEPT_NONE;

	buf_addf(b, "not accepted by [%s]%s: ", f->checker->label, where);
	if (l->verdict == FOLLOW_NOTHING) {
		buf_addf(b, "the checker sees no message of it\n");
		return;
	}
	if (l->verdict == FOLLOW_MANY) {
		buf_addf(b, "more than %d messages of the line share this batch\n", FOLLOW_ORDERS);
		return;
	}
	if (l->n == 1)
		finding_allows(f, l->before, l->events[0], &rule);
	buf_addf(b, "the rules explain ");
	finding_events(f, l, b);
	if (rule != KEPT_NONE)
		buf_addf(b, "\n  %s:%" PRIu32 ": %s", f->kept->file, f->kept->rules.at[rule].line,
			 f->kept->rules.at[rule].text);
	buf_addf(b, "\n  next: ");
	finding_expected(f, l->beliefs.at[0], b);
	buf_addf(b, "\n");
}
