// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T equation 45, without Any.
protocol eci;
filter f = true* (A11 | A31 | A32 | R12 | R13 | RA2);
