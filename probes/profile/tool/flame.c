/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Each frame is an SVG group with a rectangle, a text and a tooltip. Attributes also hold the place
 * of the frame, as a fraction of the whole. The script computes new places from them when a frame
 * is widened. Frames narrower than NARROW pixels are left out.
 */
#include "probes/profile/tool/flame.h"

#include <stdlib.h>
#include <string.h>

#include "support/escape.h"

enum { ROW = 17, MARGIN = 10, ABOVE = 44, BELOW = 34, FONT = 12 };

#define NARROW 0.3
#define PER_LETTER 7.3 /* width of a letter at a size of FONT pixels */

/* What a frame belongs to. This chooses its colour. */
enum part { PART_PROGRAM, PART_KERNEL, PART_FIRMWARE, PART_UNKNOWN, PART_BOUNDARY };

static const char script[] =
	"var S=document.documentElement,G=[].slice.call(document.querySelectorAll('g.f')),"
	"W=+S.getAttribute('width')-20,C=7.3;\n"
	"function A(g,n){return +g.getAttribute(n)}\n"
	"function place(l,w){G.forEach(function(g){var a=(A(g,'data-x')-l)/w,s=A(g,'data-w')/w,"
	"b=Math.max(a,0),e=Math.min(a+s,1),t=g.querySelector('text'),r=g.querySelector('rect');"
	"if(e-b<=0){g.style.display='none';return}g.style.display='';"
	"r.setAttribute('x',10+b*W);r.setAttribute('width',Math.max((e-b)*W-0.5,0.1));"
	"t.setAttribute('x',13+b*W);var n=g.getAttribute('data-n'),k=Math.floor(((e-b)*W-6)/C);"
	"t.textContent=k<3?'':n.length<=k?n:n.slice(0,k-2)+'..'})}\n"
	"function find(q){var r=null,m=[];try{r=q?new RegExp(q):null}catch(e){}"
	"G.forEach(function(g){var h=r&&r.test(g.getAttribute('data-n'));"
	"g.querySelector('rect').classList.toggle('hit',!!h);"
	"if(h)m.push([A(g,'data-x'),A(g,'data-w')])});"
	"m.sort(function(a,b){return a[0]-b[0]||b[1]-a[1]});var s=0,u=0;"
	"m.forEach(function(x){if(x[0]>=u-1e-12){s+=x[1];u=x[0]+x[1]}});"
	"document.getElementById('found').textContent=r?'found: '+(100*s).toFixed(2)+' %':''}\n"
	"G.forEach(function(g){g.addEventListener('click',function(){"
	"place(A(g,'data-x'),A(g,'data-w'))});g.addEventListener('mouseover',function(){"
	"document.getElementById('what').textContent=g.querySelector('title').textContent})});\n"
	"document.getElementById('all').addEventListener('click',function(){place(0,1)});\n"
	"document.getElementById('search').addEventListener('click',function(){"
	"find(prompt('Search for functions (a regular expression):')||'')});\n"
	"document.addEventListener('keydown',function(e){if((e.ctrlKey||e.metaKey)&&e.key=='f'){"
	"e.preventDefault();find(prompt('Search for functions (a regular expression):')||'')}"
	"if(e.key=='Escape'){place(0,1);find('')}});\n";

/* A colour of the part. It varies a little with the name. */
static void colour_frame(struct buf *b, enum part part, const char *name)
{
	static const unsigned hue[] = { 30, 210, 120, 0, 0 }, saturation[] = { 85, 60, 45, 0, 0 },
			      light[] = { 62, 70, 65, 78, 55 };
	unsigned h = 0;

	for (const char *s = name; *s != 0; s++)
		h = h * 31 + (unsigned char)*s;
	buf_addf(b, "hsl(%u,%u%%,%u%%)",
		 (hue[part] + (part == PART_PROGRAM ? h % 25 : h % 20) + 350) % 360,
		 saturation[part], light[part] + (h >> 8) % 10);
}

static enum part part_of(const char *name, enum part above)
{
	if (strcmp(name, "[kernel]") == 0 || strcmp(name, "[interrupt]") == 0 ||
	    strcmp(name, "[firmware]") == 0 || strcmp(name, "[signal]") == 0)
		return PART_BOUNDARY;
	return name[0] == '[' ? PART_UNKNOWN : above;
}

struct frame {
	uint32_t node, next;
	double left;        /* in cycles */
	enum part inside;   /* the part of the frames around this one */
};

struct flame {
	const struct profile_view *v;
	const uint64_t *below;
	enum print_unit unit;
	double whole, width;
	size_t rows;
	struct buf *b;
};

/* Returns how many bytes the first `letters` characters of the name have. */
static size_t first_letters(const char *name, size_t letters)
{
	size_t n = strlen(name), at = 0;

	for (; letters != 0 && at < n; letters--) {
		size_t len = buf_utf8(name + at, n - at);
		at += len != 0 ? len : 1;
	}
	return at;
}

