/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/variables.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

enum { DEEPEST = 64 };

/* An instruction that was asked for, and its function; NULL: none is known. */
struct known {
	uint64_t pc;
	struct function *function;
};

struct variables {
	struct names *names;
	VEC(struct function *) functions;
	VEC(struct known) known;
	struct hash_ids ids;  /* indices in `known` */
	struct hash_ids dies; /* indices in `functions` */
};

struct variables *variables_new(struct names *n)
{
	struct variables *v = calloc(1, sizeof *v);

	if (v != NULL)
		v->names = n;
	return v;
}

static void free_function(struct function *f)
{
	vec_free(&f->ranges);
	vec_free(&f->list);
	free(f);
}

void variables_free(struct variables *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->functions.n; i++)
		free_function(v->functions.at[i]);
	vec_free(&v->functions);
	vec_free(&v->known);
	hash_free(&v->ids);
	hash_free(&v->dies);
	free(v);
}

bool variables_in_scope(const struct function *f, const struct variable *x, uint64_t pc)
{
	for (size_t i = 0; i < f->ranges.n; i++)
		if (f->ranges.at[i].scope == x->scope && pc >= f->ranges.at[i].low &&
		    pc < f->ranges.at[i].high)
			return true;
	return false;
}

/* ---- debug information ---- */

bool variables_known(struct names *n, const struct names_module *m)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL;

	names_read(n, m->file);
	if (m->file->module != NULL)
		unit = dwfl_module_nextcu(m->file->module, NULL, &bias);
	return unit != NULL;
}

/* The compiler and its options; NULL: not known. */
static const char *producer_of(Dwarf_Die *unit)
{
	Dwarf_Attribute at;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &at));
}

static bool is_plain(const char *producer)
{
	const char *level = "0";

	if (producer == NULL || strncmp(producer, "GNU C", 5) != 0)
		return false;
	/* The last option counts. */
	for (const char *s = strstr(producer, " -O"); s != NULL; s = strstr(s + 1, " -O"))
		level = s + 3;
	return level[0] == '0' && (level[1] == 0 || level[1] == ' ');
}

static bool is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return true;
	default:
		return false;
	}
}

/* The one operation of a location. Returns false if it has another number of them. */
static bool single_operation(Dwarf_Die *die, unsigned name, Dwarf_Op *op)
{
	Dwarf_Attribute at;
	Dwarf_Op *list;
	size_t n;

	if (dwarf_attr_integrate(die, name, &at) == NULL ||
	    (dwarf_whatform(&at) != DW_FORM_exprloc && dwarf_whatform(&at) != DW_FORM_block1) ||
	    dwarf_getlocation(&at, &list, &n) != 0 || n != 1)
		return false;
	*op = list[0];
	return true;
}

/* Sets the size of a variable. Returns false if it is not known. */
static bool set_size(struct variable *x, Dwarf_Die *die)
{
	Dwarf_Attribute at;
	Dwarf_Die type;
	Dwarf_Word bytes;

	if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &at), &type) == NULL ||
	    dwarf_peel_type(&type, &type) != 0 || dwarf_aggregate_size(&type, &bytes) != 0 ||
	    bytes == 0 || bytes > INT32_MAX)
		return false;
	x->high = x->low + (int64_t)bytes;
	return true;
}

/* Adds a variable, if it has one place in the frame. Returns false if there is no memory. */
static bool add_variable(struct function *f, Dwarf_Die *die, uint32_t scope)
{
	struct variable x = { .scope = scope, .name = dwarf_diename(die) };
	Dwarf_Op op;

	if (x.name == NULL || !single_operation(die, DW_AT_location, &op) ||
	    op.atom != DW_OP_fbreg || (int64_t)op.number != (int32_t)op.number)
		return true;
	x.low = (int64_t)op.number;
	if (!set_size(&x, die))
		return true;
	x.file = dwarf_decl_file(die);
	if (dwarf_decl_line(die, &x.line) != 0)
		x.line = 0;
	return vec_push(&f->list, x);
}

static bool add_ranges(struct function *f, Dwarf_Die *die, uint32_t scope)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0)
		if (!vec_push(&f->ranges, ((struct variable_range){ low, high, scope })))
			return false;
	return true;
}

