/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Opens a protocol that stands alone: a shipped one, or the description in a file or in memory.
 */
#include <errno.h>
#include <string.h>

#include "contract/proto/proto.h"
#include "grammar/describe/proto_text.h"
#include "include/nfart.h"
#include "support/buf.h"

enum { MOST_FILE = 1 << 28 };

/* Copies the line of `offset` into e->source, as far as it fits. */
static void copy_line(const struct diag_source *s, size_t offset, struct nfart_error *e)
{
	size_t begin = offset, n = 0;

	while (begin > 0 && s->text[begin - 1] != '\n')
		begin--;
	while (begin + n < s->n && s->text[begin + n] != '\n' && n < sizeof e->source - 1)
		n++;
	/* If the caret would stand beyond the part of the line that fits, no part is shown. */
	if (e->column > n + 1)
		n = 0;
	memcpy(e->source, s->text + begin, n);
	e->source[n] = 0;
}

/* Fills *e with the first error in a description. */
static void first_error(struct diags *d, enum nfart_status status, struct nfart_error *e)
{
	const struct diag *r;
	size_t i = 0, line, column;

	diag_sort(d);
	while (i < d->records.n && !diag_is_error(d, &d->records.at[i]))
		i++;
	if (i == d->records.n) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return;
	}
	r = &d->records.at[i];
	nfart_fail(e, status, "%s", r->message);
	if (e == NULL || r->range.source >= d->sources.n)
		return;
	const struct diag_source *s = &d->sources.at[r->range.source];
	diag_locate(s, r->range.begin, &line, &column);
	e->line = line;
	e->column = column;
	snprintf(e->file, sizeof e->file, "%s", s->name);
	copy_line(s, r->range.begin, e);
}

/* Parses the description in the file `path`. One that it extends may be in the same folder. Returns
 * what proto_parse() does; NFART_SYSTEM with *error set: the file can't be read. */
static enum nfart_status parse_file(struct diags *d, const char *path, struct nfart_proto **p,
				    int *error)
{
	const char *slash = strrchr(path, '/'), *dirs[1];
	struct buf text = { 0 }, folder = { 0 };
	enum nfart_status status = NFART_SYSTEM;

	*error = buf_read_file(&text, path, MOST_FILE);
	if (slash == NULL)
		buf_addf(&folder, ".");
	else
		buf_add(&folder, path, (size_t)(slash - path) + 1);
	dirs[0] = folder.at;
	if (*error == 0 && !folder.failed)
		status = proto_parse(d, dirs, 1, path, text.n != 0 ? text.at : "", text.n, p);
	buf_free(&text);
	buf_free(&folder);
	return status;
}

struct nfart_proto *nfart_proto_open(const char *name, struct nfart_error *e)
{
	bool is_file = strpbrk(name, "./") != NULL;
	struct nfart_proto *p = NULL;
	struct diags d = { 0 };
	enum nfart_status status;
	int error = 0;

	if (is_file)
		status = parse_file(&d, name, &p, &error);
	else
		status = proto_find(&d, NULL, 0, name, strlen(name), &p);
	if (error != 0) {
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(error));
		if (e != NULL)
			snprintf(e->file, sizeof e->file, "%s", name);
	} else if (status == NFART_NO) {
		nfart_fail(e, NFART_USAGE, "there is no protocol '%s'", name);
	} else if (status != NFART_OK) {
		first_error(&d, status, e);
	}
	diag_free(&d);
	errno = error;
	return p;
}

struct nfart_proto *nfart_proto_parse(const char *text, size_t n, const char *name,
				      struct nfart_error *e)
{
	struct nfart_proto *p = NULL;
	struct diags d = { 0 };
	enum nfart_status status = proto_parse(&d, NULL, 0, name, text, n, &p);

	if (status != NFART_OK)
		first_error(&d, status, e);
	diag_free(&d);
	return p;
}

void nfart_proto_free(struct nfart_proto *p)
{
	proto_free(p);
}
