/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>

#include "probes/memory/reader/findings_form.h"
#include "probes/memory/reader/lines.h"
#include "probes/memory/reader/report.h"
#include "support/json.h"

static void add_frame(struct buf *b, const struct frame *f)
{
	buf_addf(b, "{\"at\":%" PRIu64, f->at);
	if (f->function != NULL)
		json_member(b, "function", f->function);
	if (f->inlined)
		buf_addf(b, ",\"inlined\":true");
	else if (f->function != NULL)
		buf_addf(b, ",\"offset\":%" PRIu64, f->offset);
	if (f->module != NULL)
		json_member(b, "module", f->module);
	if (f->file != NULL && f->line != 0) {
		json_member(b, "file", f->file);
		if (f->folder != NULL && f->file[0] != '/')
			json_member(b, "folder", f->folder);
		buf_addf(b, ",\"line\":%d", f->line);
	}
	buf_addf(b, "}");
}

/* Appends the frames of a part as a member, if any are known. */
static void add_stack(struct buf *b, struct memory *memory, const struct finding *f,
		      enum finding_part part, const char *name)
{
	struct frames frames = { 0 };

	b->failed |= !finding_frames(&frames, memory, f, part);
	if (frames.list.n > 0)
		buf_addf(b, ",\"%s\":[", name);
	for (size_t i = 0; i < frames.list.n; i++) {
		if (i > 0)
			buf_addf(b, ",");
		add_frame(b, &frames.list.at[i]);
	}
	if (frames.list.n > 0)
		buf_addf(b, "]");
	frames_free(&frames);
}

/* Appends the members of an access or call. */
static void add_message(struct buf *b, const struct message *m)
{
	buf_addf(b, "\"kind\":");
	json_put_string(b, report_kind(m));
	if (m->kind < MEM_FREE)
		buf_addf(b, ",\"bytes\":%" PRIu64, m->bytes);
	buf_addf(b, ",\"thread\":%" PRIu32, m->thread);
}

static void add_leak(struct buf *b, const struct finding_leak *l)
{
	static const char *const states[MEM_LEAK_KINDS] = { [MEM_LEAK_LOST] = "lost",
							    [MEM_LEAK_INDIRECT] = "lost",
							    [MEM_LEAK_POSSIBLE] = "possible",
							    [MEM_LEAK_REACHABLE] = "reachable" };

	buf_addf(b, ",\"leak\":{\"state\":\"%s\",\"bytes\":%" PRIu64 ",\"blocks\":%" PRIu64,
		 states[l->state], l->bytes, l->blocks);
	buf_addf(b, ",\"more_bytes\":%" PRIu64 ",\"more_blocks\":%" PRIu64 "}", l->more_bytes,
		 l->more_blocks);
}

/* Appends the block or variable, and where in it the access is. */
static void add_place(struct buf *b, struct memory *memory, const struct finding *f)
{
	const struct place *p = finding_place(f);
	const bool gone = f->message != NULL && f->message->gone;
	char name[LINES_MOST_NAME];

	if (p == NULL)
		return;
	lines_place_name(memory->names, p, gone, name);
	buf_addf(b, ",\"block\":{\"name\":");
	json_put_string(b, name);
	if (p->bytes != 0 || p->number != 0)
		buf_addf(b, ",\"bytes\":%" PRIu64, p->bytes);
	if (f->message != NULL)
		buf_addf(b, ",\"offset\":%" PRId64, (int64_t)(f->message->address - p->at));
	buf_addf(b, ",\"gone\":%s}", gone ? "true" : "false");
}

/* Appends the variable on a stack. */
static void add_variable(struct buf *b, const struct finding_local *l)
{
	const struct variable *x = l->variable;

	buf_addf(b, ",\"variable\":{\"function\":");
	json_put_string(b, l->function);
	if (x != NULL) {
		json_member(b, "name", x->name);
		buf_addf(b, ",\"bytes\":%" PRId64 ",\"offset\":%" PRId64, x->high - x->low,
			 l->offset);
	}
	if (x != NULL && x->file != NULL && x->line != 0) {
		json_member(b, "file", x->file);
		buf_addf(b, ",\"line\":%d", x->line);
	}
	buf_addf(b, "}");
}

void findings_json(struct buf *b, struct memory *memory, const struct finding *f)
{
	struct buf line = { 0 };

	report_line(&line, memory, f);
	buf_addf(b, "{\"message\":");
	json_put_string(b, line.at != NULL ? line.at : "");
	b->failed |= line.failed;
	buf_free(&line);
	if (f->check != NULL)
		json_member(b, "check", f->check);
	if (f->label != NULL)
		json_member(b, "label", f->label);
	if (f->process != 0)
		buf_addf(b, ",\"process\":%" PRIu32, f->process);
	if (f->message != NULL) {
		buf_addf(b, ",\"access\":{");
		add_message(b, f->message);
		add_stack(b, memory, f, FINDING_ACCESS, "stack");
		buf_addf(b, "}");
	}
	if (f->before != NULL) {
		buf_addf(b, ",\"before\":{");
		add_message(b, f->before);
		add_stack(b, memory, f, FINDING_BEFORE, "stack");
		buf_addf(b, "}");
	}
	if (f->leak != NULL)
		add_leak(b, f->leak);
	if (f->local != NULL)
		add_variable(b, f->local);
	add_place(b, memory, f);
	add_stack(b, memory, f, FINDING_FREED, "freed");
	add_stack(b, memory, f, FINDING_ALLOCATED, "allocated");
	buf_addf(b, "}\n");
}
