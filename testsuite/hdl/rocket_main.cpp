// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Clocks rocket_top.v: rocket CYCLES WAVEFORM +program=FILE [+bug=NUMBER]. A step of the waveform is half a cycle.
#include <cstdlib>

#include <verilated.h>
#include <verilated_fst_c.h>

#include "Vrocket_top.h"

int main(int argc, char **argv)
{
	VerilatedContext context;
	Vrocket_top top{&context};
	VerilatedFstC wave;
	unsigned long cycles = argc > 2 ? strtoul(argv[1], nullptr, 10) : 0;

	context.traceEverOn(true);
	context.commandArgs(argc, argv);
	top.trace(&wave, 1);
	wave.open(argv[2]);
	for (unsigned long half = 0; half < 2 * cycles && !context.gotFinish(); half++) {
		top.clock = half & 1;
		top.reset = half < 100;
		top.eval();
		wave.dump(half);
	}
	wave.close();
	return cycles == 0;
}
