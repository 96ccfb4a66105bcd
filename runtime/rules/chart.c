/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/chart.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/rules/finding.h"
#include "runtime/rules/rules.h"
#include "support/escape.h"

/* Sizes in units of the picture. */
enum {
	LEFT = 150, COLUMN = 170, TOP = 70, ROW = 28, LINE = 18, STUB = 40, RIGHT = 210,
	LETTER = 7, LEAST_WIDTH = 520
};

static uint32_t chart_x(uint32_t node)
{
	return LEFT + node * COLUMN;
}

static void chart_text(struct buf *b, uint32_t x, uint32_t y, const char *how, const char *s,
		       size_t n)
{
	buf_addf(b, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\"%s>", x, y, how);
	escape_xml(b, s, n);
	buf_addf(b, "</text>\n");
}

/* An arrow from the sender to one receiver, or away from it. */
static void chart_arrow(struct buf *b, uint32_t from, uint32_t to, uint32_t y, bool wrong)
{
	buf_addf(b, "<line x1=\"%" PRIu32 "\" y1=\"%" PRIu32 "\" x2=\"%" PRIu32 "\" y2=\"%" PRIu32
		 "\" stroke=\"%s\" stroke-width=\"%s\" marker-end=\"url(#%s)\"/>\n",
		 from, y, to, y, wrong ? "#d55e00" : "#333", wrong ? "2.5" : "1.5",
		 wrong ? "wrong" : "right");
}

static void chart_message(const struct follow *f, const struct follow_message *m, uint32_t y,
			  struct buf *b)
{
	const struct kept *k = f->kept;
	const struct kept_event *e = &k->events.at[m->event];
	uint32_t from = chart_x(e->from), label = from + STUB;
	char time[24];

	snprintf(time, sizeof time, "%" PRIu64, m->time);
	chart_text(b, LEFT - 60, y + 4, " text-anchor=\"end\" fill=\"#666\"", time, strlen(time));
	for (uint32_t i = 0; i < k->nodes.n; i++)
		if ((e->to >> i & 1) != 0) {
			label = (from + chart_x(i)) / 2;
			chart_arrow(b, from, chart_x(i), y, m->wrong);
		}
	if (e->to == 0)
		chart_arrow(b, from, from + STUB, y, m->wrong);
	chart_text(b, label, y - 5,
		   m->wrong ? " text-anchor=\"middle\" fill=\"#d55e00\" font-weight=\"bold\""
			    : " text-anchor=\"middle\"",
		   e->name, strlen(e->name));
	if (m->wrong)
		chart_text(b, chart_x(k->nodes.n - 1) + STUB + 10, y + 4, " fill=\"#d55e00\"",
			   "no run explains it", strlen("no run explains it"));
}

static void chart_nodes_heads(const struct kept *k, uint32_t bottom, struct buf *b)
{
	for (uint32_t i = 0; i < k->nodes.n; i++) {
		buf_addf(b, "<line x1=\"%" PRIu32 "\" y1=\"%d\" x2=\"%" PRIu32 "\" y2=\"%" PRIu32
			 "\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n",
			 chart_x(i), TOP, chart_x(i), bottom);
		buf_addf(b, "<rect x=\"%" PRIu32 "\" y=\"%d\" width=\"100\" height=\"24\" "
			 "fill=\"#eef\" stroke=\"#333\"/>\n", chart_x(i) - 50, TOP - 24);
		chart_text(b, chart_x(i), TOP - 8, " text-anchor=\"middle\" font-weight=\"bold\"",
			   k->nodes.at[i], strlen(k->nodes.at[i]));
	}
}

/* Returns how many lines a text has, and the length of the longest in *longest. */
static uint32_t chart_lines(const struct buf *text, uint32_t *longest)
{
	uint32_t n = 0, length = 0;

	*longest = 0;
	for (size_t i = 0; i < text->n; i++) {
		length = text->at[i] == '\n' ? 0 : length + 1;
		n += text->at[i] == '\n';
		*longest = length > *longest ? length : *longest;
	}
	return n;
}

/* Prints the lines of a text below each other, in a fixed font. */
static void chart_caption(const struct buf *text, uint32_t y, struct buf *b)
{
	const char *at = text->at, *end = at + text->n;

	for (; at != end; y += LINE) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline != NULL ? newline : end) - at);

		chart_text(b, 20, y, " font-family=\"monospace\" xml:space=\"preserve\"", at, n);
		at += newline != NULL ? n + 1 : n;
	}
}

static void chart_head(uint32_t width, uint32_t height, struct buf *b)
{
	buf_addf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%"
		 PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
		 "\" font-family=\"sans-serif\" font-size=\"12\">\n<defs>\n",
		 width, height, width, height);
	for (int wrong = 0; wrong < 2; wrong++)
		buf_addf(b, "<marker id=\"%s\" markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" "
			 "markerHeight=\"8\" refX=\"10\" refY=\"4\" orient=\"auto\">"
			 "<path d=\"M0 0 L10 4 L0 8 z\" fill=\"%s\"/></marker>\n",
			 wrong ? "wrong" : "right", wrong ? "#d55e00" : "#333");
	buf_addf(b, "</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

void chart_messages(struct follow *f, const struct follow_line *l, const char *where,
		    struct buf *b)
{
	uint64_t n = l->nmessages < FOLLOW_RECENT ? l->nmessages : FOLLOW_RECENT;
	uint32_t bottom = TOP + ((uint32_t)n + 1) * ROW, longest, width, height;
	struct buf title = { 0 }, caption = { 0 };

	buf_addf(&title, "%s%s", f->checker->label, where);
	if (l->verdict == FOLLOW_WRONG || l->verdict == FOLLOW_AFTER)
		finding_reasons(f, l, where, &caption);
	if (f->know.full)
		buf_addf(&caption, "%s\n", RULES_FORGOT);
	height = bottom + (chart_lines(&caption, &longest) + 1) * LINE;
	width = chart_x(f->kept->nodes.n - 1) + RIGHT;
	width = longest * LETTER + 60 > width ? longest * LETTER + 60 : width;
	if (title.failed || caption.failed) {
		b->failed = true;
	} else {
		chart_head(width > LEAST_WIDTH ? width : LEAST_WIDTH, height, b);
		chart_text(b, 20, 26, " font-size=\"15\"", title.at, title.n);
		chart_nodes_heads(f->kept, bottom, b);
		for (uint64_t i = 0; i < n; i++)
			chart_message(f, &l->recent[(l->nmessages - n + i) % FOLLOW_RECENT],
				      TOP + ((uint32_t)i + 1) * ROW, b);
		if (caption.n != 0)
			chart_caption(&caption, bottom + LINE, b);
		buf_addf(b, "</svg>\n");
	}
	buf_free(&title);
	buf_free(&caption);
}
