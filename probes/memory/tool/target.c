/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAME = 128, MOST_SYMBOLS = 1 << 16, PIECE = 4096 };

/* ---- mappings ---- */

static void take_name(struct target_map *m, const char *path)
{
	size_t n = strcspn(path, "\n");
	const char *end = path + n, *base = end;

	if (n > 10 && strncmp(end - 10, " (deleted)", 10) == 0)
		base = end -= 10;
	while (base > path && base[-1] != '/')
		base--;
	m->file = n > 0 && strncmp(path, "[heap]", 6) != 0 && strncmp(path, "[anon:", 6) != 0;
	snprintf(m->name, sizeof m->name, "%.*s", (int)(end - base), base);
}

bool target_read_maps(pid_t pid, struct target_maps *maps)
{
	char path[64], line[4096 + 128], mode[5];
	bool fine = true;
	FILE *f;

	*maps = (struct target_maps){ .list.n = 0 };
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	while (fine && fgets(line, sizeof line, f) != NULL) {
		struct target_map m = { 0 };
		int at = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &m.from, &m.to, mode,
			   &at) < 3 || at == 0)
			continue;
		m.readable = mode[0] == 'r';
		m.writable = mode[1] == 'w';
		m.executable = mode[2] == 'x';
		m.shared = mode[3] == 's';
		take_name(&m, line + at);
		fine = vec_push(&maps->list, m);
	}
	fclose(f);
	if (fine && maps->list.n > 0)
		return true;
	vec_free(&maps->list);
	*maps = (struct target_maps){ .list.n = 0 };
	return false;
}

const struct target_map *target_find(const struct target_maps *maps, const char *name)
{
	for (size_t i = 0; i < maps->list.n; i++)
		if (maps->list.at[i].file &&
		    strncmp(maps->list.at[i].name, name, strlen(name)) == 0)
			return &maps->list.at[i];
	return NULL;
}

/* ---- functions ---- */

struct dynamic {
	uint64_t symbols, strings, string_bytes;
};

static bool read_dynamic(const struct tracees *t, uint64_t base, struct dynamic *d)
{
	Elf64_Ehdr e;
	Elf64_Phdr p = { .p_type = PT_NULL };
	Elf64_Dyn entry;

	*d = (struct dynamic){ 0 };
	if (!tracees_read(t, base, &e, sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	for (unsigned i = 0; i < e.e_phnum && p.p_type != PT_DYNAMIC; i++)
		if (!tracees_read(t, base + e.e_phoff + i * sizeof p, &p, sizeof p))
			return false;
	if (p.p_type != PT_DYNAMIC)
		return false;
	for (uint64_t read = 0; read < p.p_memsz; read += sizeof entry) {
		if (!tracees_read(t, base + p.p_vaddr + read, &entry, sizeof entry) ||
		    entry.d_tag == DT_NULL)
			break;
		const uint64_t value = entry.d_un.d_val < base ? base + entry.d_un.d_val
							       : entry.d_un.d_val;

		if (entry.d_tag == DT_SYMTAB)
			d->symbols = value;
		else if (entry.d_tag == DT_STRTAB)
			d->strings = value;
		else if (entry.d_tag == DT_STRSZ)
			d->string_bytes = entry.d_un.d_val;
	}
	return d->symbols != 0 && d->strings > d->symbols;
}

/* The linker puts the symbols before their names. What lies between them counts for nothing. */
uint64_t target_symbol(const struct tracees *t, const struct target_map *m, const char *name)
{
	const size_t length = strlen(name) + 1;
	struct dynamic d;
	char text[MOST_NAME];

	if (!read_dynamic(t, m->from, &d))
		return 0;
	for (unsigned i = 1; i < MOST_SYMBOLS; i++) {
		const uint64_t at = d.symbols + i * sizeof(Elf64_Sym);
		Elf64_Sym s;

		if (at + sizeof s > d.strings || !tracees_read(t, at, &s, sizeof s))
			break;
		if (s.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s.st_info) == STT_FUNC &&
		    s.st_name < d.string_bytes && length <= sizeof text &&
		    tracees_read(t, d.strings + s.st_name, text, length) &&
		    memcmp(text, name, length) == 0)
			return m->from + s.st_value;
	}
	return 0;
}

uint64_t target_gate(const struct tracees *t, const struct target_maps *maps,
		     const struct target_map *m)
{
	static const uint8_t syscall_code[] = { 0x0f, 0x05 };
	uint8_t code[PIECE];

	for (size_t i = 0; i < maps->list.n; i++) {
		const struct target_map *x = &maps->list.at[i];

		if (!x->executable || strcmp(x->name, m->name) != 0)
			continue;
		for (uint64_t at = x->from; at < x->to; at += sizeof code) {
			const uint8_t *found;

			if (!tracees_read(t, at, code, sizeof code))
				break;
			found = memmem(code, sizeof code, syscall_code, sizeof syscall_code);
			if (found != NULL)
				return at + (uint64_t)(found - code);
		}
	}
	return 0;
}

/* ---- whether nfamem can attach ---- */

/* The number behind a word in a file of /proc, in a base. Returns false if there is none. */
static bool read_field(const char *path, const char *field, int base, uint64_t *number)
{
	char line[512];
	bool found = false;
	FILE *f = fopen(path, "re");

	while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, field, strlen(field)) == 0) {
			*number = strtoull(line + strlen(field), NULL, base);
			found = true;
		}
	if (f != NULL)
		fclose(f);
	return found;
}

