/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * re.y: the grammar of the filter language (nfacc-filter(5)). The actions only build the tree.
 * check.c decides what names mean and which numbers are allowed.
 *
 * Lists are left-recursive, and a run of '!' is a list. So only parentheses make the parser's stack
 * grow, and they nest at most 500 deep. After an error the parser goes on at the next ';' or '}',
 * or where a statement begins. A definition with an error still defines its name, so that uses of
 * the name are not reported as well.
 *
 * The actions call functions of parse_tree.c. The second part of the file reports syntax errors. It
 * is here because it uses Bison's names of symbols, which no other file knows; so the file has a
 * little over 500 lines.
 */
%define api.pure full
%define api.prefix {re_}
%define api.location.type {struct diag_range}
%define parse.error custom
%locations
%expect 0
%parse-param {struct parse *p} {void *scanner}
%lex-param {void *scanner}

%code requires {
#include "grammar/parse.h"
}

%union {
	struct ast_name name;
	struct ast_number number;
	struct ast_channels channels;
	struct ast_basic basic;
	struct parse_guard guard;
	struct parse_field field;
	struct ast_list list;
	struct ast_state state;
	ast_id_t id;
	uint32_t count;
	enum counter_mode mode;
	struct ast_cond cond;
	struct ast_mark mark;
	int character;
}

%code provides {
int re_lex(RE_STYPE *value, RE_LTYPE *where, void *scanner);
struct parse *re_get_extra(void *scanner);
}

%code {
#include <string.h>

#include "support/buf.h"

#define YYMAXDEPTH 10000

#undef yylex
#define yylex next_token

#define YYLLOC_DEFAULT(cur, rhs, n)                                                                \
	do {                                                                                       \
		(cur) = YYRHSLOC(rhs, (n) != 0);                                                   \
		(cur).end = YYRHSLOC(rhs, n).end;                                                  \
		if ((n) == 0)                                                                      \
			(cur).begin = (cur).end;                                                   \
	} while (0)

static int next_token(RE_STYPE *value, struct diag_range *where, void *scanner);
static void re_error(struct diag_range *where, struct parse *p, void *scanner, const char *message);
}

%token START_FILE START_TRIGGER
%token <name> NAME PROTOCOL_NAME COUNTED
%token <number> NUMBER
%token <basic> BASIC
%token <channels> CHANNELS
%token ARROW "->" EQUAL "==" UNEQUAL "!=" DOTS ".."
%token <name> PROTOCOL "protocol" LET "let" FILTER "filter" LOG "log" ALL "all"
%token <name> AUTOMATON "automaton" STATE "state" START "start" ACCEPT "accept"
%token <name> COUNTER "counter" RESET "reset" AT "at" PULSE "pulse" LATCH "latch" ROLL "roll"
%token <name> SUBSTREAM "substream" CL "cl" FROM "from" COUNT "count" WINDOW "window"
%token <name> LIMIT "limit" ANY_OF "Any" NONE_OF "None" TRUE_ "true" ANY "any" EPS "eps"
%token <name> TICK "tick" NOTICK "notick" END_ "end" IN "in"
/* Words that may be names, too (grammar_soft). */
%token <name> PARAM "param" MACHINE "machine" OUTPUT "output" WHEN "when"
%token <name> ORDERS "orders"
%token '=' '{' '}' ';' ':' '(' ')' '|' '*' '+' '?' ',' '!' '.' '[' ']' '&' '-' '/'

%nterm <name> any_name new_name reserved_word
%nterm <field> field
%nterm <number> number orders
%nterm <character> operator
%nterm <mode> mode
%nterm <mark> mark
%nterm <state> marks machine_marks
%nterm <cond> condition
%nterm <id> expr factor repeated atom operand counted guardable other member
%nterm <list> branches concat members
%nterm <count> nots ranges tests terms sources
%nterm <basic> basic
%nterm <guard> guard

%%

input:
	START_FILE statements
|	START_TRIGGER expr { p->state.trigger = parse_expression($2, @2); }
;

statements:
	%empty
|	statements statement { p->state.started = true; p->state.depth = 0; }
;

statement:
	PROTOCOL PROTOCOL_NAME {
		if (!front_set_protocol(p->front, @1, &$2, !p->state.started))
			YYABORT;
	} end
|	LET new_name '=' expr end {
		ast_add_stmt(&p->front->ast, parse_define(AST_LET, @1, $2, $4, @4));
	}
