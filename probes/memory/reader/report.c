/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/report.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "probes/memory/reader/frames.h"
#include "probes/memory/reader/lines.h"

/* The text for a message, by its opcode. */
static const char *const kinds[MEM_EVENTS] = {
	[MEM_LOAD] = "load", [MEM_SAVE] = "store", [MEM_BOTH] = "load and store",
	[MEM_COPY] = "copy", [MEM_STORE] = "block store", [MEM_FETCH] = "block fetch",
	[MEM_FILL] = "fill", [MEM_MALLOC] = "malloc", [MEM_CALLOC] = "calloc",
	[MEM_REALLOC] = "realloc", [MEM_FREE] = "free", [MEM_MMAP] = "mmap",
	[MEM_MREMAP] = "mremap", [MEM_MUNMAP] = "munmap", [MEM_LOCK] = "lock",
	[MEM_UNLOCK] = "unlock", [MEM_INIT] = "initialise lock",
	[MEM_DESTROY] = "destroy lock", [MEM_THREAD] = "new thread", [MEM_EXIT] = "end of thread",
	[MEM_JOIN] = "join",
	[MEM_BEGIN] = "begin", [MEM_END] = "end", [MEM_FORK] = "fork", [MEM_EXEC] = "exec"
};

/*
 * Writes the name of a place. That of a block ends with the source of the call that allocated it.
 */
static void print_name(struct buf *b, struct memory *memory, const struct place *p, bool gone)
{
	char name[LINES_MOST_NAME];
	const size_t n = lines_place_name(memory->names, p, gone, name);
	struct frames frames = { 0 };

	if (p->number == 0) {
		buf_addf(b, "%s", name);
		return;
	}
	buf_addf(b, "%.*s", (int)n - 1, name);
	if (frames_add(&frames, memory->names, p->pc, true))
		frames_print_source(b, &frames.list.at[0]);
	else
		b->failed = true;
	buf_addf(b, ">");
	frames_free(&frames);
}

static void print_place(struct buf *b, struct memory *memory, const struct message *m)
{
	if (m->place == NULL)
		return;
	buf_addf(b, ", ");
	print_name(b, memory, m->place, m->gone);
	if (m->place->kind == PLACE_REGION && m->place->bytes == 0)
		return;
	/* The offset is negative if an access begins in the gap before its block. */
	buf_addf(b, "%+" PRId64, (int64_t)(m->address - m->place->at));
	if (m->kind < MEM_MALLOC && m->place->kind != PLACE_REGION &&
	    m->address - m->place->at + m->bytes > m->place->bytes)
		buf_addf(b, " of %" PRIu64, m->place->bytes);
}

/* Writes the innermost frame of an instruction. `after`: the address is the one after a call. */
static void print_code(struct buf *b, struct memory *memory, uint64_t pc, bool after)
{
	struct frames frames = { 0 };

	buf_addf(b, ", by ");
	if (frames_add(&frames, memory->names, pc, after))
		frames_print(b, &frames.list.at[0]);
	else
		b->failed = true;
	frames_free(&frames);
}

const char *report_kind(const struct message *m)
{
	return kinds[m->kind];
}

