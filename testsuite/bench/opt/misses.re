// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T figure 27, cache misses by kind. The figure has one accepting label; here each kind has its own.
protocol eci;
substream cl from 0x8080 count 4;
automaton misses {
	state s0 start;
	state compulsory accept;
	state s1;
	state evicted;
	state capacity accept;
	state taken;
	state coherence accept;
	s0 -> s0 : None(R12, R13);
	s0 -> compulsory : Any(R12, R13);
	compulsory -> s1 : eps;
	s1 -> s1 : None(V21, V31, F21, F31);
	s1 -> evicted : Any(V21, V31);
	s1 -> taken : Any(F21, F31);
	evicted -> evicted : None(R12, R13);
	evicted -> capacity : Any(R12, R13);
	capacity -> s1 : eps;
	taken -> taken : None(R12, R13);
	taken -> coherence : Any(R12, R13);
	coherence -> s1 : eps;
}
