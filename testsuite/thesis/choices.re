// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T equation 50 with n = 15, and a state behind it, in which all choices end.
protocol bytes;
filter f = true* ('a' 'a' | 'b' 'b' | 'c' 'c' | 'd' 'd' | 'e' 'e' | 'f' 'f' | 'g' 'g' | 'h' 'h'
	| 'i' 'i' | 'j' 'j' | 'k' 'k' | 'l' 'l' | 'm' 'm' | 'n' 'n' | 'o' 'o') 'z';
