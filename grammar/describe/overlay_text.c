/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/overlay_text.h"

#include <inttypes.h>
#include <string.h>

#include "grammar/describe/desc.h"

/* Values that have names. */
static const struct {
	const char *param, *value;
	uint32_t number;
} words[] = {
	{ "decoder", "rows", OVERLAY_ROWS },    { "decoder", "ste", OVERLAY_STE },
	{ "decoder", "bank", OVERLAY_BANK },    { "predecessors", "mask", OVERLAY_MASK },
	{ "predecessors", "lut5", OVERLAY_LUT5 }, { "shadow", "no", 0 }, { "shadow", "yes", 1 },
	{ "memory", "lut", OVERLAY_LUT },       { "memory", "block", OVERLAY_BLOCK },
};
enum { NWORDS = sizeof words / sizeof words[0] };

void overlay_desc_default(struct overlay_desc *v)
{
	memset(v, 0, sizeof *v);
	strcpy(v->name, "default");
	for (size_t i = 0; i < noverlay_params; i++)
		*overlay_field(&v->o, &overlay_params[i]) = overlay_params[i].preset;
}

static bool has_words(const char *param)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (strcmp(words[i].param, param) == 0)
			return true;
	return false;
}

static uint32_t named_value(struct desc *c, const struct overlay_param *p)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (strcmp(words[i].param, p->name) == 0 && desc_accept(c, words[i].value))
			return words[i].number;
	desc_error(c, c->range, "'%s' has no such value", p->name);
	return 0;
}

static void statement(struct desc *c, struct overlay_desc *v, uint64_t *seen)
{
	struct diag_range at = c->range;
	const char *s;
	size_t n = desc_word(c, &s, "a parameter");

	for (size_t i = 0; i < noverlay_params && !c->failed; i++) {
		const struct overlay_param *p = &overlay_params[i];
		if (strlen(p->name) != n || memcmp(p->name, s, n) != 0)
			continue;
		if ((*seen >> i & 1) != 0)
			desc_error(c, at, "'%s' is there already", p->name);
		*seen |= (uint64_t)1 << i;
		*overlay_field(&v->o, p) = has_words(p->name) ? named_value(c, p) :
			(uint32_t)desc_number(c, p->name, p->lowest, p->highest);
		desc_expect(c, ";");
		return;
	}
	desc_error(c, at, "an overlay has no parameter '%.*s'", (int)n, s);
}

/* `WORD NAME;` into out. */
static void heading(struct desc *c, char out[64])
{
	struct diag_range at = c->range;
	const char *s;
	size_t n = desc_word(c, &s, "a name");

	if (n >= 64)
		desc_error(c, at, "this name is too long");
	desc_expect(c, ";");
	if (!c->failed)
		snprintf(out, 64, "%.*s", (int)n, s);
}

bool overlay_parse(struct diags *d, const char *file, const char *text, size_t n,
		   struct overlay_desc *v)
{
	uint32_t source = diag_add_source(d, file, text, n);
	uint64_t seen = 0;
	const char *wrong;
	struct desc c;

	if (source == DIAG_NO_SOURCE)
		return false;
	overlay_desc_default(v);
	desc_init(&c, d, source);
	struct diag_range at = c.range;
	desc_expect(&c, "overlay");
	heading(&c, v->name);
	if (desc_accept(&c, "protocol"))
		heading(&c, v->protocol);
	while (!c.failed && c.kind != DESC_END)
		statement(&c, v, &seen);
	wrong = c.failed ? NULL : overlay_check(&v->o);
	if (wrong != NULL)
		desc_error(&c, at, "%s", wrong);
	return !c.failed;
}

/* A decimal number of [lo, hi] at *s, which moves behind it. */
static bool number(const char **s, uint32_t lo, uint32_t hi, uint32_t *out)
{
	uint64_t v = 0;
	const char *t = *s;

	for (; *t >= '0' && *t <= '9' && v <= hi; t++)
		v = v * 10 + (uint64_t)(*t - '0');
	if (t == *s || v < lo || v > hi)
		return false;
	*out = (uint32_t)v;
	*s = t;
	return true;
}

bool overlay_numbers(const char *s, struct overlay_desc *v, bool *bad)
{
	static const char *const fields[] = { "clique", "length", "rings", "reach", "lines" };

	*bad = false;
	overlay_desc_default(v);
	if (strcmp(s, "none") == 0) {
		strcpy(v->name, "none");
		v->o.none = true;
		return true;
	}
	if (*s == 0 || s[strspn(s, "0123456789,")] != 0)
		return false;
	snprintf(v->name, sizeof v->name, "%s", s);
	for (size_t f = 0; f < 5; f++)
		for (size_t i = 0; i < noverlay_params; i++) {
			const struct overlay_param *p = &overlay_params[i];
			if (strcmp(p->name, fields[f]) != 0)
				continue;
			if (f == 4 && *s == 0)
				break;
			if ((f > 0 && *s++ != ',') ||
			    !number(&s, p->lowest, p->highest, overlay_field(&v->o, p))) {
				*bad = true;
				return true;
			}
		}
	*bad = *s != 0 || overlay_check(&v->o) != NULL;
	return true;
}

void overlay_print(const struct overlay_desc *v, struct buf *b)
{
	struct overlay o = v->o;

	buf_addf(b, "overlay %s;\n", v->name[0] >= '0' && v->name[0] <= '9' ? "custom" : v->name);
	if (v->protocol[0] != 0)
		buf_addf(b, "protocol %s;\n", v->protocol);
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *p = &overlay_params[i];
		const char *name = NULL;
		for (size_t k = 0; k < NWORDS; k++)
			if (strcmp(words[k].param, p->name) == 0 &&
			    words[k].number == *overlay_field(&o, p))
				name = words[k].value;
		if (name != NULL)
			buf_addf(b, "%s %s;\n", p->name, name);
		else
			buf_addf(b, "%s %" PRIu32 ";\n", p->name, *overlay_field(&o, p));
	}
}
