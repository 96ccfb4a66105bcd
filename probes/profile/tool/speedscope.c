/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/speedscope.h"

#include <string.h>

#include "probes/profile/tool/walk.h"
#include "support/escape.h"

static void add_string(struct buf *b, const char *key, const char *value)
{
	buf_addf(b, "\"%s\":", key);
	escape_json(b, value, strlen(value));
}

/* Frame i has name i + 1: name 0 is that of the root, which no stack has. */
static void add_frames(const struct profile_view *v, const struct rv_code *code, struct buf *b)
{
	for (size_t i = 1; i < v->names.n; i++) {
		uint32_t module = v->modules.at[i];

		buf_addf(b, "%s\n{", i > 1 ? "," : "");
		add_string(b, "name", v->names.at[i]);
		if (module != UINT32_MAX) {
			buf_add(b, ",", 1);
			add_string(b, "file", code->modules.at[module].name);
		}
		buf_add(b, "}", 1);
	}
}

static void add_stack(const struct walk *w, struct buf *b)
{
	for (size_t i = 1; i <= w->depth; i++)
		buf_addf(b, "%s%u", i > 1 ? "," : "[",
			 w->v->tree.nodes.at[w->frames[i].node].function - 1);
	buf_add(b, "]", 1);
}

/* Appends the samples to b, and their weights to `weights`. Returns the sum of the weights. */
static uint64_t add_samples(struct walk *w, enum print_unit unit, struct buf *b,
			    struct buf *weights)
{
	const struct call_node *node;
	uint64_t sum = 0;
	const char *between = "";

	while ((node = walk_next(w)) != NULL) {
		if (print_own(node, unit) == 0)
			continue;
		buf_addf(b, "%s\n", between);
		add_stack(w, b);
		buf_addf(weights, "%s\n%llu", between, (unsigned long long)print_own(node, unit));
		sum += print_own(node, unit);
		between = ",";
	}
	return sum;
}

void print_speedscope(const struct profile_view *v, const struct profile_children *c,
		      const struct rv_code *code, enum print_unit unit, const char *title,
		      struct buf *b)
{
	struct walk w;
	struct buf weights = { 0 };
	uint64_t sum;

	if (!walk_begin(&w, v, c)) {
		b->failed = true;
		return;
	}
	buf_addf(b, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		    "\"exporter\":\"nfaperf\",\"activeProfileIndex\":0,");
	add_string(b, "name", title);
	buf_addf(b, ",\n\"shared\":{\"frames\":[");
	add_frames(v, code, b);
	buf_addf(b, "]},\n\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",");
	add_string(b, "name", unit == PRINT_CYCLES ? "cycles" : "instructions");
	buf_addf(b, ",\n\"samples\":[");
	sum = add_samples(&w, unit, b, &weights);
	buf_addf(b, "],\n\"weights\":[");
	buf_add(b, weights.at, weights.n);
	buf_addf(b, "],\n\"startValue\":0,\"endValue\":%llu}]}\n", (unsigned long long)sum);
	b->failed |= weights.failed;
	buf_free(&weights);
	walk_end(&w);
}
