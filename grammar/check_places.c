/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks where @NAME stands (nfacc-filter(5), Counters). It may stand only at a head, which is
 * where the expression of a filter, of log or of a counter begins. A let may contain @NAME, so each
 * use of the let is checked. For this check, two nodes are remembered of each let. One is an @NAME
 * at the head of the let; it is right if the let is used at a head. The other is an @NAME elsewhere
 * in the let; it is wrong wherever the let is used.
 */
#include "grammar/check.h"

/* Reports that the @NAME of node i stands in a wrong place, unless this was already reported. If
 * the @NAME is in a let, `use` is the node that uses the let. Otherwise `use` is NULL. */
static void misplaced(struct check *c, ast_id_t i, const struct ast_node *use)
{
	const struct ast_node *node = &c->ast->nodes.at[i];
	size_t at;

	if (c->nodes[i].complained)
		return;
	c->nodes[i].complained = true;
	at = front_error(c->front, "counter-place", node->range, "'@%s' may stand only where the "
			 "expression of a filter, of log or of a counter begins",
			 ast_text(c->ast, node->data));
	if (use != NULL)
		diag_note(c->front->diags, at, use->range, "this name brings it here");
}

/* Stores node i, an @NAME in a let, in *where for the uses of the let. Only the first such node is
 * kept. */
static void places_remember(ast_id_t *where, ast_id_t i)
{
	if (*where == AST_NIL)
		*where = i;
}

void check_places(struct check *c, ast_id_t begin, ast_id_t end)
{
	bool in_let = c->ast->stmts.at[c->stmt].kind == AST_LET;
	struct check_stmt *own = &c->stmts[c->stmt];

	for (ast_id_t i = begin; i < end; i++) {
		const struct ast_node *node = &c->ast->nodes.at[i];
		const struct check_node *n = &c->nodes[i];
		ast_id_t head = AST_NIL, wrong = AST_NIL;
		const struct ast_node *use = NULL;

		if (!n->live || n->inner || n->class == CHECK_WRONG)
			continue;
		if (node->kind == AST_COUNTED) {
			head = i;
		} else if (node->kind == AST_BASIC &&
			   c->ast->basics.at[node->data].let != AST_NIL) {
			const struct check_stmt *s = &c->stmts[c->ast->basics.at[node->data].let];
			head = s->head_counter;
			wrong = s->misplaced_counter;
			use = node;
		}
		if (head != AST_NIL && !n->head)
			wrong = head;
		if (wrong != AST_NIL && in_let)
			places_remember(&own->misplaced_counter, wrong);
		else if (wrong != AST_NIL)
			misplaced(c, wrong, use);
		if (head != AST_NIL && n->head && in_let)
			places_remember(&own->head_counter, head);
	}
}
