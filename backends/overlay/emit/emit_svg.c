/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Draws the automaton of an image on its overlay: rings of cliques with their nodes, and on the
 * nodes the states with their edges. A list says what each state waits for. layout.c says where
 * cliques and nodes are. States have the numbers that nfacc --inspect gives them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/image/inspect.h"
#include "backends/overlay/emit/emit.h"
#include "backends/overlay/emit/layout.h"
#include "support/escape.h"

#define TOP 44.0     /* height of the heading */
#define LEGEND 70.0  /* height of what stands below the rings */
#define TABLE 460.0  /* width of the list of states */
#define ROW 17.0     /* height of a row of it */
enum {
	MOST_ROWS = 60,       /* if there are more states there is no list of them */
	MOST_LINKS = 200000,  /* if more cliques are connected these links are not drawn */
	MOST_TEXT = 60        /* how many characters of a predicate are shown in the list */
};

struct drawing {
	struct buf *b;
	const struct nfart_image *im;
	const struct overlay *o;
	const struct nfa *a;
	struct layout l;
};

static void point(struct buf *b, double x, double y)
{
	/* Numbers are rounded here, so that no "-0.0" appears. */
	buf_addf(b, "%.1f %.1f", floor(x * 10 + 0.5) / 10 + 0.0, floor(y * 10 + 0.5) / 10 + 0.0);
}

/* Appends text with the escapes that XML needs, at most `most` bytes of it. */
static void text(struct buf *b, const char *s, size_t n, size_t most)
{
	size_t shown = n < most ? n : most;

	while (shown < n && shown > 0 && ((unsigned char)s[shown] & 0xc0) == 0x80)
		shown--; /* A character is shown in whole or not at all. */
	escape_xml(b, s, shown);
	if (n > most)
		buf_addf(b, "\xe2\x80\xa6");
}

/* The colour of a label. Colours come again after seven labels. */
static const char *colour(uint32_t label)
{
	static const char *const colours[] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
					       "#56b4e9", "#d55e00", "#7a6a00" };

	return colours[label % (sizeof colours / sizeof colours[0])];
}

static struct layout_point place(const struct drawing *d, size_t state)
{
	return layout_node(&d->l, d->o, d->im->nfa.states[state].node);
}

/* ---- the overlay ---- */

/* Draws the connection of two cliques. If another circle lies between theirs it is bent. */
static void link(const struct drawing *d, uint32_t from, uint32_t to)
{
	struct layout_point p = layout_clique(&d->l, d->o, from);
	struct layout_point q = layout_clique(&d->l, d->o, to);
	double dx = q.x - p.x, dy = q.y - p.y;
	double bend = d->l.circles > 1 && to / d->o->length - from / d->o->length > 1 ? 0.25 : 0;

	buf_addf(d->b, "<path class=\"link\" d=\"M");
	point(d->b, p.x, p.y);
	buf_addf(d->b, "Q");
	point(d->b, (p.x + q.x) / 2 + dy * bend, (p.y + q.y) / 2 - dx * bend);
	buf_addf(d->b, " ");
	point(d->b, q.x, q.y);
	buf_addf(d->b, "\"/>\n");
}

/* False: out of memory. */
static bool links(const struct drawing *d)
{
	uint32_t n = overlay_ncliques(d->o), degree = contract_degree(d->o);
	uint32_t *near = malloc(degree * sizeof *near);

	if (near == NULL)
		return false;
	for (uint32_t c = 0; c < n && (uint64_t)n * degree <= MOST_LINKS; c++) {
		contract_neighbours(d->o, c, near);
		for (uint32_t i = 0; i < degree; i++)
			if (near[i] > c)
				link(d, c, near[i]);
	}
	free(near);
	return true;
}

static void cliques(const struct drawing *d)
{
	for (uint32_t c = 0; c < overlay_ncliques(d->o); c++) {
		struct layout_point p = layout_clique(&d->l, d->o, c);
		buf_addf(d->b, "<circle class=\"clique\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>"
			       "ring %" PRIu32 ", clique %" PRIu32 "</title></circle>\n",
			 p.x, p.y, d->l.clique, c / d->o->length, c % d->o->length);
	}
}

