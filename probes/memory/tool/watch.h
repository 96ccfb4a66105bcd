/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * watch.h: finds the objects of --watch: variables, and functions whose allocated blocks are
 * watched.
 */
#ifndef NFACC_NFAMEM_WATCH_H
#define NFACC_NFAMEM_WATCH_H

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"
#include "probes/memory/reader/names.h"

/*
 * Writes the addresses of the n objects into the channel. The modules must be known. Variables come
 * first. After them come the functions of objects that begin with "malloc@". On failure sets *e: an
 * object does not exist, or there are too many.
 */
enum nfart_status watch_find(struct mem_channel *c, struct names *names,
			     const char *const *objects, unsigned n, struct nfart_error *e);

#endif
