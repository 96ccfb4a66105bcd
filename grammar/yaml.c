/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the YAML form of an automaton (T listing 1). Its key `NFA` is a mapping of states. Each
 * state has `accepting`, `starting`, `logging` and a list `transitions`, whose entries have `pred`
 * and `trigger`. The automaton becomes an automaton block of the tree. Triggers are parsed by the
 * parser of the filter language.
 *
 * In YAML the characters '#', '!', '@', '*' and quotes have a meaning. So YAML accepts some
 * unquoted triggers, but reads them as something else, for example as a comment or a tag. This is
 * an error here, and the fix-it puts the trigger into quotes. libyaml delivers events, which are
 * read one by one; nothing recurses on the depth of the input.
 *
 * The file is a little over 500 lines long, because it is one reader over one struct.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "grammar/parse.h"

enum { MOST_DEPTH = 16 };

struct yaml {
	struct front *front;
	uint32_t source;
	const char *text;
	size_t n;
	yaml_parser_t parser;
	yaml_event_t event; /* the current event */
	/* The character with number `index` begins at byte `offset` of the text. This is the place
	 * that offset_of() found last. */
	size_t index, offset;
	/* the byte at which the value of the current trigger should begin; UINT32_MAX: no value of
	 * a trigger is being read */
	uint32_t trigger;
	bool stop;   /* there was an error after which nothing more can be read */
	bool failed; /* memory was short */
};

/* ---- places --------------------------------------------------------------------------------- */

/* Returns the byte at which a mark of libyaml stands. The mark itself counts in characters. The
 * search begins at the mark of the last call, because marks mostly rise. */
static uint32_t offset_of(struct yaml *y, yaml_mark_t mark)
{
	if (mark.index < y->index)
		y->index = y->offset = 0;
	for (; y->index < mark.index && y->offset < y->n; y->index++) {
		y->offset++;
		while (y->offset < y->n && (y->text[y->offset] & 0xc0) == 0x80)
			y->offset++;
	}
	return (uint32_t)y->offset;
}

static struct diag_range event_range(struct yaml *y)
{
	struct diag_range r = { y->source, offset_of(y, y->event.start_mark), 0 };

	r.end = offset_of(y, y->event.end_mark);
	return r;
}

/* Returns the end of the line that contains byte i. Blanks at the end of the line don't count. */
static uint32_t line_end(const struct yaml *y, uint32_t i)
{
	const char *end = memchr(y->text + i, '\n', y->n - i);
	uint32_t at = end != NULL ? (uint32_t)(end - y->text) : (uint32_t)y->n;

	while (at > i && strchr(" \t\r", y->text[at - 1]) != NULL && y->text[at - 1] != 0)
		at--;
	return at;
}

static uint32_t skip_blanks(const struct yaml *y, uint32_t i)
{
	while (i < y->n && (y->text[i] == ' ' || y->text[i] == '\t'))
		i++;
	return i < y->n ? i : (uint32_t)y->n;
}

/* Adds the fix-it "quote it" to record `at`. It puts the rest of the line from byte i on in
 * quotes. */
static void suggest_quotes(struct yaml *y, size_t at, uint32_t i)
{
	struct diag_range r = { y->source, i, line_end(y, i) };
	struct buf b = { 0 };

	if (r.end == r.begin)
		return;
	buf_addf(&b, "'");
	for (uint32_t k = r.begin; k < r.end; k++)
		if (y->text[k] != 0)
			buf_add(&b, y->text[k] == '\'' ? "''" : &y->text[k],
				y->text[k] == '\'' ? 2 : 1);
	buf_addf(&b, "'");
	if (b.failed)
		y->failed = true;
	else
		diag_fixit(y->front->diags, at, r, b.at, "quote it");
	buf_free(&b);
}

/* ---- events --------------------------------------------------------------------------------- */

static void report_yaml(struct yaml *y)
{
	struct diag_range r = { y->source, 0, 0 };
	const char *problem = y->parser.problem != NULL ? y->parser.problem : "not well-formed";
	size_t at;

	y->stop = true;
	if (y->parser.error == YAML_MEMORY_ERROR) {
		y->failed = true;
		return;
	}
	if (y->parser.error == YAML_READER_ERROR)
		r.begin = y->parser.problem_offset < y->n ? (uint32_t)y->parser.problem_offset :
			  (uint32_t)y->n;
	else
		r.begin = offset_of(y, y->parser.problem_mark);
	r.end = r.begin;
	at = front_error(y->front, "yaml", r, "YAML: %s", problem);
	if (y->trigger != UINT32_MAX)
		suggest_quotes(y, at, y->trigger);
}

