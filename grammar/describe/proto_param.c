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

void build_param(struct build *b)
{
	struct desc_param param;
	const char *s;
	struct diag_range at = b->c.range;
	size_t n = build_name(b, &s, "the name of a parameter");
	uint64_t value;

	desc_expect(&b->c, "=");
	param.value = desc_number(&b->c, "a number", 0, UINT64_MAX);
	desc_expect(&b->c, ";");
	param.name = b->c.failed ? NULL : build_copy(b, "", 0, s, n);
	for (size_t i = 0; i < b->unit->params.all.n && !b->c.failed; i++)
		if (strcmp(b->unit->params.all.at[i].name, param.name) == 0)
			desc_error(&b->c, at, "parameter '%s' is already defined", param.name);
	for (size_t i = 0; b->outside.given != NULL && i < b->outside.given->n; i++) {
		if (b->c.failed || split(b->outside.given->params[i], &value) != n ||
		    memcmp(b->outside.given->params[i], s, n) != 0)
			continue;
		param.value = value;
		b->outside.given->used[i] = true;
	}
	if (!b->c.failed && !vec_push(&b->unit->params.all, param))
		build_no_memory(b);
}
