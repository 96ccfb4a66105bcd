// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Strobing, as Linux sets it up for profiles (AutoFDO): instructions are traced for a window of `cycles`
// cycles, and then not for `off` windows. The first window is told from later ones, as by the sequencer
// in Linux's program.
param cycles;
param off;
tick cycles;

machine strobing {
	counter gap at off latch;
	state wait start;
	state first output(trace);
	state between;
	state later output(trace);
	count gap : tick when wait, between;
	reset gap : tick when first, later;
	wait -> first : @gap;
	first -> between : tick;
	between -> later : @gap;
	later -> between : tick;
}
