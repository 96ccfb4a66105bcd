/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa_verilog [NAME]: prints the Verilog around nfacc_nfa for the simulations: a module nfa_all
 * with two engines for each shape, one portable and one of primitives. With NAME it is only that
 * shape, portable. With --ports it prints the list of engines for nfa_model.cc. All ports of an
 * engine are in two vectors, which are the same for every shape. nfa_model.h has their layout.
 */
#include "nfa_shapes.h"
#include <cstdio>
#include <cstring>

static void parameters(const struct shape &s)
{
	printf("\t\t.CLIQUE(%d), .LENGTH(%d), .RINGS(%d), .REACH(%d), .DECODER(%d), .BANK(%d),\n",
		s.clique, s.length, s.rings, s.reach, s.decoder, s.bank);
	printf("\t\t.PREDECESSORS(%d), .LINES(%d), .LABELS(%d), .DATA(%d), .MEMORY(%d),\n",
		s.predecessors, s.lines, s.labels, s.data, s.memory);
	printf("\t\t.SLOTS(%d), .ROW_BITS(%d), .IDLE(%d), .NCLIQUES(%d), .NSTE(%d), "
	       ".NNEIGHBOURS(%d),\n",
	       s.slots, s.op_bits, s.idle, s.ncliques(), s.nste(), (int)s.near(0).size());
	printf("\t\t.NNODES(%d), .NPRED(%d), .NPREDLUT(%d), .NGROUP(%d), .ROW_CODES(%d), "
	       ".NTABLE(%d),\n",
	       s.nnodes(), s.npred(), s.npredlut(), s.ngroup(), s.opcodes(), s.ntable());
	printf("\t\t.COUNTERS(%d), .COUNTER_WIDTH(%d), .NCOUNTERS(%d), .NALL(%d),\n", s.counters,
		s.counter_width, s.ncounters(), s.nall());
	printf("\t\t.NROW(%d), .CODE_BITS(%d), .ROW_WIDTH(%d), .ROW_WORDS(%d), .LANE_BITS(%d),\n",
	       s.nrow(), shape::bits(s.nrow()), s.width(), s.row_words(),
	       shape::bits(s.row_words()));
	printf("\t\t.SELECT_BITS(%d), .LINE_BITS(%d),\n\t\t.ELEMENT_WORDS({\n", s.select_bits(),
		s.line_bits());
	for (int id = ELEMENT_FIELDS - 1; id >= 0; id--)
		printf("\t\t\t32'd%d%s // element %d\n", s.element_words(id), id > 0 ? "," : "",
		       id);
	printf("\t\t}),\n");
	printf("\t\t.NEIGHBOURS({");
	for (int c = s.ncliques() - 1; c >= 0; c--) {
		std::vector<int> n = s.near(c);
		for (int k = (int)n.size() - 1; k >= 0; k--)
			printf("32'd%d%s", n[k], c + k > 0 ? "," : "");
	}
	printf("})");
}

static void engine(const struct shape &s, int xilinx)
{
	const char *x = xilinx ? "_x" : "";

	printf("\tnfacc_nfa #(\n");
	parameters(s);
	printf(", .XILINX(%d)\n\t) nfa_%s%s (\n", xilinx, s.name, x);
	printf("\t\t.clk(clk), .rst(%s_in[0]), .in_valid(%s_in[1]), .in_restart(%s_in[2]),\n"
	       "\t\t.cfg_clear(%s_in[3]), .cfg_row_we(%s_in[4]), .cfg_code(%s_in[%d:5]),\n",
	       s.name, s.name, s.name, s.name, s.name, s.name, 5 + shape::bits(s.nrow()) - 1);
	/* Elements from 32 on are no part of the NFA. */
	printf("\t\t.cfg_lane(%s_in[%d:16]), .cfg_shift({%d'd0, %s_in[62:32]}), "
	       ".cfg_data(%s_in[%d:64]),\n",
	       s.name, 16 + shape::bits(s.row_words()) - 1, last_element() - 31, s.name, s.name,
	       64 + s.data - 1);
	printf("\t\t.in_present(%s_in[%d:128]), .in_letter(%s_in[%d:192]), "
	       ".in_line(%s_in[%d:352]), .in_every({%d{1'b0}}), "
	       ".used({%d{1'b1}}),\n",
	       s.name, 128 + s.slots - 1, s.name, 192 + s.slots * s.op_bits - 1, s.name,
	       352 + s.slots * s.line_bits() - 1, s.slots, s.lines);
	printf("\t\t.out_valid(%s%s_out[0]), .out_restart(%s%s_out[1]),\n"
	       "\t\t.out_log(%s%s_out[2]), .out_names(%s%s_out[3]), "
	       ".out_labels(%s%s_out[%d:64])\n\t);\n",
	       s.name, x, s.name, x, s.name, x, s.name, x, s.name, x, 64 + s.labels - 1);
	printf("\tassign %s%s_out[63:4] = 0;\n", s.name, x);
	if (s.labels < 64)
		printf("\tassign %s%s_out[127:%d] = 0;\n", s.name, x, 64 + s.labels);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--ports")) {
		printf("#define ALL_PORTS");
		for (const struct shape &s : shapes)
			printf(" \\\n\tPORTS(%s_in, %s_out, %s_x_out)", s.name, s.name, s.name);
		printf("\n");
		return 0;
	}
	/* The vectors are longer than any shape needs, so some of their bits are unused. */
	printf("/* verilator lint_off UNUSEDSIGNAL */\n`default_nettype none\nmodule nfa_all "
	       "(input wire clk");
	for (const struct shape &s : shapes)
		if (argc < 2 || !strcmp(argv[1], s.name))
			printf(",\n\tinput wire [511:0] %s_in, output wire [127:0] %s_out%s%s%s",
			       s.name, s.name, argc < 2 ? ", output wire [127:0] " : "",
			       argc < 2 ? s.name : "", argc < 2 ? "_x_out" : "");
	printf("\n);\n");
	for (const struct shape &s : shapes) {
		if (argc >= 2 && strcmp(argv[1], s.name))
			continue;
		engine(s, 0);
		if (argc < 2)
			engine(s, 1);
	}
	printf("endmodule\n`default_nettype wire\n");
	return 0;
}
