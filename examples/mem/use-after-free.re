// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which blocks does the program use after it has freed them? Each access to freed memory matches.
protocol mem;
substream cl from 1 count 16777215;
let access = Any(MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_COPY, MEM_STORE, MEM_FETCH, MEM_FILL);
filter used = true* MEM_FREE true* access;
