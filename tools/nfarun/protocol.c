/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/protocol.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"
#include "runtime/trace/binary.h"
#include "support/bits.h"
#include "support/cli.h"
#include "support/option.h"

enum { MOST_FILE = 1 << 28, MOST_NAME = 64 };

/* Returns the exit code of a parse, and says that memory is short if nothing else was said. */
static int parsed(const char *tool, enum nfart_status status, const struct diags *d)
{
	if (status == NFART_SYSTEM && d->records.n == 0)
		fprintf(stderr, "%s: error: out of memory\n", tool);
	return (int)status;
}

static int protocol_report(const struct nfart_error *e)
{
	nfart_error_print(stderr, e);
	return (int)e->status;
}

bool protocol_is_file(const char *name)
{
	return name != NULL && strpbrk(name, "./") != NULL;
}

void protocol_split(const char *path, struct buf *folder, struct buf *name)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	size_t n = strlen(base);

	if (n > 6 && strcmp(base + n - 6, ".proto") == 0)
		n -= 6;
	buf_addf(folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
		 slash != NULL ? path : ".");
	buf_addf(name, "%.*s", (int)n, base);
}

/* What a protocol is opened with. */
struct opening {
	struct protocol *x;
	const char *tool;
	struct diags *d;
	const char *const *dirs; /* [ndirs] */
	size_t ndirs;
	const struct proto_given *given;
};

/* Parses a description in the file `name`. Those that it extends or uses may be in the same folder,
 * or in one of -I. */
static enum nfart_status protocol_parse(const struct opening *o, const char *name,
					const struct buf *text)
{
	struct buf dir = { 0 }, own = { 0 };
	const char *dirs[OPTION_MOST_DIRS + 1];
	size_t n = o->ndirs < OPTION_MOST_DIRS ? o->ndirs : OPTION_MOST_DIRS;
	enum nfart_status status;

	protocol_split(name, &dir, &own);
	dirs[0] = dir.at;
	for (size_t i = 0; i < n; i++)
		dirs[i + 1] = o->dirs[i];
	status = dir.failed || own.failed ? NFART_SYSTEM
			    : proto_parse_given(o->d, dirs, n + 1, o->given, name, text->at,
						text->n, &o->x->p);
	buf_free(&dir);
	buf_free(&own);
	return status;
}

static int open_file(const struct opening *o, const char *name)
{
	struct protocol *x = o->x;
	struct buf file = { 0 };
	struct nfart_error e;
	int error = buf_read_file(&file, name, MOST_FILE), code = NFART_OK;

	if (error != 0) {
		fprintf(stderr, "%s: error: can't read %s: %s\n", o->tool, name, strerror(error));
		return NFART_SYSTEM;
	}
	if (file.n >= 8 && memcmp(file.at, IMAGE_MAGIC, 8) == 0) {
		x->image = image_load(file.at, file.n, name, &e);
		if (x->image == NULL)
			code = protocol_report(&e);
		else
			x->p = x->image->proto;
	} else {
		code = parsed(o->tool, protocol_parse(o, name, &file), o->d);
	}
	buf_free(&file);
	return code;
}

static const char *next_shipped(void *ctx)
{
	size_t *i = ctx;

	return builtin_protocols[(*i)++].name;
}

/* Says that there is no protocol of this name, and which shipped one may be meant. Returns the exit
 * code. */
static int no_protocol(const char *tool, const char *name)
{
	size_t i = 0;
	const char *near = diag_nearest(name, strlen(name), next_shipped, &i);
	struct buf b = { 0 };
	int code;

	buf_addf(&b, "%s%s%s%s", name, near != NULL ? "; did you mean '" : "",
		 near != NULL ? near : "", near != NULL ? "'?" : "");
	code = cli_wrong_use(tool, "--protocol: no such protocol:", b.failed ? name : b.at);
	buf_free(&b);
	return code;
}

/* Opens a protocol. Messages about a description have the colour. */
static int open_protocol(struct opening *o, enum terminal_colour colour, const char *name)
{
	struct diags d = { 0 };
	int code;

	*o->x = (struct protocol){ NULL, NULL };
	o->d = &d;
	if (protocol_is_file(name))
		code = open_file(o, name);
	else
		code = parsed(o->tool, proto_find_given(&d, o->dirs, o->ndirs, o->given, name,
							strlen(name), &o->x->p), &d);
	if (code == NFART_NO)
		code = no_protocol(o->tool, name);
	diag_print(&d, stderr, terminal_has_colours(colour, STDERR_FILENO));
	diag_free(&d);
	return code;
}

int protocol_open(struct protocol *x, const char *tool, enum terminal_colour colour,
		  const char *name, const char *const *dirs, size_t ndirs)
{
	struct opening o = { .x = x, .tool = tool, .dirs = dirs, .ndirs = ndirs };

	return open_protocol(&o, colour, name);
}