/* Draws a node: a circle for an STE, a square for a counter. */
static void node(const struct drawing *d, struct layout_point p, bool counter, double radius,
		 const char *attributes)
{
	if (counter)
		buf_addf(d->b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>",
			 p.x - radius, p.y - radius, 2 * radius, 2 * radius, attributes);
	else
		buf_addf(d->b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", p.x, p.y, radius,
			 attributes);
}

/* Draws the nodes that no state is on. False: out of memory. */
static bool unused(const struct drawing *d)
{
	uint32_t n = overlay_nall(d->o);
	bool *used = calloc(n, sizeof *used);

	if (used == NULL)
		return false;
	for (uint32_t i = 0; i < d->im->nfa.nstates; i++)
		used[d->im->nfa.states[i].node] = true;
	for (uint32_t i = 0; i < n; i++)
		if (!used[i]) {
			node(d, layout_node(&d->l, d->o, i), i >= overlay_nste(d->o),
			     d->l.node * 0.6, "class=\"unused\"");
			buf_addf(d->b, "\n");
		}
	free(used);
	return true;
}

/* ---- edges ---- */

/* Returns the point on the border of a node at p, towards `to`. */
static struct layout_point border(const struct drawing *d, struct layout_point p,
				  struct layout_point to, double gap)
{
	double dx = to.x - p.x, dy = to.y - p.y, far = sqrt(dx * dx + dy * dy);
	double k = far == 0 ? 0 : (d->l.node + gap) / far;

	return (struct layout_point){ p.x + dx * k, p.y + dy * k };
}

/* Returns a direction, as a unit vector, that leads away from a node's clique: that from the
 * clique's centre to the node, turned by `turn` of a whole turn. For a node in the centre of its
 * clique it is the direction from the drawing's centre, turned likewise. */
static struct layout_point outward(const struct drawing *d, uint32_t at, double turn)
{
	struct layout_point p = layout_node(&d->l, d->o, at);
	struct layout_point c = layout_clique(&d->l, d->o, contract_clique_of(d->o, at));
	double dx = p.x - c.x, dy = p.y - c.y, far = sqrt(dx * dx + dy * dy);
	double s = sin(2 * 3.14159265358979323846 * turn), k = sqrt(1 - s * s);

	if (far < 1) {
		dx = c.x;
		dy = c.y - (c.x == 0 && c.y == 0);
		far = sqrt(dx * dx + dy * dy);
	}
	return (struct layout_point){ (dx * k - dy * s) / far, (dx * s + dy * k) / far };
}

static void loop(const struct drawing *d, size_t state, const char *class)
{
	struct layout_point p = place(d, state);
	uint32_t at = d->im->nfa.states[state].node;
	struct layout_point u = outward(d, at, -0.08), v = outward(d, at, 0.08);
	double r = d->l.node, far = 3 * r;

	buf_addf(d->b, "<path class=\"%s\" id=\"e%zu-%zu\" d=\"M", class, state, state);
	point(d->b, p.x + u.x * r, p.y + u.y * r);
	buf_addf(d->b, "C");
	point(d->b, p.x + u.x * far, p.y + u.y * far);
	buf_addf(d->b, " ");
	point(d->b, p.x + v.x * far, p.y + v.y * far);
	buf_addf(d->b, " ");
	point(d->b, p.x + v.x * (r + 2), p.y + v.y * (r + 2));
	buf_addf(d->b, "\"/>\n");
}