|	LET new_name '=' oops {
		ast_id_t id = ast_leaf(&p->front->ast, AST_ERROR, @4);
		ast_add_stmt(&p->front->ast, parse_define(AST_LET, @1, $2, id, @4));
	}
|	FILTER new_name '=' expr end {
		ast_add_stmt(&p->front->ast, parse_define(AST_FILTER, @1, $2, $4, @4));
	}
|	LOG '=' expr end {
		ast_add_stmt(&p->front->ast, parse_define(AST_LOG, @1, $1, $3, @3));
	}
|	LOG '=' ALL end {
		ast_id_t id = ast_leaf(&p->front->ast, AST_TRUE, @3);
		id = ast_repeat(&p->front->ast, id, 1, AST_BOUND_INF, AST_NIL, @3);
		struct ast_stmt s = parse_define(AST_LOG, @1, $1, id, @3);
		s.all = true;
		ast_add_stmt(&p->front->ast, s);
	}
|	COUNTER new_name '=' expr AT number mode end {
		struct ast_stmt s = parse_define(AST_COUNTER, @1, $2, $4, @4);
		s.number = $6;
		s.mode = $7;
		ast_add_stmt(&p->front->ast, s);
	}
|	COUNTER new_name '=' expr RESET expr AT number mode end {
		struct ast_stmt s = parse_define(AST_COUNTER, @1, $2, $4, @4);
		s.reset = parse_expression($6, @6);
		s.number = $8;
		s.mode = $9;
		ast_add_stmt(&p->front->ast, s);
	}
|	COUNTER new_name '=' oops {
		ast_id_t id = ast_leaf(&p->front->ast, AST_ERROR, @4);
		struct ast_stmt s = parse_define(AST_COUNTER, @1, $2, id, @4);
		s.number.value = 1;
		ast_add_stmt(&p->front->ast, s);
	}
|	WINDOW number end { parse_add_number(p, AST_WINDOW, @1, $2, $2); }
|	WINDOW number ',' number end { parse_add_number(p, AST_WINDOW, @1, $2, $4); }
|	LIMIT number end  { parse_add_number(p, AST_LIMIT, @1, $2, $2); }
|	TICK number end   { parse_add_number(p, AST_TICK, @1, $2, $2); }
|	TICK oops {
		struct ast_number one = { 1, false, @1 };
		parse_add_number(p, AST_TICK, @1, one, one);
	}
|	SUBSTREAM CL ranges end {
		$2.sym = AST_NIL;
		parse_add_substream(p, @1, $2, $3);
	}
|	SUBSTREAM any_name ranges end { parse_add_substream(p, @1, $2, $3); }
|	AUTOMATON new_name '{' {
		p->state.broken = p->state.machine = false;
		ast_open_automaton(&p->front->ast);
	} items '}' { ast_close_automaton(&p->front->ast, @1, $2, p->state.broken); }
|	MACHINE new_name orders '{' {
		p->state.broken = false;
		p->state.machine = true;
		ast_open_machine(&p->front->ast, $3);
	} machine_items '}' {
		ast_close_machine(&p->front->ast, @1, $2, p->state.broken);
		p->state.machine = false;
	}
|	PARAM new_name end            { param_define(p, &$2, NULL); }
|	PARAM new_name '=' number end { param_define(p, &$2, &$4); }
|	PARAM new_name '=' oops       { param_wrong(p, &$2); }
|	oops
;

ranges:
	range            { $$ = 1; }
|	ranges ',' range { $$ = $1 + 1; }
;

range:
	FROM number COUNT number { parse_add_range(p, $2, $4); }
;

/* The end of a statement. If the ';' is missing, an error is reported, and the parser goes on as if
 * the ';' were there. After an error, text is skipped up to the next ';' or statement. */
end:
	';'
|	error
;

oops:
	error
|	error ';' { yyerrok; }
;

orders:
	%empty        { $$ = (struct ast_number){ 0, false, @$ }; }
|	ORDERS number { $$ = $2; }
;

mode:
	%empty { $$ = COUNTER_PULSE; }
|	PULSE  { $$ = COUNTER_PULSE; }
|	LATCH  { $$ = COUNTER_LATCH; }
|	ROLL   { $$ = COUNTER_ROLL; }
;

items:
	%empty
|	items item { p->state.depth = 0; }
;

item:
	STATE new_name marks ';'   { ast_add_state(&p->front->ast, $2, $3); }
