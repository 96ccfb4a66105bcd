// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Does the writer of a ring buffer overtake its reader? An entry matches if it is written twice,
// and not read in between.
//
// The entries are at offsets from `first` to `last` of their block. `nfamem --watch` chooses the
// block. Without it, every block counts as a ring buffer. The filter knows an entry by its first
// byte, and checks only entries that begin at the start of a word.
protocol mem-word;
param first = 0;
param last = 0x1ffff;
substream cl from 8 count 67108863;
let write = Any(MEM_SAVE, MEM_COPY, MEM_STORE, MEM_FILL);
let read = Any(MEM_LOAD, MEM_BOTH, MEM_FETCH);
let put = write[offset in first..last, byte == 0];
let take = read[byte == 0];
filter overrun = true* put None(take)* put;