/* Draws an edge as an arrow, bent so that the edge in the other direction is beside it. */
static void edge(const struct drawing *d, size_t from, size_t to, const char *class)
{
	struct layout_point p = place(d, from), q = place(d, to), middle;

	if (from == to) {
		loop(d, from, class);
		return;
	}
	middle.x = (p.x + q.x) / 2 - (q.y - p.y) * 0.14;
	middle.y = (p.y + q.y) / 2 + (q.x - p.x) * 0.14;
	p = border(d, p, middle, 0);
	q = border(d, q, middle, 2);
	buf_addf(d->b, "<path class=\"%s\" id=\"e%zu-%zu\" d=\"M", class, from, to);
	point(d->b, p.x, p.y);
	buf_addf(d->b, "Q");
	point(d->b, middle.x, middle.y);
	buf_addf(d->b, " ");
	point(d->b, q.x, q.y);
	buf_addf(d->b, "\"/>\n");
}

/* Draws the edges, and the links to counters. False: out of memory. */
static bool edges(const struct drawing *d)
{
	size_t n = 0;
	struct nfa_link *l = nfa_links(d->a, &n);

	for (size_t i = 0; i < d->a->edges.n; i++)
		edge(d, d->a->edges.at[i].from, d->a->edges.at[i].to, "edge");
	for (size_t i = 0; i < n && l != NULL; i++)
		edge(d, l[i].from, l[i].to, l[i].count ? "count" : "reset");
	free(l);
	return l != NULL;
}

/* ---- states ---- */

/* Appends what enters a state, such as `Any(cpu.MREQ_RLDD@6)`; or the counter that it is of. */
static void trigger(const struct drawing *d, size_t i, struct buf *b)
{
	const struct nfa_state *q = &d->a->states.at[i];

	if (q->kind == NFA_COUNTER)
		buf_addf(b, "counter %s at %" PRIu32, d->a->counters.at[q->counter].name,
			 d->a->counters.at[q->counter].k);
	else if (q->pred != PRED_NONE)
		pred_print(d->a->preds, q->pred, b);
	else
		buf_addf(b, "start");
}

/* Appends a line about a state, at most `most` bytes: its labels, and what enters it. */
static void describe(const struct drawing *d, size_t i, size_t most)
{
	const struct labelset *l = &d->a->labelsets.at[d->a->states.at[i].labels];
	uint32_t n = nfa_nlabels(d->a, d->a->states.at[i].labels);
	struct buf t = { 0 };

	for (uint32_t k = 0; k < n; k++)
		buf_addf(&t, "%s%s", k == 0 ? "[" : " ", d->a->spec->labels.at[l->labels[k]]);
	if (n != 0)
		buf_addf(&t, "] ");
	trigger(d, i, &t);
	if (t.at != NULL)
		text(d->b, t.at, t.n, most);
	d->b->failed |= t.failed;
	buf_free(&t);
}

/* Draws the arrow that shows that a state is active at the start, or may become active always. */
static void entry(const struct drawing *d, size_t i, bool always)
{
	struct layout_point p = place(d, i), u = outward(d, d->im->nfa.states[i].node, 0.16);
	double r = d->l.node;

	buf_addf(d->b, "<path class=\"entry\" d=\"M");
	point(d->b, p.x + u.x * 2.1 * r, p.y + u.y * 2.1 * r);
	buf_addf(d->b, "L");
	point(d->b, p.x + u.x * (r + 2), p.y + u.y * (r + 2));
	buf_addf(d->b, "\"/>");
	if (always)
		buf_addf(d->b, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>",
			 p.x + u.x * 2.1 * r, p.y + u.y * 2.1 * r);
}

/* Draws the shape of a state: with a second border if it accepts, in the colour of its first label;
 * grey if it logs. */
static void shape(const struct drawing *d, size_t i, struct layout_point p)
{
	const struct nfa_state *q = &d->a->states.at[i];
	const struct labelset *l = &d->a->labelsets.at[q->labels];
	char attributes[120];

	if (nfa_nlabels(d->a, q->labels) != 0) {
		const char *c = colour(l->labels[0]);
		snprintf(attributes, sizeof attributes, "class=\"state\" stroke=\"%s\"", c);
		node(d, p, q->kind == NFA_COUNTER, d->l.node, attributes);
		snprintf(attributes, sizeof attributes,
			 "fill=\"%s\" fill-opacity=\"0.25\" stroke=\"%s\"", c, c);
		node(d, p, q->kind == NFA_COUNTER, d->l.node - 2.5, attributes);
	} else {
		node(d, p, q->kind == NFA_COUNTER, d->l.node,
		     q->log ? "class=\"state log\"" : "class=\"state\"");
	}
}