|	STATE new_name marks error {
		ast_add_state(&p->front->ast, $2, $3);
		p->state.broken = true;
	}
|	any_name ARROW any_name ':' expr ';' {
		ast_add_edge(&p->front->ast, $1, $3, parse_expression($5, @5), false);
	}
|	error                      { p->state.broken = true; }
|	error ';'                  { p->state.broken = true; }
;

marks:
	%empty     { $$ = (struct ast_state){ .nlabels = 0 }; }
|	marks mark { $$ = $1; parse_mark(p, &$$, $2); }
;

mark:
	START  { $$ = (struct ast_mark){ .start = true }; }
|	LOG    { $$ = (struct ast_mark){ .log = true }; }
|	ACCEPT { $$ = (struct ast_mark){ .accept = true, .label = { AST_NIL, @1 } }; }
|	ACCEPT '(' new_name ')' { $$ = (struct ast_mark){ .accept = true, .label = $3 }; }
;

machine_items:
	%empty
|	machine_items machine_item { p->state.depth = 0; }
;

machine_item:
	STATE new_name machine_marks ';'   { ast_add_state(&p->front->ast, $2, $3); }
|	STATE new_name machine_marks error {
		ast_add_state(&p->front->ast, $2, $3);
		p->state.broken = true;
	}
|	COUNTER new_name AT number mode ';' {
		ast_add_machine_counter(&p->front->ast,
					(struct ast_machine_counter){ $2, $4, $5 });
	}
|	COUNT any_name ':' condition ';' { parse_add_rule(p, false, $2, $4); }
|	RESET any_name ':' condition ';' { parse_add_rule(p, true, $2, $4); }
|	any_name ARROW any_name ':' condition ';' { parse_add_move(p, &$1, $3, $5); }
|	'*' ARROW any_name ':' condition ';'      { parse_add_move(p, NULL, $3, $5); }
|	error     { p->state.broken = true; }
|	error ';' { p->state.broken = true; }
;

machine_marks:
	%empty             { $$ = (struct ast_state){ .nlabels = 0 }; }
|	machine_marks mark { $$ = $1; parse_mark(p, &$$, $2); }
|	machine_marks OUTPUT '(' new_name ')' {
		$$ = $1;
		ast_add_output(&p->front->ast, &$$, $4);
	}
;

condition:
	terms              { $$ = ast_cond_of(&p->front->ast, $1, 0, @$); }
|	terms WHEN sources { $$ = ast_cond_of(&p->front->ast, $1, $3, @$); }
;

terms:
	term           { $$ = 1; }
|	terms '&' term { $$ = $1 + 1; }
;

term:
	operand      { parse_add_pred(p, $1, @1); }
|	nots operand { parse_add_pred(p, parse_negate(p, $1, $2, @$, @2), @$); }
|	COUNTED      { parse_add_counted(p, $1, 0, @$); }
|	nots COUNTED { parse_add_counted(p, $2, $1, @$); }
;

sources:
	any_name             { ast_add_when(&p->front->ast, ast_use_state(&p->front->ast, $1)); $$ = 1; }
|	sources ',' any_name {
		ast_add_when(&p->front->ast, ast_use_state(&p->front->ast, $3));
		$$ = $1 + 1;
	}
;

expr:
	branches { $$ = ast_group(&p->front->ast, AST_ALT, $1, @$); }
;

branches:
	concat {
		struct ast_list none = { AST_NIL, AST_NIL, 0 };
		ast_id_t id = ast_group(&p->front->ast, AST_CAT, $1, @1);
		$$ = ast_append(&p->front->ast, none, id);
	}
|	branches '|' concat {
		ast_id_t id = ast_group(&p->front->ast, AST_CAT, $3, @3);
		$$ = ast_append(&p->front->ast, $1, id);
	}
;

concat:
	factor {
		struct ast_list none = { AST_NIL, AST_NIL, 0 };
		$$ = ast_append(&p->front->ast, none, $1);
	}
|	concat factor { $$ = ast_append(&p->front->ast, $1, $2); }
;

factor:
	atom
|	repeated
;

repeated:
	factor '*' { $$ = ast_repeat(&p->front->ast, $1, 0, AST_BOUND_INF, AST_NIL, @$); }
