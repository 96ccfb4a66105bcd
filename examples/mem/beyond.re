// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which accesses end behind the block in which they begin, or begin in the gap behind a block?
protocol mem;
substream cl from 1 count 16777215;
let access = Any(MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FETCH, MEM_FILL);
filter beyond = true* access[beyond == 1];
