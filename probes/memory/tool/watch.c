/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/watch.h"

#include <string.h>

static const char by_caller[] = "malloc@";

struct finder {
	struct mem_channel *channel;
	uint32_t n, most; /* number of ranges in the channel, and the most */
	bool full;
};

static void add_object(void *ctx, uint64_t at, uint64_t bytes)
{
	struct finder *f = ctx;

	f->full |= f->n == f->most;
	if (f->full)
		return;
	f->channel->watch.range[f->n].from = at;
	f->channel->watch.range[f->n++].bytes = bytes;
}

/* Finds all variables, or all functions, among the objects. */
static enum nfart_status find_kind(struct finder *f, struct names *names, bool code,
				   const char *const *objects, unsigned n, struct nfart_error *e)
{
	size_t prefix = sizeof by_caller - 1;

	for (unsigned i = 0; i < n; i++) {
		const char *name = objects[i];
		bool is_code = strncmp(name, by_caller, prefix) == 0;
		uint32_t before = f->n;

		if (is_code != code)
			continue;
		name += is_code ? prefix : 0;
		names_each(names, name, code, add_object, f);
		if (f->full)
			return nfart_fail(e, NFART_USAGE,
					  "--watch: there are more than %u objects of these names",
					  f->most);
		if (f->n == before)
			return nfart_fail(e, NFART_USAGE,
					  "--watch: neither the program nor its "
					  "libraries have a %s '%.200s'; names are those of their "
					  "symbols, which strip(1) removes",
					  code ? "function" : "variable", name);
	}
	return NFART_OK;
}

enum nfart_status watch_find(struct mem_channel *c, struct names *names,
			     const char *const *objects, unsigned n, struct nfart_error *e)
{
	struct finder f = { .channel = c,
			    .most = sizeof c->watch.range / sizeof c->watch.range[0] };
	enum nfart_status status = find_kind(&f, names, false, objects, n, e);

	c->watch.ranges = f.n;
	if (status == NFART_OK)
		status = find_kind(&f, names, true, objects, n, e);
	c->watch.callers = f.n - c->watch.ranges;
	return status;
}
