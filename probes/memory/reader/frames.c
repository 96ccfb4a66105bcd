/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/frames.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

void frames_free(struct frames *f)
{
	vec_free(&f->list);
}

/* ---- what was asked for before ---- */

/* An instruction of a file, and where its frames are in `frames`. */
struct known {
	uint64_t at;
	size_t first, n;
};

struct frames_cache {
	struct frames frames; /* innermost first; without what is of the outermost function */
	VEC(struct known) known;
	struct hash_ids ids; /* indices in `known` */
};

void frames_forget(struct frames_cache *c)
{
	if (c == NULL)
		return;
	frames_free(&c->frames);
	vec_free(&c->known);
	hash_free(&c->ids);
	free(c);
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct frames_cache *c = ctx;

	return hash_add(0, c->known.at[id].at);
}

HASH_INLINE bool has_key(const void *ctx, uint32_t id, const void *key)
{
	const struct frames_cache *c = ctx;

	return c->known.at[id].at == *(const uint64_t *)key;
}

/* ---- functions that were inlined ---- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute at;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &at));
}

/* The name of a function: that of the linker, since it says more; else that of the source. */
static const char *function_of(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (name == NULL)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	if (name == NULL)
		name = text_of(die, DW_AT_name);
	return name;
}

/* Sets the place in *f to the call that an inlined function stands for. */
static void set_call(struct frame *f, Dwarf_Die *unit, Dwarf_Die *die)
{
	Dwarf_Attribute at;
	Dwarf_Files *files;
	Dwarf_Word file = 0, line = 0;
	size_t n;

	f->file = NULL;
	f->line = 0;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &at), &file) != 0 ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &at), &line) != 0 ||
	    line > INT32_MAX || dwarf_getsrcfiles(unit, &files, &n) != 0 || file >= n)
		return;
	f->file = dwarf_filesrc(files, file, NULL, NULL);
	f->line = (int)line;
}

/*
 * The scopes around an address of a unit, from the inside out, as they are nested in the code.
 * Returns how many; 0 or less: none are known. The caller frees *scopes.
 */
static int scopes_at(Dwarf_Die *unit, Dwarf_Addr at, Dwarf_Die **scopes)
{
	Dwarf_Die *found, innermost;

	*scopes = NULL;
	/* Behind the innermost inlined function, these are the scopes of its source. */
	if (dwarf_getscopes(unit, at, &found) <= 0)
		return 0;
	innermost = found[0];
	free(found);
	return dwarf_getscopes_die(&innermost, scopes);
}

/*
 * Appends a frame for each function that was inlined at an address of a module. *f has the line of
 * the instruction, and is left with that of the outermost call.
 */
static bool add_inlined(struct frames *list, struct names *n, Dwfl_Module *module, uint64_t at,
			struct frame *f)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(module, at, &bias), *scopes;
	bool fine = true;
	int count;

	if (unit == NULL)
		return true;
	count = scopes_at(unit, at - bias, &scopes);
	for (int i = 0; i < count && fine && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		f->inlined = true;
		f->linked = function_of(&scopes[i]);
		f->function = f->linked != NULL ? names_readable(n, f->linked) : NULL;
		fine = vec_push(&list->list, *f);
		set_call(f, unit, &scopes[i]);
	}
	free(scopes);
	return fine;
}

/* ---- the function whose code it is ---- */

/* A file's path already begins with the folder of its unit if the file has no folder of its own. */
static void drop_folder(struct frame *f)
{
	const size_t n = f->folder != NULL ? strlen(f->folder) : 0;

	if (n > 0 && f->file != NULL && strncmp(f->file, f->folder, n) == 0 && f->file[n] == '/')
		f->folder = NULL;
}

/* Sets the line of an instruction of a module. */
static void set_line(struct frame *f, Dwfl_Module *module, uint64_t at)
{
	Dwfl_Line *found = dwfl_module_getsrc(module, at);

	if (found == NULL)
		return;
	f->file = dwfl_lineinfo(found, NULL, &f->line, NULL, NULL, NULL);
	f->folder = dwfl_line_comp_dir(found);
}

