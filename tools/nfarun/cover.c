/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/cover.h"

#include <inttypes.h>

#include "tools/nfarun/table.h"

enum nfart_status cover_trace(struct coverage *c, struct nfart_reader *r, struct reading *reading,
			      const volatile sig_atomic_t *stop, struct nfart_error *e)
{
	struct nfart_batch b;
	int got = 0;

	coverage_begin(c);
	while (*stop == 0 && (got = nfart_reader_next(r, &b, e)) > 0) {
		reading_batch(reading, r);
		if (!coverage_put(c, &b))
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	if (got < 0 && *stop == 0)
		return e->status;
	return *stop != 0 || nfart_reader_stats(r)->bad_chunks != 0 ? NFART_PARTIAL : NFART_OK;
}

static void cover_rows(const struct coverage_counts *k, struct table *t)
{
	for (uint32_t i = 0; i < k->kept->rules.n; i++) {
		const struct kept_rule *r = &k->kept->rules.at[i];
		struct buf place = { 0 };

		buf_addf(&place, "%s:%" PRIu32, k->kept->file, r->line);
		t->out.failed = t->out.failed || place.failed;
		if (!place.failed)
			table_row(t, (struct cell[]){
					     cell_text(k->checker->label), cell_text(place.at),
					     r->event != KEPT_NONE
						     ? cell_text(k->kept->events.at[r->event].name)
						     : cell_none(),
					     cell_number(k->needed[i]), cell_text(r->text) });
		buf_free(&place);
	}
}

bool cover_print(const struct coverage *c, const struct nfarun_options *o, FILE *f)
{
	static const struct column columns[] = {
		{ "checker", -12 }, { "place", -16 }, { "event", -8 }, { "needed", 8 },
		{ "rule", -1 },
	};
	struct table t = { .f = f, .form = o->output.form };
	bool ok;

	table_begin(&t, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < coverage_checkers(c); i++) {
		struct coverage_counts k = coverage_of(c, i);

		cover_rows(&k, &t);
	}
	ok = table_flush(&t);
	table_free(&t);
	for (size_t i = 0; i < coverage_checkers(c) && ok && !o->output.quiet; i++) {
		struct coverage_counts k = coverage_of(c, i);

		fprintf(stderr, "%s: %" PRIu64 " of %" PRIu32 " rules exercised by %" PRIu64
			" messages; %" PRIu64 " more share a batch with others of their line, "
			"and no run explains %" PRIu64 " batches\n", k.checker->label, k.exercised,
			k.kept->rules.n, k.messages, k.shared, k.errors);
	}
	return ok;
}
