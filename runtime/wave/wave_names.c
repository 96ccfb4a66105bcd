/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Paths of scopes and variables, and the range at the end of a name.
 */
#include "runtime/wave/wave_priv.h"

/* Returns the path of a name in a scope, and where the name begins in it. NULL: out of memory. */
static char *path_of(struct wave *w, uint32_t scope, const char *name, size_t n, uint32_t *begins)
{
	const char *outer = scope == WAVE_NO_SCOPE ? "" : w->scopes.at[scope].path;
	size_t before = strlen(outer), dot = scope == WAVE_NO_SCOPE ? 0 : 1;
	char *path;

	if (before + n > WAVE_MOST_NAMES)
		return NULL;
	path = arena_alloc(&w->names, before + dot + n + 1);
	if (path == NULL)
		return NULL;
	memcpy(path, outer, before);
	memcpy(path + before, ".", dot);
	memcpy(path + before + dot, name, n);
	*begins = (uint32_t)(before + dot);
	return path;
}

/* Takes off the backslash before an escaped name. A byte of 0 ends a name, as paths are strings. */
static const char *plain_name(const char *name, size_t *n)
{
	const char *zero = memchr(name, 0, *n);

	if (zero != NULL)
		*n = (size_t)(zero - name);
	while (*n != 0 && name[0] == '\\') {
		name++;
		--*n;
	}
	return name;
}

uint32_t wave_add_scope(struct wave *w, uint32_t parent, const char *name, size_t n)
{
	struct wave_scope s = { .parent = parent };

	name = plain_name(name, &n);
	s.path = path_of(w, parent, name, n, &s.name);
	if (s.path == NULL || w->scopes.n >= WAVE_NO_SCOPE - 1 || !vec_push(&w->scopes, s))
		return WAVE_NO_SCOPE;
	return (uint32_t)(w->scopes.n - 1);
}

/* Reads a number that ends before *end, backwards. False: there is none, or it is too large. */
static bool number_before(const char *name, size_t *end, int32_t *x)
{
	size_t at = *end;
	int64_t sum = 0, place = 1;

	while (at != 0 && name[at - 1] >= '0' && name[at - 1] <= '9') {
		if (*end - at >= 9)
			return false;
		sum += place * (name[--at] - '0');
		place *= 10;
	}
	if (at == *end)
		return false;
	if (at != 0 && name[at - 1] == '-') {
		sum = -sum;
		at--;
	}
	*end = at;
	*x = (int32_t)sum;
	return true;
}

/* Looks for [MSB:LSB] or [INDEX] at the end of a name of n bytes. Returns how many bytes stand
 * before it and before the blanks in front of it; n if there is none. */
static size_t range_at_end(const char *name, size_t n, int32_t *msb, int32_t *lsb)
{
	size_t at = n;
	int32_t last, first;

	if (at == 0 || name[--at] != ']' || !number_before(name, &at, &last) || at == 0)
		return n;
	first = last;
	if (name[at - 1] == ':') {
		at--;
		if (!number_before(name, &at, &first) || at == 0)
			return n;
	}
	if (name[--at] != '[')
		return n;
	while (at != 0 && name[at - 1] == ' ')
		at--;
	if (at == 0)
		return n;
	*msb = first;
	*lsb = last;
	return at;
}

/* Adds values up to number `value`, and makes that one at least as wide as a variable of it. */
static bool widen_value(struct wave *w, const struct wave_variable *v)
{
	struct wave_value *value;

	if (v->value >= w->values.n) {
		size_t extra = v->value - w->values.n + 1;
		if (!vec_reserve(&w->values, extra))
			return false;
		for (size_t i = 0; i < extra; i++)
			w->values.at[w->values.n++] =
				(struct wave_value){ .chosen = WAVE_NOT_CHOSEN };
	}
	value = &w->values.at[v->value];
	if (v->kind != WAVE_LOGIC)
		return true;
	value->logic = true;
	if (v->width > value->width)
		value->width = v->width;
	return true;
}

bool wave_add_variable(struct wave *w, struct wave_variable v, const char *name, size_t n)
{
	size_t stem;

	name = plain_name(name, &n);
	v.path = path_of(w, v.scope, name, n, &v.name);
	if (v.path == NULL || !widen_value(w, &v))
		return false;
	v.msb = v.width == 0 ? 0 : (int32_t)(v.width - 1);
	v.lsb = 0;
	stem = range_at_end(name, n, &v.msb, &v.lsb);
	v.has_range = stem != n;
	v.stem = v.name + (uint32_t)stem;
	return vec_push(&w->variables, v);
}
