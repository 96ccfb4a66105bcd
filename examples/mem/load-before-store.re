// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which words from malloc() are read before anything was stored there? Each such word matches once.
//
// Words from calloc(), variables and words from mmap() never match, because they have a value from
// the start. Copying does not count as reading, because a structure may have gaps that are never
// set. The destination of a copy counts as set. A store of one byte counts as setting its whole
// word. A compiler may copy a structure with loads and stores; these loads count as reading.
protocol mem-word;
substream cl from 8 count 67108863;
let set = Any(MEM_SAVE, MEM_COPY, MEM_STORE, MEM_FILL);
let read = Any(MEM_LOAD, MEM_BOTH);
let first = None(set, read);
filter unset = eps first* Any(heap.MEM_LOAD, heap.MEM_BOTH);
