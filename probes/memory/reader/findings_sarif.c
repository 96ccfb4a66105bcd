/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <string.h>

#include "probes/memory/reader/findings_form.h"
#include "probes/memory/reader/report.h"
#include "support/json.h"

/* The stacks of a finding, in the order in which they are written. */
struct stacks {
	struct frames part[FINDING_PARTS];
};

static void add_text(struct buf *b, const char *name, const char *text)
{
	buf_addf(b, ",\"%s\":{\"text\":", name);
	json_put_string(b, text);
	buf_addf(b, "}");
}

/* What is said of the frames of a part. Appends the text to b. */
static void print_part(struct buf *b, const struct finding *f, enum finding_part part)
{
	const struct message *m = part == FINDING_BEFORE ? f->before : f->message;

	if (part == FINDING_FREED)
		buf_addf(b, "freed");
	else if (part == FINDING_ALLOCATED)
		buf_addf(b, "allocated");
	else if (m != NULL)
		buf_addf(b, "%s%s, thread %" PRIu32, part == FINDING_BEFORE ? "before: " : "",
			 report_kind(m), m->thread);
}

static bool has_source(const struct frame *f)
{
	return f->file != NULL && f->line != 0;
}

/* Appends a location: {...}. With a message, if it is not empty. */
static void add_location(struct buf *b, const struct frame *f, const char *message)
{
	buf_addf(b, "{\"physicalLocation\":{");
	if (has_source(f)) {
		sarif_artifact(b, f->folder, f->file);
		buf_addf(b, ",\"region\":{\"startLine\":%d},", f->line);
	}
	buf_addf(b, "\"address\":{\"relativeAddress\":%" PRIu64 ",\"kind\":\"instruction\"}}",
		 f->at);
	if (f->function != NULL) {
		buf_addf(b, ",\"logicalLocations\":[{\"fullyQualifiedName\":");
		json_put_string(b, f->function);
		buf_addf(b, ",\"kind\":\"function\"}]");
	}
	if (message[0] != 0)
		add_text(b, "message", message);
	buf_addf(b, "}");
}

/* The frame that stands for a stack: the innermost one with a source; else the innermost one. */
static const struct frame *best_of(const struct frames *frames)
{
	for (size_t i = 0; i < frames->list.n; i++)
		if (has_source(&frames->list.at[i]))
			return &frames->list.at[i];
	return frames->list.n > 0 ? &frames->list.at[0] : NULL;
}

/* Appends the location of a part, behind `comma`, wrapped in `open` and `close`. */
static bool add_part(struct buf *b, const struct stacks *s, const struct finding *f,
		     enum finding_part part, const char *open, const char *close)
{
	const struct frame *best = best_of(&s->part[part]);
	struct buf message = { 0 };

	if (best == NULL)
		return false;
	print_part(&message, f, part);
	buf_addf(b, "%s", open);
	add_location(b, best, message.at != NULL ? message.at : "");
	buf_addf(b, "%s", close);
	b->failed |= message.failed;
	buf_free(&message);
	return true;
}

static void add_stack(struct buf *b, const struct frames *frames, const struct message *m,
		      const char *message)
{
	buf_addf(b, "{\"message\":{\"text\":");
	json_put_string(b, message);
	buf_addf(b, "},\"frames\":[");
	for (size_t i = 0; i < frames->list.n; i++) {
		const struct frame *f = &frames->list.at[i];

		buf_addf(b, "%s{\"location\":", i > 0 ? "," : "");
		add_location(b, f, "");
		if (f->module != NULL)
			json_member(b, "module", f->module);
		if (m != NULL)
			buf_addf(b, ",\"threadId\":%" PRIu32, m->thread);
		buf_addf(b, "}");
	}
	buf_addf(b, "]}");
}

