// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T table 6: which pairs of home and remote state of a line are still possible, as bit vectors; the
// last state is the error, where none is. One transition for each (state, state).
protocol eci;
substream cl from 0 count 1;
automaton coherence {
	state s111111 start;
	state s101001;
	state s111011;
	state s010010;
	state illegal accept;
	s111111 -> s111111 : Any(F31, F32, RA3);
	s111111 -> s101001 : Any(A11, A21, A31, R12, R13);
	s111111 -> s111011 : Any(A22, A32, F21, RA2);
	s111111 -> s010010 : Any(R23);
	s101001 -> s111111 : Any(RA3);
	s101001 -> s101001 : Any(A11, F21, F31, F32, R12, R13);
	s101001 -> s111011 : Any(RA2);
	s101001 -> illegal : Any(A21, A22, A31, A32, R23);
	s111011 -> s111111 : Any(RA3);
	s111011 -> s101001 : Any(A11, A21, R12, R13);
	s111011 -> s111011 : Any(A22, F21, F31, F32, RA2);
	s111011 -> s010010 : Any(R23);
	s111011 -> illegal : Any(A31, A32);
	s010010 -> s111111 : Any(RA3);
	s010010 -> s101001 : Any(A21);
	s010010 -> s111011 : Any(A22, F21, F31, F32);
	s010010 -> s010010 : Any(R23);
	s010010 -> illegal : Any(A11, A31, A32, R12, R13, RA2);
	illegal -> illegal : Any(A11, A21, A22, A31, A32, F21, F31, F32, R12, R13, R23, RA2, RA3);
}
