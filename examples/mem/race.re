// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which words do two threads write without a common rule? A word matches if two threads write it,
// and at least one of the two does so without holding a lock and not by an atomic instruction.
//
// The filter knows that the start and the end of a thread order what other threads do before and
// after them. So main() may fill an array that its threads write later. The filter does not ask
// which lock is held. It leaves out the words of a lock or barrier itself, once it was initialised
// or taken.
//
// Barriers, condition variables and flags order accesses, too, but the filter does not know that.
// So words that are written before and after them match although they are right. The filter does
// not know locks inside libc, nor locks that a program builds itself, such as those of Python.
// Threads from the eighth on count as one thread.
protocol mem-word;
substream cl from 8 count 67108863;
let write = Any(MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FILL);
let calm = None(MEM_THREAD, MEM_EXIT, MEM_LOCK, MEM_UNLOCK, MEM_INIT);
let plain = None(MEM_LOCK, MEM_UNLOCK, MEM_INIT);
let bare = write[held == 0];
filter race = eps plain* (
	bare[thread == 0] calm* write[thread != 0] | write[thread == 0] calm* bare[thread != 0] |
	bare[thread == 1] calm* write[thread != 1] | write[thread == 1] calm* bare[thread != 1] |
	bare[thread == 2] calm* write[thread != 2] | write[thread == 2] calm* bare[thread != 2] |
	bare[thread == 3] calm* write[thread != 3] | write[thread == 3] calm* bare[thread != 3] |
	bare[thread == 4] calm* write[thread != 4] | write[thread == 4] calm* bare[thread != 4] |
	bare[thread == 5] calm* write[thread != 5] | write[thread == 5] calm* bare[thread != 5] |
	bare[thread == 6] calm* write[thread != 6] | write[thread == 6] calm* bare[thread != 6] |
	bare[thread == 7] calm* write[thread != 7] | write[thread == 7] calm* bare[thread != 7]);
