// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Is a structure with a mutex used without it? Once the mutex at offset `mutex` of a block was
// released, the bytes `first` to `last` of the block may be touched only while it is locked, and
// only by the thread that locked it. By default the mutex is the first member of the structure, and
// protects all the others. A block whose mutex was never locked may be used freely, so a structure
// can be filled in before others know of it; so may one whose mutex was destroyed. Threads from the
// eighth on are taken for one. For a lock of another kind `first` is its size: 56 for a
// pthread_rwlock_t, two readers of which are reported as strangers.
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
