/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/explain_rules.h"

#include <string.h>

#include "runtime/rules/chart.h"
#include "runtime/rules/finding.h"

bool explain_rules_put(struct explain_state *s)
{
	for (size_t c = 0; c < s->rules.checkers.n; c++)
		for (size_t i = 0; i < s->w->parts.n; i++) {
			const struct witness_part *p = &s->w->parts.at[i];

			if (follow_put(s->rules.checkers.at[c], p->copy->line, WITNESS_REST,
				       s->b.time, p->seen.slots, p->seen.header) == NULL)
				return false;
		}
	return true;
}

/* Returns the checker that a goal is, or NULL. */
static struct follow *find_checker(const struct explain_state *s, uint32_t goal)
{
	return s->goals[goal] == WITNESS_LOG
		       ? NULL
		       : rules_find(&s->rules, s->x->image->labels.names[s->goals[goal]]);
}

enum nfart_status explain_rules_check(const struct explain_state *s)
{
	for (uint32_t g = 0; g < s->ngoals && s->x->chart == EXPLAIN_NODES; g++) {
		const struct follow *f = find_checker(s, g);

		if (f != NULL && f->know.composed != NULL)
			return nfart_fail(s->e, NFART_USAGE, "--emit=nodes: %s: the states of "
					  "checker %s are too many to be listed; a smaller "
					  "'flight' makes fewer, nfacc --checker-states allows "
					  "more, and --emit=msc needs no list",
					  f->kept->file, f->checker->label);
	}
	return NFART_OK;
}

/* Makes ` on line 0x80` of a line, as explain_line() appends it. */
static void make_where(struct explain_state *s, uint64_t line, struct buf *where)
{
	struct buf *b = &s->text.b;
	size_t from = b->n;

	explain_line(&s->text, line);
	if (b->n != from)
		buf_add(where, b->at + from, b->n - from);
	buf_add(where, "", 1);
	where->failed = where->failed || b->failed;
	b->n = from;
}

bool explain_rules_why(struct explain_state *s, const struct witness_part *p, uint32_t goal,
		       bool accepted)
{
	struct follow *f = find_checker(s, goal);
	const struct follow_line *l = f != NULL ? follow_find(f, p->copy->line) : NULL;
	struct buf where = { 0 };
	bool wrong;

	if (l == NULL)
		return false;
	wrong = l->verdict == FOLLOW_WRONG || l->verdict == FOLLOW_AFTER;
	make_where(s, p->copy->line, &where);
	if (where.failed)
		s->text.b.failed = true;
	else if (accepted && wrong)
		finding_tell(f, l, where.at, &s->text.b);
	else if (accepted)
		finding_orders(f, l, where.at, &s->text.b);
	else if (!wrong)
		finding_fine(f, l, where.at, &s->text.b);
	buf_free(&where);
	return accepted == wrong;
}

bool explain_rules_chart(struct explain_state *s)
{
	for (size_t i = 0; i < s->w->parts.n; i++)
		for (uint32_t g = 0; g < s->ngoals; g++) {
			const struct witness_part *p = &s->w->parts.at[i];
			struct follow *f = find_checker(s, g);
			const struct follow_line *l =
				f != NULL ? follow_find(f, p->copy->line) : NULL;
			struct buf where = { 0 };

			if (l == NULL || (s->x->what != EXPLAIN_TIME &&
					  l->verdict != FOLLOW_WRONG && l->verdict != FOLLOW_AFTER))
				continue;
			make_where(s, p->copy->line, &where);
			s->text.b.failed = s->text.b.failed || where.failed;
			if (!where.failed && s->x->chart == EXPLAIN_MSC)
				chart_messages(f, l, where.at, &s->text.b);
			else if (!where.failed)
				chart_nodes(f, l, &s->text.b);
			buf_free(&where);
			return true;
		}
	return false;
}
