/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/report.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

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

static void print_place(FILE *f, struct memory *memory, const struct message *m)
{
	char name[LINES_MOST_NAME];

	if (m->place == NULL)
		return;
	lines_place_name(memory->names, m->place, m->gone, name);
	if (m->place->kind == PLACE_REGION && m->place->bytes == 0) {
		fprintf(f, ", %s", name);
		return;
	}
	/* The offset is negative if an access begins in the gap before its block. */
	fprintf(f, ", %s%+" PRId64, name, (int64_t)(m->address - m->place->at));
	if (m->kind < MEM_MALLOC && m->place->kind != PLACE_REGION &&
	    m->address - m->place->at + m->bytes > m->place->bytes)
		fprintf(f, " of %" PRIu64, m->place->bytes);
}

/* Writes an instruction as its function and line. `after`: the address is the one after a call. */
static void print_function(FILE *f, struct memory *memory, uint64_t pc, bool after)
{
	char name[LINES_MOST_NAME];
	const char *path;
	uint64_t offset;
	int line;
	const struct symbol *s = names_find(memory->names, pc - after, &offset);

	if (s != NULL && s->code) {
		fprintf(f, "%s+%" PRIu64, names_readable(memory->names, s), offset + after);
	} else {
		lines_code_name(memory->names, pc, after, name);
		fputs(name, f);
	}
	if (names_line(memory->names, pc - after, &path, &line)) {
		const char *slash = strrchr(path, '/');

		fprintf(f, " (%s:%d)", slash != NULL ? slash + 1 : path, line);
	}
}

static void print_code(FILE *f, struct memory *memory, const struct message *m)
{
	if (m->pc == 0)
		return;
	fputs(", by ", f);
	print_function(f, memory, m->pc, m->kind > MEM_BOTH);
}

static bool is_main(struct memory *memory, uint64_t pc)
{
	uint64_t offset;
	const struct symbol *s = names_find(memory->names, pc, &offset);

	return s != NULL && strcmp(s->name, "main") == 0;
}

/* Writes the frames of a stack from number `first` on. */
static void print_stack(FILE *f, struct memory *memory, uint32_t stack, size_t first)
{
	size_t n;
	const uint64_t *pc = call_stacks_at(memory->stacks, stack, &n);

	for (size_t i = 0; i < n; i++) {
		if (i >= first) {
			fputs("    by ", f);
			print_function(f, memory, pc[i], true);
			fputc('\n', f);
		}
		if (is_main(memory, pc[i] - 1))
			return;
	}
}

static void print_part(FILE *f, struct memory *memory, const char *what, uint32_t stack,
		       size_t first)
{
	size_t n;

	call_stacks_at(memory->stacks, stack, &n);
	if (n <= first)
		return;
	fprintf(f, "  %s:\n", what);
	print_stack(f, memory, stack, first);
}

/* Writes the stacks of the calls that freed and allocated the block of a message. */
static void print_block_stacks(FILE *f, struct memory *memory, const struct message *m)
{
	if (m->place == NULL)
		return;
	if (m->gone)
		print_part(f, memory, "freed", m->place->freed, 0);
	print_part(f, memory, "allocated", m->place->stack, 0);
}

void report_stacks(FILE *f, struct memory *memory, const struct message *m)
{
	print_stack(f, memory, m->stack, 1);
	print_block_stacks(f, memory, m);
}

void report_block(FILE *f, struct memory *memory, const struct place *p)
{
	char name[LINES_MOST_NAME];

	lines_place_name(memory->names, p, p->gone, name);
	fprintf(f, ", %s, by ", name);
	print_function(f, memory, p->pc, true);
}

void report_block_stack(FILE *f, struct memory *memory, const struct place *p)
{
	print_part(f, memory, "allocated", p->stack, 0);
}

void report_race_stacks(FILE *f, struct memory *memory, const struct message *m,
			const struct message *before)
{
	print_stack(f, memory, m->stack, 1);
	print_part(f, memory, "before", before->stack, 1);
	print_block_stacks(f, memory, m);
}

void report_message(FILE *f, struct memory *memory, const struct message *m)
{
	fputs(kinds[m->kind], f);
	if (m->kind < MEM_FREE)
		fprintf(f, " of %" PRIu64 " byte%s", m->bytes, m->bytes == 1 ? "" : "s");
	print_place(f, memory, m);
	print_code(f, memory, m);
	fprintf(f, ", thread %u", m->thread);
}

void report_ignore(struct report_ignored *g, const char *pattern)
{
	if (g->n < REPORT_IGNORED)
		g->pattern[g->n++] = pattern;
}

bool report_is_ignored(struct memory *memory, const struct report_ignored *g,
		       const struct message *m)
{
	const uint64_t pc = m->pc - (m->kind > MEM_BOTH);
	const struct names_module *module;
	const struct symbol *s;
	uint64_t offset;

	if (g->n == 0 || m->pc == 0)
		return false;
	s = names_find(memory->names, pc, &offset);
	module = names_module(memory->names, pc);
	for (unsigned i = 0; i < g->n; i++)
		if ((s != NULL && fnmatch(g->pattern[i], s->name, 0) == 0) ||
		    (module != NULL && fnmatch(g->pattern[i], module->file->base, 0) == 0))
			return true;
	return false;
}
