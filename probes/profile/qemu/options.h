/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* options.h: the options that follow the plugin's name on qemu's command line. */
#ifndef RISCV_QEMU_OPTIONS_H
#define RISCV_QEMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
	const char *out;   /* file or pipe for the tokens */
	const char *truth; /* file for the truth (truth.h), or NULL */
	bool stalls;       /* random stalls (cost.h) */
	uint64_t seed;     /* for the stalls */
	uint64_t begin;    /* tokens begin at a block with this address; 0: at once */
};

/*
 * Reads options of the form NAME=VALUE. *options keeps pointers into them. If one is wrong, or if
 * "out" is missing, writes a message to stderr and returns false.
 */
bool options_read(struct options *options, int argc, char **argv);

#endif
