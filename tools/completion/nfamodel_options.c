/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The options of nfamodel, which is a shell script. completion.test compares this table with its
 * --help.
 */
#include "grammar/describe/builtin.h"
#include "tools/completion/completion.h"

static struct option_value protocols(size_t i)
{
	return (struct option_value){ builtin_protocols[i].name, NULL };
}

static struct option_value overlays(size_t i)
{
	return (struct option_value){ builtin_overlays[i].name, NULL };
}

static const struct option_row rows[] = {
	{ .letter = 'o', .name = "output", .kind = OPTION_DIR, .arg = "DIR",
	  .help = "where models are" },
	{ .letter = 'p', .name = "protocol", .kind = OPTION_TEXT, .arg = "NAME", .value = protocols,
	  .help = "what it taps, where the overlay leaves that open" },
	{ .letter = 'I', .kind = OPTION_DIR, .arg = "DIR",
	  .help = "look there for protocols first" },
	{ .name = "xilinx", .help = "the vendor primitives, with simulation models of them" },
	{ .name = "trace", .help = "the model can write waveforms" },
	{ .name = "out-depth", .kind = OPTION_NUMBER, .arg = "N",
	  .help = "batches that wait for the output" },
	{ .name = "ring", .help = "the engine can write its records to a ring in memory" },
	{ .name = "serve", .kind = OPTION_FILE, .arg = "PATH",
	  .help = "then run it, for nfactl(1) at the socket PATH, until a signal comes" },
	{ .letter = 'h', .name = "help", .help = "this text" },
	{ .letter = 'V', .name = "version", .help = "the version" },
};

const struct option_table nfamodel_options = {
	.tool = "nfamodel",
	.rows = rows,
	.n = sizeof rows / sizeof rows[0],
	.operand = overlays,
};
