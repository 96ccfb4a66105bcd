/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the module of a protocol's taps: ports, signals as wide as the taps have them, the wires
 * of expressions (tap_rails.c), and one block with all registers.
 *
 * A condition that is x in a simulation holds in no `if`, so such a sample makes no message, as in
 * the reader of waveforms. A reset holds unless it is known to be false.
 */
#include "compiler/tap/tap_verilog.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/tap/tap_memory.h"
#include "compiler/tap/tap_rails.h"

/* The module while it is written. */
struct writing {
	struct tap_ports ports;
	struct buf signals, body, block, unused; /* parts of the module */
	uint32_t wires;
	bool failed; /* out of memory */
};

/* ---- signals ---- */

/* Declares the value of a signal with several bits, from a port that may have another width. */
static const char *declare_value(struct writing *w, const struct tap_port *port, uint32_t bits)
{
	buf_addf(&w->signals, "\twire [%s+%u:0] %s$wide = {{%u{1'b0}}, %s};\n", port->param,
		 bits - 1, port->plain, bits, port->name);
	buf_addf(&w->signals, "\twire [%u:0] %s$ = %s$wide[%u:0];\n", bits - 1, port->plain,
		 port->plain, bits - 1);
	buf_addf(&w->unused, ", %s$wide, %s$", port->plain, port->plain);
	return tap_text(&w->ports.arena, "%s$", port->plain);
}

/* Finds the texts of the signals of an interface. Returns NULL if memory is short. */
static const char **find_values(struct writing *w, uint32_t side)
{
	const struct tap_interface *x = &w->ports.p->taps->interfaces[side];
	const char **value = arena_array(&w->ports.arena, x->nsignals, sizeof *value);

	if (value == NULL)
		return NULL;
	for (uint32_t i = 0; i < x->nsignals; i++) {
		if (x->signals[i].maker == TAP_DESIGN)
			continue;
		value[i] = tap_memory_name(&w->ports.arena, x, side, i);
		if (value[i] == NULL)
			return NULL;
	}
	/* A sample sees the clock as it stood before the edge. */
	for (uint32_t i = 0; i < x->nsignals; i++)
		if (tap_is_clock(&w->ports, x, i))
			value[i] = x->falling ? "1'b1" : "1'b0";
	for (size_t i = 0; i < w->ports.list.n; i++) {
		const struct tap_port *port = &w->ports.list.at[i];
		if (port->side != side)
			continue;
		value[port->signal] =
			port->param == NULL
				? port->name
				: declare_value(w, port, x->signals[port->signal].bits);
		if (value[port->signal] == NULL)
			return NULL;
	}
	return value;
}

/* ---- registers ---- */

/* Appends the header of a row: its opcode and its fields, each at its place. */
static void add_header(struct writing *w, struct tap_rails *r, const struct tap_row *row,
		       struct buf *b)
{
	uint32_t width = w->ports.p->header.bits;

	buf_addf(b, "%u'h%" PRIx64, width, row->header);
	for (uint32_t i = 0; i < row->nfields; i++) {
		const struct tap_field *f = &row->fields[i];
		uint32_t above = width - f->lsb - f->bits;
		const char *value;
		if (f->bits == 0 || f->payload)
			continue;
		value = tap_rails_slice(r, f->value.result, f->from, f->bits);
		buf_addf(b, " |\n\t\t\t\t\t{");
		if (above != 0)
			buf_addf(b, "%u'd0, ", above);
		buf_addf(b, "%s", value);
		if (f->lsb != 0)
			buf_addf(b, ", %u'd0", f->lsb);
		buf_addf(b, "}");
	}
}

/* Appends the payload of a row, with zeros above the value. */
static void add_payload(struct writing *w, struct tap_rails *r, const struct tap_row *row,
			uint32_t slot)
{
	uint32_t width = w->ports.p->payload, i = 0;

	if (width == 0)
		return;
	buf_addf(&w->block, ";\n\t\t\t\ts_payload[%u +: %u] <= ", slot * width, width);
	while (i < row->nfields && !row->fields[i].payload)
		i++;
	if (i < row->nfields)
		buf_addf(&w->block, "%s", tap_rails_wide(r, row->fields[i].value.result, width));
	else
		buf_addf(&w->block, "{%u{1'b0}}", width);
}

/* Appends a condition in parentheses. A text that begins with one stands in a pair of them. */
static void add_condition(struct buf *b, const char *text)
{
	buf_addf(b, text[0] == '(' ? "%s" : "(%s)", text);
}

