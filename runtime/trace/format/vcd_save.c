/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes a save file for GTKWave, which says what GTKWave shows of a dump: a group for each slot,
 * with its type first, and the labels, pairs and variables of the trace that had a value. So a user
 * need not look for them among the declarations. A line that begins with `@` has the flags of the
 * lines that follow, in hexadecimal; GTKWave's manual has a table of them.
 */
#include <errno.h>
#include <string.h>

#include "runtime/trace/format/text.h"
#include "runtime/trace/format/vcd.h"

/* Flags of what follows. */
enum flags {
	SAVE_HEX = 0x22,
	SAVE_DECIMAL = 0x24,
	SAVE_BINARY = 0x28,
	SAVE_TEXT = 0x820,
	SAVE_CURVE = 0x8024,   /* a decimal number, drawn as a curve of steps */
	SAVE_ROOM = 0x20000,   /* a row that makes the curve above it higher */
	SAVE_OPEN = 0x800200,  /* the begin of a group, which is shown with all that is in it */
	SAVE_CLOSE = 0x1000200 /* the end of a group */
};

enum { FRAMES = 5 }; /* how many frames of 200 pixels a window has room for, about */

static void add_group(struct nfart_writer *w, enum flags flags, const char *name)
{
	buf_addf(&w->out, "@%x\n-", (unsigned)flags);
	vcd_add_name(&w->out, name);
	buf_add(&w->out, "\n", 1);
}

/* Appends variable i, if it is used. Its name is `of`_`name`, or `name` if `of` is NULL. */
static void add_signal(struct nfart_writer *w, enum flags flags, uint32_t i, const char *scope,
		       const char *of, const char *name)
{
	const struct vcd_variable *x = &((struct vcd *)w->state)->variables[i];

	if (!x->used || (x->kind == VECTOR && x->width == 0))
		return;
	if (x->kind == PULSE || x->width == 1)
		flags = SAVE_BINARY;
	buf_addf(&w->out, "@%x\n", (unsigned)flags);
	vcd_add_name(&w->out, w->proto->name);
	text_string(&w->out, ".");
	vcd_add_name(&w->out, scope);
	text_string(&w->out, ".");
	vcd_add_full_name(&w->out, of, name);
	if (x->kind == VECTOR && x->width > 1)
		buf_addf(&w->out, "[%u:0]", x->width - 1);
	buf_add(&w->out, "\n", 1);
}

static void add_labels(struct nfart_writer *w)
{
	const struct vcd *v = w->state;

	if (w->o.nlabels == 0)
		return;
	add_group(w, SAVE_OPEN, "labels");
	for (uint32_t l = 0; l < w->o.nlabels; l++) {
		const char *name = w->o.labels[l];
		uint32_t i = TRACE_VARIABLES + l * v->per_label;
		struct buf scope = { 0 };
		if (v->per_label == 1) {
			add_signal(w, SAVE_BINARY, i + ACCEPTED, "labels", NULL, name);
			continue;
		}
		buf_addf(&scope, "labels.%s", name);
		add_signal(w, SAVE_BINARY, i + ACCEPTED, scope.at, name, "accepted");
		add_signal(w, SAVE_DECIMAL, i + LINES, scope.at, name, "lines");
		add_signal(w, w->key != NULL ? SAVE_DECIMAL : SAVE_HEX, i + LINE, scope.at, name,
			   "line");
		w->out.failed |= scope.failed;
		buf_free(&scope);
	}
	add_group(w, SAVE_CLOSE, "labels");
}

