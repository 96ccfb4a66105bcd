/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/rules.h"

#include <string.h>


enum nfart_status rules_init(struct rules *r, const struct nfart_image *im, struct nfart_error *e)
{
	const struct image_section *s = image_find_section(im, SEC_rules);
	enum nfart_status status;

	memset(r, 0, sizeof *r);
	if (s == NULL)
		return NFART_OK;
	status = kept_read(s->at, s->n, im->proto->codes.n, &r->arena, &r->kept, &r->nkept);
	if (status == NFART_INPUT)
		return nfart_fail(e, NFART_INPUT, "the image's section rules is malformed");
	for (uint32_t i = 0; i < r->nkept && status == NFART_OK; i++)
		for (uint32_t j = 0; j < r->kept[i].checkers.n && status == NFART_OK; j++) {
			struct follow *f = follow_new(&r->kept[i], &r->kept[i].checkers.at[j],
						      im->proto);

			if (f == NULL || !vec_push(&r->checkers, f)) {
				follow_free(f);
				status = NFART_SYSTEM;
			}
		}
	return status == NFART_OK ? NFART_OK : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

void rules_free(struct rules *r)
{
	for (size_t i = 0; i < r->checkers.n; i++)
		follow_free(r->checkers.at[i]);
	vec_free(&r->checkers);
	arena_free(&r->arena);
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