/* Appends the rows of a tap as a chain of conditions. */
static void add_tap(struct writing *w, struct tap_rails *r, const struct tap *tap)
{
	uint32_t width = w->ports.p->header.bits;
	char slot[80];

	proto_slot_name(w->ports.p, tap->slot, slot);
	for (uint32_t i = 0; i < tap->nrows; i++) {
		const struct tap_row *row = &tap->rows[i];
		buf_addf(&w->block, "%sif ", i == 0 ? "\t\t\t" : " else ");
		add_condition(&w->block, tap_rails_value(r, row->when.result));
		buf_addf(&w->block, " begin // %s %s\n", slot, row->type);
		buf_addf(&w->block, "\t\t\t\ts_valid <= 1'b1;\n\t\t\t\ts_present[%u] <= 1'b1;\n"
			 "\t\t\t\ts_header[%u +: %u] <= ", tap->slot, tap->slot * width, width);
		add_header(w, r, row, &w->block);
		add_payload(w, r, row, tap->slot);
		buf_addf(&w->block, ";\n\t\t\tend");
	}
	if (tap->nrows != 0)
		buf_addf(&w->block, "\n");
}

static void add_text(struct buf *b, const struct buf *text)
{
	buf_add(b, text->at != NULL ? text->at : "", text->n);
}

/* Appends an interface: its signals, and its part of the block. */
static void add_side(struct writing *w, uint32_t side, struct buf *initial)
{
	const struct tap_interface *x = &w->ports.p->taps->interfaces[side];
	const char **value = find_values(w, side);
	struct tap_rails r = { .arena = &w->ports.arena, .ports = &w->ports, .x = x, .side = side,
			       .body = &w->body, .unused = &w->unused, .wires = &w->wires };
	struct buf step = { 0 }, clear = { 0 };
	struct tap_memory_parts memory = { &w->signals, initial, &step, &clear };

	if (value == NULL || !tap_rails_prepare(&r, value)) {
		w->failed = true;
		return;
	}
	buf_addf(&w->block, "\t\t");
	if (x->nresets != 0) {
		buf_addf(&w->block, "if ");
		add_condition(&w->block, tap_rails_false(&r, x->resets[0].result));
		buf_addf(&w->block, " ");
	}
	buf_addf(&w->block, "begin\n");
	tap_memory_print(&r, &memory);
	for (uint32_t i = 0; i < x->ntaps; i++)
		add_tap(w, &r, &x->taps[i]);
	if (r.has_past) {
		buf_addf(&step, "\t\t\t" TAP_PAST_FLAG " <= 1'b1;\n", side);
		buf_addf(&clear, "\t\t\t" TAP_PAST_FLAG " <= 1'b0;\n", side);
		buf_addf(&w->signals, "\treg " TAP_PAST_FLAG "; // there is a past\n", side);
		buf_addf(initial, "\t\t" TAP_PAST_FLAG " = 1'b0;\n", side);
	}
	add_text(&w->block, &step);
	if (x->nresets != 0 && clear.n != 0) {
		buf_addf(&w->block, "\t\tend else begin\n");
		add_text(&w->block, &clear);
	}
	buf_addf(&w->block, "\t\tend\n");
	w->failed = w->failed || step.failed || clear.failed;
	buf_free(&step);
	buf_free(&clear);
	for (uint32_t i = 0; i < x->nsignals; i++) {
		uint32_t bits = x->signals[i].bits;
		if (!r.kept[i])
			continue;
		if (bits == 1)
			buf_addf(&w->signals, "\treg past$%u$%s;\n", side, x->signals[i].name);
		else
			buf_addf(&w->signals, "\treg [%u:0] past$%u$%s;\n", bits - 1, side,
				 x->signals[i].name);
		buf_addf(&w->block, "\t\tpast$%u$%s <= %s;\n", side, x->signals[i].name, value[i]);
	}
	w->failed = w->failed || r.failed;
}

/* ---- the module ---- */

static void add_ports(const struct writing *w, struct buf *b)
{
	const struct tap_ports *x = &w->ports;
	const struct nfart_proto *p = x->p;
	bool first = true;

	buf_addf(b, "module %s", x->module);
	for (size_t i = 0; i < x->list.n; i++) {
		const struct tap_port *port = &x->list.at[i];
		if (port->param == NULL)
			continue;
		buf_addf(b, "%s\n\tparameter %s = %u", first ? " #(" : ",", port->param,
			 p->taps->interfaces[port->side].signals[port->signal].bits);
		first = false;
	}
	buf_addf(b, "%s (\n\tinput wire %s", first ? "" : "\n)", x->clock);
	for (size_t i = 0; i < x->list.n; i++) {
		const struct tap_port *port = &x->list.at[i];
		if (port->param == NULL)
			buf_addf(b, ",\n\tinput wire %s", port->name);
		else
			buf_addf(b, ",\n\tinput wire [%s-1:0] %s", port->param, port->name);
	}
	buf_addf(b, ",\n\toutput reg s_valid,\n\toutput reg [%u:0] s_present,\n"
		    "\toutput reg [%u:0] s_header,\n\toutput reg [63:0] s_time",
		 p->nslots - 1, p->nslots * p->header.bits - 1);
	if (p->payload != 0)
		buf_addf(b, ",\n\toutput reg [%u:0] s_payload", p->nslots * p->payload - 1);
	buf_addf(b, "\n);\n");
}

