/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/command/wrong_input.h"
#include "config.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"
#include "support/outfile.h"
#include "support/progress.h"

int files_fail(const char *what, const char *why)
{
	fprintf(stderr, "nfacc: error: %s%s%s\n", what, why != NULL ? ": " : "",
		why != NULL ? why : "");
	return NFART_SYSTEM;
}

/* Prints an error of the runtime. Returns its exit code. */
static int fail_with(const struct nfart_error *e)
{
	nfart_error_print(stderr, e);
	return (int)e->status;
}

/* Prints the diagnostics. With `last` a SARIF document is printed even if there are none. */
static void print_diags(const struct options *o, struct diags *d, bool last)
{
	if (o->say.form == DIAGNOSTICS_JSON)
		diag_print_json(d, stderr);
	else if (o->say.form == DIAGNOSTICS_TEXT)
		diag_print(d, stderr, terminal_has_colours(o->say.colour, STDERR_FILENO));
	else if (last || d->records.n != 0)
		diag_print_sarif(d, stderr, "nfacc", PACKAGE_VERSION);
}

void files_print_diags(const struct options *o, struct diags *d)
{
	print_diags(o, d, false);
}

/* ---- input ---- */

int files_check_output(const struct options *o, const char *input)
{
	struct nfart_error e;

	return o->check || outfile_check(o->emit.file, input, &e) == NFART_OK ? NFART_OK
									      : fail_with(&e);
}

/* Refuses an output that is one of the files that were read, descriptions of protocols included.
 * Returns an exit code. */
static int check_sources(const struct options *o, const struct diags *d)
{
	int code = NFART_OK;

	for (size_t i = 0; i < d->sources.n && code == NFART_OK; i++)
		code = files_check_output(o, d->sources.at[i].name);
	return code;
}

static bool ends_with(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n >= m && strcmp(s + n - m, ending) == 0;
}

static enum pipeline_form form_of(const struct options *o, const char *name)
{
	bool by_name = o->language == LANGUAGE_BY_NAME;

	if (o->language == LANGUAGE_COHERENCE || (by_name && ends_with(name, ".coh")))
		return FORM_COHERENCE;
	if (o->language == LANGUAGE_YAML ||
	    (by_name && (ends_with(name, ".yaml") || ends_with(name, ".yml"))))
		return FORM_YAML;
	return FORM_FILTERS;
}

/* Refuses files that are no filters, but traces or images. Returns an exit code. */
static int check_inputs(const struct options *o, const struct inputs *in)
{
	struct diags d = { .werror = false };
	bool wrong = false;

	for (size_t i = 0; i < in->n; i++)
		wrong |= wrong_input_report(&d, in->file[i].name, &in->text[i]);
	if (wrong)
		print_diags(o, &d, true);
	diag_free(&d);
	return wrong ? NFART_INPUT : NFART_OK;
}

int inputs_read(const struct options *o, struct inputs *in)
{
	int code = NFART_OK;

	in->n = o->files.n;
	in->text = calloc(in->n + 1, sizeof *in->text);
	in->file = calloc(in->n + 1, sizeof *in->file);
	if (in->text == NULL || in->file == NULL)
		return files_fail("out of memory", NULL);
	for (size_t i = 0; i < in->n && code == NFART_OK; i++) {
		const char *name = o->files.at[i];
		int error;

		code = files_check_output(o, name);
		if (code != NFART_OK)
			break;
		error = buf_read_file(&in->text[i], name, FILES_MOST);
		if (error != 0)
			code = files_fail(name, strerror(error));
		in->file[i].name = name;
		in->file[i].text = in->text[i].at != NULL ? in->text[i].at : "";
		in->file[i].n = in->text[i].n;
		in->file[i].form = form_of(o, name);
	}
	return code == NFART_OK ? check_inputs(o, in) : code;
}

void inputs_free(struct inputs *in)
{
	for (size_t i = 0; i < in->n && in->text != NULL; i++)
		buf_free(&in->text[i]);
	free(in->text);
	free(in->file);
}

/* Returns the text of a shipped overlay, or NULL if `name` is a file. */
static const char *shipped_overlay(const char *name)
{
	return strchr(name, '/') != NULL ? NULL
					 : builtin_find(builtin_overlays, name, strlen(name));
}

