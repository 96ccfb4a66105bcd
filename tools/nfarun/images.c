/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/images.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/module.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/wrong_file.h"

/* Compiles the filter of -e. Its protocol may be a file NAME.proto: then NAME is looked for in the
 * folder of the file first. NULL: *e says why, or has an empty text if that was reported. */
static struct nfart_image *images_compile(const struct nfarun_options *o, struct nfart_error *e)
{
	const char *dirs[OPTION_MOST_DIRS + 1];
	struct module_request request = { .text = o->run.filter,
					  .name = "-e",
					  .protocol = o->protocol,
					  .dirs = o->dirs.at,
					  .ndirs = o->dirs.n,
					  .params = o->params.at,
					  .nparams = o->params.n,
					  .colour = terminal_has_colours(
						  o->output.when_colour, STDERR_FILENO) };
	struct buf folder = { 0 }, name = { 0 };
	struct nfart_image *im = NULL;
	char *bytes = NULL;
	size_t n = 0;

	if (protocol_is_file(o->protocol)) {
		protocol_split(o->protocol, &folder, &name);
		dirs[0] = folder.at;
		for (size_t i = 0; i < o->dirs.n; i++)
			dirs[i + 1] = o->dirs.at[i];
		request.protocol = name.at;
		request.dirs = dirs;
		request.ndirs = o->dirs.n + 1;
	}
	if (folder.failed || name.failed)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (module_call(&request, &bytes, &n, e) == NFART_OK)
		im = nfart_image_load(bytes, n, request.name, e);
	free(bytes);
	buf_free(&folder);
	buf_free(&name);
	return im;
}

int images_open(const struct nfarun_options *o, struct nfart_image **a, struct nfart_image **b)
{
	struct nfart_error e;

	*a = o->run.filter != NULL ? images_compile(o, &e) : nfart_image_open(o->files.image, &e);
	if (*a != NULL && o->files.second != NULL)
		*b = nfart_image_open(o->files.second, &e);
	if (*a != NULL && (o->files.second == NULL || *b != NULL))
		return NFART_OK;
	if (e.status == NFART_INPUT && o->run.filter == NULL)
		wrong_file_explain(*a == NULL ? o->files.image : o->files.second, o->files.trace,
				   &e);
	if (e.status == NFART_INPUT && *a == NULL && o->ask.by_line && o->files.trace == NULL)
		snprintf(e.what, sizeof e.what,
			 "this is no nfacc image, and names no protocol; the messages of a trace "
			 "are counted by: nfarun ask --count --by line -p PROTOCOL %.200s",
			 o->files.image);
	return e.what[0] != 0 ? process_report(&e) : (int)e.status;
}