|	factor '+' { $$ = ast_repeat(&p->front->ast, $1, 1, AST_BOUND_INF, AST_NIL, @$); }
|	factor '?' { $$ = ast_repeat(&p->front->ast, $1, 0, 1, AST_NIL, @$); }
|	factor '{' number '}'            { $$ = parse_repeat(p, $1, &$3, &$3, @$); }
|	factor '{' number ',' '}'        { $$ = parse_repeat(p, $1, &$3, NULL, @$); }
|	factor '{' number ',' number '}' { $$ = parse_repeat(p, $1, &$3, &$5, @$); }
|	repeated guard                   { $$ = $1; parse_misplaced_guard(p, $2); }
;

atom:
	operand
|	counted
|	nots operand { $$ = parse_negate(p, $1, $2, @$, @2); }
|	nots counted { $$ = parse_negate(p, $1, $2, @$, @2); }
;

nots:
	'!'      { $$ = 1; }
|	nots '!' { $$ = $1 + 1; }
;

operand:
	guardable
|	other
;

other:
	'(' {
		if (!parse_open_parenthesis(p, @1))
			YYERROR;
	} expr ')' { $$ = $3; p->state.depth--; }
|	TRUE_  { $$ = ast_leaf(&p->front->ast, AST_TRUE, @1); }
|	'.'    { $$ = ast_leaf(&p->front->ast, AST_TRUE, @1); }
|	EPS    { $$ = ast_leaf(&p->front->ast, AST_EPS, @1); }
|	ANY_OF '(' members ')'  { $$ = parse_members(p, AST_ANY_OF, $3, @$); }
|	NONE_OF '(' members ')' { $$ = parse_members(p, AST_NONE_OF, $3, @$); }
|	other guard { $$ = $1; parse_misplaced_guard(p, $2); }
;

counted:
	COUNTED {
		struct ast_node node = { .kind = AST_COUNTED, .range = @1, .data = $1.sym };
		$$ = ast_add(&p->front->ast, node, (struct ast_list){ AST_NIL, AST_NIL, 0 });
	}
|	counted guard { $$ = $1; parse_misplaced_guard(p, $2); }
;

members:
	member {
		struct ast_list none = { AST_NIL, AST_NIL, 0 };
		$$ = ast_append(&p->front->ast, none, $1);
	}
|	members ',' member { $$ = ast_append(&p->front->ast, $1, $3); }
;

member:
	guardable
|	guardable '*' { $$ = $1; parse_starred(p, $1, @2); }
;

guardable:
	basic           { $$ = ast_add_basic(&p->front->ast, $1); }
|	basic CHANNELS  { $$ = parse_on_channels(p, $1, $2); }
|	guardable guard { $$ = parse_guarded(p, $1, $2); }
;

guard:
	'[' tests ']' { $$ = parse_end_guard(p, $2, @$); }
;

tests:
	test           { $$ = 1; }
|	tests ',' test { $$ = $1 + 1; }
;

test:
	field EQUAL number   { parse_add_test(p, AST_TEST_IS, $1, NULL, $3, NULL); }
|	field UNEQUAL number { parse_add_test(p, AST_TEST_IS_NOT, $1, NULL, $3, NULL); }
|	field IN number DOTS number { parse_add_test(p, AST_TEST_IN, $1, NULL, $3, &$5); }
|	field '&' number EQUAL number {
		parse_add_test(p, AST_TEST_MASK_IS, $1, &$3, $5, NULL);
	}
|	field '&' number UNEQUAL number {
		parse_add_test(p, AST_TEST_MASK_IS_NOT, $1, &$3, $5, NULL);
	}
;

field:
	NAME { $$ = (struct parse_field){ .name = $1 }; }
|	IN   { $$ = (struct parse_field){ .name = $1 }; }
|	NAME '[' number ']' { $$ = (struct parse_field){ $1, true, $3, $3 }; }
|	NAME '[' number DOTS number ']' { $$ = (struct parse_field){ $1, true, $3, $5 }; }
;

basic:
	any_name { $$ = parse_named($1, AST_BASIC_NAME); }
|	ANY    { $$ = parse_named($1, AST_BASIC_ALL); }
|	TICK   { $$ = parse_named($1, AST_BASIC_TICK); }
|	NOTICK { $$ = parse_named($1, AST_BASIC_NOTICK); }
|	END_   { $$ = parse_named($1, AST_BASIC_END); }
|	BASIC
;

/* A number; or a parameter, perhaps with one operator. */
number:
	NUMBER
|	any_name {
		if (!param_number(p, &$1, 0, NULL, @$, &$$))
			YYERROR;
	}
