// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T figure 35, the graph that is homogeneous: transitions that enter a state share their input.
protocol bytes;
automaton f {
	state x start accept; state y; state z;
	x -> x : 'a'; y -> x : 'a'; z -> x : 'a';
	x -> y : 'b'; y -> y : 'b'; z -> y : 'b';
	x -> z : 'c'; y -> z : 'c'; z -> z : 'c';
}