/* Adds the variables of a scope, and those of the scopes inside it. */
static bool add_scope(struct function *f, Dwarf_Die *die, unsigned depth)
{
	const uint32_t scope = f->nscopes++;
	bool fine = add_ranges(f, die, scope);
	Dwarf_Die child;

	if (depth == DEEPEST || dwarf_child(die, &child) != 0)
		return fine;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			fine = fine && add_variable(f, &child, scope);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			fine = fine && add_scope(f, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return fine;
}

/* What is looked for in a unit. */
struct search {
	Dwarf_Addr at;
	Dwarf_Die found;
	bool is;
};

static int look_at_function(Dwarf_Die *die, void *with)
{
	struct search *s = with;

	if (dwarf_haspc(die, s->at) != 1)
		return DWARF_CB_OK;
	s->found = *die;
	s->is = true;
	return DWARF_CB_ABORT;
}

static uint64_t hash_of_die(const void *ctx, uint32_t id)
{
	const struct variables *v = ctx;

	return hash_add(0, (uintptr_t)v->functions.at[id]->die);
}

HASH_INLINE bool has_die(const void *ctx, uint32_t id, const void *die)
{
	const struct variables *v = ctx;

	return v->functions.at[id]->die == die;
}

/* Finds a function that was read before, or adds an empty one. Returns NULL if there is no memory. */
static struct function *function_of(struct variables *v, const Dwarf_Die *die, bool *added)
{
	struct function *f;
	size_t place;

	if (!hash_room(&v->dies, hash_of_die, v))
		return NULL;
	place = hash_find(&v->dies, hash_add(0, (uintptr_t)die->addr), has_die, v, die->addr);
	if (hash_id(&v->dies, place) != HASH_NONE)
		return v->functions.at[hash_id(&v->dies, place)];
	f = calloc(1, sizeof *f);
	if (f == NULL || v->functions.n >= HASH_NONE - 1 || !vec_push(&v->functions, f)) {
		free(f);
		return NULL;
	}
	hash_put(&v->dies, place, (uint32_t)(v->functions.n - 1));
	f->die = die->addr;
	*added = true;
	return f;
}

/* Sets *f to the function at an address of a module, or to NULL if none is known there. */
static bool read_function(struct variables *v, const struct names_module *m, uint64_t at,
			  struct function **f)
{
	struct search s = { 0 };
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(m->file->module, at, &bias);
	Dwarf_Op base;

	const char *producer;
	bool added = false;

	*f = NULL;
	if (unit == NULL || bias != 0)
		return true;
	s.at = at;
	dwarf_getfuncs(unit, look_at_function, &s, 0);
	if (!s.is)
		return true;
	*f = function_of(v, &s.found, &added);
	if (*f == NULL || !added)
		return *f != NULL;
	producer = producer_of(unit);
	(*f)->name = dwarf_diename(&s.found);
	(*f)->plain = is_plain(producer) && single_operation(&s.found, DW_AT_frame_base, &base) &&
		      base.atom == DW_OP_call_frame_cfa;
	(*f)->scopes = (*f)->plain && is_c(unit) && strstr(producer, " -fstack-protector") == NULL;
	return add_scope(*f, &s.found, 0);
}

/* ---- what was asked for before ---- */

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct variables *v = ctx;

	return hash_add(0, v->known.at[id].pc);
}

HASH_INLINE bool has_key(const void *ctx, uint32_t id, const void *key)
{
	const struct variables *v = ctx;

	return v->known.at[id].pc == *(const uint64_t *)key;
}

const struct function *variables_function(struct variables *v, uint64_t pc)
{
	const struct names_module *m;
	struct known k = { pc, NULL };
	size_t place;

	if (!hash_room(&v->ids, hash_of, v))
		return NULL;
	place = hash_find(&v->ids, hash_add(0, pc), has_key, v, &pc);
	if (hash_id(&v->ids, place) != HASH_NONE)
		return v->known.at[hash_id(&v->ids, place)].function;
	m = names_module(v->names, pc);
	if (m != NULL)
		names_read(v->names, m->file);
	if (m != NULL && m->file->module != NULL &&
	    !read_function(v, m, pc - m->bias, &k.function))
		return NULL;
	if (v->known.n >= HASH_NONE - 1 || !vec_push(&v->known, k))
		return NULL;
	hash_put(&v->ids, place, (uint32_t)(v->known.n - 1));
	return k.function;
}
