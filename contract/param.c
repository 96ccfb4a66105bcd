/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Holds the parameters of an overlay, with their ranges, values and defaults. Checks the parameters
 * one by one, and the limits that several of them must keep together.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/contract.h"

const struct overlay_param overlay_params[] = {
#define PARAM(field, lowest, highest, preset, shapes, text)                                        \
	{ #field, false, lowest, highest, preset, shapes, text, offsetof(struct overlay, field) },
#define CHOICE(field, preset, shapes, text)                                                        \
	{ #field, true, 0, 0, OVERLAY_##preset, shapes, text, offsetof(struct overlay, field) },
#include "contract/contract.def"
};
const size_t noverlay_params = sizeof overlay_params / sizeof overlay_params[0];

/* INDEX_field is the index of a parameter in overlay_params[]. */
enum {
#define PARAM(field, lowest, highest, preset, shapes, text) INDEX_##field,
#define CHOICE(field, preset, shapes, text) INDEX_##field,
#include "contract/contract.def"
};
const size_t noverlay_first = INDEX_guards;

const struct overlay_value overlay_values[] = {
#define VALUE(field, constant, word, number, text)                                                 \
	{ offsetof(struct overlay, field), #word, number, text },
#include "contract/contract.def"
};
const size_t noverlay_values = sizeof overlay_values / sizeof overlay_values[0];

const struct contract_limit contract_limits[] = {
#define LIMIT(name, most, whose, what) { #name, most, whose " has at most " #most " " what },
#include "contract/contract.def"
};
const size_t ncontract_limits = sizeof contract_limits / sizeof contract_limits[0];

/* BEYOND_NAME is the index of limit NAME in contract_limits[]. The text of the limit says what is
 * wrong if the limit is exceeded. */
enum {
#define LIMIT(name, most, whose, what) BEYOND_##name,
#include "contract/contract.def"
};

const struct contract_protocol contract_protocols[] = {
#define PROTOCOL(name, member, lowest, highest, text) { #name, lowest, highest, text },
#include "contract/contract.def"
};
const size_t ncontract_protocols = sizeof contract_protocols / sizeof contract_protocols[0];

const struct overlay_param *overlay_param_find(const char *name, size_t n)
{
	for (size_t i = 0; i < noverlay_params; i++)
		if (strlen(overlay_params[i].name) == n &&
		    memcmp(overlay_params[i].name, name, n) == 0)
			return &overlay_params[i];
	return NULL;
}

const struct overlay_value *overlay_param_value(const struct overlay_param *p, size_t i)
{
	for (size_t k = 0; k < noverlay_values; k++)
		if (overlay_values[k].offset == p->offset && i-- == 0)
			return &overlay_values[k];
	return NULL;
}

const struct overlay_value *overlay_param_named(const struct overlay_param *p, uint32_t number)
{
	const struct overlay_value *v;

	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++)
		if (v->number == number)
			return v;
	return NULL;
}

bool overlay_param_has(const struct overlay_param *p, uint32_t number)
{
	return p->choice ? overlay_param_named(p, number) != NULL
			 : number >= p->lowest && number <= p->highest;
}

void contract_param_text(const struct overlay_param *p, struct buf *b)
{
	const struct overlay_value *v;

	buf_addf(b, "%s", p->text);
	for (size_t i = 0; (v = overlay_param_value(p, i)) != NULL; i++) {
		buf_addf(b, "%s %s", i == 0 ? ":" : ",", v->word);
		if (v->word[0] < '0' || v->word[0] > '9')
			buf_addf(b, " (%" PRIu32 ")", v->number);
	}
}

const struct overlay_param *overlay_graph_param(size_t i)
{
	static const char *const names[OVERLAY_NGRAPH] = { "clique", "length", "rings", "reach" };

	return overlay_param_find(names[i], strlen(names[i]));
}

void overlay_presets(struct overlay *o)
{
	memset(o, 0, sizeof *o);
	for (size_t i = 0; i < noverlay_params; i++)
		*overlay_field(o, &overlay_params[i]) = overlay_params[i].preset;
}

void overlay_tap(struct overlay *o, const struct nfart_proto *p)
{
	o->slots = p->nslots;
	o->op_bits = p->header.op_bits;
	o->header_bits = p->header.bits;
}

void overlay_default(struct overlay *o, const struct nfart_proto *p)
{
	overlay_presets(o);
	overlay_tap(o, p);
}

size_t overlay_params_used(const struct overlay *o)
{
	struct overlay t = *o;
	size_t n = noverlay_params;

	while (n > noverlay_first &&
	       *overlay_field(&t, &overlay_params[n - 1]) == overlay_params[n - 1].preset)
		n--;
	return n;
}

/* Is a * b * c above `most`? The factors are so small that no product overflows. */
static bool beyond(uint64_t a, uint64_t b, uint64_t c, uint64_t most)
{
	return a * b > most || a * b * c > most;
}

const char *overlay_check(const struct overlay *o)
{
	struct overlay t = *o;

	if (o->none)
		return NULL;
	for (size_t i = 0; i < noverlay_params; i++)
		if (!overlay_param_has(&overlay_params[i], *overlay_field(&t, &overlay_params[i])))
			return "a parameter of the overlay is out of range";
	if (beyond(o->clique, o->length, o->rings, OVERLAY_MOST_STES))
		return contract_limits[BEYOND_STES].text;
	if (beyond(o->counters, o->length, o->rings, OVERLAY_MOST_COUNTERS))
		return contract_limits[BEYOND_COUNTERS].text;
	if (o->predecessors == OVERLAY_LUT5 &&
	    (uint64_t)contract_degree(o) * overlay_nnodes(o) > OVERLAY_MOST_PREDECESSORS)
		return contract_limits[BEYOND_PREDECESSORS].text;
	if (overlay_ntest(o) != 0 && overlay_recode_bits(o) > OVERLAY_MOST_RECODE)
		return contract_limits[BEYOND_RECODE].text;
	if (o->payload % 64 != 0)
		return "payload is a multiple of 64";
	if (o->payload_tests != 0 && o->payload == 0)
		return "payload_tests needs payload";
	if (o->time == OVERLAY_TIME_YES && o->shadow == OVERLAY_SHADOW_YES)
		return "an overlay with time has no shadow";
	if (o->label_swap == OVERLAY_LABEL_SWAP_YES &&
	    (o->shadow != OVERLAY_SHADOW_YES || o->joins != OVERLAY_JOINS_NO))
		return "label_swap needs shadow yes and joins no";
	if (o->banks == 2 && (o->state != OVERLAY_STATE_MEMORY || o->lines < 2))
		return "banks 2 needs state memory and two lines";
	if (o->time == OVERLAY_TIME_YES && o->slots != 0 &&
	    o->slots * o->header_bits < 3)
		return "an overlay with time needs headers of three bits in all";
	if (overlay_nrow(o) > OVERLAY_MOST_ROWS)
		return contract_limits[BEYOND_ROWS].text;
	for (size_t i = 0; i < nelements; i++)
		if (element_bits(&elements[i], o) > OVERLAY_MOST_BITS)
			return contract_limits[BEYOND_BITS].text;
	return NULL;
}
