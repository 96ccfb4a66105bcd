/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_files.h: reads back the files that the target writes for a program, and says whether they
 * have its registers: each one at its offset, with its value, in an order that a trace unit takes.
 * Nothing of what wrote the files is used but the files. Offsets are those of contract/etm/etm.h,
 * and what Linux's attributes do is what Linux's documentation says
 * (Documentation/trace/coresight/coresight-etm4x-reference.rst).
 */
#ifndef NFACC_BACKENDS_ETM_ETM_FILES_H
#define NFACC_BACKENDS_ETM_ETM_FILES_H

#include "backends/etm/etm_decode.h"
#include "contract/etm/etm_core.h"
#include "support/buf.h"

/* What the text of a file says. */
struct etm_file {
	const struct etm_core *core;
	const struct etm_regs *want;  /* the registers that it must have */
	const char *text;             /* with a 0 at its end */
	struct etm_regs regs, stated; /* what it says, and 1 for each register that it says */
	struct buf wrong;             /* what is wrong first; empty: nothing */
};

/* Notes what is wrong. What came before stays. */
void etm_file_wrong(struct etm_file *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes in that the register at an offset has a value. Of a register of 64 bits the upper half may
 * be stated alone, at its offset plus 4. */
void etm_file_state(struct etm_file *f, uint32_t offset, uint64_t value);

/* Reads `prefix`, a number, and `suffix` at `at`. Returns where the text goes on, or NULL. */
const char *etm_file_number(const char *at, const char *prefix, uint64_t *value,
			    const char *suffix);

/* Read the forms of --emit. */
void etm_file_table(struct etm_file *f);
void etm_file_json(struct etm_file *f);
void etm_file_header(struct etm_file *f);
void etm_file_cscfg(struct etm_file *f);
void etm_file_sysfs(struct etm_file *f);
void etm_file_handler(struct etm_file *f);

/* Reads a file back, whose form is called `name` (--emit), and holds it against registers. Appends
 * a line to *wrong if it has others. `n` bytes at `text`, which has a 0 behind them. */
void etm_files_check(const struct etm_core *core, const struct etm_regs *regs, const char *name,
		     const char *text, struct buf *wrong);

#endif
