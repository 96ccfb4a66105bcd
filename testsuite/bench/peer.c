/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/peer.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

#ifdef HAVE_HS
#include <hs.h>
#endif

enum { MOST_RUNS = 9 };

#ifdef HAVE_HS
enum { PIECE = 1 << 16 };

static int on_match(unsigned int id, unsigned long long from, unsigned long long to,
		    unsigned int flags, void *ctx)
{
	(void)id;
	(void)from;
	(void)to;
	(void)flags;
	++*(uint64_t *)ctx;
	return 0;
}

static hs_database_t *compile(const struct buf *pcre, unsigned n)
{
	const char **exp = calloc(n, sizeof *exp), *p = pcre->at;
	unsigned *flags = calloc(n, sizeof *flags), *ids = calloc(n, sizeof *ids);
	hs_compile_error_t *ce;
	hs_database_t *db = NULL;

	if (exp == NULL || flags == NULL || ids == NULL)
		die("out of memory");
	for (unsigned i = 0; i < n; i++, p += strlen(p) + 1) {
		exp[i] = p;
		ids[i] = i;
	}
	if (hs_compile_multi(exp, flags, ids, n, HS_MODE_STREAM, NULL, &db, &ce) != HS_SUCCESS)
		die("Vectorscan");
	free(exp);
	free(flags);
	free(ids);
	return db;
}

static void scan(const hs_database_t *db, hs_scratch_t *scratch, const struct buf *text,
		 uint64_t *matches)
{
	hs_stream_t *stream;

	*matches = 0;
	hs_open_stream(db, 0, &stream);
	for (size_t k = 0; k < text->n; k += PIECE)
		hs_scan_stream(stream, text->at + k,
			       text->n - k < PIECE ? (unsigned)(text->n - k) : PIECE, 0, scratch,
			       on_match, matches);
	hs_close_stream(stream, scratch, on_match, matches);
}

struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs)
{
	struct peer_speed s = { 0 };
	double t[MOST_RUNS], begin = clock_cpu_seconds();
	hs_database_t *db = compile(pcre, n);
	hs_scratch_t *scratch = NULL;

	s.compile = clock_cpu_seconds() - begin;
	if (hs_alloc_scratch(db, &scratch) != HS_SUCCESS)
		die("Vectorscan");
	runs = runs < MOST_RUNS ? runs : MOST_RUNS;
	for (unsigned i = 0; i < runs; i++) {
		begin = clock_cpu_seconds();
		scan(db, scratch, text, &s.matches);
		t[i] = clock_cpu_seconds() - begin;
	}
	hs_free_scratch(scratch);
	hs_free_database(db);
	s.run = median(t, runs);
	return s;
}
#else
struct peer_speed peer_vectorscan(const struct buf *pcre, unsigned n, const struct buf *text,
				  unsigned runs)
{
	(void)pcre;
	(void)n;
	(void)text;
	(void)runs;
	return (struct peer_speed){ 0 };
}
#endif