/* Moves to the next event. False: there was an error in this call or in an earlier one. */
static bool yaml_next(struct yaml *y)
{
	if (y->stop)
		return false;
	yaml_event_delete(&y->event);
	if (!yaml_parser_parse(&y->parser, &y->event))
		report_yaml(y);
	return !y->stop;
}

static void error_here(struct yaml *y, const char *message)
{
	front_error(y->front, "yaml", event_range(y), "%s", message);
}

/* Does the node that begins with the current event have no anchor, alias or tag? If it has one, an
 * error is reported. */
static bool is_plain_node(struct yaml *y)
{
	const yaml_event_t *e = &y->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	if (e->type == YAML_SCALAR_EVENT) {
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
	} else if (e->type == YAML_MAPPING_START_EVENT) {
		anchor = e->data.mapping_start.anchor;
		tag = e->data.mapping_start.tag;
	} else if (e->type == YAML_SEQUENCE_START_EVENT) {
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
	}
	if (e->type != YAML_ALIAS_EVENT && anchor == NULL && tag == NULL)
		return true;
	error_here(y, tag != NULL ? "tags are not supported" :
		   "anchors and aliases are not supported");
	return false;
}

/* Skips the node that begins with the current event. */
static void skip_node(struct yaml *y)
{
	int depth = 0;

	do {
		yaml_event_type_t t = y->event.type;

		if (t == YAML_MAPPING_START_EVENT || t == YAML_SEQUENCE_START_EVENT)
			depth++;
		else if (t == YAML_MAPPING_END_EVENT || t == YAML_SEQUENCE_END_EVENT)
			depth--;
		if (depth > MOST_DEPTH) {
			error_here(y, "nested too deep");
			y->stop = true;
		}
	} while (depth > 0 && yaml_next(y));
}

/* Does the current event begin a node of this type? If not, reports the error `what` and skips the
 * node. An empty value is skipped without an error, because it counts as an empty mapping or
 * list. */
static bool yaml_begins(struct yaml *y, yaml_event_type_t type, const char *what)
{
	bool empty = y->event.type == YAML_SCALAR_EVENT && y->event.data.scalar.length == 0 &&
		     y->event.data.scalar.plain_implicit;

	if (is_plain_node(y)) {
		if (y->event.type == type)
			return true;
		if (!empty)
			error_here(y, what);
	}
	skip_node(y);
	return false;
}

/* Moves to the next key of the current mapping. False: there are no more keys. A key that is not a
 * scalar is skipped together with its value. */
static bool next_key(struct yaml *y)
{
	while (yaml_next(y) && y->event.type != YAML_MAPPING_END_EVENT) {
		if (yaml_begins(y, YAML_SCALAR_EVENT, "expected a key"))
			return true;
		if (yaml_next(y))
			skip_node(y);
	}
	return false;
}

/* Is the current scalar this word? */
static bool is_word(const struct yaml *y, const char *word)
{
	return y->event.data.scalar.length == strlen(word) &&
	       memcmp(y->event.data.scalar.value, word, strlen(word)) == 0;
}

static struct ast_name scalar_name(struct yaml *y)
{
	struct ast_name name = { AST_NIL, event_range(y) };

	name.sym = ast_intern(&y->front->ast, (const char *)y->event.data.scalar.value,
			      y->event.data.scalar.length);
	return name;
}

static bool read_bool(struct yaml *y)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };

	if (!yaml_begins(y, YAML_SCALAR_EVENT, "expected true or false"))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp((const char *)y->event.data.scalar.value, words[i]) == 0)
			return i % 2 == 1;
	error_here(y, "expected true or false");
	return false;
}

/* ---- triggers ------------------------------------------------------------------------------- */

/* Returns an array with the place in the source of each byte of the current scalar's value, and of
 * the end of the value. r is the range of the scalar. If the source spells the value in another
 * way, or on several lines, each place is the beginning of the scalar. The caller frees the array.
 * NULL: out of memory. */
static uint32_t *map_scalar(struct yaml *y, struct diag_range r)
{
	const char *value = (const char *)y->event.data.scalar.value;
	size_t n = y->event.data.scalar.length;
	bool doubled = y->event.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE;
	bool quoted = doubled || y->event.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	uint32_t *map = malloc((n + 1) * sizeof *map), at = r.begin + quoted;
	bool same = true;

	if (map == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		map[i] = at;
		same = same && at < r.end && y->text[at] == value[i] && value[i] != '\n';
		at += doubled && value[i] == '\'' ? 2 : 1;
	}
	map[n] = at;
	for (size_t i = 0; !same && i <= n; i++)
		map[i] = r.begin;
	return map;
}

