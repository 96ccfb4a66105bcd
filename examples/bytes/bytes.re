// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Text search. It shows that protocols are not built in but described: with protocol bytes every
// byte is a batch, its value is the opcode, and its offset is the time.
//
// Finds "timeout" and "reset" in a log, with the first letter in either case. Because of true* a
// match can begin anywhere, also inside a failed one ("timetimeout"). `reset` is a reserved word,
// so the label of the second filter is `restart`.
//     nfarun --from raw bytes.bin bytes.raw
//
// Output: the byte that completes a match; its time is the offset of that byte. Add window and log
// to see more of the text.
protocol bytes;
filter timeout = true* Any('t', 'T') 'i' 'm' 'e' 'o' 'u' 't';
filter restart = true* Any('r', 'R') 'e' 's' 'e' 't';