static void print_bytes(struct buf *b, uint64_t bytes)
{
	buf_addf(b, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
}

/* Says where on a stack an access of `bytes` bytes is. */
static void print_local(struct buf *b, const struct finding_local *l, uint64_t bytes)
{
	const struct variable *x = l->variable;
	const char *slash = x != NULL && x->file != NULL ? strrchr(x->file, '/') : NULL;

	buf_addf(b, ", ");
	if (l->what == FINDING_BEYOND)
		print_bytes(b, (uint64_t)(l->offset - (x->high - x->low)) + bytes);
	else if (l->what == FINDING_UNDER || l->what == FINDING_BELOW)
		print_bytes(b, (uint64_t)-l->offset);
	buf_addf(b, "%s", (const char *const[]){ [FINDING_BEYOND] = " past the end of ",
						 [FINDING_UNDER] = " before ",
						 [FINDING_SCOPE] = "after the scope of ",
						 [FINDING_RETURN] = "over the return address",
						 [FINDING_BELOW] = " below the stack" }[l->what]);
	if (x != NULL)
		buf_add_shown(b, x->name, strlen(x->name));
	buf_addf(b, " of ");
	buf_add_shown(b, l->function, strlen(l->function));
	if (x != NULL && x->file != NULL && x->line != 0) {
		slash = slash != NULL ? slash + 1 : x->file;
		buf_addf(b, " (");
		buf_add_shown(b, slash, strlen(slash));
		buf_addf(b, ":%d)", x->line);
	}
}

/* Writes what was done. If a function freed what another kind made, writes both kinds. */
static void print_kind(struct buf *b, const struct message *m)
{
	static const char *const makes[MEM_MAKERS] = { "malloc", "new", "new[]" };
	static const char *const frees[MEM_MAKERS] = { "free", "delete", "delete[]" };
	const unsigned pair = m->freed - MEM_FREED_MISMATCHED;

	if (pair < MEM_MAKERS * MEM_MAKERS)
		buf_addf(b, "%s of what %s made", frees[pair % MEM_MAKERS],
			 makes[pair / MEM_MAKERS]);
	else
		buf_addf(b, "%s", kinds[m->kind]);
}

static void print_message(struct buf *b, struct memory *memory, const struct message *m,
			  const struct finding_local *local)
{
	print_kind(b, m);
	if (m->kind < MEM_FREE) {
		buf_addf(b, " of ");
		print_bytes(b, m->bytes);
	}
	if (local != NULL)
		print_local(b, local, m->bytes);
	print_place(b, memory, m);
	if (m->pc != 0)
		print_code(b, memory, m->pc, m->kind > MEM_BOTH);
	buf_addf(b, ", thread %" PRIu32, m->thread);
}

static void print_blocks(struct buf *b, uint64_t bytes, uint64_t blocks)
{
	buf_addf(b, "%" PRIu64 " byte%s in %" PRIu64 " block%s", bytes, bytes == 1 ? "" : "s",
		 blocks, blocks == 1 ? "" : "s");
}

static void print_leak(struct buf *b, struct memory *memory, const struct finding_leak *l)
{
	static const char *const states[MEM_LEAK_KINDS] = {
		[MEM_LEAK_LOST] = "lost", [MEM_LEAK_INDIRECT] = "lost",
		[MEM_LEAK_POSSIBLE] = "possibly lost: only pointers to the inside are left",
		[MEM_LEAK_REACHABLE] = "still reachable"
	};
	print_blocks(b, l->bytes, l->blocks);
	if (l->more_blocks > 0) {
		buf_addf(b, ", and ");
		print_blocks(b, l->more_bytes, l->more_blocks);
		buf_addf(b, " that only they lead to,");
	}
	buf_addf(b, " %s %s, ", l->blocks + l->more_blocks == 1 ? "is" : "are", states[l->state]);
	print_name(b, memory, l->first, l->first->gone);
	print_code(b, memory, l->first->pc, true);
}

void report_line(struct buf *b, struct memory *memory, const struct finding *f)
{
	if (f->leak != NULL)
		print_leak(b, memory, f->leak);
	else if (f->message != NULL)
		print_message(b, memory, f->message, f->local);
	else
		buf_addf(b, "at the end");
	if (f->before != NULL) {
		buf_addf(b, "; before: ");
		print_message(b, memory, f->before, NULL);
	}
	if (f->process != 0)
		buf_addf(b, ", process %" PRIu32, f->process);
}

/* Writes the stack of a part, if it was recorded. The line has the first frame of an access. */
static void print_stack(struct buf *b, struct memory *memory, const struct finding *f,
			enum finding_part part)
{
	static const char *const parts[FINDING_PARTS] = { [FINDING_BEFORE] = "before",
							  [FINDING_FREED] = "freed",
							  [FINDING_ALLOCATED] = "allocated" };
	const size_t first = part <= FINDING_BEFORE;
	struct frames frames = { 0 };

	if (!finding_has_stack(f, part))
		return;
	b->failed |= !finding_frames(&frames, memory, f, part);
	if (frames.list.n > first && parts[part] != NULL)
		buf_addf(b, "  %s:\n", parts[part]);
	for (size_t i = first; i < frames.list.n; i++) {
		buf_addf(b, "    by ");
		frames_print(b, &frames.list.at[i]);
		buf_addf(b, "\n");
	}
	frames_free(&frames);
}

void report_text(struct buf *b, struct memory *memory, const struct finding *f)
{
	if (f->check != NULL && f->label != NULL)
		buf_addf(b, "%s (%s): ", f->check, f->label);
	else
		buf_addf(b, "%s: ", f->check != NULL ? f->check : f->label);
	report_line(b, memory, f);
	buf_addf(b, "\n");
	for (unsigned part = 0; part < FINDING_PARTS; part++)
		print_stack(b, memory, f, (enum finding_part)part);
}

void report_ignore(struct report_ignored *g, const char *pattern)
{
	if (g->n < REPORT_IGNORED)
		g->pattern[g->n++] = pattern;
}

static bool fits(const char *pattern, const char *name)
{
	return name != NULL && fnmatch(pattern, name, 0) == 0;
}

bool report_is_ignored(struct memory *memory, const struct report_ignored *g,
		       const struct message *m)
{
	const uint64_t pc = m->pc - (m->kind > MEM_BOTH);
	const struct names_module *module;
	struct frames frames = { 0 };
	const struct symbol *s;
	uint64_t offset;
	bool ignored = false;

	if (g->n == 0 || m->pc == 0)
		return false;
	s = names_find(memory->names, pc, &offset);
	module = names_module(memory->names, pc);
	/* If there is no memory, the innermost functions are missing. */
	(void)frames_add(&frames, memory->names, m->pc, m->kind > MEM_BOTH);
	for (unsigned i = 0; i < g->n && !ignored; i++) {
		ignored = (s != NULL && fits(g->pattern[i], s->name)) ||
			  (module != NULL && fits(g->pattern[i], module->file->base));
		for (size_t k = 0; k < frames.list.n && !ignored; k++)
			ignored = frames.list.at[k].inlined &&
				  fits(g->pattern[i], frames.list.at[k].linked);
	}
	frames_free(&frames);
	return ignored;
}
