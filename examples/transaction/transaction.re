// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Follows transactions by their numbers.
//
// The field rreqid of a request is the number of its transaction, and the answer repeats it. With
// `substream rreqid` each number from 4 to 7 has its own copy of the filters. A copy sees only
// messages that have the field, and its number there. So answers are matched to requests even where
// two requests of one line are under way, and are answered in another order. `count 1` follows a
// single number; so does a guard, such as `filter four = true* any[rreqid == 4];`.
//
// Output: requests [begun] and their answers [done]; with --lines the number of the transaction
// stands behind the label. At 203 a request has number 4 while the request of 155 is not yet
// answered: [reused] says that two transactions have one number.
protocol eci;
substream rreqid from 4 count 4;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
filter begun  = true* request;
filter done   = true* request !answer* answer;
filter reused = true* request !answer* request;
