/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/parts.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/codec/compress.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/protocol.h"

enum nfart_status parts_check(const struct nfarun_options *o, const char *out,
			      struct nfart_error *e)
{
	const char *in[] = { o->files.image, o->files.second, o->files.map, o->files.against,
			     protocol_is_file(o->protocol) ? o->protocol : NULL,
			     o->files.trace != NULL || o->show.inspect ? o->files.trace : "-" };
	enum nfart_status status = NFART_OK;

	for (size_t i = 0; i < sizeof in / sizeof *in && status == NFART_OK; i++)
		if (in[i] != NULL)
			status = outfile_check(out, in[i], e);
	for (uint32_t i = 0; i < o->shards.nfiles && status == NFART_OK; i++)
		status = outfile_check(out, o->shards.files[i], e);
	for (uint32_t i = 0; i < o->files.ntraces && status == NFART_OK; i++)
		status = outfile_check(out, o->files.traces[i], e);
	return status;
}

/* Returns the name of part n, to be freed. NULL: out of memory. */
static char *part_name(const char *path, size_t n)
{
	const char *dot = nfart_compression_of_name(path) == NFART_COMPRESSION_NONE ?
				  path + strlen(path) : strrchr(path, '.');
	size_t size = strlen(path) + 24;
	char *name = malloc(size);

	if (name != NULL)
		snprintf(name, size, "%.*s.%zu%s", (int)(dot - path), path, n, dot);
	return name;
}

/* Opens the file `name` as the next part. */
static enum nfart_status open_part(struct parts *p, const char *name)
{
	struct outfile file;
	enum nfart_status status = parts_check(p->o, name, &p->error);

	if (status == NFART_OK)
		status = outfile_open(&file, name, &p->error);
	if (status != NFART_OK)
		return status;
	status = compress_outfile(&file, name, &p->error);
	if (status == NFART_OK && !vec_push(&p->files, file))
		status = nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
	if (status != NFART_OK)
		outfile_abort(&file);
	return status;
}

FILE *parts_next(void *ctx)
{
	struct parts *p = ctx;
	char *name = part_name(p->o->output.out, p->files.n + 1);

	p->failed = true;
	if (name == NULL)
		nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
	else if (p->files.n == 0 ||
		 outfile_close(&p->files.at[p->files.n - 1], &p->error) == NFART_OK)
		p->failed = open_part(p, name) != NFART_OK;
	free(name);
	return p->failed ? NULL : p->files.at[p->files.n - 1].f;
}

enum nfart_status parts_commit(struct parts *p, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	for (size_t i = 0; i < p->files.n && status == NFART_OK; i++)
		if ((status = outfile_commit(&p->files.at[i], e)) == NFART_OK)
			p->written++;
	parts_abort(p);
	return status;
}

void parts_abort(struct parts *p)
{
	for (size_t i = 0; i < p->files.n; i++)
		outfile_abort(&p->files.at[i]);
	vec_free(&p->files);
}
