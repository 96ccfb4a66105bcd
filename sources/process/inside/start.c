/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "sources/process/inside/inside.h"
#include "sources/process/inside/raw.h"

struct inside inside;
__thread struct inside_thread inside_self INSIDE_TLS;

void inside_reason(const char *text)
{
	struct mem_channel *c = inside.channel;
	if (!c || c->reason[0])
		return;
	size_t n = raw_length(text);
	if (n >= sizeof c->reason)
		n = sizeof c->reason - 1;
	raw_copy(c->reason, text, n);
}
