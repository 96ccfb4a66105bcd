// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// What kind of cache miss is it? (thesis, section 4.2 and figure 27)
//
// One copy of the automaton follows each of four cache lines. The first request of a line is a
// compulsory miss. Then the line is in the CPU's cache, until the CPU gives it up of its own accord
// (V21, V31: the cache was full, or a set of it) or the home takes it away (F21, F31: somebody else
// wants it). The next request tells which it was. The thesis needed a run for each kind; with
// labels one run sorts them all.
//
// Output: the requests that are misses, each with its kind. With --lines the line stands after it;
// nfarun --count --by line makes a table. F32 leaves the line shared in the cache, so no miss
// follows.
protocol eci;
substream cl from 0x8080 count 4;
automaton miss {
	state untouched start;
	state compulsory accept;
	state cached;
	state evicted;
	state taken;
	state capacity accept;        // or conflict: the link can't tell
	state coherency accept;
	untouched  -> untouched  : None(R12, R13);
	untouched  -> compulsory : Any(R12, R13);
	compulsory -> cached     : eps;
	cached     -> cached     : None(V21, V31, F21, F31);
	cached     -> evicted    : Any(V21, V31);
	cached     -> taken      : Any(F21, F31);
	evicted    -> evicted    : None(R12, R13);
	evicted    -> capacity   : Any(R12, R13);
	capacity   -> cached     : eps;
	taken      -> taken      : None(R12, R13);
	taken      -> coherency  : Any(R12, R13);
	coherency  -> cached     : eps;
}
