// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which words that malloc gave are read before anything was stored there? Each such word once. What
// calloc gave, variables and what mmap gave are never reported: they have a value from the start.
// Copying memory that was never set is no reading (structures have gaps), and sets the destination.
// A byte that is stored sets its whole word. A compiler that copies a structure by loads and stores
// makes a reading of it.
protocol mem-word;
substream cl from 8 count 67108863;
let set = Any(MEM_SAVE, MEM_COPY, MEM_STORE, MEM_FILL);
let read = Any(MEM_LOAD, MEM_BOTH);
let first = None(set, read);
filter unset = eps first* Any(heap.MEM_LOAD, heap.MEM_BOTH);