static uint64_t status_of(pid_t pid, const char *field, int base)
{
	uint64_t number = 0;
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	read_field(path, field, base, &number);
	return number;
}

/* The letter of its state, as ps has it. */
static char state_of(pid_t pid)
{
	char path[64], line[512], state = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	f = fopen(path, "re");
	while (f != NULL && state == 0 && fgets(line, sizeof line, f) != NULL)
		sscanf(line, "State: %c", &state);
	if (f != NULL)
		fclose(f);
	return state;
}

static bool same_space(pid_t pid, const char *kind)
{
	char path[64];
	struct stat own, other;

	snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
	if (stat(path, &own) != 0)
		return true;
	snprintf(path, sizeof path, "/proc/%ld/ns/%s", (long)pid, kind);
	return stat(path, &other) != 0 ||
	       (own.st_ino == other.st_ino && own.st_dev == other.st_dev);
}

/* The kernel lets nobody open the memory of a process who may not trace it. */
static enum nfart_status check_permission(pid_t pid, struct nfart_error *e)
{
	char path[64];
	uint64_t scope = 0;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return NFART_OK;
	}
	read_field("/proc/sys/kernel/yama/ptrace_scope", "", 10, &scope);
	if (scope > 0 && getuid() != 0)
		return nfart_fail(e, NFART_SYSTEM,
				  "the kernel permits it to nobody but root: "
				  "/proc/sys/kernel/yama/ptrace_scope is %" PRIu64 ", not 0",
				  scope);
	return nfart_fail(e, NFART_SYSTEM,
			  "you may not trace it: it is another user's, or has rights that you do "
			  "not have (setuid, setgid or capabilities)");
}

static enum nfart_status check_program(pid_t pid, struct nfart_error *e)
{
	char path[64];
	unsigned char ident[EI_NIDENT] = { 0 };
	struct target_maps maps;
	const char *why = NULL;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return nfart_fail(e, NFART_SYSTEM, "its program can't be read: %s",
				  strerror(errno));
	if (read(fd, ident, sizeof ident) != (ssize_t)sizeof ident ||
	    ident[EI_CLASS] != ELFCLASS64)
		why = "it is for another kind of processor than 64-bit x86";
	close(fd);
	if (!target_read_maps(pid, &maps))
		return nfart_fail(e, NFART_SYSTEM, "its mappings can't be read: %s",
				  strerror(errno));
	/* A program that is just starting has the loader, and no libc yet. */
	if (why == NULL && target_find(&maps, "libc.so.6") == NULL &&
	    target_find(&maps, "ld-linux") == NULL)
		why = "it is linked statically, or has another C library than glibc, so the "
		      "library of nfamem can't be loaded into it";
	if (why == NULL && target_find(&maps, "libnfamem-inside.so") != NULL)
		why = "the library of nfamem is loaded into it already: it is watched, or could "
		      "not be let go of cleanly";
	vec_free(&maps.list);
	return why != NULL ? nfart_fail(e, NFART_SYSTEM, "%s", why) : NFART_OK;
}

static bool is_of_kernel(pid_t pid)
{
	char path[64], to[1];

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	return readlink(path, to, sizeof to) < 0 && errno == ENOENT;
}

enum nfart_status target_check(pid_t pid, struct nfart_error *e)
{
	const char state = state_of(pid);
	uint64_t tracer;

	if (state == 0)
		return nfart_fail(e, NFART_SYSTEM, "there is no such process");
	if (pid == getpid())
		return nfart_fail(e, NFART_SYSTEM, "nfamem can't attach to itself");
	if ((pid_t)status_of(pid, "Tgid:", 10) != pid)
		return nfart_fail(e, NFART_SYSTEM, "it is a thread of process %" PRIu64,
				  status_of(pid, "Tgid:", 10));
	if (state == 'Z' || state == 'X')
		return nfart_fail(e, NFART_SYSTEM, "it has ended");
	if (state == 'T')
		return nfart_fail(e, NFART_SYSTEM, "it is stopped; let it go on first (SIGCONT)");
	tracer = status_of(pid, "TracerPid:", 10);
	if (tracer != 0)
		return nfart_fail(e, NFART_SYSTEM,
				  "process %" PRIu64 " traces it already (a debugger, or strace)",
				  tracer);
	if (!same_space(pid, "pid") || !same_space(pid, "mnt"))
		return nfart_fail(e, NFART_SYSTEM,
				  "it is in another container (namespace of processes or of "
				  "files); run nfamem there");
	if (status_of(pid, "Seccomp:", 10) != 0)
		return nfart_fail(e, NFART_SYSTEM, "it restricts its system calls (seccomp)");
	if (is_of_kernel(pid))
		return nfart_fail(e, NFART_SYSTEM, "it is a thread of the kernel");
	if (check_permission(pid, e) != NFART_OK)
		return e->status;
	return check_program(pid, e);
}

bool target_ignores(pid_t pid, int signal)
{
	char path[64];
	uint64_t ignored = ~UINT64_C(0);

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	read_field(path, "SigIgn:", 16, &ignored);
	return ignored >> (signal - 1) & 1;
}

bool target_has_signal(pid_t pid, pid_t tid)
{
	char path[64];
	uint64_t own = 0, all = 0, blocked = 0;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/status", (long)pid, (long)tid);
	read_field(path, "SigPnd:", 16, &own);
	read_field(path, "ShdPnd:", 16, &all);
	read_field(path, "SigBlk:", 16, &blocked);
	return ((own | all) & ~blocked) != 0;
}
