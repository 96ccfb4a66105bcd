// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// What kind of cache miss is it? (thesis, section 4.2 and figure 27)
//
// A copy of the automaton follows each of four cache lines. The first request of a line is a
// compulsory miss. Then the line is in the CPU's cache, until the CPU gives it up of its own accord
// (V21, V31: the cache, or a set of it, was full) or the home takes it away (F21, F31: somebody
// else wants it). In the first case the next request is a capacity miss, in the second a coherency
// miss. The thesis needed a run for each kind; with labels one run finds them all.
//
// Output: the requests that are misses, each with its kind. With --lines the line stands after the
// kind; nfarun --count --by line prints a table. F32 leaves the line shared in the cache, so no
// miss follows it.
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
