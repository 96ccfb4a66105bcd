// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which members of a structure are used without its mutex?
//
// The mutex is at offset `mutex` of a block. It protects the bytes from `first` to `last` of the
// block. By default the mutex is the first member, and protects all other members. The filter
// begins with the first unlock of the mutex, so a structure can be filled in before other threads
// know it. A block whose mutex was never locked does not match.
//
// unlocked: a member is used after an unlock, and before the next lock. Nothing matches after the
// mutex was destroyed. stranger: another thread than the one that locked the mutex uses a member.
//
// Threads from the eighth on count as one thread. For another kind of lock, give `first` the size
// of that lock: 56 for a pthread_rwlock_t. Two readers of such a lock match as strangers.
protocol mem;
param mutex = 0;
param first = 40;              // sizeof(pthread_mutex_t)
param last = 0x3fffffff;
substream cl from 1 count 16777215;
let access = Any(MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FETCH, MEM_FILL);
let member = access[offset in first..last];
let lock = MEM_LOCK[offset == mutex];
let unlock = MEM_UNLOCK[offset == mutex];
let destroy = MEM_DESTROY[offset == mutex];
let held = None(unlock);
filter unlocked = true* unlock None(lock, destroy)* member;
filter stranger = true* (
	lock[thread == 0] held* member[thread != 0] |
	lock[thread == 1] held* member[thread != 1] |
	lock[thread == 2] held* member[thread != 2] |
	lock[thread == 3] held* member[thread != 3] |
	lock[thread == 4] held* member[thread != 4] |
	lock[thread == 5] held* member[thread != 5] |
	lock[thread == 6] held* member[thread != 6] |
	lock[thread == 7] held* member[thread != 7]);
