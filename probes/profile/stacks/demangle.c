/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The child process has the symbols from its parent's memory. It writes an answer for each of them
 * to a pipe, in order: the length of the name in 2 bytes, and the name; a length of 0 says that
 * there is none. If it dies, the parent knows by the number of answers which symbol was to blame,
 * and begins another child behind it.
 */
#include "probes/profile/stacks/demangle.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/profile/stacks/rust_name.h"

enum {
	MOST_DEATHS = 4,            /* children that may die before the rest stays as it is */
	MOST_MICROSECONDS = 500000, /* of CPU time, for a symbol */
	MOST_BYTES = 64 << 20,      /* of memory, in addition to what the parent has */
	MOST_SYMBOL = 4096
};

typedef char *cxa_demangle(const char *symbol, char *out, size_t *n, int *status);

bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') && strlen(name) <= MOST_SYMBOL;
}

/* ---- the child ---- */

/* Returns how many bytes of memory this process has. */
static unsigned long long memory_now(void)
{
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f != NULL) {
		if (fscanf(f, "%llu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

static void limit_memory(void)
{
	unsigned long long now = memory_now();
	struct rlimit most = { now + MOST_BYTES, now + MOST_BYTES };

	if (now != 0)
		setrlimit(RLIMIT_AS, &most);
}

/* Ends this process when it has used MOST_MICROSECONDS of CPU time from now on. */
static void limit_time(void)
{
	const struct itimerval most = { .it_value.tv_usec = MOST_MICROSECONDS };

	setitimer(ITIMER_PROF, &most, NULL);
}

/* Returns the name of a symbol of C++, to be freed; NULL: it has none. */
static char *cxx_name(cxa_demangle *call, const char *symbol)
{
	int status;
	char *name = call == NULL ? NULL : call(symbol, NULL, NULL, &status);

	if (name != NULL)
		rust_old_name(name);
	return name;
}

/* Appends the answer for a symbol. */
static void answer(struct buf *out, cxa_demangle *call, const char *symbol)
{
	struct buf rust = { 0 };
	char *own = NULL;
	const char *name = NULL;
	size_t n;

	if (symbol[1] == 'Z')
		name = own = cxx_name(call, symbol);
	else if (rust_name(symbol, &rust))
		name = rust.at;
	n = name == NULL ? 0 : strlen(name);
	if (n > DEMANGLE_MOST || !buf_is_name(name, n))
		n = 0;
	buf_add(out, (const unsigned char[]){ (unsigned char)n, (unsigned char)(n >> 8) }, 2);
	buf_add(out, name, n);
	buf_free(&rust);
	free(own);
}

/* Returns whether all of b was written. */
static bool write_all(int fd, const struct buf *b)
{
	for (size_t at = 0; at < b->n;) {
		ssize_t n = write(fd, b->at + at, b->n - at);

		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Writes the answers for symbols [from, n). */
static void answer_all(const char *const *symbols, size_t from, size_t n, int fd)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
	cxa_demangle *call = NULL;
	struct buf out = { 0 };
	bool ok = true;

	if (library != NULL)
		*(void **)&call = dlsym(library, "__cxa_demangle");
	signal(SIGPROF, SIG_DFL);
	limit_memory();
	for (size_t i = from; i < n && ok && !out.failed; i++) {
		out.n = 0;
		limit_time();
		answer(&out, call, symbols[i]);
		ok = write_all(fd, &out);
	}
}

/* ---- the parent ---- */

/* Reads n bytes. Returns false if the child has ended before. */
static bool read_all(FILE *f, void *at, size_t n)
{
	size_t got = 0;

	while (got < n) {
		size_t more = fread((char *)at + got, 1, n - got, f);

		got += more;
		if (more == 0 && !(ferror(f) != 0 && errno == EINTR))
			return false;
		clearerr(f);
	}
	return true;
}

/* Takes the answers from symbol `from` on. Returns the first symbol without an answer. */
static size_t take_answers(FILE *f, size_t from, size_t n, struct buf *text, size_t *at)
{
	unsigned char size[2];
	char name[DEMANGLE_MOST];

	for (; from < n && read_all(f, size, sizeof size); from++) {
		size_t bytes = size[0] | (size_t)size[1] << 8;

		if (bytes > sizeof name || !read_all(f, name, bytes))
			break;
		at[from] = bytes == 0 ? SIZE_MAX : text->n;
		buf_add(text, name, bytes);
		buf_add(text, "", bytes == 0 ? 0 : 1);
	}
	return from;
}

/* Has a child answer from symbol `from` on. Returns the first symbol without an answer; SIZE_MAX:
 * there is no child. */
static size_t ask_child(const char *const *symbols, size_t from, size_t n, struct buf *text,
			size_t *at)
{
	int ends[2];
	pid_t child;
	FILE *f;

	if (pipe(ends) != 0)
		return SIZE_MAX;
	child = fork();
	if (child == 0) {
		close(ends[0]);
		answer_all(symbols, from, n, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	f = child < 0 ? NULL : fdopen(ends[0], "rb");
	if (f == NULL)
		close(ends[0]);
	from = f == NULL ? SIZE_MAX : take_answers(f, from, n, text, at);
	if (f != NULL)
		fclose(f);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return from;
}

bool demangle(const char *const *symbols, size_t n, struct buf *text, size_t *at)
{
	unsigned deaths = 0;
	size_t done = 0;

	for (size_t i = 0; i < n; i++)
		at[i] = SIZE_MAX;
	while (done < n && deaths <= MOST_DEATHS) {
		done = ask_child(symbols, done, n, text, at);
		if (done == SIZE_MAX)
			return false;
		/* The symbol without an answer is the one at which the child has died. */
		if (done < n)
			done++;
		deaths++;
	}
	return !text->failed;
}
