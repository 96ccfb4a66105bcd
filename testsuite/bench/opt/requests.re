// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T figure 25b and the first row of T table 10: the blocks that may hold requests and responses.
protocol eci;
automaton blocks {
	state other start;
	state wanted accept;
	other  -> other  : None(cpu.any@6,7, fpga.any@4,5);
	other  -> wanted : Any(cpu.any@6,7, fpga.any@4,5);
	wanted -> other  : None(cpu.any@6,7, fpga.any@4,5);
	wanted -> wanted : Any(cpu.any@6,7, fpga.any@4,5);
}
