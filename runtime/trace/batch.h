/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * batch.h: tells batches from loss records. A batch without messages exists if it has a tick or is
 * the end.
 */
#ifndef NFART_TRACE_BATCH_H
#define NFART_TRACE_BATCH_H

#include "include/nfart.h"

static inline bool batch_is_loss(const struct nfart_batch *b)
{
	return b->mask == 0 && b->when == 0;
}

#endif