static void add_stacks(struct buf *b, const struct stacks *s, const struct finding *f)
{
	const char *comma = "";

	buf_addf(b, ",\"stacks\":[");
	for (unsigned i = 0; i < FINDING_PARTS; i++) {
		const struct message *m = i == FINDING_ACCESS ? f->message
					  : i == FINDING_BEFORE ? f->before : NULL;
		struct buf message = { 0 };

		if (s->part[i].list.n == 0)
			continue;
		print_part(&message, f, (enum finding_part)i);
		buf_addf(b, "%s", comma);
		add_stack(b, &s->part[i], m, message.at != NULL ? message.at : "");
		buf_free(&message);
		comma = ",";
	}
	buf_addf(b, "]");
}

/*
 * Appends the order of what happened as a code flow: for a race a flow for each thread; else
 * allocation, free and access, as far as they are known.
 */
static void add_flows(struct buf *b, const struct stacks *s, const struct finding *f)
{
	static const enum finding_part order[] = { FINDING_ALLOCATED, FINDING_FREED,
						   FINDING_ACCESS };
	const char *open = "{\"location\":";

	buf_addf(b, ",\"codeFlows\":[{\"threadFlows\":[{\"locations\":[");
	if (s->part[FINDING_BEFORE].list.n > 0) {
		add_part(b, s, f, FINDING_BEFORE, open, "}");
		buf_addf(b, "]},{\"locations\":[");
		add_part(b, s, f, FINDING_ACCESS, open, "}");
	} else {
		for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
			if (add_part(b, s, f, order[i], open, "}"))
				open = ",{\"location\":";
	}
	buf_addf(b, "]}]}]");
}

static void add_related(struct buf *b, const struct stacks *s, const struct finding *f)
{
	const char *comma = "";

	buf_addf(b, ",\"relatedLocations\":[");
	for (unsigned i = f->leak != NULL ? FINDING_PARTS : FINDING_BEFORE; i < FINDING_PARTS; i++)
		if (add_part(b, s, f, (enum finding_part)i, comma, ""))
			comma = ",";
	buf_addf(b, "]");
}

static const char *level_of(const struct finding *f)
{
	if (f->leak != NULL)
		return f->leak->state == MEM_LEAK_REACHABLE ? "note"
		       : f->leak->state == MEM_LEAK_POSSIBLE ? "warning" : "error";
	return f->check == NULL || strcmp(f->check, "uninitialised") == 0 ? "warning" : "error";
}

/* Appends rule and message. A label of a check is below the rule of the check. */
static void add_head(struct buf *b, struct memory *memory, const struct finding *f)
{
	struct buf rule = { 0 }, line = { 0 };

	buf_addf(&rule, "%s%s%s", f->check != NULL ? f->check : "",
		 f->check != NULL && f->label != NULL ? "/" : "", f->label != NULL ? f->label : "");
	report_line(&line, memory, f);
	buf_addf(b, "{\"ruleId\":");
	json_put_string(b, rule.at != NULL ? rule.at : "");
	json_member(b, "level", level_of(f));
	add_text(b, "message", line.at != NULL ? line.at : "");
	b->failed |= rule.failed || line.failed;
	buf_free(&rule);
	buf_free(&line);
}

void findings_sarif(struct buf *b, struct memory *memory, const struct finding *f)
{
	const enum finding_part own = f->leak != NULL ? FINDING_ALLOCATED : FINDING_ACCESS;
	struct stacks s = { 0 };

	for (unsigned i = 0; i < FINDING_PARTS; i++)
		b->failed |= !finding_frames(&s.part[i], memory, f, (enum finding_part)i);
	add_head(b, memory, f);
	buf_addf(b, ",\"locations\":[");
	if (best_of(&s.part[own]) != NULL)
		add_location(b, best_of(&s.part[own]), "");
	buf_addf(b, "]");
	if (best_of(&s.part[own]) != NULL) {
		add_stacks(b, &s, f);
		add_flows(b, &s, f);
		add_related(b, &s, f);
	}
	if (f->process != 0)
		buf_addf(b, ",\"properties\":{\"process\":%" PRIu32 "}", f->process);
	buf_addf(b, "}");
	for (unsigned i = 0; i < FINDING_PARTS; i++)
		frames_free(&s.part[i]);
}
