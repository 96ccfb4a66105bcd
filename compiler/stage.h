/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stage.h: the stages of the compiler that are longer than a call. compiler/pipeline.c calls them
 * in order, and says what goes from one to the next. They report errors in the input to p->diags
 * and return the exit code of nfacc.
 */
#ifndef NFACC_COMPILER_STAGE_H
#define NFACC_COMPILER_STAGE_H

#include "compiler/pipeline.h"

/* Chooses the protocol of filters that name none (p->usual): that of the option, or of the core. */
void stage_choose_protocol(struct pipeline *p);

/* Returns the protocol with a name of n characters, which may be that of the core. It is read at
 * most once, and p owns it. NULL: there is none, or p->failed. */
const struct nfart_proto *stage_find_protocol(struct pipeline *p, const char *name, size_t n);

/* Parses and checks n files as one unit: text -> p->front.ast. */
enum nfart_status stage_parse(struct pipeline *p, const struct pipeline_file *files, size_t n);

/* Makes the spec from the tree: p->front.ast -> p->spec, in the protocol that the target taps. */
enum nfart_status stage_lower(struct pipeline *p, const struct pipeline_file *files, size_t n);

/* Makes the automaton, and runs the passes: p->spec -> p->nfa. A target calls it through
 * job->automaton. */
enum nfart_status stage_automaton(struct target_job *job);

/* Proves that the image means what the source says, or the same of the registers of a trace unit:
 * job -> p->verify. If it does not, that is an internal error, and nothing may be written.
 * compiler/targets.c says which of the two a target needs. */
enum nfart_status stage_prove_image(struct pipeline *p);
enum nfart_status stage_prove_registers(struct pipeline *p);

#endif
