/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * findings.h: writes findings to a file: as text (report.h), as JSON, a line for each, or as one
 * document of SARIF 2.1.0.
 *
 * With --follow copies of nfamem write to the same file, and take turns (turns.h). The first
 * process of nfamem begins the document and ends it. What comes after its end is dropped.
 */
#ifndef NFACC_PROBES_MEMORY_READER_FINDINGS_H
#define NFACC_PROBES_MEMORY_READER_FINDINGS_H

#include <stdio.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/finding.h"
#include "probes/memory/reader/turns.h"
#include "support/json.h"

enum findings_form { FINDINGS_TEXT, FINDINGS_JSON, FINDINGS_SARIF };

struct findings;

/*
 * It writes to f, which must outlive it. It shares with the processes that this one forks how far
 * the document is. Returns NULL if there is no memory. Free it with findings_free(), in each of
 * them.
 */
struct findings *findings_new(FILE *f, enum findings_form form);
void findings_free(struct findings *w);

/*
 * From now on the findings are those of the process with this id, and say so. Other processes write
 * to the same file.
 */
void findings_process(struct findings *w, uint32_t pid, struct turns *turns);

/*
 * Begins or ends the document, if the form has such. The rules are what checks or labels may be
 * found. On failure returns false and sets *e, as all functions here do.
 */
bool findings_begin(struct findings *w, const struct sarif_rule *rules, size_t nrules,
		    struct nfart_error *e);
bool findings_end(struct findings *w, struct nfart_error *e);

/* Takes the turn before findings are written, and gives it back when they are in the file. */
void findings_take_turn(struct findings *w);
bool findings_give_turn(struct findings *w, struct nfart_error *e);

/* Writes a finding. If that fails, findings_give_turn() says so. */
void findings_write(struct findings *w, struct memory *memory, struct finding *f);

#endif