/* Appends the frames of an instruction of a file to those that are known. */
static bool read_frames(struct frames_cache *c, struct names *n, Dwfl_Module *module, uint64_t at)
{
	struct frame f = { 0 };
	size_t first = c->frames.list.n;

	set_line(&f, module, at);
	if (!add_inlined(&c->frames, n, module, at, &f))
		return false;
	f.inlined = false;
	if (!vec_push(&c->frames.list, f))
		return false;
	for (; first < c->frames.list.n; first++)
		drop_folder(&c->frames.list.at[first]);
	return true;
}

/* The frames of an instruction of a file. Returns NULL if there is no memory. */
static const struct known *find_frames(struct names *n, struct names_file *file, uint64_t at)
{
	struct frames_cache *c = file->frames;
	struct known added = { .at = at };
	size_t place;

	if (c == NULL)
		c = file->frames = calloc(1, sizeof *c);
	if (c == NULL || !hash_room(&c->ids, hash_of, c))
		return NULL;
	place = hash_find(&c->ids, hash_add(0, at), has_key, c, &at);
	if (hash_id(&c->ids, place) != HASH_NONE)
		return &c->known.at[hash_id(&c->ids, place)];
	added.first = c->frames.list.n;
	if (c->known.n >= HASH_NONE - 1 || !read_frames(c, n, file->module, at))
		return NULL;
	added.n = c->frames.list.n - added.first;
	if (!vec_push(&c->known, added))
		return NULL;
	hash_put(&c->ids, place, (uint32_t)(c->known.n - 1));
	return &c->known.at[c->known.n - 1];
}

bool frames_add(struct frames *list, struct names *n, uint64_t pc, bool after)
{
	struct frame outer = { .offset = pc, .at = pc - after };
	const struct names_module *m = names_module(n, outer.at);
	const struct known *known;
	uint64_t offset;
	const struct symbol *s = names_find(n, outer.at, &offset);

	if (m != NULL) {
		outer.module = m->file->path;
		outer.at -= m->bias;
		outer.offset = pc - m->bias;
	}
	if (s != NULL && s->code) {
		outer.linked = s->name;
		outer.outer = names_readable(n, s->name);
		outer.offset = offset + after;
	}
	outer.function = outer.outer;
	if (m == NULL || m->file->module == NULL)
		return vec_push(&list->list, outer);
	known = find_frames(n, m->file, outer.at);
	for (size_t i = 0; known != NULL && i < known->n; i++) {
		struct frame f = m->file->frames->frames.list.at[known->first + i];

		if (!f.inlined) {
			f.linked = outer.linked;
			f.function = outer.function;
		}
		f.outer = outer.outer;
		f.module = outer.module;
		f.offset = outer.offset;
		f.at = outer.at;
		if (!vec_push(&list->list, f))
			return false;
	}
	return known != NULL;
}

/* ---- as text ---- */

static void print_shown(struct buf *b, const char *s)
{
	buf_add_shown(b, s, strlen(s));
}

static void print_base(struct buf *b, const char *path)
{
	const char *slash = strrchr(path, '/');

	print_shown(b, slash != NULL ? slash + 1 : path);
}

void frames_print_source(struct buf *b, const struct frame *f)
{
	if (f->file == NULL || f->line == 0)
		return;
	buf_addf(b, " (");
	print_base(b, f->file);
	buf_addf(b, ":%d)", f->line);
}

void frames_print(struct buf *b, const struct frame *f)
{
	if (f->inlined) {
		print_shown(b, f->function != NULL ? f->function : "?");
		buf_addf(b, " in ");
	}
	if (f->outer != NULL)
		print_shown(b, f->outer);
	else if (f->module != NULL)
		print_base(b, f->module);
	if (f->outer != NULL || f->module != NULL)
		buf_addf(b, "+%" PRIu64, f->offset);
	else
		buf_addf(b, "0x%" PRIx64, f->offset);
	frames_print_source(b, f);
}
