// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T figure 35, the graph that is not homogeneous: transitions that leave a state share their input.
protocol bytes;
automaton f {
	state x start accept; state y; state z;
	x -> x : 'a'; x -> y : 'a'; x -> z : 'a';
	y -> x : 'b'; y -> y : 'b'; y -> z : 'b';
	z -> x : 'c'; z -> y : 'c'; z -> z : 'c';
}
