// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Text search, to show that a protocol is a description and nothing built in: with protocol bytes
// every byte is a batch, its value the opcode, and the time its offset.
//
// Finds "timeout" and "reset" in a log, the first letter in either case. true* at the front lets a
// match begin anywhere, also inside a failed one ("timetimeout"). A label must not be a reserved
// word, so the second is not called reset.
//     nfarun --from raw bytes.bin bytes.raw
//
// Output: the byte that completes a match; its time is the offset of that byte. Add window and log
// to see more of the text.
protocol bytes;
filter timeout = true* Any('t', 'T') 'i' 'm' 'e' 'o' 'u' 't';
filter restart = true* Any('r', 'R') 'e' 's' 'e' 't';
