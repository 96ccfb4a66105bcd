/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * watch.h: the objects of --watch: variables, and what is allocated by functions.
 */
#ifndef NFACC_NFAMEM_WATCH_H
#define NFACC_NFAMEM_WATCH_H

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"
#include "probes/memory/reader/names.h"

/* Puts into the channel where the n objects are, now that the modules are known: variables first, and
 * then the functions of those that begin with "malloc@". On failure *e says which is not there, or
 * that they are too many. */
enum nfart_status watch_find(struct mem_channel *c, struct names *names,
			     const char *const *objects, unsigned n, struct nfart_error *e);

#endif
