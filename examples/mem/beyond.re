// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which accesses leave their block? An access matches if it begins in a block and ends behind it.
// It also matches if it begins in the gap behind a block.
protocol mem;
substream cl from 1 count 16777215;
let access = Any(MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FETCH, MEM_FILL);
filter beyond = true* access[beyond == 1];
