/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --map-graph: maps a graph from a file onto an overlay, without any filter. It is for
 * work on the mapper.
 */
#include <string.h>

#include "backends/overlay/map/map_graph.h"
#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "support/progress.h"

static int graph_map(struct options *o, const struct buf *text)
{
	struct progress_line *line = progress_line_new("nfacc");
	struct diags d = { .werror = false };
	struct buf out = { 0 };
	int code;

	o->pipeline.map.progress = progress_line_callback(line);
	code = (int)map_graph(o->operand, text->at != NULL ? text->at : "", text->n,
			      &o->pipeline.map, &d, &out);
	progress_line_free(line);
	files_print_diags(o, &d);
	if (code == NFART_SYSTEM)
		files_fail("out of memory", NULL);
	if (out.n != 0 && files_write(o, &out) != NFART_OK)
		code = NFART_SYSTEM;
	diag_free(&d);
	buf_free(&out);
	return code;
}

int cmd_map_graph(struct options *o)
{
	struct buf text = { 0 };
	int code = files_check_output(o, o->operand);

	if (code == NFART_OK) {
		int error = buf_read_file(&text, o->operand, FILES_MOST);
		code = error == 0 ? graph_map(o, &text) : files_fail(o->operand, strerror(error));
	}
	buf_free(&text);
	return code;
}
