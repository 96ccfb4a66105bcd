/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name on its way into the table. */
struct named {
	struct symbol name;
	size_t file;
	uint32_t place;
};

/* What is being read. */
struct reading {
	const struct image *image;
	const char *const *processes;
	struct named *named;
	size_t n;
};

/* ---- where files are ---- */

/* Finds how far above the linked addresses the names of file i are in the table. */
static enum nfart_status place_file(const struct images *x, const struct image *image, size_t i,
				    uint64_t usual, bool placed, uint64_t *above,
				    struct nfart_error *e)
{
	bool first = true;

	*above = image[i].process * IMAGES_PROCESS;
	if (!x->part[i].moves)
		return NFART_OK;
	for (size_t k = 0; k < i; k++)
		first &= image[k].process != image[i].process;
	if (image[i].base_given)
		*above += image[i].base;
	else if (first)
		*above += usual;
	else if (!placed)
		*above = (IMAGES_MOST_PROCESSES + i) * IMAGES_PROCESS;
	else
		return elf_file_wrong(image[i].path,
				      "this ELF file can be loaded anywhere; say where it was, "
				      "with --base behind it",
				      e);
	return NFART_OK;
}

/* Appends the names of file i that have an address in the process. */
static void take_names(const struct images *x, struct reading *r, size_t i, uint64_t above,
		       uint32_t places[2])
{
	const struct symbols *names = &x->part[i].names;
	uint64_t start = above / IMAGES_PROCESS * IMAGES_PROCESS;

	for (size_t k = 0; k < names->n; k++) {
		struct symbol s = names->at[k];

		if (s.at >= IMAGES_PROCESS - (above - start) ||
		    s.bytes > IMAGES_PROCESS - (above - start) - s.at)
			continue;
		s.at += above;
		r->named[r->n++] = (struct named){ s, i, ++places[s.code] };
	}
}

/* ---- names that several files have ---- */

static int by_name(const void *a, const void *b)
{
	const struct named *const *x = a, *const *y = b;
	int order = strcmp((*x)->name.name, (*y)->name.name);

	return order != 0 ? order : ((*x)->file > (*y)->file) - ((*x)->file < (*y)->file);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Which marks tell the names of a group apart. All have one name, and are in the order of files. */
static enum nfart_status compare_group(const struct reading *r, struct named **group, size_t n,
				       bool *files, bool *processes, struct nfart_error *e)
{
	size_t file[IMAGES_MOST], nfiles = 0;

	*files = *processes = false;
	for (size_t i = 0; i < n; i++)
		if (nfiles == 0 || file[nfiles - 1] != group[i]->file)
			file[nfiles++] = group[i]->file;
	for (size_t i = 0; i < nfiles; i++)
		for (size_t k = i + 1; k < nfiles; k++) {
			const struct image *a = &r->image[file[i]], *b = &r->image[file[k]];

			*processes |= a->process != b->process;
			*files |= a->process == b->process;
			if (a->process == b->process &&
			    strcmp(base_name(a->path), base_name(b->path)) == 0)
				return elf_file_wrong(b->path,
						      "another file of the process has this name, "
						      "too, and the same symbols; rename one", e);
		}
	return NFART_OK;
}

/* Writes the name of a symbol with its marks, if out is not NULL. Returns its bytes. */
static size_t spell_name(const struct reading *r, const struct named *s, bool file, bool process,
			 char *out)
{
	const struct image *image = &r->image[s->file];
	size_t room = strlen(s->name.name) + 1;

	room += file ? strlen(base_name(image->path)) + 1 : 0;
	room += process ? strlen(r->processes[image->process]) + 1 : 0;
	if (out != NULL)
		snprintf(out, room, "%s%s%s%s%s", s->name.name, file ? "@" : "",
			 file ? base_name(image->path) : "", process ? "@" : "",
			 process ? r->processes[image->process] : "");
	return room;
}

/* Calls names that several files have by their files and processes. */
static enum nfart_status tell_apart(struct images *x, struct reading *r, struct nfart_error *e)
{
	struct named **s = calloc(r->n + 1, sizeof *s);
	enum nfart_status status = NFART_OK;
	size_t bytes = 0;

	for (size_t i = 0; i < r->n && s != NULL; i++) {
		s[i] = &r->named[i];
		bytes += spell_name(r, s[i], true,
				    r->processes[r->image[s[i]->file].process] != NULL, NULL);
	}
	x->all.made = malloc(bytes + 1);
	if (s == NULL || x->all.made == NULL)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		qsort(s, r->n, sizeof *s, by_name);
	bytes = 0;
	for (size_t i = 0, end; i < r->n && status == NFART_OK; i = end) {
		bool files, processes;

		for (end = i + 1; end < r->n && strcmp(s[i]->name.name, s[end]->name.name) == 0;)
			end++;
		status = compare_group(r, s + i, end - i, &files, &processes, e);
		for (size_t k = i; k < end && status == NFART_OK && (files || processes); k++) {
			char *name = x->all.made + bytes;

			bytes += spell_name(r, s[k], files, processes, name);
			s[k]->name.name = name;
		}
	}
	free(s);
	return status;
}

/* ---- the table ---- */

static int by_address(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->name.at > y->name.at) - (x->name.at < y->name.at);
}

