// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Are locks initialised, used and destroyed in this order? It looks at the lock at offset `lock` of
// each block. early: used before it was initialised, in a block from malloc, calloc or mmap
// (variables can be initialised by the compiler, as can be the mutexes of C++, which this finds
// wrongly). late: used after it was destroyed; libc refuses to lock such a mutex, so only its unlock
// is seen. again: initialised twice. freed: its block is freed before it is destroyed.
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