int protocol_open_with(struct protocol *x, const char *tool, enum terminal_colour colour,
		       const char *name, const struct option_dirs *dirs,
		       const struct option_dirs *params)
{
	bool used[OPTION_MOST_DIRS] = { false };
	struct proto_given given = { params->at, params->n, used };
	struct opening o = { .x = x, .tool = tool, .dirs = dirs->at, .ndirs = dirs->n,
			     .given = &given };
	int code = open_protocol(&o, colour, name);

	for (size_t i = 0; i < params->n && code == NFART_OK; i++) {
		if (used[i])
			continue;
		fprintf(stderr, "%s: error: -D %s: protocol '%s' has no parameter '%.*s'\n", tool,
			params->at[i], x->p->name, (int)strcspn(params->at[i], "="), params->at[i]);
		protocol_close(x);
		code = NFART_INPUT;
	}
	return code;
}

/* Is p shipped, and does its description have no taps? Then nobody need parse it. */
static bool ships_without_taps(const struct nfart_proto *p)
{
	const char *text = builtin_find(builtin_protocols, p->name, strlen(p->name));

	return text != NULL && strstr(text, "\ntap ") == NULL;
}

bool protocol_open_taps(struct protocol *x, const struct nfart_proto *p, const char *given,
			const struct option_dirs *dirs, const struct option_dirs *params)
{
	bool used[OPTION_MOST_DIRS] = { false };
	struct proto_given values = { params->at, params->n, used };
	struct diags d = { 0 };
	struct opening o = { .x = x, .tool = "", .d = &d, .dirs = dirs->at, .ndirs = dirs->n,
			     .given = &values };
	struct buf file = { 0 };

	*x = (struct protocol){ NULL, NULL };
	if (given == NULL && dirs->n == 0 && ships_without_taps(p))
		return false;
	if (!protocol_is_file(given))
		proto_find_given(&d, o.dirs, o.ndirs, &values, p->name, strlen(p->name), &x->p);
	else if (buf_read_file(&file, given, MOST_FILE) == 0 && file.n != 0)
		protocol_parse(&o, given, &file);
	buf_free(&file);
	diag_free(&d);
	if (x->p != NULL && x->p->taps != NULL && x->p->fp.hardware == p->fp.hardware)
		return true;
	protocol_close(x);
	*x = (struct protocol){ NULL, NULL };
	return false;
}

/* Reads the beginning of a regular file, and puts the name of the protocol into `name` with which
 * the trace in it was made. False: it does not say so, or it was made with p. */
static bool read_name(const char *path, const struct nfart_proto *p, char name[MOST_NAME + 1])
{
	unsigned char head[HEAD_TEXT + MOST_NAME] = { 0 };
	struct stat st;
	FILE *f = path == NULL || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ? NULL
									       : fopen(path, "rb");
	size_t n = 0;

	if (f == NULL)
		return false;
	n = fread(head, 1, sizeof head, f);
	fclose(f);
	if (n < HEAD_TEXT || memcmp(head, TRACE_MAGIC, 8) != 0 ||
	    get_le64(head + HEAD_FINGERPRINT) == p->fp.hardware)
		return false;
	n = get_le32(head + HEAD_NAME_SIZE);
	if (n == 0 || n > MOST_NAME)
		return false;
	memcpy(name, head + HEAD_TEXT, n);
	name[n] = 0;
	return !protocol_is_file(name);
}

int protocol_open_for(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *path, const char *const *dirs, size_t ndirs)
{
	char name[MOST_NAME + 1];
	int code = protocol_open(x, tool, colour, "eci", dirs, ndirs);

	if (code != NFART_OK || !read_name(path, x->p, name))
		return code;
	protocol_close(x);
	code = protocol_open(x, tool, colour, name, dirs, ndirs);
	if (code != NFART_OK)
		fprintf(stderr, "%s: note: %s was made with protocol '%s'\n", tool, path, name);
	return code;
}

int protocol_open_any(struct protocol *x, const char *tool, enum terminal_colour colour,
		      const char *name, const char *path, const struct option_dirs *dirs,
		      const struct option_dirs *params)
{
	return name != NULL ? protocol_open_with(x, tool, colour, name, dirs, params)
			    : protocol_open_for(x, tool, colour, path, dirs->at, dirs->n);
}

void protocol_close(struct protocol *x)
{
	if (x->image != NULL)
		image_free(x->image);
	else
		proto_free(x->p);
}

int protocol_take_param(const struct option_given *g)
{
	return proto_given_fine(g->value) ? option_take_dir(g) : OPTION_WRONG;
}