static void state(const struct drawing *d, size_t i)
{
	const struct nfa_state *q = &d->a->states.at[i];
	struct layout_point p = place(d, i);

	buf_addf(d->b, "<g id=\"s%zu\">", i);
	if (q->start || q->always)
		entry(d, i, q->always);
	shape(d, i, p);
	buf_addf(d->b, "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%zu</text><title>state %zu on "
		       "node %" PRIu32 ": ",
		 p.x, p.y + 3.2, i, i, d->im->nfa.states[i].node);
	describe(d, i, SIZE_MAX);
	buf_addf(d->b, "</title></g>\n");
}

/* ---- around the rings ---- */

/* Returns the height of the list of states. */
static double list_height(const struct drawing *d)
{
	return ROW * (double)d->a->states.n;
}

/* Has the list of states room inside the first ring? */
static bool list_inside(const struct drawing *d)
{
	double room = d->l.inner - d->l.clique - 10, w = TABLE / 2, h = list_height(d) / 2;

	return room > 0 && w * w + h * h < room * room;
}

/* Lists the states inside the rings or beside them. */
static void list(const struct drawing *d)
{
	bool inside = list_inside(d);
	double x = inside ? -TABLE / 2 + 10 : d->l.half + 8;
	double y = inside ? ROW * 0.7 - list_height(d) / 2 : ROW - d->l.half;

	for (size_t i = 0; i < d->a->states.n; i++, y += ROW) {
		buf_addf(d->b, "<text class=\"row\" x=\"%.1f\" y=\"%.1f\"><tspan "
			       "font-weight=\"bold\">%zu</tspan></text>"
			       "<text class=\"row\" x=\"%.1f\" y=\"%.1f\">",
			 x, y, i, x + 30, y);
		describe(d, i, MOST_TEXT);
		buf_addf(d->b, "</text>\n");
	}
}

/* Says below the rings what the signs mean. */
static void legend(const struct drawing *d)
{
	double x = -d->l.half + 24, y = d->l.half + 14;

	buf_addf(d->b, "<g class=\"row\"><path class=\"entry\" d=\"M");
	point(d->b, x, y);
	buf_addf(d->b, "h14\"/><text x=\"%.1f\" y=\"%.1f\">start</text>", x + 22, y + 4);
	buf_addf(d->b, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>"
		       "<path class=\"entry\" d=\"M", x + 70, y);
	point(d->b, x + 70, y);
	buf_addf(d->b, "h14\"/><text x=\"%.1f\" y=\"%.1f\">always</text>"
		       "<circle class=\"state log\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>"
		       "<text x=\"%.1f\" y=\"%.1f\">logs</text>",
		 x + 92, y + 4, x + 150, y, x + 162, y + 4);
	if (d->a->counters.n != 0) {
		buf_addf(d->b, "<path class=\"count\" d=\"M");
		point(d->b, x + 200, y);
		buf_addf(d->b, "h18\"/><text x=\"%.1f\" y=\"%.1f\">counts</text>"
			       "<path class=\"reset\" d=\"M", x + 224, y + 4);
		point(d->b, x + 272, y);
		buf_addf(d->b, "h18\"/><text x=\"%.1f\" y=\"%.1f\">resets</text>", x + 296, y + 4);
	}
	buf_addf(d->b, "</g>\n");
	y += 22;
	for (uint32_t i = 0; i < d->im->labels.n && x < d->l.half - 60; i++) {
		buf_addf(d->b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"%s\" "
			       "fill-opacity=\"0.25\" stroke=\"%s\"/><text class=\"row\" "
			       "x=\"%.1f\" y=\"%.1f\">",
			 x, y, colour(i), colour(i), x + 12, y + 4);
		text(d->b, d->im->labels.names[i], strlen(d->im->labels.names[i]), SIZE_MAX);
		buf_addf(d->b, "</text>\n");
		x += 34 + 7 * (double)strlen(d->im->labels.names[i]);
	}
}

