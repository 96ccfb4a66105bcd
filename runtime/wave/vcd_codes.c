/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/wave/vcd.h"

#include <stdlib.h>

#include "support/hash.h"

enum { LEAST = 64 };

static inline bool is_code(const struct vcd_code *c, uint64_t number, const unsigned char *s,
			   size_t n)
{
	return c->number == number && c->n == n &&
	       (n <= sizeof number || memcmp(c->text, s, n) == 0);
}

/* Returns the place of a code, or the free place where it belongs. */
static inline size_t place_of(const struct vcd_codes *c, uint64_t number, const unsigned char *s,
			      size_t n)
{
	size_t at = (size_t)hash_add(0, number) & (c->size - 1);

	while (c->at[at].n != 0 && !is_code(&c->at[at], number, s, n))
		at = (at + 1) & (c->size - 1);
	return at;
}

uint32_t vcd_code_find(const struct vcd_codes *c, const unsigned char *s, size_t n)
{
	const struct vcd_code *found;

	if (c->size == 0)
		return UINT32_MAX;
	found = &c->at[place_of(c, vcd_code_number(s, n), s, n)];
	return found->n != 0 ? found->value : UINT32_MAX;
}

static bool widen(struct vcd_codes *c)
{
	struct vcd_codes wider = { .size = c->size == 0 ? LEAST : 2 * c->size, .n = c->n };

	wider.at = calloc(wider.size, sizeof *wider.at);
	if (wider.at == NULL)
		return false;
	for (size_t i = 0; i < c->size; i++) {
		const struct vcd_code *x = &c->at[i];
		if (x->n != 0)
			wider.at[place_of(&wider, x->number, (const unsigned char *)x->text,
					  x->n)] = *x;
	}
	free(c->at);
	*c = wider;
	return true;
}

bool vcd_code_add(struct vcd_codes *c, struct arena *names, const char *s, size_t n,
		  uint32_t value)
{
	const unsigned char *bytes = (const unsigned char *)s;
	struct vcd_code x = { .number = vcd_code_number(bytes, n), .n = (uint32_t)n,
			      .value = value };

	if (2 * (c->n + 1) > c->size && !widen(c))
		return false;
	x.text = arena_strndup(names, s, n);
	if (x.text == NULL)
		return false;
	c->at[place_of(c, x.number, bytes, n)] = x;
	c->n++;
	return true;
}

void vcd_codes_free(struct vcd_codes *c)
{
	free(c->at);
	*c = (struct vcd_codes){ 0 };
}
