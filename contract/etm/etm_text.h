/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_text.h: reads descriptions of cores with a trace unit (nfacc-target(5), targets/a53.etm), and
 * makes the protocol of a core's events from its description.
 */
#ifndef NFACC_CONTRACT_ETM_TEXT_H
#define NFACC_CONTRACT_ETM_TEXT_H

#include "contract/etm/etm_core.h"
#include "include/nfart_status.h"
#include "support/buf.h"
#include "support/diag.h"

/* Parses a description of n bytes into *core. `file` is its name in messages. Returns NFART_OK,
 * NFART_INPUT after errors, which are reported in d, or NFART_SYSTEM if memory is short. */
enum nfart_status etm_core_parse(struct diags *d, const char *file, const char *text, size_t n,
				 struct etm_core *core);

/* Finds the description of core `name` (n bytes) and parses it. The file NAME.etm is looked for in
 * the ndirs folders `dirs`, in their order, and then among the shipped descriptions. Returns what
 * etm_core_parse() does, NFART_NO if there is no such core, or NFART_SYSTEM if a file can't be
 * read, which is reported. */
enum nfart_status etm_core_find(struct diags *d, const char *const *dirs, size_t ndirs,
				const char *name, size_t n, struct etm_core *core);

/* Appends the protocol pmu_NAME of the core's events, as a description (nfacc-protocol(5)). */
void etm_core_protocol(const struct etm_core *core, struct buf *b);

#endif
