/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The grammar of version 0 is that of Rust RFC 2603. Each function below reads one rule of it, and
 * prints it.
 */
#include "probes/profile/stacks/rust_name.h"

#include <stdio.h>
#include <string.h>

#include "probes/profile/stacks/rust_symbol.h"

static void read_path(struct symbol_reader *x, bool in_value);
static void read_type(struct symbol_reader *x);
static void read_constant(struct symbol_reader *x);

/* ---- paths ---- */

/* A name in a path. Special ones have an upper-case letter as their kind. */
static void read_nested(struct symbol_reader *x, bool in_value)
{
	char kind = rust_take(x);
	bool special = kind >= 'A' && kind <= 'Z';
	uint64_t number;
	struct identifier id;

	read_path(x, in_value);
	number = rust_read_tagged(x, 's');
	id = rust_read_identifier(x);
	if (special) {
		rust_say(x, "::{");
		if (kind == 'C')
			rust_say(x, "closure");
		else if (kind == 'S')
			rust_say(x, "shim");
		else
			rust_print(x, &kind, 1);
		rust_say(x, id.n != 0 ? ":" : "");
		rust_say_identifier(x, id);
		rust_say(x, "#");
		rust_say_number(x, number);
		rust_say(x, "}");
	} else if (id.n != 0) {
		rust_say(x, "::");
		rust_say_identifier(x, id);
	}
}

static void read_argument(struct symbol_reader *x)
{
	if (rust_take_if(x, 'L'))
		rust_say_lifetime(x, rust_read_62(x));
	else if (rust_take_if(x, 'K'))
		read_constant(x);
	else
		read_type(x);
}

static void read_arguments(struct symbol_reader *x)
{
	for (unsigned i = 0; !x->wrong && !rust_take_if(x, 'E'); i++) {
		rust_say(x, i > 0 ? ", " : "");
		read_argument(x);
	}
}

/* `<` and the type that something is implemented for; the trait, if there is one; and `>`. */
static void read_implementation(struct symbol_reader *x, bool own_path, bool trait)
{
	if (own_path) {
		x->silent++;
		rust_read_tagged(x, 's');
		read_path(x, false);
		x->silent--;
	}
	rust_say(x, "<");
	read_type(x);
	if (trait) {
		rust_say(x, " as ");
		read_path(x, false);
	}
	rust_say(x, ">");
}