static void add_slot(struct nfart_writer *w, uint32_t slot)
{
	const struct vcd *v = w->state;
	uint32_t i = vcd_slot(v, slot);
	char name[80];

	if (!v->variables[i + VALID].used)
		return;
	proto_slot_name(w->proto, slot, name);
	add_group(w, SAVE_OPEN, name);
	add_signal(w, SAVE_TEXT, i + MESSAGE_TYPE, name, name, "type");
	add_signal(w, SAVE_BINARY, i + VALID, name, name, "valid");
	add_signal(w, SAVE_HEX, i + ADDRESS, name, name, "address");
	for (uint32_t field = 0; field < w->proto->names.nfields; field++) {
		char field_name[VCD_FIELD_NAME];
		vcd_field_name(w->proto, field, field_name);
		add_signal(w, SAVE_DECIMAL, i + SLOT_VARIABLES + field, name, name, field_name);
	}
	add_signal(w, SAVE_HEX, i + HEADER, name, name, "header");
	add_group(w, SAVE_CLOSE, name);
}

static void add_pairs(struct nfart_writer *w)
{
	const struct vcd *v = w->state;
	bool used = false;

	for (uint32_t i = v->pairs; i < v->n; i++)
		used |= v->variables[i].used;
	if (!used)
		return;
	add_group(w, SAVE_OPEN, "pairs");
	for (uint32_t rule = 0; rule < w->proto->names.npairs; rule++) {
		const char *name = w->proto->names.pairs[rule].name;
		uint32_t i = v->pairs + rule * PAIR_VARIABLES;
		add_signal(w, SAVE_CURVE, i + LATENCY, "pairs", name, "latency");
		if (v->variables[i + LATENCY].used)
			buf_addf(&w->out, "@%x\n-\n", (unsigned)SAVE_ROOM);
		add_signal(w, SAVE_DECIMAL, i + OPEN, "pairs", name, "open");
	}
	add_group(w, SAVE_CLOSE, "pairs");
}

static void add_trace(struct nfart_writer *w)
{
	const struct vcd *v = w->state;
	bool used = false;

	for (uint32_t i = 0; i < TRACE_VARIABLES; i++)
		used |= v->variables[i].used;
	if (!used)
		return;
	add_group(w, SAVE_OPEN, "trace");
	for (uint32_t i = 0; i < TRACE_VARIABLES; i++)
		add_signal(w, SAVE_DECIMAL, i, "trace", NULL, vcd_trace_names[i]);
	add_group(w, SAVE_CLOSE, "trace");
}

/* Appends where the window begins, and its zoom: a frame is 2^zoom units of time. */
static void add_window(struct nfart_writer *w)
{
	const struct vcd *v = w->state;
	uint64_t first = 0, last = 0;
	unsigned zoom = 0;

	if (!vcd_time(w, v->first, &first) ||
	    !vcd_time(w, w->until > v->time ? w->until : v->time, &last))
		return;
	while (zoom < 60 && (last - first) >> zoom >= FRAMES)
		zoom++;
	text_string(&w->out, "[timestart] ");
	text_decimal(&w->out, first);
	buf_addf(&w->out, "\n[size] 1600 900\n[pos] -1 -1\n*-%u.000000 -1\n", zoom);
	text_string(&w->out, "[signals_width] 300\n[sst_expanded] 1\n");
}

void vcd_save(struct nfart_writer *w)
{
	if (w->save.f == NULL || w->error != 0)
		return;
	buf_addf(&w->out, "%s\n", WRITER_SAVE_BEGIN);
	/* GTKWave looks for the dump beside the save file if both have the same folder here. */
	if (strpbrk(w->save.of, "\"\r\n") == NULL)
		buf_addf(&w->out, "[dumpfile] \"/%s\"\n[savefile] \"/%s\"\n", w->save.of,
			 w->save.name);
	add_window(w);
	add_labels(w);
	add_pairs(w);
	for (uint32_t slot = 0; slot < w->proto->nslots; slot++)
		add_slot(w, slot);
	add_trace(w);
	if (w->out.failed)
		w->error = ENOMEM;
	else if (fwrite(w->out.at, 1, w->out.n, w->save.f) != w->out.n)
		w->error = errno != 0 ? errno : EIO;
	w->out.n = 0;
}
