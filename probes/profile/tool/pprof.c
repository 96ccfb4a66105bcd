/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/pprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/tool/walk.h"
#include "runtime/trace/format/protobuf.h"
#include "support/bits.h"
#include "support/escape.h"

/* The numbers of the schema. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3, PROFILE_LOCATION = 4,
       PROFILE_FUNCTION = 5, PROFILE_STRING = 6, PROFILE_DEFAULT_SAMPLE_TYPE = 14 };
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum { MAPPING_ID = 1, MAPPING_START = 2, MAPPING_LIMIT = 3, MAPPING_FILE = 5,
       MAPPING_BUILD_ID = 6, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3 };

struct pprof {
	const struct profile_view *v;
	const struct rv_code *code;
	uint64_t strings;    /* number of strings that were appended */
	struct buf text;     /* the string that is appended, as UTF-8 */
	struct buf message;  /* the message that is appended */
	struct buf inner;    /* a message within it */
	struct buf *b;
};

/* Appends a string to the table, and returns its number. */
static uint64_t put_string(struct pprof *x, const char *s)
{
	x->text.n = 0;
	escape_utf8(&x->text, s, strlen(s));
	protobuf_begin(x->b, PROFILE_STRING, x->text.n);
	buf_add(x->b, x->text.at, x->text.n);
	return x->strings++;
}

/* Appends x->message as a field of the profile, and empties it. */
static void put_message(struct pprof *x, uint32_t field)
{
	protobuf_message(x->b, field, &x->message);
	x->message.n = 0;
}

/* Appends the types of values. What is counted is a string, and so is its unit. */
static void put_types(struct pprof *x, enum print_unit unit)
{
	uint64_t types[2] = { [PRINT_CYCLES] = put_string(x, "cycles"),
			      [PRINT_INSTRUCTIONS] = put_string(x, "instructions") };
	uint64_t count = put_string(x, "count");

	for (size_t i = 0; i < 2; i++) {
		protobuf_number(&x->message, TYPE_TYPE, types[i]);
		protobuf_number(&x->message, TYPE_UNIT, count);
		put_message(x, PROFILE_SAMPLE_TYPE);
	}
	protobuf_number(x->b, PROFILE_DEFAULT_SAMPLE_TYPE, types[unit]);
}

/* Appends the build id of a module as a field of its mapping. */
static void put_build_id(struct pprof *x, const struct rv_module *m)
{
	size_t n;
	const unsigned char *id = elf_build_id(&m->text.file, &n);
	char digits[2 * BUILD_ID_MOST + 1] = "";

	for (size_t i = 0; id != NULL && i < n; i++)
		snprintf(digits + 2 * i, 3, "%02x", id[i]);
	if (id != NULL)
		protobuf_number(&x->message, MAPPING_BUILD_ID, put_string(x, digits));
}

/* Appends the mappings of all modules that names are in. The number of a mapping is that of its
 * module plus 1. */
static void put_mappings(struct pprof *x)
{
	uint64_t *used = calloc(bits_words(x->code->modules.n) + 1, sizeof *used);

	if (used == NULL) {
		x->b->failed = true;
		return;
	}
	for (size_t i = 0; i < x->v->modules.n; i++)
		if (x->v->modules.at[i] != UINT32_MAX)
			bits_set(used, x->v->modules.at[i]);
	for (size_t i = 0; i < x->code->modules.n; i++) {
		const struct rv_module *m = &x->code->modules.at[i];

		if (!bits_get(used, i))
			continue;
		protobuf_number(&x->message, MAPPING_ID, i + 1);
		protobuf_number(&x->message, MAPPING_START, m->low);
		protobuf_number(&x->message, MAPPING_LIMIT, m->low + m->span);
		protobuf_number(&x->message, MAPPING_FILE, put_string(x, m->path));
		put_build_id(x, m);
		protobuf_number(&x->message, MAPPING_HAS_FUNCTIONS, 1);
		put_message(x, PROFILE_MAPPING);
	}
	free(used);
}

/* Appends the function and the location of a name; both have its number, and so has its string. */
static void put_function(struct pprof *x, uint32_t name)
{
	protobuf_number(&x->message, FUNCTION_ID, name);
	protobuf_number(&x->message, FUNCTION_NAME, name);
	protobuf_number(&x->message, FUNCTION_SYSTEM_NAME, name);
	put_message(x, PROFILE_FUNCTION);
	protobuf_number(&x->message, LOCATION_ID, name);
	if (x->v->modules.at[name] != UINT32_MAX)
		protobuf_number(&x->message, LOCATION_MAPPING, (uint64_t)x->v->modules.at[name] + 1);
	x->inner.n = 0;
	protobuf_number(&x->inner, LINE_FUNCTION, name);
	protobuf_message(&x->message, LOCATION_LINE, &x->inner);
	put_message(x, PROFILE_LOCATION);
}

static void put_sample(struct pprof *x, const struct walk *w, const struct call_node *node)
{
	for (size_t i = w->depth; i > 0; i--)
		protobuf_number(&x->message, SAMPLE_LOCATION,
				x->v->tree.nodes.at[w->frames[i].node].function);
	protobuf_number(&x->message, SAMPLE_VALUE, node->cycles);
	protobuf_number(&x->message, SAMPLE_VALUE, node->instructions);
	put_message(x, PROFILE_SAMPLE);
}

void print_pprof(const struct profile_view *v, const struct profile_children *c,
		 const struct rv_code *code, enum print_unit unit, struct buf *b)
{
	struct pprof x = { .v = v, .code = code, .b = b };
	struct walk w;
	const struct call_node *node;

	if (!walk_begin(&w, v, c)) {
		b->failed = true;
		return;
	}
	/* Name 0 is that of the root, which no stack has. So the empty string takes its number. */
	put_string(&x, "");
	for (uint32_t i = 1; i < v->names.n; i++)
		put_string(&x, v->names.at[i]);
	put_types(&x, unit);
	put_mappings(&x);
	for (uint32_t i = 1; i < v->names.n; i++)
		put_function(&x, i);
	while ((node = walk_next(&w)) != NULL)
		put_sample(&x, &w, node);
	b->failed |= x.text.failed || x.message.failed;
	buf_free(&x.text);
	buf_free(&x.message);
	buf_free(&x.inner);
	walk_end(&w);
}