static void parse_trigger(struct yaml *y, struct diag_range r, struct ast_expr *trigger)
{
	struct parse p = {
		.front = y->front,
		.source = y->source,
		.text = (const char *)y->event.data.scalar.value,
		.n = y->event.data.scalar.length,
		.map = map_scalar(y, r),
		.what = PARSE_TRIGGER,
	};

	if (p.map == NULL || !parse_run(&p))
		y->failed = true;
	else if (p.state.trigger.id != AST_NIL)
		*trigger = p.state.trigger;
	free((void *)(uintptr_t)p.map);
}

/* Returns NULL if YAML reads the whole trigger as text. Otherwise returns a message that says how
 * YAML reads it, for example as an alias or a comment. r is the range of the trigger. `flow` says
 * that the trigger stands inside braces, where other text may follow a closing quote. */
static const char *misread(struct yaml *y, struct diag_range r, bool flow)
{
	bool plain = y->event.type == YAML_SCALAR_EVENT &&
		     y->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	bool quoted = y->event.type == YAML_SCALAR_EVENT &&
		      (y->event.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
		       y->event.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
	uint32_t rest = skip_blanks(y, r.end);

	if (y->event.type == YAML_ALIAS_EVENT)
		return "'*' begins an alias in YAML";
	if (y->event.type == YAML_SCALAR_EVENT && y->event.data.scalar.anchor != NULL)
		return "'&' begins an anchor in YAML";
	if (y->event.type == YAML_SCALAR_EVENT && y->event.data.scalar.tag != NULL)
		return "'!' begins a tag in YAML";
	if (plain && rest < y->n && y->text[rest] == '#')
		return "a '#' after a blank begins a comment in YAML; it can't stand here";
	if (quoted && !flow && rest < line_end(y, r.end) && y->text[rest] != '#')
		return "a quote ends the text in YAML";
	return NULL;
}

static void read_trigger(struct yaml *y, struct ast_expr *trigger, bool flow)
{
	struct diag_range r;
	const char *problem;
	size_t at;

	if (!yaml_next(y))
		return;
	r = event_range(y);
	problem = misread(y, r, flow);
	if (problem != NULL) {
		at = front_error(y->front, "yaml", r, "%s", problem);
		if (!flow)
			suggest_quotes(y, at, r.begin);
		if (y->event.type == YAML_SCALAR_EVENT &&
		    y->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
			y->stop = true;
	} else if (yaml_begins(y, YAML_SCALAR_EVENT, "expected a trigger")) {
		parse_trigger(y, r, trigger);
	}
}

/* ---- states --------------------------------------------------------------------------------- */

/* Reads one transition into state `to`. It is a mapping with the keys `pred` and `trigger`. */
static void read_transition(struct yaml *y, struct ast_name to)
{
	bool flow = y->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	struct diag_range begin = event_range(y);
	struct ast_name from = { AST_NIL, begin };
	struct ast_expr trigger = { AST_NIL, begin };
	bool pred = false, triggered = false;

	while (next_key(y)) {
		if (is_word(y, "pred") && !pred) {
			pred = true;
			if (yaml_next(y) &&
			    yaml_begins(y, YAML_SCALAR_EVENT, "expected the name of a state"))
				from = scalar_name(y);
		} else if (is_word(y, "trigger") && !triggered) {
			triggered = true;
			trigger.range = event_range(y);
			y->trigger = skip_blanks(y, trigger.range.end + 1);
			read_trigger(y, &trigger, flow);
			y->trigger = UINT32_MAX;
		} else {
			error_here(y, "expected one 'pred' and one 'trigger'");
			if (yaml_next(y))
				skip_node(y);
		}
	}
	if (y->stop)
		return;
	if (!pred || !triggered)
		front_error(y->front, "yaml", begin, "this transition has no '%s'",
			    pred ? "trigger" : "pred");
	if (trigger.id == AST_NIL)
		trigger.id = ast_leaf(&y->front->ast, AST_ERROR, trigger.range);
	if (from.sym != AST_NIL)
		ast_add_edge(&y->front->ast, from, to, trigger, true);
}

static void read_transitions(struct yaml *y, struct ast_name to)
{
	if (!yaml_begins(y, YAML_SEQUENCE_START_EVENT, "expected a list of transitions"))
		return;
	while (yaml_next(y) && y->event.type != YAML_SEQUENCE_END_EVENT)
		if (yaml_begins(y, YAML_MAPPING_START_EVENT,
				"expected a transition: pred and trigger"))
			read_transition(y, to);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Reports an error if the name of a state is no name of the filter language. */
static void check_name(struct yaml *y, const struct ast_name *name)
{
	const char *s = (const char *)y->event.data.scalar.value;
	size_t n = y->event.data.scalar.length;
	bool good = n != 0 && is_letter(s[0]);

	for (size_t i = 1; i < n; i++)
		good = good && (is_letter(s[i]) || (s[i] >= '0' && s[i] <= '9'));
	if (!good)
		front_error(y->front, "yaml", name->range,
			    "a name is a letter or '_', then letters, digits and '_'");
	else if (grammar_find_reserved(s, n) >= 0)
		front_error(y->front, "reserved-word", name->range, "'%s' is a reserved word", s);
}

static void read_state(struct yaml *y)
{
	static const char *const keys[] = { "accepting", "starting", "logging", "transitions" };
	struct ast_state marks = { .nlabels = 0 };
	struct ast_name name = scalar_name(y);
	bool seen[4] = { false }, value;
	size_t k;

	check_name(y, &name);
	if (yaml_next(y) &&
	    yaml_begins(y, YAML_MAPPING_START_EVENT, "expected the properties of a state")) {
		while (next_key(y)) {
			for (k = 0; k < 4 && !is_word(y, keys[k]); k++)
				;
			if (k == 4 || seen[k])
				error_here(y, k == 4 ? "a state has 'accepting', 'starting', "
					   "'logging' and 'transitions'" : "this key stands twice");
			if (!yaml_next(y))
				break;
			if (k == 4 || seen[k]) {
				skip_node(y);
				continue;
			}
			seen[k] = true;
			value = k < 3 && read_bool(y);
			if (k == 0 && value)
				ast_add_label(&y->front->ast, &marks,
					      (struct ast_name){ AST_NIL, name.range });
			else if (k == 1)
				marks.start = value;
			else if (k == 2)
				marks.log = value;
			else if (k == 3)
				read_transitions(y, name);
		}
	}
	ast_add_state(&y->front->ast, name, marks);
}

/* Returns a name for the automaton that no other automaton of the unit has: NFA, NFA2, NFA3, … */
static ast_sym_t automaton_name(struct ast *a)
{
	char text[32] = "NFA";
	ast_sym_t sym = ast_intern(a, text, 3);

	for (unsigned k = 2;; k++) {
		bool taken = false;

		for (size_t i = 0; i < a->stmts.n; i++)
			taken = taken || (a->stmts.at[i].kind == AST_AUTOMATON &&
					  a->stmts.at[i].name.sym == sym);
		if (!taken)
			return sym;
		sym = ast_intern(a, text, (size_t)snprintf(text, sizeof text, "NFA%u", k));
	}
}

static void read_automaton(struct yaml *y)
{
	struct ast *a = &y->front->ast;
	struct ast_name name = { automaton_name(a), event_range(y) };
	size_t errors = y->front->diags->errors;

	ast_open_automaton(a);
	if (yaml_next(y) &&
	    yaml_begins(y, YAML_MAPPING_START_EVENT, "expected the states of the automaton"))
		while (next_key(y))
			read_state(y);
	if (!y->stop)
		ast_close_automaton(a, name.range, name, y->front->diags->errors != errors);
}

static void read_document(struct yaml *y)
{
	bool seen = false;

	if (!yaml_begins(y, YAML_MAPPING_START_EVENT, "expected a mapping with the key 'NFA'"))
		return;
	while (next_key(y)) {
		if (is_word(y, "NFA") && !seen) {
			seen = true;
			read_automaton(y);
			continue;
		}
		error_here(y, seen ? "only one key, 'NFA', stands here; the states stand below it, "
			   "indented" : "expected the key 'NFA'");
		if (yaml_next(y))
			skip_node(y);
	}
}

bool yaml_parse(struct front *f, uint32_t source)
{
	struct yaml y = { .front = f, .source = source, .trigger = UINT32_MAX };

	y.text = f->diags->sources.at[source].text;
	y.n = f->diags->sources.at[source].n;
	if (!yaml_parser_initialize(&y.parser))
		return false;
	yaml_parser_set_encoding(&y.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&y.parser, (const unsigned char *)y.text, y.n);
	if (yaml_next(&y) && yaml_next(&y) && y.event.type == YAML_DOCUMENT_START_EVENT &&
	    yaml_next(&y)) {
		read_document(&y);
		if (yaml_next(&y) && yaml_next(&y) && y.event.type == YAML_DOCUMENT_START_EVENT)
			error_here(&y, "only one document stands in a file");
	}
	yaml_event_delete(&y.event);
	yaml_parser_delete(&y.parser);
	return !y.failed;
}
