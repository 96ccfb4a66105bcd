/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/filter_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/module.h"
#include "support/buf.h"

enum { MOST_FILE = 1 << 24 };

struct nfart_image *filter_file_compile(const char *text, const char *name,
					enum terminal_colour colour, struct nfart_error *e)
{
	struct module_request r = { .text = text,
				    .name = name,
				    .statements = true,
				    .colour = terminal_has_colours(colour, STDERR_FILENO) };
	struct nfart_image *im = NULL;
	char *bytes = NULL;
	size_t n = 0;

	if (module_call(&r, &bytes, &n, e) == NFART_OK)
		im = nfart_image_load(bytes, n, name, e);
	free(bytes);
	return im;
}

static struct nfart_image *compile_filter(const char *path, enum terminal_colour colour,
					  struct nfart_error *e)
{
	struct nfart_image *im = NULL;
	struct buf text = { 0 };
	int error = buf_read_file(&text, path, MOST_FILE);

	if (error != 0)
		nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(error));
	else if (text.n == 0 || memchr(text.at, 0, text.n) != NULL)
		nfart_fail(e, NFART_INPUT, "%s is not a filter: it is empty, or it is not text",
			   path);
	else
		im = filter_file_compile(text.at, path, colour, e);
	buf_free(&text);
	return im;
}

struct nfart_image *filter_file_open(const char *path, enum terminal_colour colour,
				     struct nfart_error *e)
{
	size_t n = strlen(path);

	if (n > 3 && strcmp(path + n - 3, ".re") == 0)
		return compile_filter(path, colour, e);
	return nfart_image_open(path, e);
}
