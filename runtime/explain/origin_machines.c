/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds names and places of the parts of machines. Their lines in the section `names` have a fixed
 * order (backends/image/pack_names.c), so a line's number says which part it is of.
 */
#include "runtime/explain/origin.h"

#include <string.h>

static const char *const words[] = {
	[ORIGIN_MACHINE] = "machine", [ORIGIN_STATE] = "state", [ORIGIN_COUNTER] = "counter",
	[ORIGIN_COUNT] = "count",     [ORIGIN_RESET] = "reset", [ORIGIN_MOVE] = "move",
};

/* Appends n parts of a kind, which have neither name nor place yet. */
static bool origin_add(struct origin *o, enum origin_kind kind, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!vec_push(&o->parts, ((struct origin_part){ .kind = kind })))
			return false;
	return true;
}

bool origin_add_parts(struct origin *o)
{
	for (uint32_t i = 0; i < o->im->nfa.nmachines; i++) {
		const struct image_machine *m = &o->im->nfa.machines[i];
		bool ok =
			origin_add(o, ORIGIN_MACHINE, 1) && origin_add(o, ORIGIN_STATE, m->nstates);

		for (uint32_t c = 0; c < m->ncounters && ok; c++)
			ok = origin_add(o, ORIGIN_COUNTER, 1) &&
			     origin_add(o, ORIGIN_COUNT, m->counters[c].ncount) &&
			     origin_add(o, ORIGIN_RESET, m->counters[c].nreset);
		if (!ok || !origin_add(o, ORIGIN_MOVE, m->nmoves))
			return false;
	}
	return true;
}

bool origin_parse_part(const char *s, const char *end, struct origin_part *p)
{
	size_t n = strlen(words[p->kind]);
	const char *name = s + n + 1, *space;

	if ((size_t)(end - s) <= n || memcmp(s, words[p->kind], n) != 0 || s[n] != ' ')
		return false;
	space = memchr(name, ' ', (size_t)(end - name));
	if (space == NULL || space - name > 4096)
		return false;
	p->name = name;
	p->name_size = (uint32_t)(space - name);
	if (end - space == 2 && space[1] == '-')
		return true;
	return origin_parse_place(space + 1, end, &p->place);
}

const struct origin_part *origin_part(const struct origin *o, uint32_t machine,
				      enum origin_kind kind, uint32_t i)
{
	size_t at = 0, end;

	for (uint32_t k = 0; at < o->parts.n; at++)
		if (o->parts.at[at].kind == ORIGIN_MACHINE && k++ == machine)
			break;
	if (kind == ORIGIN_MACHINE)
		return &o->parts.at[at];
	for (end = at + 1; end < o->parts.n && o->parts.at[end].kind != ORIGIN_MACHINE; end++)
		if (o->parts.at[end].kind == kind && i-- == 0)
			break;
	return &o->parts.at[end];
}
