/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/debug_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/bits.h"

enum { NOTE_HEAD = 12, NOTE_BUILD_ID = 3, CRC_BYTES = 4 };

/* ---- hints ---- */

static uint64_t round_up(uint64_t x)
{
	return (x + 3) / 4 * 4;
}

/* Looks for a build id among the notes in nbytes bytes. A note has 12 bytes with the sizes of its
 * name and its contents and with its type; name and contents follow, each filled up to 4 bytes. */
static const unsigned char *find_note(const unsigned char *bytes, size_t nbytes, size_t *n)
{
	for (uint64_t at = 0; at + NOTE_HEAD <= nbytes;) {
		uint64_t name = get_le32(bytes + at), size = get_le32(bytes + at + 4);
		uint64_t contents = at + NOTE_HEAD + round_up(name);

		if (contents + size > nbytes)
			break;
		if (get_le32(bytes + at + 8) == NOTE_BUILD_ID && name == 4 &&
		    memcmp(bytes + at + NOTE_HEAD, "GNU", 4) == 0 && size > 1 &&
		    size <= BUILD_ID_MOST) {
			*n = (size_t)size;
			return bytes + contents;
		}
		at = contents + round_up(size);
	}
	return NULL;
}

const unsigned char *elf_build_id(const struct elf_file *x, size_t *n)
{
	const unsigned char *id = NULL;
	struct elf_section section;
	struct elf_segment segment;

	for (size_t i = 0; id == NULL && elf_file_section(x, i, &section); i++)
		if (section.type == SHT_NOTE)
			id = find_note(section.bytes, section.n, n);
	for (size_t i = 0; id == NULL && elf_file_segment(x, i, &segment); i++)
		if (segment.type == PT_NOTE)
			id = find_note(segment.bytes, segment.n, n);
	return id;
}

/* What .gnu_debuglink says. */
struct link {
	const char *name; /* NULL: there is no such section, or it makes no sense */
	uint32_t crc;
};

/* The section has a name that ends with a 0, is filled up to 4 bytes, and is followed by a CRC. */
static struct link find_link(const struct elf_file *x)
{
	struct elf_section s;

	for (size_t i = 0; elf_file_section(x, i, &s); i++) {
		const char *name = (const char *)s.bytes;
		const char *end = s.n == 0 ? NULL : memchr(name, 0, s.n);
		size_t n = end == NULL ? 0 : (size_t)(end - name);

		if (strcmp(s.name, ".gnu_debuglink") != 0 || n == 0 || memchr(name, '/', n) != NULL ||
		    strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    round_up(n + 1) + CRC_BYTES > s.n)
			continue;
		return (struct link){ name, get_le32(s.bytes + round_up(n + 1)) };
	}
	return (struct link){ NULL, 0 };
}

/* Returns the CRC-32 of gzip, of Ethernet and of .gnu_debuglink. */
static uint32_t crc32_of(const unsigned char *bytes, size_t n)
{
	uint32_t table[256], crc = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xedb88320 : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}

/* ---- candidates ---- */

/* An ELF file and its hints. */
struct wanted {
	const struct elf_file *x;
	const char *path;
	const unsigned char *id; /* NULL: it has no build id */
	size_t nid;
	struct link link;
};

/* Says why a file does not fit; NULL: it fits. */
static const char *misfit(const struct elf_file *debug, const struct wanted *w, bool by_link)
{
	size_t n = 0;
	const unsigned char *id = elf_build_id(debug, &n);

	if (debug->machine != w->x->machine || debug->type != w->x->type)
		return "it is for another machine, or is linked in another way";
	if (by_link && crc32_of(debug->at, debug->n) != w->link.crc)
		return "its CRC is not that of .gnu_debuglink";
	if (w->id != NULL && id != NULL && (n != w->nid || memcmp(id, w->id, n) != 0))
		return "it has another build id";
	if (!by_link && id == NULL)
		return "it has no build id";
	return NULL;
}

static void add_note(struct debug_search *s, const char *path, const char *why)
{
	struct buf line = { 0 };

	/* The name of the file is that of a hint, so it can have any bytes. */
	buf_addf(&line, "%s: warning: this debug file is not used: %s", path, why);
	buf_add_shown(&s->notes, line.at, line.n);
	buf_add(&s->notes, "\n", 1);
	buf_free(&line);
}

/* Opens the file at `path`, and forgets the path. Returns false if it is not there, is the ELF file
 * itself, or does not fit. */
static bool try_file(struct elf_file *debug, const struct wanted *w, struct buf *path, bool by_link,
		     struct debug_search *s)
{
	struct nfart_error e = { 0 };
	struct stat info, own;
	const char *why = NULL;
	bool there = !path->failed && stat(path->at, &info) == 0 &&
		     (stat(w->path, &own) != 0 || own.st_dev != info.st_dev ||
		      own.st_ino != info.st_ino);

	path->n = 0;
	if (!there)
		return false;
	if (!S_ISREG(info.st_mode))
		why = "this is no regular file";
	else if (elf_file_open(debug, path->at, &e) != NFART_OK)
		why = e.what;
	else
		why = misfit(debug, w, by_link);
	if (why == NULL)
		return true;
	add_note(s, path->at, why);
	elf_file_close(debug);
	return false;
}

static bool find_by_id(struct elf_file *debug, const struct wanted *w, struct buf *path,
		       struct debug_search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		buf_addf(path, "%s/.build-id/%02x/", s->folders[i], w->id[0]);
		for (size_t k = 1; k < w->nid; k++)
			buf_addf(path, "%02x", w->id[k]);
		buf_addf(path, ".debug");
		if (try_file(debug, w, path, false, s))
			return true;
	}
	return false;
}

/* `folder` is that of the ELF file, absolute. */
static bool find_by_link(struct elf_file *debug, const struct wanted *w, const char *folder,
			 struct buf *path, struct debug_search *s)
{
	static const char *const beside[] = { "", ".debug/" };

	for (size_t i = 0; i < 2; i++) {
		buf_addf(path, "%s/%s%s", folder, beside[i], w->link.name);
		if (try_file(debug, w, path, true, s))
			return true;
	}
	for (size_t i = 0; i < s->n; i++) {
		buf_addf(path, "%s%s/%s", s->folders[i], folder, w->link.name);
		if (try_file(debug, w, path, true, s))
			return true;
	}
	return false;
}

bool debug_file_open(struct elf_file *debug, const struct elf_file *x, const char *path,
		     struct debug_search *s)
{
	struct wanted w = { .x = x, .path = path, .link = find_link(x) };
	struct buf candidate = { 0 };
	char *folder = NULL;
	bool found;

	*debug = (struct elf_file){ 0 };
	w.id = elf_build_id(x, &w.nid);
	found = w.id != NULL && find_by_id(debug, &w, &candidate, s);
	if (!found && w.link.name != NULL) {
		folder = realpath(path, NULL);
		if (folder != NULL) {
			*strrchr(folder, '/') = 0;
			found = find_by_link(debug, &w, folder, &candidate, s);
		}
	}
	free(folder);
	buf_free(&candidate);
	return found;
}
