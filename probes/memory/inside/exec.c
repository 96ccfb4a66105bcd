/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * execve and execveat. The arrays of strings are copied, because the new pointers go to aliases. If
 * child processes are followed, the new environment also names the file of the channels and loads
 * this library. start.c removes both entries in the new program.
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/raw.h"

#include <sys/mman.h>

enum { MOST_STRING = 8192, PATH_WORDS = 128, MOST_NAME = 16 };

static const char preload_name[] = "LD_PRELOAD=", channel_name[] = "NFAMEM_CHANNEL=";

/*
 * The copied arrays of the current call. After a call in a child of vfork, they stay in the memory
 * of the parent.
 */
static __thread void *own INSIDE_TLS;
static __thread size_t own_bytes INSIDE_TLS;

/* An array of strings (arguments or environment) that is being made. */
struct strings {
	uint64_t *to;     /* the next pointer */
	char *text;       /* room for two strings of this library, 2 * MOST_STRING bytes each */
	uint64_t preload; /* the program's own LD_PRELOAD entry, 0: none */
};

/*
 * Reads a string with its 0, at most `most` bytes. Returns false if the string is longer or cannot
 * be read.
 */
static bool read_string(uint64_t from, char *to, size_t most)
{
	for (size_t n = 0, part; n < most; n += part) {
		part = 64 - (from + n) % 64;
		part = part < most - n ? part : most - n;
		if (!calls_read(to + n, from + n, part))
			return false;
		for (size_t i = 0; i < part; i++)
			if (to[n + i] == 0)
				return true;
	}
	return false;
}

/* The number of strings in an array, including the NULL; 0 if the array cannot be read. */
static size_t count_strings(uint64_t array)
{
	uint64_t string = 1;
	size_t n = 0;
	for (; array && string; n++)
		if (!calls_read(&string, array + 8 * n, 8))
			return 0;
	return n;
}

static bool string_begins(const char *s, const char *with)
{
	return raw_same(s, with, raw_length(with));
}

/* Whether this library replaces an entry of the environment. */
static bool replaced(struct strings *s, uint64_t entry)
{
	char name[MOST_NAME + 1] = "";
	read_string(entry, name, MOST_NAME);
	if (string_begins(name, preload_name))
		s->preload = entry;
	return string_begins(name, preload_name) || string_begins(name, channel_name);
}

/* Copies an array without its NULL. If `follows`, leaves out the entries that are replaced. */
static void copy_strings(struct strings *s, uint64_t array, size_t n, bool follows)
{
	for (size_t i = 0; i + 1 < n; i++) {
		uint64_t string;
		calls_read(&string, array + 8 * i, 8);
		if (!follows || !replaced(s, string))
			*s->to++ = (uint64_t)mirror_alias((void *)string);
	}
}

static char *put_string(char *to, const char *s)
{
	raw_copy(to, s, raw_length(s) + 1);
	return to + raw_length(s);
}

static char *put_number(char *to, uint32_t n)
{
	if (n > 9)
		to = put_number(to, n / 10);
	*to++ = (char)('0' + n % 10);
	*to = 0;
	return to;
}

/* Adds the entries by which the new program is watched. */
static void add_own(struct strings *s)
{
	const struct mem_follow *f = &inside.channel->follow;
	char *to = s->text;
	*s->to++ = (uint64_t)to;
	to = put_string(put_string(put_string(to, channel_name), f->path), ":");
	put_number(to, f->slot);
	to = s->text + 2 * MOST_STRING;
	*s->to++ = (uint64_t)to;
	to = put_string(put_string(to, preload_name), family_library());
	const size_t skip = sizeof preload_name - 1;
	if (s->preload && !read_string(s->preload + skip, to + 1, MOST_STRING))
		s->preload = 0;
	*to = s->preload ? ':' : 0;
}

/* Reads the path of the program and makes it absolute. Returns false if the path is too long. */
static bool read_path(uint64_t from, char *path, size_t most)
{
	if (!read_string(from, path, most))
		return false;
	if (path[0] == '/')
		return true;
	/* The path is relative: write the current folder, then read the path again after it. */
	const long n = RAW3(SYS_getcwd, path, most - 1, 0);
	if (n <= 0)
		return false;
	path[n - 1] = '/';
	return read_string(from, path + n, most - (size_t)n);
}

/* Records which program is executed, by this process or by a child of vfork. */
static void say_program(const struct call *call)
{
	uint64_t words[1 + PATH_WORDS] = { (uint64_t)raw_call(SYS_getpid, 0, 0, 0, 0, 0, 0) };
	char *path = (char *)(words + 1);
	bool named = false;
	if (call->number == SYS_execve)
		named = read_path(call->arguments[0], path, PATH_WORDS * 8);
	const uint32_t n = named ? (uint32_t)(raw_length(path) / 8 + 1) : 0;
	inside_enter();
	if (life_own_process())
		ring_event(MEM_EXEC, words + 1, n);
	else if (family_follows())
		ring_event(MEM_SPAWN, words, 1 + n);
	inside_leave();
}

void exec_before(struct call *call, ucontext_t *context)
{
	const int first = call->number == SYS_execveat ? 2 : 1;
	const size_t arguments = count_strings(call->arguments[first]);
	const size_t environment = count_strings(call->arguments[first + 1]);
	const bool follows = family_follows() && (environment || !call->arguments[first + 1]);
	const size_t words = (arguments + environment + 2) * sizeof(uint64_t);
	const size_t bytes = words + (follows ? 4 * MOST_STRING : 0);
	if (inside_watching() && inside_self.ring)
		say_program(call);
	signals_exec(context);
	uint64_t *to =
		raw_mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!raw_good(to))
		return;
	struct strings s = { to, (char *)to + words, 0 };
	own = to;
	own_bytes = bytes;
	if (arguments) {
		call->used[first] = (uint64_t)s.to;
		copy_strings(&s, call->arguments[first], arguments, false);
		*s.to++ = 0;
	}
	if (environment || follows) {
		call->used[first + 1] = (uint64_t)s.to;
		copy_strings(&s, call->arguments[first + 1], environment, follows);
		if (follows)
			add_own(&s);
		*s.to++ = 0;
	}
}

void exec_forget(void)
{
	if (own)
		raw_munmap((uintptr_t)own, own_bytes);
	own = NULL;
}

void exec_after(void)
{
	signals_not_exec();
	exec_forget();
}
