/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Parameters (nfacc-filter(5), Parameters). The parser puts the value in the place of the name, so
 * the tree has numbers only.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/parse.h"

/* Splits NAME=NUMBER. False: it has not this form. */
static bool split(struct front *f, const char *text, struct front_param *given)
{
	const char *equal = strchr(text, '='), *s;
	bool hex = equal != NULL && equal[1] == '0' && (equal[2] | 0x20) == 'x';

	if (equal == NULL || equal == text || (*text >= '0' && *text <= '9'))
		return false;
	for (s = text; s < equal; s++)
		if (!((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z') && !(*s >= '0' && *s <= '9') &&
		    *s != '_')
			return false;
	s = equal + (hex ? 3 : 1);
	if (*s == 0)
		return false;
	for (; *s != 0; s++) {
		unsigned base = hex ? 16 : 10, c = (unsigned char)*s | 0x20, digit;

		if (*s >= '0' && *s <= '9')
			digit = (unsigned)(*s - '0');
		else if (hex && c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		else
			return false;
		if (given->value > (UINT64_MAX - digit) / base)
			return false;
		given->value = given->value * base + digit;
	}
	given->option = text;
	given->name = ast_intern(&f->ast, text, (size_t)(equal - text));
	return true;
}

enum nfart_status param_options(struct front *f)
{
	enum nfart_status status = NFART_OK;

	for (size_t i = 0; i < f->options.nparams; i++) {
		struct front_param given = { .name = AST_NIL };
		struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

		if (!split(f, f->options.params[i], &given)) {
			front_error(f, "param", nowhere, "-D takes NAME=NUMBER with a number below "
				    "2^64, not '%.80s'", f->options.params[i]);
			status = NFART_USAGE;
		} else if (!vec_push(&f->given, given) || f->ast.failed) {
			return NFART_SYSTEM;
		}
	}
	return status;
}

/* Returns the parameter that the files define, or NULL. */
static const struct front_param *param_find(const struct front *f, ast_sym_t name)
{
	for (size_t i = 0; i < f->params.n; i++)
		if (f->params.at[i].name == name)
			return &f->params.at[i];
	return NULL;
}

static void param_add(struct parse *p, struct front_param param)
{
	p->front->ast.failed = !vec_push(&p->front->params, param) || p->front->ast.failed;
}

void param_define(struct parse *p, const struct ast_name *name, const struct ast_number *usual)
{
	struct front *f = p->front;
	struct front_param param = { .name = name->sym, .range = name->range, .unknown = true };
	const struct front_param *other = param_find(f, name->sym);
	size_t at;

	front_check_hiding(f, name);
	if (other != NULL) {
		at = front_error(f, "redefinition", name->range, "parameter '%s' is already "
				 "defined", ast_text(&f->ast, name->sym));
		diag_note(f->diags, at, other->range, "it is defined here");
		return;
	}
	if (usual != NULL && usual->overflow)
		front_error(f, "number", usual->range, "the default is below 2^64");
	if (usual != NULL) {
		param.value = usual->value;
		param.unknown = usual->overflow;
	}
	for (size_t i = 0; i < f->given.n; i++)
		if (f->given.at[i].name == name->sym) {
			f->given.at[i].used = true;
			param.value = f->given.at[i].value;
			param.unknown = false;
		}
	if (param.unknown && usual == NULL) {
		at = front_error(f, "param", name->range, "parameter '%s' has no value",
				 ast_text(&f->ast, name->sym));
		diag_note(f->diags, at, name->range, "set it with -D %s=NUMBER, or give it a "
			  "default", ast_text(&f->ast, name->sym));
	}
	param_add(p, param);
}

void param_wrong(struct parse *p, const struct ast_name *name)
{
	param_add(p,
		  (struct front_param){ .name = name->sym, .range = name->range, .unknown = true });
}

struct candidates {
	const struct front *front;
	size_t i; /* index of the next parameter */
};

static const char *next_param(void *ctx)
{
	struct candidates *c = ctx;
	const struct front *f = c->front;

	return c->i < f->params.n ? ast_text(&f->ast, f->params.at[c->i++].name) : NULL;
}

/* Returns the name of the parameter that is most similar to an unknown one, or NULL. */
static const char *nearest(const struct front *f, ast_sym_t name)
{
	struct candidates c = { f, 0 };
	const struct ast_sym *s = &f->ast.syms.at[name];

	return diag_nearest(s->text, s->n, next_param, &c);
}

/* Reports a name that is no parameter, where a number is expected. */
static void report_unknown(struct front *f, const struct ast_name *name)
{
	const char *best;
	size_t at;

	if (f->params.n == 0) {
		front_error(f, "syntax", name->range, "expected a number, found '%s'",
			    ast_text(&f->ast, name->sym));
		return;
	}
	at = front_error(f, "unknown-name", name->range, "expected a number, and no parameter '%s' "
			 "is defined before this", ast_text(&f->ast, name->sym));
	best = nearest(f, name->sym);
	if (best != NULL && at != SIZE_MAX)
		diag_fixit(f->diags, at, name->range, best, "did you mean '%s'?", best);
}

/* Computes `x op y`. Returns what is wrong with the result, or NULL. */
static const char *compute(uint64_t x, int op, uint64_t y, uint64_t *result)
{
	if (op == '/' && y == 0)
		return "nothing can be divided by 0";
	if (op == '-' && y > x)
		return "the result is below 0";
	if ((op == '+' && x > UINT64_MAX - y) || (op == '*' && y != 0 && x > UINT64_MAX / y))
		return "the result is not below 2^64";
	*result = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
	return NULL;
}

bool param_number(struct parse *p, const struct ast_name *name, int op,
		  const struct ast_number *operand, struct diag_range range,
		  struct ast_number *value)
{
	struct front *f = p->front;
	const struct front_param *param = f->ast.failed ? NULL : param_find(f, name->sym);
	const char *wrong;

	if (f->ast.failed)
		return false;
	if (param == NULL) {
		report_unknown(f, name);
		return false;
	}
	if (param->unknown)
		return false;
	*value = (struct ast_number){ param->value, false, range };
	if (op == 0)
		return true;
	wrong = operand->overflow ? "the number is not below 2^64"
				  : compute(param->value, op, operand->value, &value->value);
	if (wrong == NULL)
		return true;
	front_error(f, "number", range, "%s: '%s' is %" PRIu64, wrong, ast_text(&f->ast, name->sym),
		    param->value);
	return false;
}

enum nfart_status param_finish(struct front *f)
{
	struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	enum nfart_status status = NFART_OK;

	for (size_t i = 0; i < f->given.n; i++) {
		const struct front_param *given = &f->given.at[i];
		const char *best;
		size_t at;

		if (given->used)
			continue;
		at = front_error(f, "param", nowhere, "-D %s: no file has parameter '%s'",
				 given->option, ast_text(&f->ast, given->name));
		best = nearest(f, given->name);
		if (best != NULL && at != SIZE_MAX)
			diag_note(f->diags, at, nowhere, "did you mean '%s'?", best);
		status = NFART_USAGE;
	}
	return status;
}
