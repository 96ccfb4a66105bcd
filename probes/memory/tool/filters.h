/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filters.h: the filters that nfamem runs: that of -f, or the shipped ones that --check names. The
 * text of the shipped ones is in the program. Races are found without a filter (races.h).
 */
#ifndef NFACC_NFAMEM_FILTERS_H
#define NFACC_NFAMEM_FILTERS_H

#include "probes/memory/reader/findings.h"
#include "probes/memory/reader/leaks.h"
#include "probes/memory/reader/locals.h"
#include "probes/memory/reader/matches.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/reader/races.h"
#include "probes/memory/tool/nfamem_options.h"

/* The filter of a word of --check. */
struct filters_check {
	const char *file, *text; /* its name and contents */
	bool words;   /* protocol mem-word, else mem */
	bool program; /* matches in code of the C library are left out */
};

struct filters {
	struct filters_one {
		const struct filters_check *check; /* NULL: the filter of -f */
		struct nfart_image *image;
		struct matches *matches;
	} one[NFAMEM_CHECKS];
	unsigned n;
	struct races *races; /* of --check=race, which is no filter; else NULL */
	struct leaks *leaks; /* the same for --check=leak */
	struct locals *locals; /* the same for --stack */
	char *patterns; /* text of the suppressions, cut into `npatterns` strings */
	const char *pattern[NFAMEM_IGNORED];
	unsigned npatterns;
	struct messages *messages[2]; /* by filters_check.words; the filter of -f has the first */
};

/* Compiles the filters that the options name. Undo it with filters_free(), also on failure. */
enum nfart_status filters_open(struct filters *f, const struct nfamem_options *o,
			       struct nfart_error *e);

/* Begins the file of what they find (findings.h): says which checks or labels there are. */
bool filters_head(const struct filters *f, const struct nfamem_options *o, struct findings *w,
		  struct nfart_error *e);

/*
 * Adds the filters to m. They write to w. Undo it with filters_stop(), also on failure.
 */
enum nfart_status filters_begin(struct filters *f, const struct nfamem_options *o,
				struct memory *m, struct findings *w, struct nfart_error *e);

/* As messages_inherit() and matches_end() for each filter. */
void filters_inherit(struct filters *f, uint32_t thread);
bool filters_end(struct filters *f, struct nfart_error *e);

/* How many matches were written. */
uint64_t filters_count(const struct filters *f);

void filters_stop(struct filters *f);
void filters_free(struct filters *f);

#endif
