/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints diagnostics for programs: as JSON, and as SARIF (OASIS, Static Analysis Results
 * Interchange Format, version 2.1.0). Columns count characters from 1 here, not bytes.
 */
#include "support/buf.h"
#include "support/diag.h"
#include "support/json.h"

/* Where a range is. The end is the place after its last character. */
struct region {
	const struct diag_source *source; /* NULL: it is in no source */
	size_t line, column, end_line, end_column;
};

/* Finds the line and the column of a byte, in characters. */
static void locate(const struct diag_source *s, size_t offset, size_t *line, size_t *column)
{
	size_t bytes, at;

	offset = offset < s->n ? offset : s->n;
	diag_locate(s, offset, line, &bytes);
	*column = 1;
	for (at = offset - (bytes - 1); at < offset; ++*column) {
		size_t len = buf_utf8(s->text + at, offset - at);
		at += len != 0 ? len : 1;
	}
}

static struct region region_of(const struct diags *d, struct diag_range r)
{
	struct region g = { .source = NULL };

	if (r.source >= d->sources.n)
		return g;
	g.source = &d->sources.at[r.source];
	locate(g.source, r.begin, &g.line, &g.column);
	locate(g.source, r.end > r.begin ? r.end : r.begin, &g.end_line, &g.end_column);
	return g;
}

/* Writes the buffer and empties it. */
static void json_flush(struct buf *b, FILE *f)
{
	if (b->n != 0 && !b->failed)
		fwrite(b->at, 1, b->n, f);
	b->n = 0;
}

/* ---- JSON ---- */

static void add_place(struct buf *b, struct region g)
{
	if (g.source == NULL)
		return;
	json_member(b, "file", g.source->name);
	buf_addf(b, ",\"line\":%zu,\"column\":%zu,\"end_line\":%zu,\"end_column\":%zu", g.line,
		 g.column, g.end_line, g.end_column);
}

void diag_print_json(struct diags *d, FILE *f)
{
	struct buf b = { 0 };

	diag_sort(d);
	for (size_t i = 0; i < d->records.n; i++) {
		const struct diag *r = &d->records.at[i];
		buf_addf(&b, "{\"severity\":\"%s\"", diag_is_error(d, r) ? "error" : "warning");
		json_member(&b, "code", r->code);
		json_member(&b, "message", r->message);
		add_place(&b, region_of(d, r->range));
		buf_addf(&b, ",\"notes\":[");
		for (size_t k = 0; k < r->notes.n; k++) {
			buf_addf(&b, "%s{\"message\":", k != 0 ? "," : "");
			json_put_string(&b, r->notes.at[k].message);
			add_place(&b, region_of(d, r->notes.at[k].range));
			if (r->notes.at[k].replacement != NULL)
				json_member(&b, "replacement", r->notes.at[k].replacement);
			buf_addf(&b, "}");
		}
		buf_addf(&b, "]}\n");
		json_flush(&b, f);
	}
	buf_free(&b);
}

/* ---- SARIF ---- */

static void add_region(struct buf *b, const char *name, struct region g)
{
	buf_addf(b,
		 "\"%s\":{\"startLine\":%zu,\"startColumn\":%zu,\"endLine\":%zu,\"endColumn\":%zu}",
		 name, g.line, g.column, g.end_line, g.end_column);
}

/* Appends the members of a location: where it is, and a message. */
static void add_location(struct buf *b, struct region g, const char *message)
{
	if (g.source != NULL) {
		buf_addf(b, "\"physicalLocation\":{");
		sarif_artifact(b, NULL, g.source->name);
		buf_addf(b, ",");
		add_region(b, "region", g);
		buf_addf(b, "}");
	}
	if (message != NULL) {
		buf_addf(b, "%s\"message\":{\"text\":", g.source != NULL ? "," : "");
		json_put_string(b, message);
		buf_addf(b, "}");
	}
}

static void add_notes(struct buf *b, const struct diags *d, const struct diag *r)
{
	const char *comma = "";

	buf_addf(b, ",\"relatedLocations\":[");
	for (size_t k = 0; k < r->notes.n; k++) {
		buf_addf(b, "%s{", k != 0 ? "," : "");
		add_location(b, region_of(d, r->notes.at[k].range), r->notes.at[k].message);
		buf_addf(b, "}");
	}
	buf_addf(b, "],\"fixes\":[");
	for (size_t k = 0; k < r->notes.n; k++) {
		const struct diag_note *n = &r->notes.at[k];
		struct region g = region_of(d, n->range);
		if (n->replacement == NULL || g.source == NULL)
			continue;
		buf_addf(b, "%s{\"description\":{\"text\":", comma);
		json_put_string(b, n->message);
		buf_addf(b, "},\"artifactChanges\":[{");
		sarif_artifact(b, NULL, g.source->name);
		buf_addf(b, ",\"replacements\":[{");
		add_region(b, "deletedRegion", g);
		buf_addf(b, ",\"insertedContent\":{\"text\":");
		json_put_string(b, n->replacement);
		buf_addf(b, "}}]}]}");
		comma = ",";
	}
	buf_addf(b, "]");
}

void diag_print_sarif(struct diags *d, FILE *f, const char *tool, const char *version)
{
	struct buf b = { 0 };

	diag_sort(d);
	sarif_begin(&b, tool, version, NULL, 0);
	for (size_t i = 0; i < d->records.n; i++) {
		const struct diag *r = &d->records.at[i];
		struct region g = region_of(d, r->range);
		buf_addf(&b, "%s{\"ruleId\":", i != 0 ? "," : "");
		json_put_string(&b, r->code);
		json_member(&b, "level", diag_is_error(d, r) ? "error" : "warning");
		buf_addf(&b, ",\"message\":{\"text\":");
		json_put_string(&b, r->message);
		buf_addf(&b, "},\"locations\":[");
		if (g.source != NULL) {
			buf_addf(&b, "{");
			add_location(&b, g, NULL);
			buf_addf(&b, "}");
		}
		buf_addf(&b, "]");
		add_notes(&b, d, r);
		buf_addf(&b, "}");
		json_flush(&b, f);
	}
	sarif_end(&b);
	json_flush(&b, f);
	buf_free(&b);
}
