/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks the nodes of expressions: names, channels, opcodes, operands of '!', bounds.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/check.h"

/* MOST_DEPTH is also the parser's limit for parentheses that are written (parse_tree.c). */
enum { MOST_BOUND = 65535, MOST_DEPTH = 500 };

static uint64_t add_saturating(uint64_t x, uint64_t y)
{
	return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

static uint64_t multiply_saturating(uint64_t x, uint64_t y)
{
	return y != 0 && x > UINT64_MAX / y ? UINT64_MAX : x * y;
}

/* ---- basic predicates ----------------------------------------------------------------------- */

/* Returns the slots that have a code in the set, a bit for each slot. */
static uint64_t slots_of(const struct check *c, const uint64_t *set)
{
	uint64_t slots = 0;

	for (size_t i = bits_next(set, c->proto->codes.n, 0); i < c->proto->codes.n;
	     i = bits_next(set, c->proto->codes.n, i + 1))
		slots |= (uint64_t)1 << (i >> c->proto->header.op_bits);
	return slots;
}

static bool has_channel(const struct check *c, uint64_t slots, uint32_t channel)
{
	for (uint32_t s = 0; s < c->proto->nslots; s++)
		if (slots >> s & 1 && c->proto->slots[s].channel >= 0 &&
		    (uint32_t)c->proto->slots[s].channel == channel)
			return true;
	return false;
}

/* Adds a note to diagnostic record `at` that lists the channels of `slots`, a bit set. */
static void note_channels(struct check *c, size_t at, struct diag_range range, uint64_t slots)
{
	struct buf b = { 0 };

	for (uint32_t v = 0; v <= INT16_MAX; v++)
		if (has_channel(c, slots, v))
			buf_addf(&b, "%s%" PRIu32, b.n != 0 ? ", " : "", v);
	if (b.failed)
		c->failed = true;
	else if (b.n != 0)
		diag_note(c->front->diags, at, range, "it can be on channel%s %s",
			  strchr(b.at, ',') != NULL ? "s" : "", b.at);
	buf_free(&b);
}

/* Can each channel in the predicate's channel list carry a message of the set? Reports the first
 * channel that can't. */
static bool check_channels(struct check *c, const struct ast_basic *b, const uint64_t *set)
{
	uint64_t slots = slots_of(c, set);
	const char *text = c->front->diags->sources.at[b->range.source].text + b->range.begin;
	uint32_t n = b->range.end - b->range.begin;

	for (uint32_t i = 0; i < b->channels.n; i++) {
		uint32_t v = b->channels.at[i];
		size_t at;

		if (has_channel(c, slots, v))
			continue;
		if (has_channel(c, UINT64_MAX, v))
			at = front_error(c->front, "channel", b->channels.range,
					 "'%.*s' is never on channel %" PRIu32,
					 (int)(n < 60 ? n : 60), text, v);
		else
			at = front_error(c->front, "channel", b->channels.range,
					 "protocol '%s' has no channel %" PRIu32, c->proto->name,
					 v);
		note_channels(c, at, b->range, slots);
		return false;
	}
	return true;
}

/* Returns the reserved words that could stand in the place of predicate b, whose name is unknown.
 * The message "did you mean" chooses one of them. */
static const char *const *words_for(const struct check *c, const struct ast_basic *b)
{
	static const char *const group[] = { "any", NULL };
	static const char *const log[] = { "Any", "None", "true", "any",
					   "eps", "all",  "end",  NULL };
	static const char *const counter[] = { "Any", "None",  "true", "any", "eps",
					       "end", "reset", "at",   NULL };
	static const char *const other[] = { "Any", "None", "true", "any", "eps", "end", NULL };
	static const char *const ticks[] = { "Any", "None", "true",   "any", "eps",
					     "end", "tick", "notick", NULL };
	enum ast_stmt_kind kind =
		c->stmt < c->ast->stmts.n ? c->ast->stmts.at[c->stmt].kind : AST_FILTER;

	return b->group != AST_NIL   ? group
	       : c->sees.ticks            ? ticks
	       : kind == AST_LOG     ? log
	       : kind == AST_COUNTER ? counter
				     : other;
}

static void report_unknown(struct check *c, const struct ast_basic *b)
{
	const struct ast_sym *name = &c->ast->syms.at[b->name];
	const struct diag_source *source = &c->front->diags->sources.at[b->range.source];
	struct diag_range range = b->range;
	struct diag_range both = { range.source, range.begin, range.end + 1 };
	bool star = range.end < source->n && source->text[range.end] == '*';
	size_t at = front_error(c->front, "unknown-name", range, "unknown name '%s'", name->text);

	if (b->group == AST_NIL && proto_find_group(c->proto, name->text, name->n) >= 0) {
		diag_note(c->front->diags, at, range, "'%s' is a group: GROUP.TYPE is written "
			  "without blanks", name->text);
	} else if (b->group != AST_NIL && c->syms[b->name].let != 0) {
		diag_note(c->front->diags, at, range, "'%s' is a let name, which has no group",
			  name->text);
	} else if (b->group == AST_NIL && range.end + 1 < source->n &&
		   source->text[range.end] == '.' && source->text[range.end + 1] != '.') {
		front_suggest_group(c->front, at, b->name, range);
	} else if (!star || !front_star_notes(c->front, at, b, both, false)) {
		if (range.end - range.begin > name->n)
			range.begin = range.end - name->n;
		front_suggest_name(c->front, at, b->name, range, b->group == AST_NIL ? c->stmt : 0,
				   words_for(c, b));
	}
}

/* Reports that a basic predicate matches no message of the protocol. */
static void report_nothing(struct check *c, const struct ast_basic *b)
{
	if (b->kind == AST_BASIC_GLOB)
		front_error(c->front, "no-match", b->range, "no type matches \"%s\"",
			    ast_text(c->ast, b->name));
	else if (b->kind == AST_BASIC_OPCODES && c->proto->header.idle == (int32_t)b->lo)
		front_error(c->front, "no-match", b->range, "%" PRIu32 " is the idle opcode, which "
			    "no message has", b->lo);
	else
		front_error(c->front, "no-match", b->range, "this names no message");
}

static bool check_opcodes(struct check *c, const struct ast_basic *b)
{
	uint32_t most = (1u << c->proto->header.op_bits) - 1;

	if (b->kind == AST_BASIC_CHARS && c->proto->header.op_bits != 8)
		front_error(c->front, "opcode", b->range, "characters are for one-byte opcodes; "
			    "those of protocol '%s' have %" PRIu32 " bits", c->proto->name,
			    c->proto->header.op_bits);
	else if (b->lo > most || b->hi > most)
		front_error(c->front, "opcode", b->range, "the opcodes of protocol '%s' end at %"
			    PRIu32, c->proto->name, most);
	else if (b->lo > b->hi)
		front_error(c->front, "opcode", b->range, "the range is the wrong way round");
	else
		return true;
	return false;
}

/* Checks a node that is the name of a let. The node gets the properties of the let's value. */
static void use_let(struct check *c, struct check_node *n, struct ast_basic *b)
{
	uint32_t let = c->syms[b->name].let - 1;
	const struct check_node *root = &c->nodes[c->ast->stmts.at[let].expr.id];

	b->let = let;
	c->stmts[let].used = true;
	n->class = root->class;
	n->none = root->none;
	n->pred = root->pred;
	n->positions = root->positions;
	n->leaves = root->leaves;
	n->shape = root->shape;
	n->depth = root->depth;
	if (b->channels.n != 0)
		front_error(c->front, "channel", b->channels.range, "only a basic predicate has "
			    "channels; '%s' is a let name", ast_text(c->ast, b->name));
	if (b->ntests == 0 || n->class == CHECK_WRONG)
		return;
	if (n->class == CHECK_PRED && !n->none)
		n->pred = check_guard(c, b, n->pred);
	else
		check_no_guard(c, b, "a guard stands behind a basic predicate, or behind the name "
			       "of one or of an Any");
	if (n->class != CHECK_PRED || n->none || n->pred == NULL)
		n->class = CHECK_WRONG;
}

/* Returns what a predicate without guards names; NULL: memory was short. */
static struct check_pred *plain_pred(struct check *c, const uint64_t *set)
{
	struct check_pred *p = arena_alloc(&c->arena, sizeof *p);

	if (p == NULL)
		c->failed = true;
	else
		*p = (struct check_pred){ .named = set, .has = set, .some = set, .full = set };
	return p;
}

/* Checks `tick`, `notick` or `end`. */
static void check_time(struct check *c, struct check_node *n, const struct ast_basic *b)
{
	static const unsigned ticks = 1 << CHECK_TICK | 1 << CHECK_TICK_END,
			      ends = 1 << CHECK_END | 1 << CHECK_TICK_END,
			      all = ticks | ends | 1 << CHECK_PLAIN;
	const char *word = ast_text(c->ast, b->name);
	struct check_pred *p = plain_pred(c, c->nothing.named);

	if (p == NULL)
		return;
	p->time = b->kind == AST_BASIC_TICK  ? ticks
		  : b->kind == AST_BASIC_END ? ends
					     : all & ~ticks;
	if (b->channels.n != 0) {
		front_error(c->front, "channel", b->channels.range, "'%s' has no channels", word);
	} else if (b->ntests != 0) {
		check_no_guard(c, b, "'tick', 'notick' and 'end' have no fields");
	} else if (b->kind != AST_BASIC_END && !c->sees.ticks) {
		if (!c->reported.no_ticks)
			front_error(c->front, "no-ticks", b->range, "'%s' needs a statement "
				    "'tick N;', which says how far ticks are apart", word);
		c->reported.no_ticks = true;
	} else {
		n->class = CHECK_PRED;
		n->pred = p;
		n->positions = 1;
	}
}

static bool is_time(const struct ast_basic *b)
{
	return b->kind == AST_BASIC_TICK || b->kind == AST_BASIC_NOTICK || b->kind == AST_BASIC_END;
}

/* Fills the node of basic predicate b, which names the codes of `set`. */
static void check_messages(struct check *c, struct check_node *n, const struct ast_basic *b,
			   uint64_t *set)
{
	struct check_pred *p = plain_pred(c, set);

	memset(set, 0, c->words * sizeof *set);
	ast_basic_codes(c->ast, b, false, set);
	if (p == NULL)
		return;
	p->open = b->kind != AST_BASIC_NAME && b->kind != AST_BASIC_GLOB;
	n->pred = b->ntests != 0 ? check_guard(c, b, p) : p;
	if (n->pred == NULL)
		return;
	n->class = CHECK_PRED;
	n->positions = 1;
}

static void check_basic(struct check *c, struct check_node *n, struct ast_basic *b)
{
	uint64_t *set;

	if (b->kind == AST_BASIC_NAME && b->group == AST_NIL && c->syms[b->name].let != 0) {
		use_let(c, n, b);
		return;
	}
	if (is_time(b)) {
		check_time(c, n, b);
		return;
	}
	if ((b->kind == AST_BASIC_OPCODES || b->kind == AST_BASIC_CHARS) && !check_opcodes(c, b))
		return;
	set = arena_array(&c->arena, c->words, sizeof *set);
	if (set == NULL) {
		c->failed = true;
	} else if (!ast_basic_codes(c->ast, b, true, set)) {
		report_unknown(c, b);
	} else if (!bits_any(set, c->words)) {
		report_nothing(c, b);
	} else if (check_channels(c, b, set)) {
		check_messages(c, n, b, set);
	}
}

/* ---- composed predicates -------------------------------------------------------------------- */

/* Adds what a member names to the four sets of p, which are at `sets`, and to the rest of p. */
static void add_member(const struct check *c, struct check_pred *p, uint64_t *sets,
		       const struct check_pred *member)
{
	for (size_t w = 0; w < c->words; w++) {
		sets[w] |= member->named[w];
		sets[c->words + w] |= member->has[w];
		sets[2 * c->words + w] |= member->some[w];
		sets[3 * c->words + w] |= member->full[w];
	}
	p->open |= member->open;
	p->time |= member->time;
}

static void check_members(struct check *c, struct check_node *n, const struct ast_node *node)
{
	uint64_t *sets = arena_array(&c->arena, 4 * c->words, sizeof *sets);
	struct check_pred *p = plain_pred(c, sets);
	bool wrong = false;

	if (sets == NULL || p == NULL) {
		c->failed = true;
		return;
	}
	p->has = sets + c->words;
	p->some = sets + 2 * c->words;
	p->full = sets + 3 * c->words;
	for (ast_id_t i = node->first; i != AST_NIL; i = c->ast->nodes.at[i].next) {
		const struct check_node *m = &c->nodes[i];

		if (m->class == CHECK_PRED && !m->none) {
			add_member(c, p, sets, m->pred);
			continue;
		}
		wrong = true;
		if (m->class != CHECK_WRONG)
			front_error(c->front, "member", c->ast->nodes.at[i].range, "this is neither"
				    " a basic predicate nor the name of one or of an Any");
	}
	if (wrong)
		return;
	n->class = CHECK_PRED;
	n->none = node->kind == AST_NONE_OF;
	n->pred = p;
	n->positions = 1;
}

static void check_not(struct check *c, struct check_node *n, const struct ast_node *node)
{
	const struct check_node *operand = &c->nodes[node->first];
	struct diag_range range = { node->range.source, node->hi, node->range.end };

	if (operand->class == CHECK_PRED) {
		*n = (struct check_node){ .class = CHECK_PRED, .live = n->live, .head = n->head,
					  .inner = n->inner, .pred = operand->pred, .positions = 1,
					  .leaves = 1, .none = operand->none ^ (node->lo & 1) };
	} else if (operand->class != CHECK_WRONG) {
		front_error(c->front, "not", range, "'!' needs a predicate");
	}
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool check_bounds(struct check *c, const struct ast_node *node)
{
	const struct ast_bounds *b = &c->ast->bounds.at[node->data];

	if (node->lo > MOST_BOUND)
		front_error(c->front, "bound", b->lo, "a bound is at most %d", MOST_BOUND);
	else if (node->hi != AST_BOUND_INF && node->hi > MOST_BOUND)
		front_error(c->front, "bound", b->hi, "a bound is at most %d", MOST_BOUND);
	else if (node->hi < node->lo)
		front_error(c->front, "bound", b->hi, "{%" PRIu32 ",%" PRIu32 "}: the bounds are "
			    "the wrong way round", node->lo, node->hi);
	else
		return true;
	return false;
}

static void check_repetition(struct check *c, struct check_node *n, const struct ast_node *node)
{
	uint64_t times = node->hi;

	n->class = CHECK_EXPR;
	if (node->data != AST_NIL && !check_bounds(c, node))
		return;
	if (node->hi == AST_BOUND_INF)
		times = node->lo > 1 ? node->lo : 1;
	n->positions = multiply_saturating(c->nodes[node->first].positions, times);
	n->leaves = multiply_saturating(c->nodes[node->first].leaves, times);
}

static void check_counted(struct check *c, struct check_node *n, const struct ast_node *node)
{
	struct diag_range range = node->range;
	size_t at;

	n->class = CHECK_EXPR;
	if (c->syms[node->data].counter != 0)
		return;
	n->class = CHECK_WRONG;
	at = front_error(c->front, "unknown-name", range, "no counter '%s' is defined before this",
			 ast_text(c->ast, node->data));
	if (range.end > range.begin)
		range.begin++;
	front_suggest_stmt(c->front, at, node->data, range, AST_COUNTER, c->stmt);
}

static void check_list(struct check *c, struct check_node *n, const struct ast_node *node)
{
	n->class = CHECK_EXPR;
	n->leaves = 0;
	for (ast_id_t i = node->first; i != AST_NIL; i = c->ast->nodes.at[i].next) {
		n->positions = add_saturating(n->positions, c->nodes[i].positions);
		n->leaves = add_saturating(n->leaves, c->nodes[i].leaves);
	}
}

/* Computes the depth of an expression from the depths of its operands. More than MOST_DEPTH is an
 * error. The parser limits only the parentheses that are written. But a name stands for its value,
 * in parentheses if necessary, so a chain of lets could nest repetitions to any depth. The number
 * of pairs of positions that can follow each other grows with the square of that depth. */
static void check_depth(struct check *c, struct check_node *n, const struct ast_node *node)
{
	for (ast_id_t i = node->first; i != AST_NIL; i = c->ast->nodes.at[i].next) {
		const struct check_node *m = &c->nodes[i];
		bool inside = m->shape == AST_ALT ? node->kind != AST_ALT
						  : m->shape == AST_CAT && node->kind == AST_REP;

		n->depth = m->depth + inside > n->depth ? m->depth + inside : n->depth;
		if (n->depth <= MOST_DEPTH || c->reported.too_deep)
			continue;
		c->reported.too_deep = true;
		front_error(c->front, "nesting", c->ast->nodes.at[i].range,
			    "with all names written out, parentheses nest more than %d deep",
			    MOST_DEPTH);
	}
}

void check_node(struct check *c, ast_id_t i)
{
	const struct ast_node *node = &c->ast->nodes.at[i];
	struct check_node *n = &c->nodes[i];
	bool let = false;

	n->shape = node->kind;
	n->leaves = 1;
	switch (node->kind) {
	case AST_ERROR:
		break;
	case AST_EPS:
		n->class = CHECK_EPS;
		break;
	case AST_TRUE:
		n->class = CHECK_PRED;
		n->none = true;
		n->pred = &c->nothing;
		n->positions = 1;
		break;
	case AST_BASIC:
		check_basic(c, n, &c->ast->basics.at[node->data]);
		let = c->ast->basics.at[node->data].let != AST_NIL &&
		      c->ast->basics.at[node->data].ntests == 0;
		break;
	case AST_ANY_OF:
	case AST_NONE_OF:
		check_members(c, n, node);
		break;
	case AST_NOT:
		check_not(c, n, node);
		break;
	case AST_CAT:
	case AST_ALT:
		check_list(c, n, node);
		check_depth(c, n, node);
		break;
	case AST_REP:
		check_repetition(c, n, node);
		check_depth(c, n, node);
		break;
	case AST_COUNTED:
		check_counted(c, n, node);
		break;
	}
	if (n->class == CHECK_PRED && n->live && !n->inner && !let && node->kind != AST_TRUE)
		check_constant(c, n, node);
	if (n->class == CHECK_PRED && n->live &&
	    (node->kind == AST_NOT || node->kind == AST_NONE_OF))
		check_missed(c, n, node);
}
