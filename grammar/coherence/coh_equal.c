/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Names with a sign that stands for the numbers of equal nodes: Note [equal nodes] in coh_int.h.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/coherence/coh_int.h"

/* Returns the sign at the end of the token at the cursor; 0: there is none. */
static char sign_here(const struct coh_reader *r)
{
	char last = r->c.failed || r->c.kind != DESC_WORD ? 0 : r->c.text[r->c.range.end - 1];

	return last != 0 && strchr("#*~", last) != NULL ? last : 0;
}

uint32_t number_here(const struct coh_reader *r)
{
	char sign = sign_here(r);

	return sign == 0 ? COH_NONE : sign == '#' ? r->number : r->item;
}

const char *name_here(struct coh_reader *r, size_t *n)
{
	const char *s = r->c.text + r->c.range.begin;
	char sign = sign_here(r);
	int length;

	*n = r->c.range.end - r->c.range.begin;
	if (sign == 0)
		return s;
	r->numbered = r->numbered || sign != '*';
	r->each = r->each || sign == '#';
	if (sign == '~' && r->others.end == r->others.begin)
		r->others = r->c.range;
	length = snprintf(r->name, sizeof r->name, "%.*s%" PRIu32, (int)*n - 1, s,
			  number_here(r));
	if (r->count == 0)
		desc_error(&r->c, r->c.range,
			   "'%c' stands for the numbers of equal nodes, which are declared before: "
			   "node NAME[NUMBER]", sign);
	else if (length >= COH_NAME)
		desc_error(&r->c, r->c.range, "this name is longer than %d characters",
			   COH_NAME - 1);
	*n = r->c.failed ? 0 : (size_t)length;
	return r->name;
}

size_t read_name(struct coh_reader *r, const char **s, const char *what)
{
	char sign = sign_here(r);
	size_t n;

	if (sign == 0)
		return desc_word(&r->c, s, what);
	*s = name_here(r, &n);
	if (sign != '#' && !r->in_item && !r->c.failed)
		desc_error(&r->c, r->c.range,
			   "'%c' stands for several names, and one is wanted here", sign);
	desc_advance(&r->c);
	return n;
}

void read_item(struct coh_reader *r, coh_item *read, void *ctx)
{
	char sign = sign_here(r);
	struct desc begin = r->c;
	uint32_t was = r->item;
	bool in_item = r->in_item;
	size_t n;

	if (sign == 0 || sign == '#') {
		read(r, ctx);
		return;
	}
	r->in_item = true;
	name_here(r, &n); /* reports that no nodes are equal */
	for (r->item = 0; r->item < r->count && !r->c.failed; r->item++) {
		if (sign == '~' && r->item == r->number)
			continue;
		r->c = begin;
		read(r, ctx);
	}
	r->in_item = in_item;
	r->item = was;
}