static enum nfart_status overlap(const struct reading *r, const struct named *s, size_t other,
				 struct nfart_error *e)
{
	size_t first = s->file < other ? s->file : other, second = s->file + other - first;

	return nfart_fail(e, NFART_INPUT,
			  "%s and %s are at the same addresses, from 0x%llx on; say where each was "
			  "loaded, with --base behind it",
			  r->image[first].path, r->image[second].path,
			  (unsigned long long)(s->name.at % IMAGES_PROCESS));
}

/* The names are in order. Those of a file may have none of another file between them. */
static enum nfart_status check_overlap(const struct reading *r, struct nfart_error *e)
{
	bool seen[IMAGES_MOST] = { false };

	for (size_t i = 0; i < r->n; i++) {
		const struct named *s = &r->named[i], *last = i == 0 ? s : s - 1;

		if (last->file != s->file &&
		    (seen[s->file] || s->name.at - last->name.at < last->name.bytes))
			return overlap(r, s, last->file, e);
		seen[s->file] = true;
	}
	return NFART_OK;
}

static enum nfart_status make_table(struct images *x, struct reading *r, struct nfart_error *e)
{
	enum nfart_status status = tell_apart(x, r, e);

	if (status != NFART_OK)
		return status;
	qsort(r->named, r->n, sizeof *r->named, by_address);
	status = check_overlap(r, e);
	x->all.places = calloc(r->n + 1, sizeof *x->all.places);
	for (size_t i = 0; i < r->n && status == NFART_OK; i++) {
		if (x->all.places == NULL || !vec_push(&x->all.names, r->named[i].name))
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
		x->all.places[i] = r->named[i].place;
	}
	return status;
}

enum nfart_status images_open(struct images *x, const struct image *image, size_t n,
			      const char *const *processes, uint64_t usual, bool placed,
			      struct nfart_error *e)
{
	struct reading r = { .image = image, .processes = processes };
	enum nfart_status status = NFART_OK;
	uint32_t places[2] = { 0, 0 };
	size_t names = 0;

	*x = (struct images){ .part = calloc(n + 1, sizeof *x->part) };
	if (x->part == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (; x->n < n && status == NFART_OK; x->n += status == NFART_OK) {
		status = elf_symbols_open(&x->part[x->n], image[x->n].path, e);
		names += x->part[x->n].names.n;
	}
	r.named = calloc(names + 1, sizeof *r.named);
	if (r.named == NULL && status == NFART_OK)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (size_t i = 0; i < n && status == NFART_OK; i++) {
		uint64_t above;

		status = place_file(x, image, i, usual, placed, &above, e);
		if (status == NFART_OK)
			take_names(x, &r, i, above, places);
	}
	if (status == NFART_OK && n > 0 && r.n == 0)
		status = elf_file_wrong(image[0].path, "no symbol has an address of 48 bits", e);
	if (status == NFART_OK)
		status = make_table(x, &r, e);
	free(r.named);
	if (status != NFART_OK)
		images_close(x);
	return status;
}

void images_close(struct images *x)
{
	for (size_t i = 0; i < x->n; i++)
		elf_symbols_close(&x->part[i]);
	free(x->part);
	elf_symbols_close(&x->all);
	*x = (struct images){ .n = 0 };
}
