/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * findings_form.h: findings for programs. nfamem(1) says what the members of JSON mean. In SARIF a
 * finding is a result; its place is the innermost frame that has a source, its call stacks are
 * `stacks`, and the calls and the access that led to it are also related locations and a code flow.
 */
#ifndef NFACC_PROBES_MEMORY_READER_FINDINGS_FORM_H
#define NFACC_PROBES_MEMORY_READER_FINDINGS_FORM_H

#include "probes/memory/reader/finding.h"
#include "support/buf.h"

/* Appends a finding as an object of JSON and a newline. */
void findings_json(struct buf *b, struct memory *memory, const struct finding *f);

/* Appends a finding as a result of SARIF. */
void findings_sarif(struct buf *b, struct memory *memory, const struct finding *f);

#endif
