/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/wrong_file.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "contract/image/image.h"
#include "runtime/trace/binary.h"

enum { PEEK = 4096 };

/* Reads the first bytes of a regular file into `out`, at most PEEK, and puts a 0 after them. Of any
 * other file it reads nothing, because bytes that are read from a pipe are gone. */
static void peek(const char *path, char out[static PEEK + 1])
{
	struct stat st;
	FILE *f = path == NULL || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ? NULL
									       : fopen(path, "rb");
	size_t n = 0;

	if (f != NULL) {
		n = fread(out, 1, PEEK, f);
		fclose(f);
	}
	out[n] = 0;
}

/* Returns the first place in s that is neither a blank nor in a comment of the filter language. */
static const char *skip_blank(const char *s)
{
	for (;;) {
		const char *end = NULL;
		s += strspn(s, " \t\r\n");
		if (strncmp(s, "//", 2) == 0)
			end = strchr(s, '\n');
		else if (strncmp(s, "/*", 2) == 0 && (end = strstr(s + 2, "*/")) != NULL)
			end++;
		if (end == NULL)
			return s;
		s = end + 1;
	}
}

/* Does the text begin with a statement of the filter language? */
static bool begins_filter(const char *text)
{
	static const char *const words[] = {
		"protocol", "let",    "filter", "log",	     "automaton",
		"counter",  "window", "limit",	"substream",
	};
	const char *s = skip_blank(text);

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t n = strlen(words[i]);
		if (strncmp(s, words[i], n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_')
			return true;
	}
	return false;
}

static bool is_filter_name(const char *path)
{
	const char *ending = strrchr(path, '.');

	return ending != NULL && (strcmp(ending, ".re") == 0 || strcmp(ending, ".yaml") == 0 ||
				  strcmp(ending, ".yml") == 0 || strcmp(ending, ".coh") == 0);
}

static bool is_image(const char *bytes)
{
	return strncmp(bytes, IMAGE_MAGIC, strlen(IMAGE_MAGIC)) == 0;
}

bool wrong_file_is_trace(const char *path)
{
	char bytes[PEEK + 1];

	peek(path, bytes);
	return strncmp(bytes, TRACE_MAGIC, strlen(TRACE_MAGIC)) == 0;
}

void wrong_file_image(const char *trace, const char *advice, struct nfart_error *e)
{
	char bytes[PEEK + 1];

	peek(trace, bytes);
	if (is_image(bytes))
		nfart_fail(e, NFART_USAGE, "%.200s is an image, not a trace: %s", trace, advice);
}

void wrong_file_explain(const char *image, const char *trace, struct nfart_error *e)
{
	char bytes[PEEK + 1];

	peek(trace, bytes);
	if (is_image(bytes)) {
		snprintf(e->what, sizeof e->what,
			 "this is no nfacc image, but %s is one: arguments seem swapped: "
			 "nfarun IMAGE TRACE", trace);
		return;
	}
	peek(image, bytes);
	if (!is_image(bytes) && (is_filter_name(image) || begins_filter(bytes)))
		snprintf(e->what, sizeof e->what, "this is a filter; compile it with nfacc first");
	else if (strncmp(bytes, TRACE_MAGIC, strlen(TRACE_MAGIC)) == 0)
		snprintf(e->what, sizeof e->what,
			 "this is a trace; an image stands before it, or a filter (-e), or a "
			 "question about the trace: nfarun ask --count, --latency, --open %.200s",
			 image);
}
