/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* filter_file.h: opens the filter that -f names. */
#ifndef NFACC_NFAMEM_FILTER_FILE_H
#define NFACC_NFAMEM_FILTER_FILE_H

#include "include/nfart.h"
#include "support/terminal.h"

/*
 * Opens the image at `path`. If the name ends in .re, the file is a filter and is compiled first.
 * Free the result with nfart_image_free(). On failure returns NULL and sets *e. The text of *e is
 * empty if the compiler has reported errors in the filter.
 */
struct nfart_image *filter_file_open(const char *path, enum terminal_colour colour,
				     struct nfart_error *e);

/* Compiles the text of a filter. `name` stands in its diagnostics. Otherwise as filter_file_open(). */
struct nfart_image *filter_file_compile(const char *text, const char *name,
					enum terminal_colour colour, struct nfart_error *e);

#endif
