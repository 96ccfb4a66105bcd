// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Five outputs.
machine m { state a start output(o1) output(o2) output(o3) output(o4) output(o5); }
