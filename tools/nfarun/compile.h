/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compile.h: compiles a filter, by the module with the compiler (contract/module.h).
 */
#ifndef NFART_NFARUN_COMPILE_H
#define NFART_NFARUN_COMPILE_H

#include "contract/module.h"
#include "include/nfart.h"

/* Opens the module, where beside_find() finds it, and compiles. Returns the image, to be freed with
 * nfart_image_free(). NULL: *e says why, or has an empty text if the module reported errors in the
 * filter. */
struct nfart_image *compile_filter(const struct module_request *r, struct nfart_error *e);

#endif
