/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfaplot_options.h: reads and checks the command line of nfaplot.
 */
#ifndef NFART_NFAPLOT_OPTIONS_H
#define NFART_NFAPLOT_OPTIONS_H

#include "include/nfart.h"
#include "runtime/trace/trace_options.h"
#include "support/option.h"
#include "support/terminal.h"

/* What is drawn, in the order of the names. */
enum plot_kind { PLOT_SCATTER, PLOT_HEAT, PLOT_RATE, PLOT_HISTOGRAM, PLOT_IN_FLIGHT };

/* What is written. */
enum plot_form {
	PLOT_SVG,
	PLOT_PNG,
	PLOT_SCRIPT /* what gnuplot would be told, data included */
};

struct nfaplot_options {
	enum plot_kind kind;
	const char *trace;      /* file of the trace; NULL: standard input */
	const char *map;        /* file of --map, or NULL */
	/* Name of the protocol, or the file that has it; NULL: what the trace says. */
	const char *protocol;
	struct option_dirs params; /* -D: NAME=NUMBER */
	struct trace_wave wave;  /* how waveforms are read */
	struct option_dirs dirs; /* folders in which protocols are looked for first */
	struct nfart_reader_options reader;
	struct {
		const char *file;       /* NULL: standard output */
		enum plot_form form;
		uint32_t width, height; /* in pixels; 0: what suits the plot */
		const char *title;      /* NULL: what the plot is called */
		bool log;               /* the scale of values is logarithmic */
	} picture;
	/* How much is drawn. */
	struct {
		uint32_t columns;       /* of time; 0: what suits the plot */
		uint32_t rows;          /* of lines */
		uint32_t points;        /* requests */
	} most;
	uint32_t jobs;          /* threads that read */
	enum terminal_colour colour;
	bool quiet;             /* no progress is shown */
};

extern const struct option_table nfaplot_options;

/* Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after all messages were
 * printed. */
int nfaplot_options_parse(struct nfaplot_options *o, int argc, char **argv);

#endif
