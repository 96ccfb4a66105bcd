/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "contract/image/kept.h"

static void write_number(uint64_t x, struct buf *b)
{
	unsigned char byte;

	do {
		byte = (unsigned char)((x & 0x7f) | (x > 0x7f ? 0x80 : 0));
		buf_add(b, &byte, 1);
		x >>= 7;
	} while (x != 0);
}

/* KEPT_NONE becomes 0, and all other numbers one more. */
static void write_index(uint32_t x, struct buf *b)
{
	write_number(x == KEPT_NONE ? 0 : (uint64_t)x + 1, b);
}

static void write_text(const char *s, struct buf *b)
{
	buf_add(b, s, strlen(s) + 1);
}

static void write_vars(const struct kept *k, struct buf *b)
{
	write_number(k->vars.n, b);
	for (uint32_t i = 0; i < k->vars.n; i++) {
		const struct kept_var *v = &k->vars.at[i];

		write_text(v->name, b);
		write_number(v->node, b);
		write_number(v->nvalues, b);
		for (uint32_t j = 0; j < v->nvalues; j++)
			write_text(v->values[j], b);
	}
}

static void write_rules(const struct kept *k, struct buf *b)
{
	write_number(k->tests.n, b);
	for (uint32_t i = 0; i < k->tests.n; i++) {
		write_number(k->tests.at[i].var, b);
		write_number(k->tests.at[i].values, b);
		write_index(k->tests.at[i].other, b);
		write_number(k->tests.at[i].compare, b);
	}
	write_number(k->rules.n, b);
	for (uint32_t i = 0; i < k->rules.n; i++) {
		const struct kept_rule *r = &k->rules.at[i];

		write_number(r->kind, b);
		write_number(r->node, b);
		write_index(r->event, b);
		write_number(r->line, b);
		write_number(r->first, b);
		write_number(r->n, b);
		write_text(r->text, b);
	}
}

static void write_events(const struct kept *k, struct buf *b)
{
	write_number(k->guards.n, b);
	for (uint32_t i = 0; i < k->guards.n; i++) {
		const struct kept_guard *g = &k->guards.at[i];

		write_number(g->lsb, b);
		write_number(g->bits - 1, b);
		write_number(g->mask, b);
		write_number(g->first, b);
		write_number(g->last, b);
		write_number(g->other, b);
	}
	write_number(k->events.n, b);
	for (uint32_t i = 0; i < k->events.n; i++) {
		const struct kept_event *e = &k->events.at[i];

		write_text(e->name, b);
		write_number(e->from, b);
		write_number(e->to, b);
		write_number(e->messages.n, b);
		for (uint32_t j = 0; j < e->messages.n; j++) {
			write_number(e->messages.at[j].code, b);
			write_number(e->messages.at[j].first, b);
			write_number(e->messages.at[j].n, b);
		}
	}
}

static void write_composed(const struct kept_composed *c, struct buf *b)
{
	write_number(c->parts.n, b);
	for (uint32_t i = 0; i < c->parts.n; i++) {
		const struct kept_part *p = &c->parts.at[i];

		write_index(p->var, b);
		if (p->var == KEPT_NONE) {
			write_number(p->base, b);
			write_number(p->most, b);
		}
	}
	write_number(c->steps.n, b);
	write_number(c->moves.n, b);
	for (uint32_t i = 0; i < c->moves.n; i++) {
		const struct kept_moves *m = &c->moves.at[i];

		write_index(m->event, b);
		write_index(m->rule, b);
		write_number(m->n, b);
		for (uint32_t j = m->first; j < m->first + m->n; j++) {
			const struct kept_step *s = &c->steps.at[j];

			write_number(s->part, b);
			write_number(s->op, b);
			write_number(s->a, b);
			if (s->op == KEPT_TEST)
				write_index(s->set, b);
		}
	}
	write_number(c->nodes.n, b);
	write_number(c->edges.n, b);
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct kept_node *node = &c->nodes.at[i];

		write_number(node->part, b);
		write_number(node->n, b);
		for (uint32_t j = node->first; j < node->first + node->n; j++) {
			write_number(c->edges.at[j].value, b);
			write_number(c->edges.at[j].to, b);
		}
	}
}

static void write_system(const struct kept *k, struct buf *b)
{
	const struct kept_system *s = &k->system;

	write_number(s->nstates, b);
	if (s->nstates == 0) {
		write_composed(&k->composed, b);
		return;
	}
	buf_add(b, s->values, (size_t)s->nstates * k->vars.n);
	write_number(s->nmoves, b);
	for (uint32_t i = 0; i < s->nstates; i++) {
		write_number(s->first[i + 1] - s->first[i], b);
		for (uint32_t m = s->first[i]; m < s->first[i + 1]; m++) {
			write_number(s->moves[m].to, b);
			write_index(s->moves[m].event, b);
			write_index(s->moves[m].rule, b);
		}
	}
}

void kept_write(const struct kept *k, struct buf *b)
{
	write_text(k->file, b);
	write_number(k->nodes.n, b);
	for (uint32_t i = 0; i < k->nodes.n; i++)
		write_text(k->nodes.at[i], b);
	write_index(k->tap, b);
	write_vars(k, b);
	write_events(k, b);
	write_rules(k, b);
	write_number(k->homes.n, b);
	for (uint32_t i = 0; i < k->homes.n; i++) {
		write_number(k->homes.at[i].event, b);
		write_number(k->homes.at[i].line, b);
		write_text(k->homes.at[i].text, b);
	}
	write_system(k, b);
	write_number(k->checkers.n, b);
	for (uint32_t i = 0; i < k->checkers.n; i++) {
		write_text(k->checkers.at[i].label, b);
		write_number(k->checkers.at[i].seen, b);
		write_number(k->checkers.at[i].how, b);
	}
}
