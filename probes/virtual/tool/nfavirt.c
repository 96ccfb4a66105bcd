/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfavirt: runs the model of a computer with the front end that gives snoops their virtual
 * addresses, and writes the results.
 */
#include <errno.h>
#include <string.h>

#include "probes/virtual/program/entries.h"
#include "probes/virtual/tool/run.h"
#include "support/cli.h"
#include "support/outfile.h"

enum {
	VALGRIND_BASE = 0x108000, /* where valgrind loads a program that can be loaded anywhere */
	MOST_LISTED = 4,          /* names in a message */
	LIST_BYTES = MOST_LISTED * 90
};

static enum nfart_status read_trace(struct run *x, struct nfart_error *e)
{
	const char *name = x->o->trace;
	FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
	enum nfart_status status;

	if (f == NULL)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", name, strerror(errno));
	status = lackey_read(&x->trace, f, name, e);
	if (f != stdin)
		fclose(f);
	if (status == NFART_OK && x->o->sys.machine.levels == 3)
		for (size_t i = 0; i < x->trace.accesses.n; i++)
			if (x->trace.accesses.at[i].va >> 38 != 0)
				return nfart_fail(e, NFART_INPUT, "%s: address 0x%llx needs "
						  "--levels 4", name,
						  (unsigned long long)x->trace.accesses.at[i].va);
	return status;
}

/* Whether a name without its file, or without its number, is `place`. */
static bool is_short_for(const char *place, const char *name)
{
	size_t n = strlen(place);

	return strncmp(name, place, n) == 0 && (name[n] == '@' || name[n] == '#');
}

/* Fails with what is wrong with a place of --observe. */
static enum nfart_status no_place(const struct run *x, const char *place, struct nfart_error *e)
{
	char list[LIST_BYTES] = "";
	size_t n = 0, bytes = 0;

	for (size_t i = 0; i < x->images.all.names.n && n < MOST_LISTED; i++) {
		const struct symbol *s = &x->images.all.names.at[i];

		if (!is_short_for(place, s->name) && strcmp(place, s->name) != 0)
			continue;
		bytes += (size_t)snprintf(list + bytes, sizeof list - bytes, "%s%.60s (0x%llx)",
					  n++ == 0 ? "" : ", ", s->name,
					  (unsigned long long)(s->at % IMAGES_PROCESS));
	}
	if (n > 0)
		return nfart_fail(e, NFART_USAGE,
				  "--observe %s: several have this name; say which one, as in %s",
				  place, list);
	return nfart_fail(e, NFART_USAGE,
			  "--observe %s: this is not an address, and --elf has no function or "
			  "object with this name",
			  place);
}

/*
 * Observes name k, for the argument `place` of --observe. A function has messages of its calls. In
 * hardware a line has only one name, so there is one entry in a line.
 */
static enum nfart_status observe(struct run *x, size_t k, const char *place, uint64_t *point,
				 struct nfart_error *e)
{
	const struct symbol *at = x->images.all.names.at;
	uint64_t line;
	ptrdiff_t other;

	*point = at[k].at + x->base;
	if (!at[k].code)
		return NFART_OK;
	line = virt_align(*point, VIRT_LINE_BITS) - x->base;
	other = entries_find(&x->images.all, line);
	if (other >= 0 && other != (ptrdiff_t)k)
		return nfart_fail(e, NFART_USAGE,
				  "--observe %s: its line has the entry of %s, which is observed, "
				  "too; compile the program with -falign-functions=64",
				  place, at[other].name);
	return entries_add(&x->images.all, k) ? NFART_OK
					   : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

/* Turns the arguments of --observe into addresses. */
static enum nfart_status find_points(struct run *x, struct nfavirt_options *o,
				     struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	for (unsigned i = 0; i < o->sys.tracing.npoints && status == NFART_OK; i++) {
		uint64_t *point = &o->sys.tracing.point[i];
		size_t found = 0, last = 0;

		if (cli_number(o->observe[i], 0, point, NULL) && *point >> VIRT_VA_BITS == 0)
			continue;
		for (size_t k = 0; k < x->images.all.names.n; k++)
			if (strcmp(x->images.all.names.at[k].name, o->observe[i]) == 0) {
				last = k;
				found++;
			}
		if (found != 1)
			return no_place(x, o->observe[i], e);
		status = observe(x, last, o->observe[i], point, e);
	}
	return status;
}

/* Keeps the points of the traced process. What others have is observed when they are traced. */
static void keep_own_points(struct nfavirt_options *o)
{
	unsigned n = 0;

	for (unsigned i = 0; i < o->sys.tracing.npoints; i++) {
		if (o->sys.tracing.point[i] >> VIRT_VA_BITS != 0)
			continue;
		o->observe[n] = o->observe[i];
		o->sys.tracing.point[n++] = o->sys.tracing.point[i];
	}
	o->sys.tracing.npoints = n;
}

static enum nfart_status read_inputs(struct run *x, struct nfavirt_options *o,
				     struct nfart_error *e)
{
	enum nfart_status status =
		images_open(&x->images, o->image, o->nimages, o->process, VALGRIND_BASE,
			    o->emit != EMIT_PROTOCOL, e);

	x->slots = symbol_slots(&x->images.all, o->slots);
	x->base = -(o->traced_process * IMAGES_PROCESS);
	if (status == NFART_OK && o->trace != NULL && o->bus == BUS_NONE &&
	    o->emit != EMIT_PROTOCOL && o->emit != EMIT_RANGES)
		status = read_trace(x, e);
	if (status == NFART_OK)
		status = find_points(x, o, e);
	keep_own_points(o);
	return status;
}

static int run_nfavirt(struct nfavirt_options *o)
{
	static enum nfart_status (*const outputs[])(struct run *, struct nfart_error *) = {
		run_counts, run_snoops, run_records, run_trace, run_protocol, run_ranges,
		run_overhead
	};
	struct run x = { .o = o };
	struct outfile out = { 0 };
	struct nfart_error e = { 0 };
	enum nfart_status status = NFART_OK;

	if (o->trace != NULL)
		status = outfile_check(o->out, o->trace, &e);
	for (size_t i = 0; i < o->nimages && status == NFART_OK; i++)
		status = outfile_check(o->out, o->image[i].path, &e);
	if (status == NFART_OK)
		status = read_inputs(&x, o, &e);
	if (status == NFART_OK)
		status = outfile_open(&out, o->out, &e);
	if (status == NFART_OK) {
		x.f = out.f;
		status = outputs[o->emit](&x, &e);
	}
	if (status == NFART_OK)
		status = outfile_commit(&out, &e);
	outfile_abort(&out);
	if (status != NFART_OK && e.file[0] != 0)
		nfart_error_print(stderr, &e);
	else if (status != NFART_OK)
		fprintf(stderr, "nfavirt: error: %s\n", e.what);
	lackey_free(&x.trace);
	images_close(&x.images);
	return (int)status;
}

int main(int argc, char **argv)
{
	struct nfavirt_options o;
	int code = nfavirt_options_parse(&o, argc, argv);

	if (code == OPTION_GO_ON)
		code = run_nfavirt(&o);
	return cli_finish("nfavirt", code);
}
