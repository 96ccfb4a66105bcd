/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "support/elf/elf_file.h"

enum { MOST_SCRIPTS = 4 };

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static void find_program(char path[PATH_MAX], const char *name)
{
	const char *dirs = getenv("PATH");

	path[0] = 0;
	if (strchr(name, '/') != NULL) {
		snprintf(path, PATH_MAX, "%s", name);
		return;
	}
	for (dirs = dirs != NULL ? dirs : "/bin:/usr/bin"; *dirs != 0;) {
		size_t n = strcspn(dirs, ":");

		if (snprintf(path, PATH_MAX, "%.*s%s%s", (int)n, dirs, n > 0 ? "/" : "./", name) <
			    PATH_MAX && is_program(path))
			return;
		dirs += n + (dirs[n] == ':');
	}
	path[0] = 0;
}

/* Whether the file's symbols for dynamic linking include this name. */
static bool refers_to(const struct elf_file *file, const char *name)
{
	struct elf_section s;

	for (size_t i = 0; elf_file_section(file, i, &s); i++)
		if (s.type == SHT_STRTAB && (s.flags & SHF_ALLOC) != 0 && s.bytes != NULL &&
		    memmem(s.bytes, s.n, name, strlen(name) + 1) != NULL)
			return true;
	return false;
}

/* The first bytes of a file, at most `most`. Returns their number; -1: it cannot be read. */
static ssize_t read_start(const char *path, char *bytes, size_t most)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, bytes, most) : -1;

	if (fd >= 0)
		close(fd);
	return n;
}

static bool is_interpreted(const struct elf_file *file)
{
	struct elf_segment s;
	bool interpreted = false;

	for (size_t i = 0; elf_file_segment(file, i, &s); i++)
		interpreted |= s.type == PT_INTERP;
	return interpreted;
}

/*
 * Returns why a program with this file cannot be watched; NULL if it can, or if nobody knows:
 * the file is too large, or cannot be read. `start` has its first n bytes.
 */
static const char *look_at(struct program *p, const char *start, size_t n)
{
	struct elf_file file;
	struct stat st;
	enum nfart_status status;
	bool fits, interpreted;

	if (stat(p->file, &st) != 0 || st.st_size > ELF_MOST_BYTES)
		return NULL;
	if (n < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
		return "it is not an ELF program";
	status = elf_file_open(&file, p->file, NULL);
	if (status == NFART_SYSTEM)
		return NULL;
	fits = status == NFART_OK && file.machine == EM_X86_64;
	interpreted = fits && is_interpreted(&file);
	p->starts_itself = interpreted && refers_to(&file, "MadT__start");
	elf_file_close(&file);
	if (!fits)
		return "it is for another kind of processor than 64-bit x86";
	if (!interpreted)
		return "it is linked statically, so the library of nfamem can't be loaded into it";
	return NULL;
}

/* Takes the interpreter from the first line of a script, after "#!". */
static void take_interpreter(struct program *p, const char *line, size_t n)
{
	size_t length;

	while (n > 0 && (*line == ' ' || *line == '\t'))
		line++, n--;
	for (length = 0; length < n && strchr(" \t\n", line[length]) == NULL;)
		length++;
	snprintf(p->file, sizeof p->file, "%.*s", (int)length, line);
}

/*
 * Whether the file gives a process more rights than its starter has. The loader then ignores
 * LD_PRELOAD. File capabilities give nothing to root.
 */
static bool has_other_rights(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	return ((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid()) ||
	       ((st.st_mode & S_ISGID) != 0 && st.st_gid != getgid()) ||
	       (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

void program_look(struct program *p, const char *name)
{
	*p = (struct program){ .unwatched = NULL };
	find_program(p->path, name);
	strcpy(p->file, p->path);
	for (unsigned i = 0; i < MOST_SCRIPTS && p->file[0] != 0; i++) {
		char start[2 * PATH_MAX];
		ssize_t n = read_start(p->file, start, sizeof start);
		bool script = n > 2 && memcmp(start, "#!", 2) == 0;

		p->script |= script;
		if (script)
			take_interpreter(p, start + 2, (size_t)n - 2);
		else if (n >= 0)
			p->unwatched = look_at(p, start, (size_t)n);
		if (!script)
			break;
	}
	if (p->unwatched == NULL && p->file[0] != 0 && has_other_rights(p->file))
		p->unwatched =
			"it runs with rights that you do not have (setuid, setgid or capabilities)";
}
