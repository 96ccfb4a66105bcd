// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Added to examples/misses/misses.re: every request. The program of T 4.2 only loads, so each is a miss.
filter request = true* Any(R12, R13);
