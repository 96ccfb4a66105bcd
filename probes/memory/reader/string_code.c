/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/string_code.h"

#include <stddef.h>
#include <string.h>

enum { WORD = 4, VECTOR = 16 };

/*
 * libc has functions such as __strlen_avx2. These are the beginnings of such names, without the
 * underscores. memcpy() and the like are not in the list: they read only the bytes that they copy.
 */
static const char *const functions[] = { "str",     "stp",       "wcs",    "wcp",  "memchr",
					 "memrchr", "rawmemchr", "memcmp", "bcmp", "wmemchr",
					 "wmemcmp", "index",     "rindex" };

static bool name_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_libc(const struct names_module *m)
{
	return m != NULL &&
	       (name_begins(m->file->base, "libc.so.") || name_begins(m->file->base, "libc-2.") ||
		name_begins(m->file->base, "ld-linux"));
}

/* The loader has one variant of each function, without the name of a kind of processor. */
static bool is_loader(const struct names_module *m)
{
	return name_begins(m->file->base, "ld-linux");
}

static bool is_string_function(const char *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (name_begins(name + strspn(name, "_"), functions[i]))
			return true;
	return false;
}

/*
 * Whether a name is that of a variant for one kind of processor. If a vector would reach into the
 * next page, such a function reads smaller pieces. These may also reach beyond the end of the
 * string. Other functions, such as strftime(), load smaller pieces because they need them.
 */
static bool is_vector_code(const char *name)
{
	return strstr(name, "_sse") != NULL || strstr(name, "_ssse") != NULL ||
	       strstr(name, "_avx") != NULL || strstr(name, "_evex") != NULL;
}

bool string_code_loads(struct names *n, uint64_t pc, uint64_t bytes)
{
	const struct symbol *s;
	uint64_t offset;

	const struct names_module *m = bytes >= WORD ? names_module(n, pc) : NULL;

	if (!is_libc(m))
		return false;
	s = names_find(n, pc, &offset);
	if (s == NULL)
		return bytes >= VECTOR;
	return is_string_function(s->name) && (bytes >= VECTOR || is_vector_code(s->name) || is_loader(m));
}
