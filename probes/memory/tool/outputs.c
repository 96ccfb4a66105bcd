/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/outputs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probes/memory/reader/summary.h"
#include "support/buf.h"

static bool is_recorded(const struct outputs *u)
{
	return u->o->filter == NULL && u->o->checking.checks == 0 && u->o->format >= FORMAT_COMPACT;
}

enum nfart_status outputs_open(struct outputs *u, const struct nfamem_options *o,
			       struct nfart_error *e)
{
	*u = (struct outputs){ .o = o };
	if (o->watching.follow) {
		u->turns = turns_new();
		if (u->turns == NULL)
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	if (outfile_open(&u->out, o->out, e) != NFART_OK)
		return e->status;
	u->findings = findings_new(u->out.f, (enum findings_form)o->checking.form);
	return u->findings != NULL ? NFART_OK : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

static enum nfart_status prepare_filters(struct outputs *u, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (u->filters.n == 0 && u->filters.patterns == NULL)
		status = filters_open(&u->filters, u->o, e);
	if (status == NFART_OK && !u->copy && !filters_head(&u->filters, u->o, u->findings, e))
		status = e->status;
	return status == NFART_OK ? filters_begin(&u->filters, u->o, u->memory, u->findings, e)
				  : status;
}

static enum nfart_status prepare_recording(struct outputs *u, struct nfart_error *e)
{
	const char *name = u->o->format == FORMAT_COMPACT ? "mem" : "mem-word";
	struct memory_output output;

	if (u->protocol == NULL)
		u->protocol = nfart_proto_open(name, e);
	if (u->protocol == NULL)
		return e->status;
	u->messages = messages_new(u->memory, u->protocol, e);
	if (u->messages == NULL)
		return e->status;
	u->recording = recording_new(u->messages, u->protocol, u->out.f, e);
	if (u->recording == NULL)
		return e->status;
	output = messages_output(u->messages);
	memory_add_output(u->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare_lines(struct outputs *u, struct nfart_error *e)
{
	static const enum lines_form forms[] = { LINES_SYMBOLIC, LINES_RAW, LINES_BOTH };
	struct memory_output output;

	u->lines = lines_new(u->memory, u->out.f, forms[u->o->format]);
	if (u->lines == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = lines_output(u->lines);
	memory_add_output(u->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare_page_map(struct outputs *u, struct nfart_error *e)
{
	struct memory_output output;

	u->page_map = page_map_new();
	if (u->page_map == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = page_map_output(u->page_map);
	memory_add_output(u->memory, &output);
	return NFART_OK;
}

enum nfart_status outputs_begin(struct outputs *u, struct memory *m, struct nfart_error *e)
{
	const struct nfamem_options *o = u->o;
	enum nfart_status status = NFART_OK;

	u->memory = m;
	if (o->page_map != NULL && !u->copy)
		status = outfile_probe(o->page_map, e);
	if (o->page_map != NULL && status == NFART_OK)
		status = prepare_page_map(u, e);
	if (status != NFART_OK)
		return status;
	if (o->filter != NULL || o->checking.checks != 0)
		status = prepare_filters(u, e);
	else if (o->format >= FORMAT_COMPACT)
		status = prepare_recording(u, e);
	else if ((!o->summary && o->page_map == NULL) || o->format_given)
		status = prepare_lines(u, e);
	return status;
}

void outputs_process(struct outputs *u, const struct outputs_process *p)
{
	if (u->turns != NULL && u->lines != NULL)
		lines_process(u->lines, p->pid, u->turns);
	if (u->turns != NULL)
		findings_process(u->findings, p->pid, u->turns);
}

/* ---- files of other processes than the first ---- */

/*
 * Returns FILE.PID, or FILE.PID.PROGRAM. If FILE is a device or the like, returns FILE itself.
 * Returns NULL if there is no memory. The caller frees it.
 */
static char *file_of(const char *file, const struct outputs_process *p)
{
	struct stat st;
	char *name = NULL;
	int n;

	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode))
		n = asprintf(&name, "%s", file);
	else if (p->program == 0)
		n = asprintf(&name, "%s.%u", file, p->pid);
	else
		n = asprintf(&name, "%s.%u.%u", file, p->pid, p->program);
	return n < 0 ? NULL : name;
}

static enum nfart_status open_own(struct outfile *f, const char *file,
				  const struct outputs_process *p, struct nfart_error *e)
{
	char *name = file_of(file, p);
	enum nfart_status status;

	if (name == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	status = outfile_open(f, name, e);
	free(name);
	return status;
}

/*
 * Called in a new copy of nfamem: the trace belongs to the process that was copied. Drops what is
 * still in the buffers.
 */
static enum nfart_status leave_recording(struct outputs *u, struct nfart_error *e)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (nowhere < 0 || dup2(nowhere, fileno(u->out.f)) < 0)
		return nfart_fail(e, NFART_SYSTEM, "can't open /dev/null");
	close(nowhere);
	recording_end(u->recording, NULL);
	free(u->out.temp);
	u->out.temp = NULL;
	outfile_abort(&u->out);
	return NFART_OK;
}

enum nfart_status outputs_inherit(struct outputs *u, const struct outputs_process *p,
				  uint32_t thread, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	u->copy = true;
	if (u->page_map != NULL)
		page_map_clear(u->page_map);
	if (u->messages != NULL)
		messages_inherit(u->messages, thread);
	filters_inherit(&u->filters, thread);
	if (u->recording != NULL)
		status = leave_recording(u, e);
	if (u->recording != NULL && status == NFART_OK)
		status = open_own(&u->out, u->o->out, p, e);
	if (u->recording != NULL && status == NFART_OK)
		status = recording_again(u->recording, u->protocol, u->out.f, e);
	outputs_process(u, p);
	return status;
}

/* Frees the outputs that depend on u->memory. */
static void free_parts(struct outputs *u)
{
	lines_free(u->lines);
	page_map_free(u->page_map);
	filters_stop(&u->filters);
	recording_close(u->recording, NULL);
	messages_free(u->messages);
	u->lines = NULL;
	u->page_map = NULL;
	u->recording = NULL;
	u->messages = NULL;
}

enum nfart_status outputs_renew(struct outputs *u, struct memory *m,
				const struct outputs_process *p, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	u->copy = true;
	if (u->recording != NULL)
		status = leave_recording(u, e);
	if (status == NFART_OK && is_recorded(u))
		status = open_own(&u->out, u->o->out, p, e);
	free_parts(u);
	if (status == NFART_OK)
		status = outputs_begin(u, m, e);
	outputs_process(u, p);
	return status;
}

/* ---- the end ---- */

bool outputs_flush(struct outputs *u, struct nfart_error *e)
{
	return u->lines == NULL || lines_flush(u->lines, e);
}

static bool write_summary(struct outputs *u, struct mem_channel *c, const struct outputs_process *p,
			  struct nfart_error *e)
{
	struct buf text = { 0 };
	bool fine;

	if (u->turns != NULL)
		buf_addf(&text, "Process %u, %s\n", p->pid, p->path);
	summary_print(u->memory, c, &text);
	if (u->turns != NULL)
		buf_addf(&text, "\n");
	turns_take(u->turns);
	fine = !text.failed && fwrite(text.at, 1, text.n, u->out.f) == text.n &&
	       (u->turns == NULL || fflush(u->out.f) == 0);
	turns_give(u->turns);
	if (!fine)
		nfart_fail(e, NFART_SYSTEM, "can't write the summary");
	buf_free(&text);
	return fine;
}

bool outputs_end(struct outputs *u, struct mem_channel *c, const struct outputs_process *p,
		 struct nfart_error *e)
{
	bool fine = outputs_flush(u, e) && filters_end(&u->filters, e) &&
		    recording_close(u->recording, e) == NFART_OK;

	/*
	 * After an error the program still runs. Its events are read to the end, but not written.
	 */
	u->memory->noutputs = 0;
	u->recording = NULL;
	return fine && (!u->o->summary || write_summary(u, c, p, e));
}

static enum nfart_status write_page_map(const struct outputs *u, const struct outputs_process *p,
					struct nfart_error *e)
{
	struct buf picture = { 0 };
	struct outfile out = { 0 };
	enum nfart_status status;

	if (!page_map_draw(u->page_map, p->path, &picture)) {
		buf_free(&picture);
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	status = u->copy ? open_own(&out, u->o->page_map, p, e)
			 : outfile_open(&out, u->o->page_map, e);
	if (status == NFART_OK)
		fwrite(picture.at, 1, picture.n, out.f);
	if (status == NFART_OK)
		status = outfile_commit(&out, e);
	buf_free(&picture);
	return status;
}

enum nfart_status outputs_commit(struct outputs *u, const struct outputs_process *p,
				 struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (!u->copy && !findings_end(u->findings, e))
		status = e->status;
	if (status == NFART_OK && (!u->copy || is_recorded(u)))
		status = outfile_commit(&u->out, e);
	if (status == NFART_OK && u->page_map != NULL)
		status = write_page_map(u, p, e);
	return status;
}

void outputs_free(struct outputs *u)
{
	free_parts(u);
	outfile_abort(&u->out);
	nfart_proto_free(u->protocol);
	filters_free(&u->filters);
	findings_free(u->findings);
	turns_free(u->turns);
}
