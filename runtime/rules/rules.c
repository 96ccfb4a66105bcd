/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/rules.h"

#include <string.h>

enum nfart_status rules_init(struct rules *r, const struct nfart_image *im, bool followed,
			     struct nfart_error *e)
{
	*r = (struct rules){ .kept = im->kept.at, .nkept = im->kept.n };
	for (uint32_t i = 0; i < r->nkept; i++)
		for (uint32_t j = 0; j < r->kept[i].checkers.n; j++) {
			const struct kept_checker *c = &r->kept[i].checkers.at[j];
			const struct kept_system *s = &r->kept[i].system;
			struct follow *f;

			if ((c->how & KEPT_FOLLOWED) == 0 &&
			    (followed || s->nmoves > KEPT_MOST_MOVES ||
			     s->nstates > KEPT_MOST_MOVES))
				continue;
			f = follow_new(&r->kept[i], c, im->proto);
			if (f == NULL || !vec_push(&r->checkers, f)) {
				follow_free(f);
				return nfart_fail(e, NFART_SYSTEM, "out of memory");
			}
			f->recalls = !followed;
		}
	return NFART_OK;
}

void rules_free(struct rules *r)
{
	for (size_t i = 0; i < r->checkers.n; i++)
		follow_free(r->checkers.at[i]);
	vec_free(&r->checkers);
}

struct follow *rules_find(const struct rules *r, const char *label)
{
	for (size_t i = 0; i < r->checkers.n; i++)
		if (strcmp(r->checkers.at[i]->checker->label, label) == 0)
			return r->checkers.at[i];
	return NULL;
}

void rules_reset(struct rules *r)
{
	for (size_t i = 0; i < r->checkers.n; i++)
		follow_reset(r->checkers.at[i]);
}

bool rules_forgot(const struct rules *r)
{
	for (size_t i = 0; i < r->checkers.n; i++)
		if (r->checkers.at[i]->know.full)
			return true;
	return false;
}
