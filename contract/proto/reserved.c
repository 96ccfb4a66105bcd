/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/proto/reserved.h"

#include <string.h>

const struct reserved_word grammar_reserved[] = {
	{ "protocol", RESERVED_STATEMENT },
	{ "let", RESERVED_STATEMENT },
	{ "filter", RESERVED_STATEMENT },
	{ "log", RESERVED_STATEMENT },
	{ "all", RESERVED_DETAIL },
	{ "automaton", RESERVED_STATEMENT },
	{ "state", RESERVED_STATEMENT },
	{ "start", RESERVED_DETAIL },
	{ "accept", RESERVED_DETAIL },
	{ "counter", RESERVED_STATEMENT },
	{ "reset", RESERVED_DETAIL },
	{ "at", RESERVED_DETAIL },
	{ "pulse", RESERVED_DETAIL },
	{ "latch", RESERVED_DETAIL },
	{ "roll", RESERVED_DETAIL },
	{ "substream", RESERVED_STATEMENT },
	{ "cl", RESERVED_DETAIL },
	{ "from", RESERVED_DETAIL },
	{ "count", RESERVED_DETAIL },
	{ "window", RESERVED_STATEMENT },
	{ "limit", RESERVED_STATEMENT },
	{ "Any", RESERVED_SET },
	{ "None", RESERVED_SET },
	{ "true", RESERVED_PREDICATE },
	{ "any", RESERVED_PREDICATE },
	{ "eps", RESERVED_PREDICATE },
	{ "tick", RESERVED_PREDICATE },
	{ "notick", RESERVED_PREDICATE },
	{ "end", RESERVED_PREDICATE },
	{ NULL, RESERVED_STATEMENT }
};

const struct reserved_word grammar_soft[] = {
	{ "param", RESERVED_STATEMENT },
	{ "machine", RESERVED_STATEMENT },
	{ "output", RESERVED_DETAIL },
	{ "when", RESERVED_DETAIL },
	{ "orders", RESERVED_DETAIL },
	{ NULL, RESERVED_STATEMENT }
};

static int find(const struct reserved_word *words, const char *s, size_t n)
{
	for (int i = 0; words[i].text != NULL; i++)
		if (strlen(words[i].text) == n && memcmp(words[i].text, s, n) == 0)
			return i;
	return -1;
}

int grammar_find_reserved(const char *s, size_t n)
{
	return find(grammar_reserved, s, n);
}

int grammar_find_soft(const char *s, size_t n)
{
	return find(grammar_soft, s, n);
}