|	any_name operator NUMBER {
		if (!param_number(p, &$1, $2, &$3, @$, &$$))
			YYERROR;
	}
;

operator:
	'+' { $$ = '+'; }
|	'-' { $$ = '-'; }
|	'*' { $$ = '*'; }
|	'/' { $$ = '/'; }
;

any_name:
	NAME
|	PARAM
|	MACHINE
|	OUTPUT
|	WHEN
|	ORDERS
;

new_name:
	any_name
|	reserved_word { $$ = $1; parse_reserved(p, &$1); }
;

reserved_word:
	PROTOCOL | LET | FILTER | LOG | ALL | AUTOMATON | STATE | START | ACCEPT | COUNTER | RESET
|	AT | PULSE | LATCH | ROLL | SUBSTREAM | CL | FROM | COUNT | WINDOW | LIMIT | ANY_OF
|	NONE_OF | TRUE_ | ANY | EPS | TICK | NOTICK | END_
;

%%

/* ---- errors --------------------------------------------------------------------------------- */

enum { EXPECTED = 64 };

struct expected {
	int n;
	yysymbol_kind_t at[EXPECTED];
};

static bool expects(const struct expected *e, yysymbol_kind_t kind)
{
	for (int i = 0; i < e->n; i++)
		if (e->at[i] == kind)
			return true;
	return false;
}

/* Is this a word that stands for a name, because a name is expected? */
static bool is_only_a_name(const struct expected *e, yysymbol_kind_t kind)
{
	bool soft = kind == YYSYMBOL_PARAM || kind == YYSYMBOL_MACHINE ||
		    kind == YYSYMBOL_OUTPUT || kind == YYSYMBOL_WHEN ||
		    kind == YYSYMBOL_ORDERS;

	return soft && expects(e, YYSYMBOL_NAME);
}

/* Returns the name of a grammar symbol for messages. */
static const char *symbol_text(yysymbol_kind_t kind)
{
	switch (kind) {
	case YYSYMBOL_YYEOF:
		return "end of file";
	case YYSYMBOL_NAME:
		return "a name";
	case YYSYMBOL_PROTOCOL_NAME:
		return "the name of a protocol";
	case YYSYMBOL_NUMBER:
		return "a number";
	default:
		return yysymbol_name(kind);
	}
}

/* Is this symbol left out of messages? '|', channel lists and guards can stand in most places. A
 * parameter can stand for every number, so names are not mentioned beside numbers. */
static bool is_left_out(const struct expected *e, yysymbol_kind_t kind)
{
	return kind == YYSYMBOL_CHANNELS || strcmp(symbol_text(kind), "'|'") == 0 ||
	       strcmp(symbol_text(kind), "'['") == 0 || is_only_a_name(e, kind) ||
	       (kind == YYSYMBOL_NAME && expects(e, YYSYMBOL_NUMBER));
}

/* Returns one phrase for all expected symbols together, such as "a statement". NULL: there is no
 * such phrase, so the message names each symbol. */
static const char *class_text(const struct expected *e)
{
	if (expects(e, YYSYMBOL_NAME) && expects(e, YYSYMBOL_LET))
		return "a name";
	if (expects(e, YYSYMBOL_NAME) && expects(e, YYSYMBOL_CL))
		return "'cl' or a field";
	if (expects(e, YYSYMBOL_NAME) && expects(e, YYSYMBOL_IN))
		return "a field";
	if (expects(e, YYSYMBOL_LET))
		return "a statement";
	if (expects(e, YYSYMBOL_STATE) && expects(e, YYSYMBOL_COUNT))
		return "a declaration, a rule, a transition or '}'";
	if (expects(e, YYSYMBOL_STATE))
		return "'state', a transition or '}'";
	if (expects(e, YYSYMBOL_TRUE_))
		return "an expression";
	if (expects(e, YYSYMBOL_BASIC))
		return "a basic predicate";
	return NULL;
}

/* Appends the expected symbols to b, for example "';', 'pulse' or 'latch'". */
static void list_expected(const struct expected *e, struct buf *b)
{
	const char *class = class_text(e), *names[EXPECTED];
	int n = 0;

	for (int i = 0; i < e->n; i++)
		if (!is_left_out(e, e->at[i]))
			names[n++] = symbol_text(e->at[i]);
	if (class != NULL) {
		names[0] = class;
		n = 1;
	}
	for (int i = 0; i < n; i++) {
		const char *between = i == 0 ? "" : i == n - 1 ? " or " : ", ";
		const char *quote = names[i][0] == '\'' || strchr(names[i], ' ') != NULL ? "" : "'";
		buf_addf(b, "%s%s%s%s", between, quote, names[i], quote);
	}
}

