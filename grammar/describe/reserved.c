/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/reserved.h"

#include <string.h>

const char *const grammar_reserved[] = {
	"protocol", "let", "filter", "log", "all", "automaton", "state", "start", "accept",
	"counter", "reset", "at", "pulse", "latch", "roll", "substream", "cl", "from", "count",
	"window", "limit", "Any", "None", "true", "any", "eps", "tick", "notick", "end", NULL
};

int grammar_find_reserved(const char *s, size_t n)
{
	for (int i = 0; grammar_reserved[i] != NULL; i++)
		if (strlen(grammar_reserved[i]) == n && memcmp(grammar_reserved[i], s, n) == 0)
			return i;
	return -1;
}
