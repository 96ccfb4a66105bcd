/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm.h: the target "etm": registers of the trace unit of a core. It has no image.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_H
#define NFACC_BACKENDS_ETM_ETM_H

#include "backends/etm/etm_map.h"
#include "backends/target.h"
#include "contract/etm/cti.h"

extern const struct target target_etm;

/* What the target is asked: target_setup.options. */
static inline const struct etm_map_options *etm_options(const struct target_job *job)
{
	return job->setup->options;
}

/* What the target made: job->own. */
struct etm_program {
	struct etm_regs regs;
	struct etm_report report;
};

/* Registers of a program that have to be written, in the order of the table of registers: those of
 * all resources that the program uses, and those that would do something else if they kept an older
 * value. Calls `visit` for each, with its offset and its value. */
typedef void etm_visit_fn(void *ctx, const struct etm_reg *reg, uint32_t index, uint32_t offset,
			  uint64_t value);
void etm_visit(const struct etm_core *core, const struct etm_program *p, etm_visit_fn *visit,
	       void *ctx);

/* Appends the name of a register, with its number if the core has several of them. */
void etm_reg_name(const struct etm_core *core, const struct etm_reg *reg, uint32_t index,
		  struct buf *b);

/* Has an external output an event? */
bool etm_uses_output(const struct etm_program *p, uint32_t output);

/* How the cross-trigger interface of each core is connected if the outputs of each core throttle
 * all (etm_channels.c). etm_visit_channels() calls `visit` for each register in the order in which
 * they are written: the interface is enabled last. */
void etm_channels(const struct etm_program *p, struct cti_map *map);
typedef void etm_channel_fn(void *ctx, const char *name, uint32_t offset, uint32_t value);
void etm_visit_channels(const struct etm_program *p, etm_channel_fn *visit, void *ctx);

/* The program of one of several cores: each core's trace has a number of its own, and its counters
 * may have values of their own. */
struct etm_program etm_program_of(const struct target_job *job, uint32_t core);

/* Can a program for the core be written in the form of output `name`? */
bool etm_has_output(const struct etm_core *core, const char *name);

/* The outputs (nfacc(1), --emit): a table, JSON, a C header, a script for Linux, the source of a
 * module for Linux, the handler of CTIIRQ as C. */
void etm_emit_table(const struct target_job *job, struct buf *b);
void etm_emit_json(const struct target_job *job, struct buf *b);
void etm_emit_handler(const struct target_job *job, struct buf *b);
/* Returns why there is no handler for the program, or NULL. */
const char *etm_no_handler(const struct target_job *job);
void etm_emit_header(const struct target_job *job, struct buf *b);
void etm_emit_sysfs(const struct target_job *job, struct buf *b);
void etm_emit_cscfg(const struct target_job *job, struct buf *b);

#endif
