/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa_model [SEED]: compares nfacc_nfa with nfa_model.h under Verilator, for all shapes, portable
 * and of primitives. It prints TAP. If it is compiled with VECTORS, `nfa_model SEED NAME` instead
 * writes the cycles of one shape for nfa_vectors.v.
 */
#include "nfa_model.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifdef VECTORS
int main(int argc, char **argv)
{
	for (const struct shape &s : shapes) {
		if (argc < 3 || strcmp(s.name, argv[2]))
			continue;
		model m(s, (uint32_t)atoi(argv[1]));
		m.run(2, 200);
		/* A line has one number of 641 bits: the cycle's `checked`, then `out`, then
		 * `in`. */
		for (const cycle &c : m.cycles) {
			printf("%d", c.checked);
			for (int i = 3; i >= 0; i--)
				printf("%08x", c.out[i]);
			for (int i = 15; i >= 0; i--)
				printf("%08x", c.in[i]);
			printf("\n");
		}
	}
	return 0;
}
#else
#include "Vnfa_all.h"
/* nfa_verilog makes this file. It has PORTS(inputs, outputs, outputs of the engine of primitives)
 * for each shape. */
#include "nfa_ports.h"

int main(int argc, char **argv)
{
	uint32_t seed = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
	VerilatedContext context;
	Vnfa_all top(&context);
	std::vector<model> models;
	std::vector<size_t> wrong(SHAPES, 0), outputs(SHAPES, 0), set(SHAPES, 0);
	size_t longest = 0;

	printf("# seed %u\n1..%d\n", seed, SHAPES);
	for (int i = 0; i < SHAPES; i++) {
		models.emplace_back(shapes[i], seed + (uint32_t)i);
		models[i].run(4, 500);
		longest = models[i].cycles.size() > longest ? models[i].cycles.size() : longest;
	}
	for (size_t t = 0; t < longest; t++) {
		int i = 0;
#define PORTS(in_, out_, out_x)                                                                 \
		if (t < models[i].cycles.size())                                                \
			memcpy(&top.in_, models[i].cycles[t].in, 64);                           \
		i++;
		ALL_PORTS
#undef PORTS
		top.clk = 0;
		top.eval();
		i = 0;
#define PORTS(in_, out_, out_x)                                                                    \
	if (t < models[i].cycles.size() && models[i].cycles[t].checked) {                          \
		const cycle &c = models[i].cycles[t];                                              \
		outputs[i] += c.out[0] & 1;                                                        \
		set[i] += (c.out[2] | c.out[3]) != 0;                                              \
		if (memcmp(&top.out_, c.out, 16) || memcmp(&top.out_x, c.out, 16))                 \
			if (wrong[i]++ == 0)                                                       \
				printf("# %s: cycle %zu: wanted %08x%08x %x, "                     \
				       "portable %08x%08x %x, primitives %08x%08x %x\n",           \
				       shapes[i].name, t, c.out[3], c.out[2], c.out[0],            \
				       top.out_[3], top.out_[2], top.out_[0], top.out_x[3],        \
				       top.out_x[2], top.out_x[0]);                                \
	}                                                                                          \
	i++;
		ALL_PORTS
		top.clk = 1;
		top.eval();
	}
	bool failed = false;
	for (int i = 0; i < SHAPES; i++) { /* some batches must have a label, and some none */
		bool bad = wrong[i] || set[i] == 0 || set[i] == outputs[i];
		printf("%s %d - %s: %zu batches, %zu with a label\n", bad ? "not ok" : "ok",
		       i + 1, shapes[i].name, outputs[i], set[i]);
		failed |= bad;
	}
	return failed;
}
#endif
