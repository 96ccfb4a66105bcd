// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which calls of free() are wrong?
// twice: the block was freed before. inside: the address is inside a block, not at its start.
// foreign: the address is that of a variable, or of memory from mmap().
// mismatched: delete frees what malloc() or new[] made, free() what new made, and the like.
protocol mem;
substream cl from 1 count 16777215;
filter twice = true* MEM_FREE true* MEM_FREE;
filter inside = true* MEM_FREE[offset != 0];
filter foreign = true* Any(data.MEM_FREE, bss.MEM_FREE, mapped.MEM_FREE);
filter mismatched = true* MEM_FREE[mismatched == 1];