/* Reads a path. With `open`, a list of arguments at its end stays open: returns whether it is. */
static bool read_open_path(struct symbol_reader *x, bool in_value, bool open)
{
	bool is_open = false;
	char kind;
	size_t back;

	if (!rust_enter(x))
		return false;
	switch (kind = rust_take(x)) {
	case 'C':
		rust_read_tagged(x, 's');
		rust_say_identifier(x, rust_read_identifier(x));
		break;
	case 'N':
		read_nested(x, in_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		read_implementation(x, kind != 'Y', kind != 'M');
		break;
	case 'I':
		read_path(x, in_value);
		rust_say(x, in_value ? "::<" : "<");
		read_arguments(x);
		is_open = open;
		rust_say(x, open ? "" : ">");
		break;
	case 'B':
		back = rust_follow(x);
		if (x->silent == 0)
			is_open = read_open_path(x, in_value, open);
		x->next = back;
		break;
	default:
		x->wrong = true;
	}
	x->depth--;
	return is_open;
}

static void read_path(struct symbol_reader *x, bool in_value)
{
	read_open_path(x, in_value, false);
}

/* ---- types ---- */

static const char *basic_type(char c)
{
	static const char *const names[] = {
		"i8", "bool", "char", "f64", "str", "f32", NULL, "u8", "isize", "usize", NULL, "i32", "u32",
		"i128", "u128", "_", NULL, NULL, "i16", "u16", "()", "...", NULL, "i64", "u64", "!"
	};

	return c >= 'a' && c <= 'z' ? names[c - 'a'] : NULL;
}

/* Reads a name of an ABI. What is `-` in it is `_` in the symbol. */
static void say_abi(struct symbol_reader *x)
{
	struct identifier id = { "C", 1, false };

	if (!rust_take_if(x, 'C'))
		id = rust_read_identifier(x);
	rust_say(x, "extern \"");
	for (size_t i = 0; i < id.n; i++)
		rust_print(x, id.at[i] == '_' ? "-" : id.at + i, 1);
	rust_say(x, "\" ");
}

static void read_function_type(struct symbol_reader *x)
{
	uint64_t bound = x->bound;

	rust_read_binder(x);
	if (rust_take_if(x, 'U'))
		rust_say(x, "unsafe ");
	if (rust_take_if(x, 'K'))
		say_abi(x);
	rust_say(x, "fn(");
	for (unsigned i = 0; !x->wrong && !rust_take_if(x, 'E'); i++) {
		rust_say(x, i > 0 ? ", " : "");
		read_type(x);
	}
	rust_say(x, ")");
	if (!rust_take_if(x, 'u')) {
		rust_say(x, " -> ");
		read_type(x);
	}
	x->bound = bound;
}

static void read_dyn_trait(struct symbol_reader *x)
{
	bool open = read_open_path(x, false, true);

	while (rust_take_if(x, 'p')) {
		rust_say(x, open ? ", " : "<");
		open = true;
		rust_say_identifier(x, rust_read_identifier(x));
		rust_say(x, " = ");
		read_type(x);
	}
	rust_say(x, open ? ">" : "");
}

static void read_dyn(struct symbol_reader *x)
{
	uint64_t bound = x->bound, lifetime;

	rust_say(x, "dyn ");
	rust_read_binder(x);
	for (unsigned i = 0; !x->wrong && !rust_take_if(x, 'E'); i++) {
		rust_say(x, i > 0 ? " + " : "");
		read_dyn_trait(x);
	}
	x->bound = bound;
	x->wrong |= rust_take(x) != 'L';
	lifetime = rust_read_62(x);
	if (lifetime != 0) {
		rust_say(x, " + ");
		rust_say_lifetime(x, lifetime);
	}
}

static void read_reference(struct symbol_reader *x, bool can_change)
{
	rust_say(x, "&");
	if (rust_take_if(x, 'L')) {
		uint64_t lifetime = rust_read_62(x);
		if (lifetime != 0) {
			rust_say_lifetime(x, lifetime);
			rust_say(x, " ");
		}
	}
	rust_say(x, can_change ? "mut " : "");
	read_type(x);
}

static void read_tuple(struct symbol_reader *x)
{
	unsigned i = 0;

	rust_say(x, "(");
	for (; !x->wrong && !rust_take_if(x, 'E'); i++) {
		rust_say(x, i > 0 ? ", " : "");
		read_type(x);
	}
	rust_say(x, i == 1 ? ",)" : ")");
}

/* A type with types in it. Returns false if it is a path. */
static bool read_compound(struct symbol_reader *x, char kind)
{
	size_t back;

	switch (kind) {
	case 'A':
	case 'S':
		rust_say(x, "[");
		read_type(x);
		if (kind == 'A') {
			rust_say(x, "; ");
			read_constant(x);
		}
		rust_say(x, "]");
		return true;
	case 'T':
		read_tuple(x);
		return true;
	case 'R':
	case 'Q':
		read_reference(x, kind == 'Q');
		return true;
	case 'P':
	case 'O':
		rust_say(x, kind == 'P' ? "*const " : "*mut ");
		read_type(x);
		return true;
	case 'F':
		read_function_type(x);
		return true;
	case 'D':
		read_dyn(x);
		return true;
	case 'B':
		back = rust_follow(x);
		if (x->silent == 0)
			read_type(x);
		x->next = back;
		return true;
	default:
		return false;
	}
}

static void read_type(struct symbol_reader *x)
{
	char kind;

	if (!rust_enter(x))
		return;
	kind = rust_take(x);
	if (basic_type(kind) != NULL) {
		rust_say(x, basic_type(kind));
	} else if (!read_compound(x, kind) && !x->wrong) {
		x->next--;
		read_path(x, false);
	}
	x->depth--;
}

/* ---- constants ---- */

static void say_character(struct symbol_reader *x, uint64_t c)
{
	char text[24];

	if (c == '\t' || c == '\r' || c == '\n')
		snprintf(text, sizeof text, "'\\%c'", c == '\t' ? 't' : c == '\r' ? 'r' : 'n');
	else if (c > ' ' && c < '~')
		snprintf(text, sizeof text, "'%c'", (char)c);
	else
		snprintf(text, sizeof text, "'\\u{%llx}'", (unsigned long long)c);
	rust_say(x, text);
}

/* Reads hexadecimal digits up to `_`, and prints them as the value of a type. */
static void read_value(struct symbol_reader *x, char type)
{
	const char *digits = x->at + x->next;
	uint64_t value = 0;
	size_t n = 0;

	for (; !x->wrong && !rust_take_if(x, '_'); n++) {
		int digit = rust_digit(rust_take(x));

		x->wrong |= digit < 0 || digit > 15;
		value = value << 4 | (uint64_t)(digit & 15);
	}
	x->wrong |= n == 0;
	if (type == 'b')
		rust_say(x, value != 0 ? "true" : "false");
	else if (type == 'c')
		say_character(x, value);
	else if (n <= 16)
		rust_say_number(x, value);
	else {
		rust_say(x, "0x");
		rust_print(x, digits, n);
	}
}

static void read_constant(struct symbol_reader *x)
{
	char type;
	size_t back;

	if (!rust_enter(x))
		return;
	type = rust_take(x);
	if (type == 'B') {
		back = rust_follow(x);
		if (x->silent == 0)
			read_constant(x);
		x->next = back;
	} else if (type == 'p') {
		rust_say(x, "_");
	} else {
		x->wrong |= type == 0 || strchr("bchtmyojaslxni", type) == NULL;
		if (type != 0 && strchr("aslxni", type) != NULL && rust_take_if(x, 'n'))
			rust_say(x, "-");
		read_value(x, type);
	}
	x->depth--;
}

/* ---- symbols ---- */

bool rust_name(const char *symbol, struct buf *b)
{
	size_t before = b->n;
	struct symbol_reader x = { .b = b, .limit = b->n + RUST_NAME_MOST };

	if (strncmp(symbol, "_R", 2) != 0 || symbol[2] < 'A' || symbol[2] > 'Z')
		return false;
	x.at = symbol + 2;
	x.n = strcspn(x.at, ".$");
	read_path(&x, true);
	if (x.next < x.n) {
		x.silent++;
		read_path(&x, false);
		x.silent--;
	}
	x.wrong |= x.next != x.n;
	if (strncmp(x.at + x.n, ".llvm.", 6) != 0)
		rust_say(&x, x.at + x.n);
	if (x.wrong || b->failed) {
		b->n = before;
		return false;
	}
	return true;
}
