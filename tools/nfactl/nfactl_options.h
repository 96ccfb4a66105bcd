/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfactl_options.h: reads and checks the command line of nfactl.
 */
#ifndef NFACC_NFACTL_OPTIONS_H
#define NFACC_NFACTL_OPTIONS_H

#include "include/nfart.h"
#include "runtime/device/device.h"
#include "support/option.h"

/* What is done, in the order of the names. */
enum nfactl_what {
	NFACTL_PROBE,
	NFACTL_STATUS,
	NFACTL_COUNTS,
	NFACTL_LOAD,
	NFACTL_ARM,
	NFACTL_STOP,
	NFACTL_SWAP,
	NFACTL_RESET,
	NFACTL_STREAM,
	NFACTL_INJECT,
	NFACTL_SELFTEST,
	NFACTL_INTERRUPT,
	NFACTL_SERVE,
	NFACTL_RING
};

struct nfactl_command {
	enum nfactl_what what;
	const char *operand; /* NULL: it takes none */
};

enum { NFACTL_COMMANDS = 32 };

struct nfactl_options {
	const char *device;
	struct nfactl_command commands[NFACTL_COMMANDS];
	size_t n;
	const char *image;    /* --image, or NULL */
	const char *on;       /* the labels that swap, with commas between them; or NULL */
	const char *by;       /* what the histogram is for: label, or field=NAME[/BITS]; or NULL */
	struct device_options open;
	struct {
		const char *file; /* NULL: standard output */
		enum nfart_format form;
		uint64_t records; /* the stream ends after so many; 0: there is no limit */
		bool lines;       /* name the accepting lines */
	} output;
	uint32_t batches;     /* of the self test */
	struct {
		uint64_t at, bytes; /* where the ring begins, and how long it is */
	} ring;
	bool quiet;
};

extern const struct option_table nfactl_options;

/* Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after all messages were
 * printed. */
int nfactl_options_parse(struct nfactl_options *o, int argc, char **argv);

#endif
