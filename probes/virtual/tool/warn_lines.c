/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "probes/virtual/program/entries.h"
#include "probes/virtual/program/symbol_ranges.h"
#include "probes/virtual/tool/run.h"

enum { MOST_NAMES = 8 }; /* in a warning */

/* Prints a name of the program. It may contain any bytes. */
static void print_symbol(const char *name)
{
	for (; *name != 0; name++)
		putc(*name > ' ' && *name <= '~' ? *name : '_', stderr);
}

/* Whether name i is a function of the traced process. */
static bool is_function(const struct run *x, size_t i)
{
	const struct symbol *name = &x->images.all.names.at[i];

	return name->code && (name->at + x->base) >> VIRT_VA_BITS == 0;
}

/* Whether it is one that never has messages. */
static bool is_silent(const struct run *x, size_t i)
{
	const struct symbol *name = &x->images.all.names.at[i];

	return is_function(x, i) && !entries_has(&x->images.all, i) &&
	       !symbol_has_line(name, x->base);
}

static void warn_functions(const struct run *x)
{
	const struct symbol *at = x->images.all.names.at;
	size_t all = 0, without = 0, shown = 0;

	for (size_t i = 0; i < x->images.all.names.n; i++) {
		all += is_function(x, i);
		without += is_silent(x, i);
	}
	if (without == 0)
		return;
	fprintf(stderr,
		"nfavirt: warning: %zu of %zu functions without messages, because no line begins "
		"in them:",
		without, all);
	for (size_t i = 0; i < x->images.all.names.n && shown < MOST_NAMES; i++)
		if (is_silent(x, i)) {
			fputs(shown++ == 0 ? " " : ", ", stderr);
			print_symbol(at[i].name);
		}
	if (without > shown)
		fprintf(stderr, " and %zu more", without - shown);
	fputs(". Compile the program with -falign-functions=64\n", stderr);
}

/* The point is the address of an object. Warns if the line belongs to another name. */
static void warn_point(const struct run *x, const char *place, uint64_t va)
{
	ptrdiff_t is = elf_symbols_find(&x->images.all, va - x->base);
	ptrdiff_t owner = elf_symbols_find(&x->images.all,
					   virt_align(va, VIRT_LINE_BITS) - x->base);

	if (is < 0 || is == owner || x->images.all.names.at[is].code ||
	    strcmp(x->images.all.names.at[is].name, place) != 0)
		return;
	fprintf(stderr, "nfavirt: warning: --observe %s: its line begins with ", place);
	if (owner < 0)
		fputs("bytes without a name, so its messages are of type other", stderr);
	else
		print_symbol(x->images.all.names.at[owner].name);
	fputs(owner < 0 ? "\n" : ", which the messages name instead\n", stderr);
}

void warn_lines(const struct run *x)
{
	warn_functions(x);
	for (unsigned i = 0; i < x->o->sys.tracing.npoints; i++)
		warn_point(x, x->o->observe[i], x->o->sys.tracing.point[i]);
}
