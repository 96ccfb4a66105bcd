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
#include "contract/etm/cti.h"
#include "contract/etm/etm_core.h"
#include "support/buf.h"

enum { ETM_LOW = 1, ETM_HIGH = 2 };

/* What the text of a file says. */
struct etm_file {
	const struct etm_core *core;
	const struct etm_regs *want;  /* the registers that it must have */
	const char *text;             /* with a 0 at its end */
	/* What it says, and of each register whether it says it: 1, or of one of 64 bits the bits
	 * ETM_LOW and ETM_HIGH. */
	struct etm_regs regs, stated;
	bool halves; /* the halves of registers of 64 bits stand alone */
	struct buf wrong;             /* what is wrong first; empty: nothing */
	/* A file for several cores: how many there must be (0: it is for one), how many blocks have
	 * begun, and how the cross-trigger interface of each is connected. */
	uint32_t cores, blocks;
	const struct etm_counts *counts; /* [cores]: what the counters of each must have; or NULL */
	struct cti_map map[ETM_MOST_CORES], stated_map[ETM_MOST_CORES];
};

/* Notes what is wrong. What came before stays. */
void etm_file_wrong(struct etm_file *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes in that the register at an offset has a value. Where halves stand alone, the upper half of
 * a register of 64 bits is at its offset plus 4. */
void etm_file_state(struct etm_file *f, uint32_t offset, uint64_t value);

/* Notes what is wrong with the registers that were stated. */
void etm_file_compare(struct etm_file *f);

/* The block of a core begins, which has its registers; they end, and are held against those that it
 * must have; the register of its cross-trigger interface at an offset has a value. */
void etm_file_core(struct etm_file *f, uint64_t core);
void etm_file_core_ends(struct etm_file *f);
void etm_file_channel(struct etm_file *f, uint64_t core, uint64_t offset, uint64_t value);

/* Notes what is wrong with the channels of all cores: each output that is used must reach the
 * interrupt of each core, and nothing else may be connected. */
void etm_file_check_channels(struct etm_file *f);

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

/* Reads a file back, whose form is called `name` (--emit), and holds it against registers, and
 * against the channels that let each of `cores` cores throttle all, or one core (0). `counts` has
 * the counters of each core, or is NULL. Appends a line to *wrong if the file has others. `text`
 * has a 0 at its end. */
void etm_files_check(const struct etm_core *core, const struct etm_regs *regs, uint32_t cores,
		     const struct etm_counts *counts, const char *name, const char *text,
		     struct buf *wrong);

#endif
