/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter_file.h: opens the filter of -f.
 */
#ifndef NFACC_NFAMEM_FILTER_FILE_H
#define NFACC_NFAMEM_FILTER_FILE_H

#include "include/nfart.h"

/* Opens the image at `path`; a file whose name ends in .re is a filter, and is compiled first. The
 * result is freed with nfart_image_free(). NULL: *e says why, or has an empty text if the compiler
 * reported errors in the filter. */
struct nfart_image *filter_file_open(const char *path, struct nfart_error *e);

#endif
