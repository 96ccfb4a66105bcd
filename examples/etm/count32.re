// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Counts lines in 32 bits: the second counter counts how often the first one rolled over. Nothing is
// throttled; software reads both counters.
machine count32 {
	counter low at 65536 roll;
	counter high at 65536 roll;
	state counting start accept;
	count low : Any(LINES);
	count high : @low;
}