/* Appends ", found Y" to b, where Y is the text of the last token. `end` says that the end of the
 * text was found and no token. */
static void add_found(const struct parse *p, bool end, struct buf *b)
{
	size_t n = p->token.end - p->token.begin, shown = n < 40 ? n : 40;
	unsigned char first = n != 0 ? (unsigned char)p->text[p->token.begin] : ' ';

	if (end)
		buf_addf(b, ", found end of %s", p->what == PARSE_FILE ? "file" : "text");
	else if (first < ' ' || first >= 0x7f)
		buf_addf(b, ", found byte 0x%02x", first);
	else
		buf_addf(b, ", found '%.*s%s'", (int)shown, p->text + p->token.begin,
			 shown < n ? "..." : "");
}

/* Returns the next token, and remembers in p where the last two tokens are. */
static int next_token(RE_STYPE *value, struct diag_range *where, void *scanner)
{
	struct parse *p = re_get_extra(scanner);
	int token;

	p->state.previous = p->state.last;
	token = re_lex(value, where, scanner);
	p->state.last = *where;
	return token;
}

/* Suggests a reserved word for an unexpected name: adds a note to record `at` if the name is
 * similar to a reserved word that could stand in its place. Usually the name is the last token. If
 * "->" is expected, the name is the token before the last one, which may be a misspelt `state` that
 * was taken for the name of a state. */
static void suggest_word(struct parse *p, size_t at, const struct expected *e, bool is_name)
{
	static const char *const state[] = { "state", NULL },
				 *const items[] = { "state", "counter", "count", "reset", NULL },
				 *const modes[] = { "pulse", "latch", "roll", NULL };
	const char *source = p->front->diags->sources.at[p->source].text, *words[EXPECTED + 1];
	const struct diag_range *previous = &p->state.previous;
	int n = 0;

	for (int i = 0; i < e->n; i++) {
		const char *text = symbol_text(e->at[i]);
		if (strchr(text, ' ') == NULL && text[0] != '\'' && text[0] != '-' &&
		    !is_only_a_name(e, e->at[i]))
			words[n++] = text;
	}
	words[n] = NULL;
	if (expects(e, YYSYMBOL_ARROW))
		front_suggest_word(p->front, at, source + previous->begin,
				   previous->end - previous->begin, *previous,
				   p->state.machine ? items : state);
	else if (is_name)
		front_suggest_word(p->front, at, p->text + p->token.begin,
				   p->token.end - p->token.begin, p->state.last,
				   n != 0 ? words : modes); /* Bison lists no counter modes */
}

/* Reports a syntax error: the scanner's own message if it has one, else "expected X, found Y". An
 * error at the end of the text is located right after the last token. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parse *p, void *scanner)
{
	struct diag_range where = *yypcontext_location(context);
	yysymbol_kind_t found = yypcontext_token(context);
	struct expected e;
	struct buf b = { 0 };
	size_t at = SIZE_MAX;

	(void)scanner;
	if (p->front->ast.failed)
		return 0;
	e.n = yypcontext_expected_tokens(context, e.at, EXPECTED);
	if (p->token.problem != NULL) {
		buf_addf(&b, "%s", p->token.problem);
	} else {
		buf_addf(&b, "expected ");
		list_expected(&e, &b);
		add_found(p, found == YYSYMBOL_YYEOF, &b);
		if (found == YYSYMBOL_YYEOF)
			where.begin = where.end = p->state.previous.end;
	}
	if (b.failed)
		p->front->ast.failed = true;
	else
		at = front_error(p->front, "syntax", where, "%s", b.at);
	if (p->token.problem == NULL)
		suggest_word(p, at, &e, found == YYSYMBOL_NAME);
	buf_free(&b);
	return 0;
}

/* Bison calls this when the parser's stack can't grow. The nesting of parentheses is limited, so
 * the stack never reaches YYMAXDEPTH, and the reason must be that memory is short. */
static void re_error(struct diag_range *where, struct parse *p, void *scanner, const char *message)
{
	(void)where;
	(void)scanner;
	(void)message;
	p->front->ast.failed = true;
}
