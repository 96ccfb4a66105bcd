// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Are locks initialised, used and destroyed in this order? The filter looks at the lock at offset
// `lock` of each block.
//
// early: a lock is used before it was initialised. Only blocks from malloc(), calloc() or mmap()
// match, because a compiler can initialise variables. C++ leaves its mutexes to the compiler, too,
// so those in such blocks match although they are right.
// late: a lock is used after it was destroyed. libc refuses to lock such a mutex, so only the
// unlock is seen.
// again: a lock is initialised twice.
// freed: the block of a lock is freed before the lock is destroyed.
protocol mem;
param lock = 0;
substream cl from 1 count 16777215;
let init = MEM_INIT[offset == lock];
let destroy = MEM_DESTROY[offset == lock];
let use = Any(MEM_LOCK, MEM_UNLOCK);
let allocated = Any(heap.MEM_LOCK, zeroed.MEM_LOCK, mapped.MEM_LOCK);
let early_use = allocated[offset == lock];
filter early = eps None(init, early_use)* early_use;
filter late = true* destroy None(init)* use[offset == lock];
filter again = true* init None(destroy)* init;
filter freed = true* init None(destroy)* MEM_FREE;
