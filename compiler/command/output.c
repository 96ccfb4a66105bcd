/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/output.h"

#include "compiler/proof/registers.h"

static void ast(const struct pipeline *p, struct buf *b)
{
	ast_print(&p->front.ast, b);
}

static void re(const struct pipeline *p, struct buf *b)
{
	for (size_t i = 0; i < p->filters.n; i++) {
		const struct diag_source *s = &p->diags.sources.at[p->filters.at[i]];

		buf_add(b, s->text, s->n);
	}
}

static void nfa(const struct pipeline *p, struct buf *b)
{
	nfa_print(&p->nfa, b);
}

static void dot(const struct pipeline *p, struct buf *b)
{
	nfa_dot(&p->nfa, b);
}

/* Prints the comparison of registers with their source, in the readings that were asked for. */
static void readings(const struct pipeline *p, struct buf *b)
{
	struct etm_compared in;
	bool equal;

	registers_compared(&p->job, p->options.proof.steps, &in);
	b->failed |= registers_print(&in, p->options.proof.readings, &equal, b) != NFART_OK;
}

static void witness(const struct pipeline *p, struct buf *b)
{
	struct etm_compared in;

	registers_compared(&p->job, p->options.proof.steps, &in);
	b->failed |= registers_print_witness(&in, p->options.proof.readings, b) != NFART_OK;
}

const struct output outputs[] = {
	{ "image", "the image", OUTPUT_IMAGE, STAGE_IMAGE, NULL },
	{ "ast", "the filters as they were understood, as filter text", OUTPUT_FILTERS, STAGE_AST,
	  ast },
	{ "re", "the filter text; of a .coh file, the checker that was derived", OUTPUT_FILTERS,
	  STAGE_AST, re },
	{ "nfa", "the automaton after the last pass, as filter text", OUTPUT_FILTERS, STAGE_NFA,
	  nfa },
	{ "dot", "the automaton for Graphviz", OUTPUT_FILTERS, STAGE_NFA, dot },
	{ "map", "what every range of bits of the image means", OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "mem", "the configuration words for $readmemh", OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "header",
	  "a C header for firmware: configuration words, names of labels, registers; of a "
	  "trace unit, ordered writes",
	  OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "svg", "a drawing of the automaton on the overlay", OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "table", "the registers of a trace unit, with what they mean", OUTPUT_TARGET, STAGE_IMAGE,
	  NULL },
	{ "json", "the registers of a trace unit, for programs", OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "sysfs", "a script that programs a trace unit through Linux's sysfs", OUTPUT_TARGET,
	  STAGE_IMAGE, NULL },
	{ "cscfg", "the source of a Linux module that programs a trace unit, also for perf",
	  OUTPUT_TARGET, STAGE_IMAGE, NULL },
	{ "handler", "the handler of a trace unit's interrupt, as C", OUTPUT_TARGET, STAGE_IMAGE,
	  NULL },
	{ "readings",
	  "whether the registers of a trace unit mean the source, in all readings of "
	  "what no published text settles, or in those of --reading",
	  OUTPUT_REGISTERS, STAGE_IMAGE, readings },
	{ "witness", "a shortest trace that shows a reading in which they don't", OUTPUT_REGISTERS,
	  STAGE_IMAGE, witness },
	{ "overlay", "the description of the overlay alone", OUTPUT_OVERLAY, STAGE_AST, NULL },
	{ "verilog", "the engine's parameters for the overlay alone, to be included in Verilog",
	  OUTPUT_SETUP, STAGE_AST, NULL },
	{ "regs", "the engine's registers for the overlay alone, as a page of Markdown",
	  OUTPUT_SETUP, STAGE_AST, NULL },
	{ "rdl", "the same registers as SystemRDL, for generators of headers, pages and IP-XACT",
	  OUTPUT_SETUP, STAGE_AST, NULL },
	{ "lua", "a dissector of the protocol alone, for pcapng traces in Wireshark",
	  OUTPUT_PROTOCOL, STAGE_AST, NULL },
	{ "colorfilters", "colours for packets that this dissector shows, for Wireshark to import",
	  OUTPUT_PROTOCOL, STAGE_AST, NULL },
	{ "tap", "the taps of the protocol alone, as a module in Verilog before the engine",
	  OUTPUT_PROTOCOL, STAGE_AST, NULL },
	{ "bind", "the SystemVerilog bind that puts this module at --at", OUTPUT_PROTOCOL,
	  STAGE_AST, NULL },
	{ "monitor", "the SystemVerilog binds that put this module and a monitor at --at",
	  OUTPUT_PROTOCOL, STAGE_AST, NULL },
	{ NULL, NULL, OUTPUT_IMAGE, STAGE_AST, NULL }
};

bool output_is_alone(const struct output *o)
{
	return o->kind == OUTPUT_SETUP || o->kind == OUTPUT_OVERLAY || o->kind == OUTPUT_PROTOCOL;
}

struct option_value output_value(size_t i)
{
	return (struct option_value){ outputs[i].name, outputs[i].help };
}
