/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/command.h"

static const char *const no_image[] = { "emit", "check", "stats", NULL };
static const char *const no_image_and_map[] = { "emit", "check", "stats", "map", NULL };
static const char *const no_output[] = { "output", "emit", "check", "stats", NULL };

static const char two_files[] = "--equal and --contains take two files";
static const char one_file[] = "--empty and --universal take one file";

const struct command commands[] = {
	{ NULL, cmd_compile, 1, SIZE_MAX, "no filter", NULL, true, QUESTION_NONE },
	{ "fit", cmd_fit, 1, SIZE_MAX, "no filter", no_image_and_map, true, QUESTION_NONE },
	{ "estimate", cmd_estimate, 0, SIZE_MAX, NULL, no_image_and_map, true, QUESTION_NONE },
	{ "equal", cmd_ask, 2, 2, two_files, no_output, false, QUESTION_EQUAL },
	{ "contains", cmd_ask, 2, 2, two_files, no_output, false, QUESTION_CONTAINS },
	{ "empty", cmd_ask, 1, 1, one_file, no_output, false, QUESTION_EMPTY },
	{ "universal", cmd_ask, 1, 1, one_file, no_output, false, QUESTION_UNIVERSAL },
	{ "inspect", cmd_inspect, 0, SIZE_MAX, NULL, no_image, false,
	  QUESTION_NONE },
	{ "map-graph", cmd_map_graph, 0, 0, "--map-graph takes one graph and no filter", no_image,
	  false, QUESTION_NONE },
	{ "list", cmd_list, 0, 1, "--list takes one protocol at most", no_image, false,
	  QUESTION_NONE },
	{ NULL, NULL, 0, 0, NULL, NULL, false, QUESTION_NONE }
};

const struct command command_emit_overlay = {
	NULL, cmd_emit_overlay, 0, 0, NULL, NULL, true, QUESTION_NONE
};