/* Does a tap ask whether a value is less than another one? */
static bool has_orders(const struct tap_form *form)
{
	for (uint32_t i = 0; i < form->ninterfaces; i++)
		for (uint32_t k = 0; k < form->interfaces[i].ncode; k++) {
			enum tap_op op = form->interfaces[i].code[k].op;
			if (op == TAP_LESS || op == TAP_LESS_EQUAL)
				return true;
		}
	return false;
}

static void add_comment(const struct writing *w, struct buf *b)
{
	const struct tap_form *form = w->ports.p->taps;

	buf_addf(b, "// %s: the taps of protocol %s, made by nfacc --emit=tap.\n"
		    "//\n"
		    "// A sample is taken at each %s edge of the clock, and its messages come\n"
		    "// with the next one. s_time counts the edges, from 0 on. A parameter is the\n"
		    "// width of its port, from 1 on: a narrower one is filled with 0, of a wider\n"
		    "// one the low bits are seen.\n",
		 w->ports.module, w->ports.p->name, w->ports.falling ? "falling" : "rising");
	for (uint32_t i = 0; i < form->ninterfaces; i++) {
		const struct tap_interface *x = &form->interfaces[i];
		if (x->nresets > 1)
			buf_addf(b, "// %s%sOf the resets of the taps it has the first.\n",
				 x->name != NULL ? x->name : "", x->name != NULL ? ": " : "");
	}
	buf_addf(b, "`default_nettype none\n");
	if (has_orders(form))
		buf_addf(b, "/* An order of a tap may be constant. */\n%s",
			 "/* verilator lint_off CMPCONST */\n/* verilator lint_off UNSIGNED */\n");
	buf_addf(b, "\n");
}

/* Has each slot a tap? */
static bool all_driven(const struct nfart_proto *p)
{
	uint64_t slots = 0;

	for (uint32_t i = 0; i < p->taps->ninterfaces; i++)
		for (uint32_t k = 0; k < p->taps->interfaces[i].ntaps; k++)
			slots |= (uint64_t)1 << p->taps->interfaces[i].taps[k].slot;
	return slots == UINT64_MAX >> (64 - p->nslots);
}

static void add_end(const struct writing *w, const struct buf *initial, struct buf *b)
{
	uint32_t nslots = w->ports.p->nslots;

	buf_addf(b, "\n\tinitial begin\n\t\ts_valid = 1'b0;\n\t\ts_present = %u'd0;\n"
		    "\t\ts_time = {64{1'b1}};\n", nslots);
	if (!all_driven(w->ports.p))
		buf_addf(b, "\t\ts_header = {%u{1'b0}};\n", nslots * w->ports.p->header.bits);
	if (!all_driven(w->ports.p) && w->ports.p->payload != 0)
		buf_addf(b, "\t\ts_payload = {%u{1'b0}};\n", nslots * w->ports.p->payload);
	add_text(b, initial);
	buf_addf(b, "\tend\n\n\talways @(%s %s) begin\n\t\ts_time <= s_time + 64'd1;\n"
		    "\t\ts_valid <= 1'b0;\n\t\ts_present <= %u'd0;\n",
		 w->ports.falling ? "negedge" : "posedge", w->ports.clock, nslots);
	buf_add(b, w->block.at, w->block.n);
	buf_addf(b, "\tend\n\n\t// What the taps do not look at.\n\twire unused$ = &{1'b0");
	for (size_t i = 0; i < w->ports.list.n; i++)
		buf_addf(b, ", %s", w->ports.list.at[i].name);
	add_text(b, &w->unused);
	buf_addf(b, ", 1'b0};\nendmodule\n%s`default_nettype wire\n",
		 has_orders(w->ports.p->taps) ? "/* verilator lint_on CMPCONST */\n"
						"/* verilator lint_on UNSIGNED */\n"
					      : "");
}

enum nfart_status tap_verilog_print(const struct nfart_proto *p, struct buf *b,
				    struct nfart_error *e)
{
	struct writing w = { .wires = 0 };
	struct buf initial = { 0 };
	enum nfart_status status = tap_ports_find(&w.ports, p, e);

	for (uint32_t i = 0; status == NFART_OK && i < p->taps->ninterfaces && !w.failed; i++)
		if (p->taps->interfaces[i].ntaps != 0)
			add_side(&w, i, &initial);
	if (status == NFART_OK && (w.failed || w.signals.failed || w.body.failed ||
				   w.block.failed || w.unused.failed || initial.failed))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK) {
		add_comment(&w, b);
		add_ports(&w, b);
		add_text(b, &w.signals);
		add_text(b, &w.body);
		add_end(&w, &initial, b);
	}
	buf_free(&initial);
	buf_free(&w.signals);
	buf_free(&w.body);
	buf_free(&w.block);
	buf_free(&w.unused);
	tap_ports_free(&w.ports);
	return status;
}
