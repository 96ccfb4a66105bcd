/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The values of --emit that need no filter. `overlay` prints the description of the overlay,
 * `verilog` the parameters of its engine, and `regs` the registers of its engine. `lua` prints a
 * dissector of a protocol, and `colorfilters` its colours; `tap` prints its taps in Verilog, and
 * `bind` and `monitor` what puts them into a design. These five look at no overlay.
 */
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "compiler/dissector/dissector.h"
#include "compiler/tap/tap_verilog.h"
#include "compiler/targets.h"

/* Appends to b what the target prints for the overlay and its protocol. Returns an exit code. */
static int emit_setup(const struct options *o, struct buf *b)
{
	const struct overlay_desc *v = &o->pipeline.overlay;
	struct overlay on = v->o;
	struct nfart_proto *p = NULL;
	int code = files_find_tap(o, "eci", &p);
	const char *wrong;

	if (code == NFART_OK) {
		overlay_tap(&on, p);
		wrong = overlay_check(&on);
		if (wrong != NULL) {
			fprintf(stderr, "nfacc: error: overlay '%s': %s\n", v->name, wrong);
			code = NFART_INPUT;
		}
	}
	if (code == NFART_OK)
		target_find_output(target_row(&on, NULL)->target, o->emit.what->name)
			->setup(&on, p, v->name, b);
	proto_free(p);
	return code;
}

/* Appends the taps of a protocol, or their bind. Returns an exit code. */
static int emit_taps(const struct options *o, const struct nfart_proto *p, struct buf *b)
{
	struct tap_where where = { o->taps.at.at, o->taps.at.n, o->taps.signals.at,
				   o->taps.signals.n };
	struct nfart_error e;
	bool monitor = strcmp(o->emit.what->name, "monitor") == 0;
	enum nfart_status status = strcmp(o->emit.what->name, "tap") == 0
					   ? tap_verilog_print(p, b, &e)
					   : tap_bind_print(p, &where, monitor, b, &e);

	if (status != NFART_OK)
		fprintf(stderr, "nfacc: error: %s\n", e.what);
	return (int)status;
}

/* Appends a form of the protocol of --protocol. Returns an exit code. */
static int emit_protocol(const struct options *o, struct buf *b)
{
	const char *asked = o->pipeline.front.protocol;
	struct nfart_proto *p = NULL;
	int code = files_find_protocol(o, asked != NULL ? asked : "eci", &p);

	if (code != NFART_OK)
		return code;
	if (strcmp(o->emit.what->name, "lua") == 0)
		dissector_print(p, b);
	else if (strcmp(o->emit.what->name, "colorfilters") == 0)
		colour_rules_print(p, b);
	else
		code = emit_taps(o, p, b);
	proto_free(p);
	return code;
}

int cmd_emit_overlay(struct options *o)
{
	struct buf b = { 0 };
	int code = NFART_OK;

	if (o->emit.what->kind == OUTPUT_SETUP)
		code = emit_setup(o, &b);
	else if (o->emit.what->kind == OUTPUT_PROTOCOL)
		code = emit_protocol(o, &b);
	else
		overlay_print(&o->pipeline.overlay, &b);
	if (code == NFART_OK)
		code = files_write(o, &b);
	buf_free(&b);
	return code;
}
