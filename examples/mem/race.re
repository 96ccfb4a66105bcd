// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which words do two threads write without a common rule? A word matches if two threads write it,
// and at least one of the two does so without holding a lock and not by an atomic instruction.
//
// The filter knows that what a thread did is before what the threads that it starts do, and that what
// an ended thread did is before what happens once it was joined. So main() may fill an array that its
// threads write later, and may write it again after pthread_join(). Two threads that main() starts
// race even if they do not run at the same time. If another thread than main() joins a thread, the
// filter takes what all threads do then as later. The filter does not ask which lock is held. It leaves
// out the words of a lock or barrier itself, once it was initialised or taken.
//
// Barriers, condition variables and flags order accesses, too, but the filter does not know that.
// So words that are written before and after them match although they are right. The filter does
// not know locks inside libc, nor locks that a program builds itself, such as those of Python.
// Threads from the eighth on count as one thread.
protocol mem-word;
substream cl from 8 count 67108863;
let write = Any(MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FILL);
let plain = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT);
let bare = write[held == 0];
let start0 = MEM_THREAD[thread == 0];
let join0 = MEM_JOIN[thread == 0];
let calm0 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start0, join0);
let start1 = MEM_THREAD[thread == 1];
let join1 = MEM_JOIN[thread == 1];
let calm1 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start1, join1);
let start2 = MEM_THREAD[thread == 2];
let join2 = MEM_JOIN[thread == 2];
let calm2 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start2, join2);
let start3 = MEM_THREAD[thread == 3];
let join3 = MEM_JOIN[thread == 3];
let calm3 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start3, join3);
let start4 = MEM_THREAD[thread == 4];
let join4 = MEM_JOIN[thread == 4];
let calm4 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start4, join4);
let start5 = MEM_THREAD[thread == 5];
let join5 = MEM_JOIN[thread == 5];
let calm5 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start5, join5);
let start6 = MEM_THREAD[thread == 6];
let join6 = MEM_JOIN[thread == 6];
let calm6 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start6, join6);
let start7 = MEM_THREAD[thread == 7];
let join7 = MEM_JOIN[thread == 7];
let calm7 = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, start7, join7);
// After main() has joined a thread, the writes of the others still race with those of that thread.
let still = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT, MEM_THREAD);
let bare_other = bare[thread != 0];
let write_other = write[thread != 0];
filter race = eps plain* (
	bare[thread == 0] calm0* write[thread != 0] | write[thread == 0] calm0* bare[thread != 0] |
	bare[thread == 1] calm1* write[thread != 1] | write[thread == 1] calm1* bare[thread != 1] |
	bare[thread == 2] calm2* write[thread != 2] | write[thread == 2] calm2* bare[thread != 2] |
	bare[thread == 3] calm3* write[thread != 3] | write[thread == 3] calm3* bare[thread != 3] |
	bare[thread == 4] calm4* write[thread != 4] | write[thread == 4] calm4* bare[thread != 4] |
	bare[thread == 5] calm5* write[thread != 5] | write[thread == 5] calm5* bare[thread != 5] |
	bare[thread == 6] calm6* write[thread != 6] | write[thread == 6] calm6* bare[thread != 6] |
	bare[thread == 7] calm7* write[thread != 7] | write[thread == 7] calm7* bare[thread != 7] |
	bare[thread == 1] calm1* MEM_JOIN[thread == 1, by == 0] still* write_other[thread != 1] |
	write[thread == 1] calm1* MEM_JOIN[thread == 1, by == 0] still* bare_other[thread != 1] |
	bare[thread == 2] calm2* MEM_JOIN[thread == 2, by == 0] still* write_other[thread != 2] |
	write[thread == 2] calm2* MEM_JOIN[thread == 2, by == 0] still* bare_other[thread != 2] |
	bare[thread == 3] calm3* MEM_JOIN[thread == 3, by == 0] still* write_other[thread != 3] |
	write[thread == 3] calm3* MEM_JOIN[thread == 3, by == 0] still* bare_other[thread != 3] |
	bare[thread == 4] calm4* MEM_JOIN[thread == 4, by == 0] still* write_other[thread != 4] |
	write[thread == 4] calm4* MEM_JOIN[thread == 4, by == 0] still* bare_other[thread != 4] |
	bare[thread == 5] calm5* MEM_JOIN[thread == 5, by == 0] still* write_other[thread != 5] |
	write[thread == 5] calm5* MEM_JOIN[thread == 5, by == 0] still* bare_other[thread != 5] |
	bare[thread == 6] calm6* MEM_JOIN[thread == 6, by == 0] still* write_other[thread != 6] |
	write[thread == 6] calm6* MEM_JOIN[thread == 6, by == 0] still* bare_other[thread != 6] |
	bare[thread == 7] calm7* MEM_JOIN[thread == 7, by == 0] still* write_other[thread != 7] |
	write[thread == 7] calm7* MEM_JOIN[thread == 7, by == 0] still* bare_other[thread != 7]);