static void head(const struct drawing *d, double width, double height)
{
	const struct overlay *o = d->o;
	uint32_t counters = overlay_ncounters(o);

	/* REUSE-IgnoreStart: this line is for the generated file and not for this one. */
	buf_addf(d->b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		       "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n");
	/* REUSE-IgnoreEnd */
	buf_addf(d->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		       "viewBox=\"%.1f %.1f %.1f %.1f\" font-family=\"sans-serif\">\n",
		 width, height, -d->l.half, -d->l.half - TOP, width, height);
	buf_addf(d->b, "<style>\n"
		       ".link{stroke:#e4e4e4;stroke-width:5;fill:none}\n"
		       ".clique{fill:#fafafa;stroke:#cccccc}\n"
		       ".unused{fill:#ffffff;stroke:#d5d5d5}\n"
		       ".state{fill:#ffffff;stroke-width:1.4}\n"
		       ".state:not([stroke]){stroke:#333333}\n"
		       ".log{fill:#dddddd}\n"
		       ".edge,.count,.reset,.entry{stroke:#333333;stroke-width:1.2;fill:none;"
		       "marker-end:url(#arrow)}\n"
		       ".count,.reset{stroke-dasharray:4 3}\n.reset{marker-end:url(#bar)}\n"
		       ".dot{fill:#333333}\n"
		       ".number{font-size:9px;text-anchor:middle}\n.row{font-size:11px}\n"
		       "</style>\n<defs>"
		       "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" "
		       "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
		       "<path d=\"M0 0.8L8 4L0 7.2z\" fill=\"#333333\"/></marker>"
		       "<marker id=\"bar\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" "
		       "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
		       "<path d=\"M3 0h2v8h-2z\" fill=\"#333333\"/></marker></defs>\n");
	buf_addf(d->b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"100%%\" height=\"100%%\" "
		       "fill=\"#ffffff\"/>\n", -d->l.half, -d->l.half - TOP);
	buf_addf(d->b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\">%" PRIu32
		       " states on %" PRIu32 " STEs",
		 12 - d->l.half, 26 - d->l.half - TOP, d->im->nfa.nstates, overlay_nste(o));
	if (counters != 0)
		buf_addf(d->b, " and %" PRIu32 " counters", counters);
	buf_addf(d->b, ": overlay %" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ", protocol ",
		 o->clique, o->length, o->rings, o->reach);
	text(d->b, d->im->proto->name, strlen(d->im->proto->name), SIZE_MAX);
	buf_addf(d->b, "</text>\n");
}

/* Draws everything. False: out of memory. */
static bool draw(const struct drawing *d)
{
	bool listed = d->a->states.n <= MOST_ROWS, ok;
	double width = 2 * d->l.half, height = 2 * d->l.half + TOP + LEGEND;
	double rows = TOP + list_height(d) + 2 * ROW;

	if (listed && !list_inside(d)) {
		width += TABLE;
		height = rows > height ? rows : height;
	}
	if (width < TABLE)
		width = TABLE;
	head(d, width, height);
	ok = links(d);
	cliques(d);
	ok = ok && unused(d) && edges(d);
	for (size_t i = 0; i < d->a->states.n; i++)
		state(d, i);
	if (listed)
		list(d);
	legend(d);
	buf_addf(d->b, "</svg>\n");
	return ok;
}

void emit_svg(const struct nfart_image *im, struct buf *b)
{
	struct spec s;
	struct nfa a;
	struct drawing d = { .b = b, .im = im, .o = &im->overlay, .a = &a,
			     .l = layout_of(&im->overlay) };

	if (!inspect_nfa(im, NULL, &s, &a) || !draw(&d))
		b->failed = true;
	nfa_free(&a);
	spec_free(&s);
}