static void draw_frame(const struct flame *f, uint32_t i, double left, size_t depth, enum part part)
{
	const struct call_node *node = &f->v->tree.nodes.at[i];
	const char *name = f->v->names.at[node->function];
	double share = (double)f->below[i] / f->whole, x = left / f->whole;
	double wide = share * f->width;
	size_t letters = wide < 6 ? 0 : (size_t)((wide - 6) / PER_LETTER);
	size_t y = ABOVE + (f->rows - 1 - depth) * ROW;
	struct buf *b = f->b;

	buf_addf(b, "<g class=\"f\" data-x=\"%.9f\" data-w=\"%.9f\" data-n=\"", x, share);
	escape_xml(b, name, strlen(name));
	buf_addf(b, "\"><title>");
	escape_xml(b, name, strlen(name));
	buf_addf(b, ": %llu %s, %.2f %%, %llu calls</title>", (unsigned long long)f->below[i],
		 f->unit == PRINT_CYCLES ? "cycles" : "instructions", 100 * share,
		 (unsigned long long)node->calls);
	buf_addf(b, "<rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" height=\"%d\" fill=\"",
		 MARGIN + x * f->width, y, wide > 0.6 ? wide - 0.5 : 0.1, ROW - 1);
	colour_frame(b, part, name);
	buf_addf(b, "\"/><text x=\"%.2f\" y=\"%zu\">", MARGIN + 3 + x * f->width, y + ROW - 5);
	if (letters >= 3) {
		size_t shown = first_letters(name, letters);
		if (name[shown] != 0)
			shown = first_letters(name, letters - 2);
		escape_xml(b, name, shown);
		buf_addf(b, "%s", name[shown] != 0 ? ".." : "");
	}
	buf_addf(b, "</text></g>\n");
}

/* Goes through all frames that are wide enough, without recursion. Counts the rows, or draws. */
static bool walk_frames(struct flame *f, const struct profile_children *c, bool draw)
{
	struct frame *stack = malloc((f->v->tree.nodes.n + 1) * sizeof *stack);
	size_t depth = 1;

	if (stack == NULL)
		return false;
	stack[0] = (struct frame){ 0, c->first[0], 0, PART_PROGRAM };
	if (draw)
		draw_frame(f, 0, 0, 0, PART_UNKNOWN);
	while (depth > 0) {
		struct frame *top = &stack[depth - 1];
		const char *name;
		enum part part;
		uint32_t i;
		double left;

		if (top->next == c->first[top->node + 1]) {
			depth--;
			continue;
		}
		i = c->order[top->next++];
		left = top->left;
		top->left += (double)f->below[i];
		if ((double)f->below[i] / f->whole * f->width < NARROW)
			continue;
		name = f->v->names.at[f->v->tree.nodes.at[i].function];
		part = part_of(name, top->inside);
		if (draw)
			draw_frame(f, i, left, depth, part);
		if (f->rows < depth + 1)
			f->rows = depth + 1;
		stack[depth++] = (struct frame){
			i, c->first[i], left,
			strcmp(name, "[kernel]") == 0 ? PART_KERNEL
			: strcmp(name, "[firmware]") == 0 ? PART_FIRMWARE : top->inside
		};
	}
	free(stack);
	return true;
}

static void begin_flame(const struct flame *f, uint32_t width, const char *title)
{
	size_t height = ABOVE + f->rows * ROW + BELOW;
	struct buf *b = f->b;

	buf_addf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%zu\" "
		 "viewBox=\"0 0 %u %zu\">\n<style>text{font-family:monospace;font-size:%dpx;"
		 "fill:#000}.f{cursor:pointer}.f:hover rect{stroke:#000}.f text{pointer-events:none}"
		 ".b{cursor:pointer;fill:#00c}rect.hit{fill:#e3e}</style>\n",
		 width, height, width, height, FONT);
	buf_addf(b, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		 "<text x=\"50%%\" y=\"20\" text-anchor=\"middle\" style=\"font-size:16px\">");
	escape_xml(b, title, strlen(title));
	buf_addf(b, "</text>\n<text id=\"all\" class=\"b\" x=\"%d\" y=\"20\">all</text>\n"
		 "<text id=\"search\" class=\"b\" x=\"%u\" y=\"20\" text-anchor=\"end\">search</text>\n"
		 "<text id=\"found\" x=\"%u\" y=\"38\" text-anchor=\"end\"></text>\n"
		 "<text id=\"what\" x=\"%d\" y=\"%zu\"></text>\n", MARGIN, width - MARGIN,
		 width - MARGIN, MARGIN, height - 12);
}

void print_flame(const struct profile_view *v, const struct profile_children *c,
		 enum print_unit unit, uint32_t width, const char *title, struct buf *b)
{
	struct flame f = { .v = v, .unit = unit, .rows = 1, .b = b, .width = width - 2 * MARGIN };

	f.below = unit == PRINT_CYCLES ? v->cycles : v->instructions;
	f.whole = f.below[0] == 0 ? 1 : (double)f.below[0];
	if (!walk_frames(&f, c, false)) {
		b->failed = true;
		return;
	}
	begin_flame(&f, width, title);
	b->failed |= !walk_frames(&f, c, true);
	buf_addf(b, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
}
