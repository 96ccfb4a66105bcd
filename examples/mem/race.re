// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which words do two threads write, and not both with a lock held, or by an atomic instruction?
// Making a thread and the end of one order what comes before and after: main may fill an array that
// its threads then write. Which lock is held is not asked. The words of a lock or barrier itself are
// left out, once it was initialised or taken. Barriers, condition variables and flags order accesses
// that come before and after them; the filter does not know that, and reports what is written on
// both sides. Nor does it know locks inside of libc, and those that a program makes of these, such as
// Python's. Threads from the eighth on are taken for one.
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