/* Finds the description of the overlay `name`. It is a shipped one if there is one and the name has
 * no '/', else a file, which is read into b. Stores the text and its length in *text and *n.
 * Returns an exit code. */
static int overlay_text(const struct options *o, const char *name, struct buf *b,
			const char **text, size_t *n)
{
	int code, error;

	*text = shipped_overlay(name);
	if (*text != NULL) {
		*n = strlen(*text);
		return NFART_OK;
	}
	code = files_check_output(o, name);
	if (code != NFART_OK)
		return code;
	error = buf_read_file(b, name, FILES_MOST);
	if (error != 0)
		return files_fail(name,
				  error == ENOENT
					  ? "no such file, and no shipped overlay (see --list)"
					  : strerror(error));
	*text = b->at != NULL ? b->at : "";
	*n = b->n;
	return NFART_OK;
}

int files_read_overlay(struct options *o)
{
	struct diags d = { .werror = false };
	struct buf file = { 0 };
	const char *text;
	size_t n;
	int code = NFART_OK;

	if (o->hardware.overlay_file != NULL)
		code = overlay_text(o, o->hardware.overlay_file, &file, &text, &n);
	if (o->hardware.overlay_file != NULL && code == NFART_OK) {
		if (!overlay_parse(&d, o->hardware.overlay_file, text, n, &o->pipeline.overlay))
			code = NFART_INPUT;
		files_print_diags(o, &d);
	}
	diag_free(&d);
	buf_free(&file);
	return code;
}

/* Parses a description of a protocol that was read from the file `name`. Those that it extends or
 * uses may be in the same folder, or in one of -I. */
static enum nfart_status parse_file(const struct options *o, struct diags *d,
				    const struct proto_given *given, const char *name,
				    const struct buf *text, struct nfart_proto **out)
{
	const char *slash = strrchr(name, '/');
	const char **dirs = calloc(o->pipeline.ndirs + 1, sizeof *dirs);
	char *own = slash != NULL ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
	enum nfart_status status = NFART_SYSTEM;

	if (dirs != NULL && own != NULL) {
		dirs[0] = own;
		for (size_t i = 0; i < o->pipeline.ndirs; i++)
			dirs[i + 1] = o->pipeline.dirs[i];
		status = proto_parse_given(d, dirs, o->pipeline.ndirs + 1, given, name,
					   text->at != NULL ? text->at : "", text->n, out);
	}
	free(dirs);
	free(own);
	return status;
}

int files_find_protocol(const struct options *o, const char *name, struct nfart_proto **out)
{
	struct diags d = { .werror = false };
	/* The name of a protocol has neither. */
	bool file = strpbrk(name, "./") != NULL;
	struct buf text = { 0 };
	int error = file ? buf_read_file(&text, name, FILES_MOST) : 0;
	struct proto_given given = { o->params.at, o->params.n,
				     calloc(o->params.n + 1, sizeof *given.used) };
	enum nfart_status status = NFART_SYSTEM;

	*out = NULL;
	if (error == ENOENT)
		status = NFART_NO;
	else if (given.used != NULL && error == 0)
		status = file ? parse_file(o, &d, &given, name, &text, out)
			      : proto_find_given(&d, o->pipeline.dirs, o->pipeline.ndirs, &given,
						 name, strlen(name), out);
	buf_free(&text);
	if (error != 0 && error != ENOENT) {
		free(given.used);
		return files_fail(name, strerror(error));
	}
	for (size_t i = 0; i < given.n && status == NFART_OK; i++) {
		if (given.used[i])
			continue;
		fprintf(stderr, "nfacc: error: -D %s: protocol '%s' has no such parameter\n",
			given.params[i], name);
		proto_free(*out);
		*out = NULL;
		status = NFART_USAGE;
	}
	free(given.used);
	if (status == NFART_USAGE) {
		diag_free(&d);
		return NFART_USAGE;
	}
	files_print_diags(o, &d);
	if (status == NFART_OK) {
		status = (enum nfart_status)check_sources(o, &d);
	} else if (status == NFART_NO) {
		fprintf(stderr, "nfacc: error: no protocol '%s'\n", name);
		status = NFART_INPUT;
	} else if (status == NFART_SYSTEM && d.errors == 0) {
		files_fail("out of memory", NULL);
	}
	diag_free(&d);
	return (int)status;
}

