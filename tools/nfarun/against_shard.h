/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * against_shard.h: shards of comparisons of two traces, and how they are merged. Trace number K, 0
 * for the one that is compared with, is in shard K modulo N, and what it was summed up to is in the
 * file of this shard (runtime/ask/asked_file.h). All other shards are empty.
 */
#ifndef NFART_NFARUN_AGAINST_SHARD_H
#define NFART_NFARUN_AGAINST_SHARD_H

#include "tools/nfarun/against_side.h"

/* Reads the traces of the shard that the options name, and writes its file to f. *done becomes
 * whether that file is there already (--resume), and nothing was read. Returns NFART_OK;
 * NFART_PARTIAL if the run was interrupted; or what went wrong, and *e says more. */
enum nfart_status against_shard_run(struct against_side side[2], FILE *f, bool *done,
				    struct nfart_error *e);

/* Does what against_read() does for both sides, but from the files that the options name. Returns
 * NFART_OK, or what went wrong, and *e says more. */
enum nfart_status against_shard_merge(struct against_side side[2], struct nfart_error *e);

#endif
