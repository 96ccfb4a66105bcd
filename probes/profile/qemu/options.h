/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* options.h: what stands behind the plugin's name on qemu's command line. */
#ifndef RISCV_QEMU_OPTIONS_H
#define RISCV_QEMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
	const char *out;   /* the file or pipe of tokens */
	const char *truth; /* the file of what ran when, or NULL; see truth.h */
	bool stalls;       /* random ones, see cost.h */
	uint64_t seed;     /* of the stalls */
	uint64_t begin;    /* tokens begin when a block at this address does; 0: at once */
};

/* Reads options of the form NAME=VALUE, which it borrows. False, after a message on stderr: one is
 * wrong, or "out" is missing. */
bool options_read(struct options *options, int argc, char **argv);

#endif
