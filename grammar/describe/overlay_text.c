/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/overlay_text.h"

#include <inttypes.h>
#include <string.h>

#include "support/desc.h"

void overlay_desc_default(struct overlay_desc *v)
{
	memset(v, 0, sizeof *v);
	strcpy(v->name, "default");
	overlay_presets(&v->o);
}

/* Is the token at the cursor the value v of a parameter? A number can be written in several forms,
 * so the numbers are compared and not the texts. */
static bool is_value(const struct desc *c, const struct overlay_value *v)
{
	bool number = v->word[0] >= '0' && v->word[0] <= '9';

	return number ? c->kind == DESC_NUMBER && c->number == v->number : desc_is(c, v->word);
}

static uint32_t choice(struct desc *c, const struct overlay_param *p)
{
	const struct overlay_value *v;

	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++)
		if (is_value(c, v)) {
			desc_advance(c);
			return v->number;
		}
	desc_error(c, c->range, "'%s' has no such value", p->name);
	return 0;
}

static void statement(struct desc *c, struct overlay_desc *v, uint64_t *seen)
{
	struct diag_range at = c->range;
	const struct overlay_param *p;
	const char *s;
	uint64_t bit;
	size_t n = desc_word(c, &s, "a parameter");

	if (c->failed)
		return;
	p = overlay_param_find(s, n);
	if (p == NULL) {
		desc_error(c, at, "an overlay has no parameter '%.*s'", (int)n, s);
		return;
	}
	bit = (uint64_t)1 << (p - overlay_params);
	if ((*seen & bit) != 0)
		desc_error(c, at, "'%s' is already given", p->name);
	*seen |= bit;
	*overlay_field(&v->o, p) = p->choice ? choice(c, p) :
		(uint32_t)desc_number(c, p->name, p->lowest, p->highest);
	desc_expect(c, ";");
}

/* Reads the rest of a heading `WORD NAME;` after the word, and stores the name in `out`. */
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

/* Reads the decimal number at *s into *out and moves *s past it. False: there is no number, or it
 * is outside the range of parameter p. */
static bool number(const char **s, const struct overlay_param *p, uint32_t *out)
{
	uint64_t v = 0;
	const char *t = *s;

	for (; *t >= '0' && *t <= '9' && v <= p->highest; t++)
		v = v * 10 + (uint64_t)(*t - '0');
	if (t == *s || !overlay_param_has(p, (uint32_t)v))
		return false;
	*out = (uint32_t)v;
	*s = t;
	return true;
}

/* Reads the text s, which has the form `C,L,R,N[,NCLS]`, into o. False: s has another form, or a
 * number is out of range. */
static bool numbers(const char *s, struct overlay *o)
{
	for (size_t i = 0; i < OVERLAY_NGRAPH; i++) {
		const struct overlay_param *p = overlay_graph_param(i);
		if ((i > 0 && *s++ != ',') || !number(&s, p, overlay_field(o, p)))
			return false;
	}
	if (*s == 0)
		return true;
	return *s++ == ',' && number(&s, overlay_param_find("lines", 5), &o->lines) && *s == 0;
}

bool overlay_numbers(const char *s, struct overlay_desc *v, bool *bad)
{
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
	*bad = !numbers(s, &v->o) || overlay_check(&v->o) != NULL;
	return true;
}

void overlay_print(const struct overlay_desc *v, struct buf *b)
{
	struct overlay o = v->o;

	buf_addf(b, "overlay %s;\n", v->name[0] >= '0' && v->name[0] <= '9' ? "custom" : v->name);
	if (v->protocol[0] != 0)
		buf_addf(b, "protocol %s;\n", v->protocol);
	for (size_t i = 0; i < overlay_params_used(&o); i++) {
		const struct overlay_param *p = &overlay_params[i];
		uint32_t number = *overlay_field(&o, p);
		const struct overlay_value *value = overlay_param_named(p, number);
		if (value != NULL)
			buf_addf(b, "%s %s;\n", p->name, value->word);
		else
			buf_addf(b, "%s %" PRIu32 ";\n", p->name, number);
	}
}
