/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfaplot: draws what is in a trace. It reads the trace once (plot_read.h), hands its batches to
 * what sums them up (runtime/pairs/, runtime/stats/), and gives the result to gnuplot. A file for
 * each plot says what is summed up and what gnuplot is told.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/interrupt.h"
#include "support/outfile.h"
#include "tools/nfaplot/gnuplot.h"
#include "tools/nfaplot/plot.h"
#include "tools/nfaplot/plot_read.h"
#include "tools/nfarun/protocol.h"

const struct plot_form_of *const plot_forms[] = { &plot_scatter, &plot_heat, &plot_rate,
						  &plot_histogram, &plot_in_flight };

/* Reads the trace and makes the script. Returns what plot_read() does. */
static enum nfart_status make_script(struct plot *x, struct nfart_reader *r, struct nfart_error *e)
{
	struct nfart_reader_stats stats;
	const char *lacks;
	enum nfart_status status = plot_read(x, r, &stats, e);

	if (status != NFART_OK && status != NFART_PARTIAL)
		return status;
	script_begin(x, &stats);
	lacks = plot_forms[x->o->kind]->draw(x);
	if (x->script.failed)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (lacks != NULL)
		return nfart_fail(e, NFART_INPUT, "nothing to draw: %s", lacks);
	return status;
}

/* ---- before and after ---- */

/* Draws the trace of a reader to an open output. gnuplot is started first: if it is not there, no
 * long trace is read in vain. Returns what plot_read() does. */
static enum nfart_status plot_draw(struct plot *x, struct nfart_reader *r, FILE *f,
				   struct nfart_error *e)
{
	struct gnuplot g;
	enum nfart_status status, drawn;

	if (x->o->picture.form == PLOT_SCRIPT) {
		status = make_script(x, r, e);
		if (status == NFART_OK || status == NFART_PARTIAL)
			fwrite(x->script.at, 1, x->script.n, f);
		return status;
	}
	if (gnuplot_start(&g, fileno(f), e) != NFART_OK)
		return e->status;
	status = make_script(x, r, e);
	if (status != NFART_OK && status != NFART_PARTIAL) {
		gnuplot_finish(&g, NULL, NULL);
		return status;
	}
	drawn = gnuplot_finish(&g, &x->script, e);
	return drawn != NFART_OK ? drawn : status;
}

/* Draws after the protocol was opened. Returns an exit code. */
static int plot_run(struct plot *x)
{
	const struct nfaplot_options *o = x->o;
	struct outfile out = { 0 };
	struct nfart_error e = { 0 };
	struct nfart_reader *r = NULL;
	enum nfart_status status =
		outfile_check(o->picture.file, o->trace != NULL ? o->trace : "-", &e);

	if (status == NFART_OK)
		status = outfile_open(&out, o->picture.file, &e);
	if (status == NFART_OK) {
		r = nfart_reader_open(o->trace, x->p, &o->reader, &e);
		status = r == NULL ? e.status : plot_draw(x, r, out.f, &e);
	}
	if (status == NFART_OK || status == NFART_PARTIAL) {
		enum nfart_status written = outfile_commit(&out, &e);
		if (written != NFART_OK)
			status = written;
	}
	if (status != NFART_OK && status != NFART_PARTIAL)
		cli_report("nfaplot", &e);
	else if (status == NFART_PARTIAL)
		fprintf(stderr, "nfaplot: %s\n",
			interrupt_came() ? "interrupted: complete up to here"
				  : "the trace is damaged: some is missing");
	outfile_abort(&out);
	nfart_reader_free(r);
	plot_free(x);
	return (int)status;
}

static int draw_trace(const struct nfaplot_options *o)
{
	struct plot x = { .o = o };
	struct protocol protocol;
	int code = protocol_open_any(&protocol, "nfaplot", o->colour, o->protocol, o->trace,
				     &o->dirs, &o->params);

	if (code != NFART_OK)
		return code;
	x.p = protocol.p;
	if (x.p->names.npairs == 0 && plot_forms[o->kind]->pair != NULL) {
		fprintf(stderr, "nfaplot: error: protocol '%s' has no rules for pairs\n",
			x.p->name);
		code = NFART_INPUT;
	} else {
		code = plot_run(&x);
	}
	protocol_close(&protocol);
	return code;
}

int main(int argc, char **argv)
{
	struct nfaplot_options o;
	struct buf map = { 0 };
	int code = nfaplot_options_parse(&o, argc, argv), error = 0;

	if (code != OPTION_GO_ON)
		return cli_finish("nfaplot", code);
	interrupt_catch();
	o.wave.options.jobs = o.jobs;
	trace_wave_finish(&o.wave, &o.reader);
	if (o.map != NULL) {
		error = buf_read_file(&map, o.map, 1 << 20);
		o.reader.map = map.at != NULL ? map.at : "";
		o.reader.map_name = o.map;
	}
	if (error != 0) {
		fprintf(stderr, "nfaplot: error: can't read %s: %s\n", o.map, strerror(error));
		code = NFART_SYSTEM;
	} else {
		code = draw_trace(&o);
	}
	buf_free(&map);
	return cli_finish("nfaplot", code);
}
