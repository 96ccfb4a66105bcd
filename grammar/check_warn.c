/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Warns of predicates that have the same value on every batch, and of those that take silence for
 * proof.
 */
#include "grammar/check.h"

/* Returns the reason why messages that a predicate names are invisible, as the end of a warning. */
static const char *why_invisible(const struct check *c)
{
	if (c->sees.substream == AST_NIL)
		return "";
	return c->ast->stmts.at[c->sees.substream].sub.key.sym == AST_NIL
		       ? ": its messages have no address, and there is a substream line"
		       : ": its messages lack the key of the substream line";
}

/* Warns of a predicate in a derived text. That it always has the same value is no mistake, because
 * nobody wrote it. But the author of the description should know of events that are never seen:
 * this is said once for each text. */
static void warn_derived(struct check *c, const struct ast_node *node, const char *why)
{
	if (why[0] == 0 || c->reported.derived_warned == node->range.source + 1)
		return;
	c->reported.derived_warned = node->range.source + 1;
	diag_report(c->front->diags, DIAG_WARNING, "never-matches", node->range,
		    "an event of this checker is never seen%s", why);
}

void check_constant(struct check *c, const struct check_node *n, const struct ast_node *node)
{
	const struct check_pred *p = n->pred;
	unsigned others = c->sees.times & ~p->time & ~(1u << CHECK_PLAIN);
	bool hit = (p->time & c->sees.times) != 0, all = true, seen = false, named = false;
	const char *why;

	for (size_t w = 0; w < c->words; w++) {
		seen |= c->sees.visible[w] != 0;
		hit |= (p->some[w] & c->sees.visible[w]) != 0;
		all &= (c->sees.visible[w] & ~p->full[w]) == 0;
		named |= (p->named[w] & c->sees.visible[w]) != 0;
	}
	all = others == 0 && (all || (p->time & 1u << CHECK_PLAIN) != 0);
	if (!seen || (hit && !all))
		return;
	if (node->kind == AST_NOT && c->ast->nodes.at[node->first].kind == AST_TRUE)
		return;
	if (node->kind == AST_BASIC && all) {
		const struct ast_basic *b = &c->ast->basics.at[node->data];
		if (b->kind == AST_BASIC_ALL && b->group == AST_NIL && b->channels.n == 0 &&
		    b->ntests == 0)
			return;
	}
	why = !hit && !named ? why_invisible(c) : "";
	if (diag_is_derived(c->front->diags, node->range)) {
		warn_derived(c, node, why);
		return;
	}
	if (n->none == all)
		diag_report(c->front->diags, DIAG_WARNING, "never-matches", node->range,
			    "this predicate can never match%s", why);
	else
		diag_report(c->front->diags, DIAG_WARNING, "always-matches", node->range,
			    "this predicate always matches%s; 'true' says so", why);
}

/* The name of a type is enough: who sees it knows what the others have in common with it. */
void check_missed(struct check *c, const struct check_node *n, const struct ast_node *node)
{
	const struct nfart_proto *p = front_protocol(c->front);
	const uint64_t *missed = p == NULL ? NULL : p->codes.missed;
	size_t code;

	if (missed == NULL || !n->none || diag_is_derived(c->front->diags, node->range))
		return;
	for (size_t w = 0; w < c->words; w++) {
		uint64_t both = missed[w] & n->pred->named[w];

		if (both == 0)
			continue;
		code = w * 64 + (size_t)__builtin_ctzll(both);
		diag_report(c->front->diags, DIAG_WARNING, "missed", node->range,
			    "'%s' may happen without a message: the messages of protocol '%s' are "
			    "misses of caches", p->names.types[p->codes.type_of[code] - 1],
			    p->name);
		return;
	}
}
