/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rust_name.h"

#include <string.h>

enum { HASH_DIGITS = 16 };

static const struct {
	const char *word, *text;
} words[] = {
	{ "$SP$", "@" }, { "$BP$", "*" }, { "$RF$", "&" }, { "$LT$", "<" }, { "$GT$", ">" },
	{ "$LP$", "(" }, { "$RP$", ")" }, { "$C$", "," },  { "..", "::" }, { "$u20$", " " },
	{ "$u22$", "\"" }, { "$u27$", "'" }, { "$u2b$", "+" }, { "$u3b$", ";" }, { "$u5b$", "[" },
	{ "$u5d$", "]" }, { "$u7b$", "{" }, { "$u7d$", "}" }, { "$u7e$", "~" }
};

void rust_old_name(char *name)
{
	size_t n = strlen(name), hash = 3 + HASH_DIGITS;
	char *to = name, *from = name, *end;

	if (n <= hash || strncmp(name + n - hash, "::h", 3) != 0 ||
	    strspn(name + n - HASH_DIGITS, "0123456789abcdef") != HASH_DIGITS)
		return;
	end = name + n - hash;
	*end = 0;
	while (from < end) {
		size_t i = 0;

		/* A part that begins with a word has an underscore before it. */
		if (*from == '_' && from[1] == '$' && (from == name || from[-1] == ':'))
			from++;
		while (i < sizeof words / sizeof words[0] &&
		       strncmp(from, words[i].word, strlen(words[i].word)) != 0)
			i++;
		if (i == sizeof words / sizeof words[0]) {
			*to++ = *from++;
			continue;
		}
		memcpy(to, words[i].text, strlen(words[i].text));
		to += strlen(words[i].text);
		from += strlen(words[i].word);
	}
	*to = 0;
}