int files_find_tap(const struct options *o, const char *otherwise, struct nfart_proto **out)
{
	const struct overlay_desc *v = &o->pipeline.overlay;
	const char *asked = o->pipeline.front.protocol, *name = v->protocol;

	if (name[0] != 0 && asked != NULL && strcmp(asked, name) != 0) {
		fprintf(stderr, "nfacc: error: overlay '%s' taps protocol '%s', not '%s'\n",
			v->name, name, asked);
		return NFART_USAGE;
	}
	if (name[0] == 0)
		name = asked != NULL ? asked : otherwise;
	return files_find_protocol(o, name, out);
}

/* ---- the pipeline ---- */

int files_compile(struct options *o, struct pipeline *p, const struct pipeline_file *files,
		  size_t n)
{
	struct progress_line *line = progress_line_new("nfacc");
	int code;

	o->pipeline.progress = progress_line_callback(line);
	code = (int)pipeline_run(p, &o->pipeline, files, n);
	progress_line_free(line); /* clears the line, which diagnostics would be mixed with */
	print_diags(o, &p->diags, true);
	if (code == NFART_SYSTEM && p->diags.errors == 0)
		files_fail("out of memory", NULL);
	if (code == NFART_OK && p->diags.errors != 0)
		code = NFART_INPUT;
	return code == NFART_OK ? check_sources(o, &p->diags) : code;
}

/* ---- output ---- */

/* Writes b to a file, or to standard output if `path` is NULL. */
static int write_file(const char *path, const struct buf *b)
{
	struct outfile f = { 0 };
	struct nfart_error e;

	if (b->failed)
		return files_fail("out of memory", NULL);
	if (outfile_open(&f, path, &e) != NFART_OK)
		return fail_with(&e);
	if (b->n != 0 && fwrite(b->at, 1, b->n, f.f) != b->n) {
		int error = errno;
		outfile_abort(&f);
		return files_fail(path != NULL ? path : "standard output", strerror(error));
	}
	return outfile_commit(&f, &e) == NFART_OK ? NFART_OK : fail_with(&e);
}

int files_write(const struct options *o, const struct buf *b)
{
	return write_file(o->emit.file, b);
}

/* Appends the name of a file as make reads it. */
static void add_for_make(struct buf *b, const char *name)
{
	for (; *name != 0; name++)
		buf_addf(b, "%s%c", *name == '$' ? "$" : strchr(" #", *name) != NULL ? "\\" : "",
			 *name);
}

/* Is a source a file? Others are standard input, options, and what is shipped. */
static bool is_file(const char *name)
{
	return strcmp(name, "-") != 0 && name[0] != '<';
}

int files_write_depends(const struct options *o, const struct pipeline *p)
{
	struct buf rule = { 0 }, none = { 0 }, path = { 0 };
	const char *dot = strrchr(o->emit.file, '.'), *slash = strrchr(o->emit.file, '/');
	size_t stem = dot != NULL && (slash == NULL || dot > slash + 1) && dot != o->emit.file ?
			      (size_t)(dot - o->emit.file) : strlen(o->emit.file);
	const char *overlay = o->hardware.overlay_file;
	struct nfart_error e;
	int code = NFART_OK;

	buf_addf(&path, "%.*s.d", (int)stem, o->emit.file);
	add_for_make(&rule, o->emit.file);
	buf_addf(&rule, ":");
	for (size_t i = 0; i <= p->diags.sources.n && !path.failed && code == NFART_OK; i++) {
		const char *name = i < p->diags.sources.n ? p->diags.sources.at[i].name : overlay;
		if (name == NULL || !is_file(name) || (name == overlay && shipped_overlay(name)))
			continue;
		buf_addf(&rule, " ");
		add_for_make(&rule, name);
		/* A file that is gone later is no error for make. */
		add_for_make(&none, name);
		buf_addf(&none, ":\n");
		if (outfile_check(path.at, name, &e) != NFART_OK)
			code = fail_with(&e);
	}
	buf_addf(&rule, "\n%s", none.n != 0 ? none.at : "");
	rule.failed |= path.failed | none.failed;
	if (code == NFART_OK)
		code = write_file(path.at, &rule);
	buf_free(&rule);
	buf_free(&none);
	buf_free(&path);
	return code;
}
