/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Parameters of protocol descriptions: `param NAME = NUMBER;`, and values from outside.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/proto_build.h"

/* Splits NAME=NUMBER. Returns how many bytes the name has; 0: it has not this form. */
static size_t split(const char *text, uint64_t *value)
{
	size_t n = 0;
	char *end;

	while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z') ||
	       text[n] == '_' || (n != 0 && text[n] >= '0' && text[n] <= '9'))
		n++;
	if (n == 0 || text[n] != '=' || text[n + 1] < '0' || text[n + 1] > '9')
		return 0;
	errno = 0;
	*value = strtoull(text + n + 1, &end,
			  text[n + 1] == '0' && (text[n + 2] | 32) == 'x' ? 16 : 10);
	return *end == 0 && errno == 0 ? n : 0;
}

bool proto_given_fine(const char *param)
{
	uint64_t value;

	return split(param, &value) != 0;
}

/* Reads `NAME = NUMBER;` and sets *i to the parameter of this name that there is. Returns the new
 * one, with the value that is set from outside, if any is; without a name after an error. */
static struct desc_param read_param(struct build *b, size_t *i)
{
	struct desc_param param;
	const char *s;
	size_t n = build_name(b, &s, "the name of a parameter");
	uint64_t value;

	desc_expect(&b->c, "=");
	param.value = desc_number(&b->c, "a number", 0, UINT64_MAX);
	desc_expect(&b->c, ";");
	param.name = b->c.failed ? NULL : build_copy(b, "", 0, s, n);
	*i = 0;
	while (param.name != NULL && *i < b->unit->params.all.n &&
	       strcmp(b->unit->params.all.at[*i].name, param.name) != 0)
		++*i;
	for (size_t k = 0; b->outside.given != NULL && k < b->outside.given->n; k++) {
		if (b->c.failed || split(b->outside.given->params[k], &value) != n ||
		    memcmp(b->outside.given->params[k], s, n) != 0)
			continue;
		param.value = value;
		b->outside.given->used[k] = true;
	}
	return param;
}

void build_param(struct build *b)
{
	struct diag_range at = b->c.range;
	size_t i;
	struct desc_param param = read_param(b, &i);

	if (b->c.failed)
		return;
	if (i < b->others.n && !b->others.at[i].met)
		b->others.at[i].met = true;
	else if (i < b->unit->params.all.n)
		desc_error(&b->c, at, "parameter '%s' is already defined", param.name);
	else if (!vec_push(&b->unit->params.all, param))
		build_no_memory(b);
}

void build_param_other(struct build *b, size_t first)
{
	struct build_other other = { .at = b->c.range };
	size_t i;
	struct desc_param param = read_param(b, &i);

	if (b->c.failed)
		return;
	if (i < b->others.n && i >= first)
		desc_error(&b->c, other.at, "parameter '%s' is already defined", param.name);
	else if (i == b->others.n &&
		 (!vec_push(&b->unit->params.all, param) || !vec_push(&b->others, other)))
		build_no_memory(b);
}

void build_check_others(struct build *b)
{
	for (size_t i = 0; i < b->others.n && !b->c.failed; i++)
		if (!b->others.at[i].met)
			desc_error(&b->c, b->others.at[i].at, "what is extended has no parameter '%s'",
				   b->own.params.all.at[i].name);
}
