// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// What does the program free that it must not free? A block twice; an address inside a block; a
// variable; what mmap gave.
protocol mem;
substream cl from 1 count 16777215;
filter twice = true* MEM_FREE true* MEM_FREE;
filter inside = true* MEM_FREE[offset != 0];
filter foreign = true* Any(data.MEM_FREE, bss.MEM_FREE, mapped.MEM_FREE);
